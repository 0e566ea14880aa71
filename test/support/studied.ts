/** Studies of the library, whole in the long run, else a sample of their points and seeds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planFromDisk } from '../../api/host/studies/study-files.ts';
import { StudyFolder } from '../../api/host/studies/study-folder.ts';
import { foldedStudy, StudyRows } from '../../api/host/studies/study-rows.ts';
import { runDesigned } from '../../api/workers/designed-run.ts';
import type { DesignedStudy, StudyPoint } from '../../core/result/designed-study.ts';
import { format } from '../../scenarios/language/problem.ts';
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import { timeOnAirUs } from '../../sim/library/air.ts';
import { IS_LONG } from './long.ts';

const STUDIES = 'scenarios/studies';

/** Of a point, by the name of the parameter: `{ loss: '10 %' }`. */
export type Levels = Readonly<Record<string, string>>;

export interface Sample {
  readonly points: (levels: Levels) => boolean;
  readonly replicates: number;
}

/** The plan of a study file of the library. */
export async function planOfStudy(name: string): Promise<StudyPlan> {
  const planned = await planFromDisk(join(STUDIES, `${name}.yaml`));
  if (planned.outcome === 'problems') throw new Error(planned.problems.map(format).join('\n'));
  return planned.plan;
}

/** Fewer points and seeds of the same plan: their worlds are those of the whole study. */
function cut(plan: StudyPlan, { points, replicates }: Sample): StudyPlan {
  const names = plan.parameters.map(({ name }) => name);
  const stored = plan.points.filter(({ levels }) => points(levelsOf(names, levels)));
  return { ...plan, points: stored, replicates, atMost: replicates };
}

const levelsOf = (names: readonly string[], levels: readonly { label: string }[]): Levels =>
  Object.fromEntries(names.map((name, at) => [name, levels[at]!.label]));

/** What a study came to, asked by the levels of its points. */
export class Studied {
  readonly study: DesignedStudy;
  readonly #names: readonly string[];

  constructor(study: DesignedStudy) {
    this.study = study;
    this.#names = study.parameters.map(({ name }) => name);
  }

  /** All points that have these levels, in the order of the design. */
  where(asked: Levels = {}): Asked[] {
    return this.study.points
      .map((point) => new Asked(point, levelsOf(this.#names, point.levels)))
      .filter(({ levels }) => Object.entries(asked).every(([name, is]) => levels[name] === is));
  }

  /** The one point that has them. */
  at(asked: Levels): Asked {
    const found = this.where(asked);
    if (found.length === 1) return found[0]!;
    throw new Error(`${found.length} points have ${JSON.stringify(asked)}`);
  }

  /** A level of each point, each once. */
  levels(name: string): string[] {
    return [...new Set(this.where().map(({ levels }) => levels[name]!))];
  }
}

export class Asked {
  readonly point: StudyPoint;
  readonly levels: Levels;

  constructor(point: StudyPoint, levels: Levels) {
    this.point = point;
    this.levels = levels;
  }

  /** The mean over its seeds; a count that no run has is 0. */
  mean(figure: string): number {
    return this.point.figures.find(({ name }) => name === figure)?.mean ?? 0;
  }

  /** The number of a level, without its unit. */
  number(name: string): number {
    return Number.parseFloat(this.levels[name]!);
  }
}

/** Runs the study on this thread, or its sample where the run is not long. */
export async function studied(name: string, sample: Sample): Promise<Studied> {
  const whole = await planOfStudy(name);
  const plan = IS_LONG ? whole : cut(whole, sample);
  const path = mkdtempSync(join(tmpdir(), 'fleetwave-studied-'));
  try {
    const folder = new StudyFolder(path);
    folder.make();
    const rows = new StudyRows(plan, 'this build', new Map());
    const ignore = () => undefined;
    const on = { onRound: ignore, onPace: ignore, onDone: ignore };
    await runDesigned(rows, folder, { threads: 1, shard: undefined, stops: () => false, ...on });
    return new Studied(foldedStudy(rows));
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** MHDR, FHDR, FPort and MIC of a frame without options. */
const AROUND_BYTES = 13;

/** Seconds that a frame with that many bytes is on the air, at 125 kHz. */
export function onAir(spreadingFactor: number, bytes: number): number {
  const frame = { spreadingFactor, bandwidthHz: 125_000, phyPayloadBytes: bytes + AROUND_BYTES };
  return timeOnAirUs({ ...frame, crc: false }) / 1e6;
}

/** Of a fragment: behind the command's name and the fragment's number. */
export const fragmentOnAir = (spreadingFactor: number, bytes: number): number =>
  onAir(spreadingFactor, bytes + 3);
