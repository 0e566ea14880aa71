/** One world of a study, wherever it is run: from its point and seed to its row. */
import type { Manifest } from '../../core/result/manifest.ts';
import type { FigureUnit, SeedFault, SeedRow } from '../../core/result/study.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { type Run, World } from '../../core/world/world.ts';
import { rowOf } from '../../reports/study/rows.ts';
import { judge, measured, unitsJudged } from '../../scenarios/expectations/expectations.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import { assert } from '../../sim/base/assert.ts';
import { drive } from '../host/clock/run-in-slices.ts';
import { codecEngine } from '../host/codecs/codec-engine.ts';
import { loadManifest } from '../host/files/manifests.ts';
import { WarmUps } from '../host/studies/warm-ups.ts';

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

/** What all worlds of a study have in common. */
export interface Job {
  /** Its seed is not looked at. */
  readonly manifest: Manifest;
  /** All points are the same before, µs; null: they have nothing in common. */
  readonly branchAtUs: number | null;
  /** The folder of a study that keeps what they have in common, a file a seed; null: none does. */
  readonly warmUps: string | null;
  /** Overrides of each point, over those of the manifest. */
  readonly points: readonly (readonly string[])[];
  /** Figures that rows keep beside those of the table, by the name that expectations have. */
  readonly figures: readonly string[];
}

/** A world of a study. */
export interface Task {
  /** From 0. */
  readonly point: number;
  readonly seed: string;
}

/** Hears of all tasks of a study. */
export interface Hearing {
  /** Of the task at this place of the list; in whatever order they end. */
  readonly onDone: (at: number, done: Done) => void;
  readonly onPace: (at: number, pace: Pace) => void;
  /** The thread that ran it is gone, and so may be what it was: out of memory, as a rule. */
  readonly onLost: (at: number, error: unknown) => void;
  readonly stops: () => boolean;
}

/** Most scenarios cached: a study of more points parses the others each time. */
const STORED_MAX = 100;

/** Runs worlds of one study; the scenario of a point is read once. */
export class Runner {
  readonly #job: Job;
  readonly #scenarios = new Map<number, Scenario>();
  readonly #warmUps: WarmUps | undefined;
  /** What all points of the latest seed have in common. */
  #trunk: Run | undefined;

  /** What the manifest holds with the settings of any point is a scenario without a fault. */
  constructor(job: Job) {
    this.#job = job;
    if (job.warmUps !== null) this.#warmUps = new WarmUps(job.warmUps);
  }

  /** Undefined: it was stopped. A world that breaks is a row, too. */
  async run({ point, seed }: Task, { onPace, stops }: Listener): Promise<Done | undefined> {
    const scenario = this.#scenarioOf(point);
    try {
      const world = await this.#worldOf(populate(scenario, seed), seed, stops);
      if (world === undefined) return undefined;
      const onSlice = () => onPace({ share: world.nowUs / world.endUs, events: world.events });
      if (!(await drive(world, stops, onSlice))) return undefined;
      const { expectations } = scenario;
      const result = world.result();
      const more = measured(result, this.#job.figures);
      const row = rowOf(result, judge(expectations, result), more);
      return { row, units: unitsJudged(expectations, result) };
    } catch (error) {
      return { row: faultOf(seed, error) };
    }
  }

  /** From its beginning, or from where it branches off what all points of its seed have. */
  async #worldOf(plan: RunPlan, seed: string, stops: () => boolean): Promise<Run | undefined> {
    const options = { codecs: codecEngine() };
    const { branchAtUs } = this.#job;
    if (branchAtUs === null || branchAtUs > plan.durationUs) {
      return World.create(plan, seed, options);
    }
    if (this.#trunk?.seed !== seed) this.#trunk = await this.#trunkOf(plan, seed, stops);
    return this.#trunk?.branch(plan, options);
  }

  /** Common warm-up of all points of a seed: loaded from the study, or simulated. */
  async #trunkOf(plan: RunPlan, seed: string, stops: () => boolean): Promise<Run | undefined> {
    // What happens in the instant itself may be another thing at each point.
    const untilUs = this.#job.branchAtUs! - 1;
    // The same plan for whichever point comes first.
    const timeline = plan.timeline.filter(({ atUs }) => atUs <= untilUs);
    const shared = { ...plan, name: '', description: '', timeline };
    const options = { codecs: codecEngine() };
    const stored = this.#warmUps?.worldOf(shared, seed, untilUs, options);
    if (stored !== undefined) return stored;
    const trunk = World.create(shared, seed, options);
    if (!(await drive(trunk, stops, () => undefined, { untilUs }))) return undefined;
    this.#warmUps?.keep(trunk);
    return trunk;
  }

  #scenarioOf(point: number): Scenario {
    const known = this.#scenarios.get(point);
    if (known !== undefined) return known;
    const { manifest, points } = this.#job;
    const loaded = loadManifest({ ...manifest, set: [...manifest.set, ...points[point]!] });
    assert(loaded.outcome === 'scenario', 'what was loaded once is loaded again');
    if (this.#scenarios.size < STORED_MAX) this.#scenarios.set(point, loaded.scenario);
    return loaded.scenario;
  }
}

/** Its first line: what follows names places of this build. */
export function faultOf(seed: string, error: unknown): SeedFault {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { seed, error: said.split('\n', 1)[0] ?? said };
}
