/** One seed of a study, wherever it is run: from the manifest of its scenario to its row. */
import type { Manifest } from '../../core/result/manifest.ts';
import type { FigureUnit, SeedRow } from '../../core/result/study.ts';
import { World } from '../../core/world/world.ts';
import { rowOf } from '../../reports/study/rows.ts';
import { judge, unitsJudged } from '../../scenarios/expectations/expectations.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import type { Scenario } from '../../scenarios/language/schema.ts';
import { assert } from '../../sim/base/assert.ts';
import { codecEngine } from '../host/codecs/codec-engine.ts';
import { drive } from '../host/drive.ts';
import { loadManifest } from '../host/manifests.ts';

export interface Done {
  readonly row: SeedRow;
  /** Of what each expectation was judged on; absent: it broke. */
  readonly units?: readonly (FigureUnit | null)[];
}

/** How far one is. */
export interface Pace {
  /** Of its virtual time, 0…1. */
  readonly share: number;
  readonly events: number;
}

export interface Listener {
  /** Called after each slice. */
  readonly onPace: (pace: Pace) => void;
  readonly stops: () => boolean;
}

/** Hears of all seeds of a study. */
export interface Hearing {
  /** Of the seed at this place of the list; in whatever order they end. */
  readonly onDone: (at: number, done: Done) => void;
  readonly onPace: (at: number, pace: Pace) => void;
  readonly stops: () => boolean;
}

/** Runs seeds of one scenario, which is read once. */
export class Runner {
  readonly #scenario: Scenario;

  /** What the manifest holds is a scenario without a fault. */
  constructor(manifest: Manifest) {
    const loaded = loadManifest(manifest);
    assert(loaded.outcome === 'scenario', 'what was loaded once is loaded again');
    this.#scenario = loaded.scenario;
  }

  /** Undefined: it was stopped. A world that breaks is a row, too. */
  async run(seed: string, { onPace, stops }: Listener): Promise<Done | undefined> {
    try {
      const world = World.create(populate(this.#scenario, seed), seed, { codecs: codecEngine() });
      const onSlice = () => onPace({ share: world.nowUs / world.endUs, events: world.events });
      if (!(await drive(world, stops, onSlice))) return undefined;
      const { expectations } = this.#scenario;
      const result = world.result();
      const row = rowOf(result, judge(expectations, result));
      return { row, units: unitsJudged(expectations, result) };
    } catch (error) {
      return { row: faultOf(seed, error) };
    }
  }
}

/** Its first line: what follows names places of this build. */
export function faultOf(seed: string, error: unknown): SeedRow {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { seed, error: said.split('\n', 1)[0] ?? said };
}
