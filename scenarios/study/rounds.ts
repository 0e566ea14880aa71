/**
 * Which runs a study asks for: rounds of seeds, the points of each round that are still open, and
 * the chunks that a round is cut into. All of it follows from the plan and from what earlier
 * rounds came to, never from who ran what.
 */
import { meanInterval } from '../../reports/statistics/intervals.ts';
import type { StudyPlan } from './plan.ts';
import { replicateSeed } from './seeds.ts';

/** One world of a study. */
export interface Run {
  /** Its place among all runs that there may be: by replicates, then by points. */
  readonly row: number;
  /** From 0. */
  readonly point: number;
  readonly seed: string;
}

/** The run at a place among all that there may be. */
export function runAt({ points, manifest }: StudyPlan, row: number): Run {
  const replicate = Math.floor(row / points.length) + 1;
  return { row, point: row % points.length, seed: replicateSeed(manifest.seed, replicate) };
}

/** Runs that are handed out and land together. */
export interface Chunk {
  /** From 0, over all rounds. */
  readonly number: number;
  readonly runs: readonly Run[];
}

export interface Asked {
  /** Of all rounds so far, in their order. */
  readonly chunks: readonly Chunk[];
  /** Of each point, whether its figures are known as narrowly as asked; null without a rule. */
  readonly settled: readonly (boolean | null)[];
  /** Whether everything is there, and no round follows. */
  readonly complete: boolean;
}

/** Figures of a run that has come to its end; a world that broke has none. */
export type FiguresOf = (
  run: Run,
) => Readonly<Record<string, number | null>> | 'broken' | undefined;

/** All rounds up to the first that is not whole. */
export const askedOf = (plan: StudyPlan, figuresOf: FiguresOf): Asked =>
  new Rounds(plan).asked(figuresOf);

/**
 * The rounds of a study whose rows come bit by bit: a round that was whole stays as it was judged,
 * so that hundreds of rounds are not all judged again after each of them.
 */
export class Rounds {
  readonly #plan: StudyPlan;
  readonly #rule: readonly (readonly [figure: string, halfWidth: number])[];
  /** Of each point, what was measured so far of each figure of the rule. */
  readonly #values: readonly ReadonlyMap<string, number[]>[];
  readonly #settled: (boolean | null)[];
  /** Of rounds that are whole. */
  readonly #chunks: Chunk[] = [];
  /** The first replicate of the round that comes next. */
  #first = 1;

  constructor(plan: StudyPlan) {
    this.#plan = plan;
    const rule = Object.entries(plan.until);
    this.#rule = rule;
    this.#values = plan.points.map(() => new Map(rule.map(([name]) => [name, []])));
    this.#settled = plan.points.map(() => (rule.length === 0 ? null : false));
  }

  asked(figuresOf: FiguresOf): Asked {
    const plan = this.#plan;
    while (this.#first <= plan.atMost) {
      const last = Math.min(plan.atMost, this.#first + plan.replicates - 1);
      const runs = roundOf(plan, this.#first, last, this.#settled);
      if (runs.length === 0) break;
      const figures = runs.map(figuresOf);
      if (figures.includes(undefined)) {
        const chunks = [...this.#chunks];
        cut(runs, plan.chunkRuns, chunks);
        return { chunks, settled: [...this.#settled], complete: false };
      }
      cut(runs, plan.chunkRuns, this.#chunks);
      for (const [at, { point }] of runs.entries()) {
        const measured = figures[at];
        if (measured !== 'broken') collect(this.#values[point]!, measured!);
      }
      this.#judge();
      this.#first = last + 1;
    }
    return { chunks: [...this.#chunks], settled: [...this.#settled], complete: true };
  }

  #judge(): void {
    for (const [point, measured] of this.#values.entries()) {
      if (this.#settled[point] !== false) continue;
      this.#settled[point] = this.#rule.every(isKnown(measured));
    }
  }
}

function roundOf(
  plan: StudyPlan,
  first: number,
  last: number,
  settled: readonly (boolean | null)[],
): readonly Run[] {
  const open = [...plan.points.keys()].filter((point) => settled[point] !== true);
  return runsOf(plan, first, last, open);
}

/** The runs of some points, from one replicate to another. */
export function runsOf(
  { points: all, manifest }: StudyPlan,
  first: number,
  last: number,
  points: readonly number[],
): readonly Run[] {
  const runs: Run[] = [];
  for (let replicate = first; replicate <= last; replicate++) {
    const seed = replicateSeed(manifest.seed, replicate);
    for (const point of points) {
      runs.push({ row: (replicate - 1) * all.length + point, point, seed });
    }
  }
  return runs;
}

/** Into chunks, behind those that there are. */
export function cut(runs: readonly Run[], size: number, chunks: Chunk[]): void {
  for (let at = 0; at < runs.length; at += size) {
    chunks.push({ number: chunks.length, runs: runs.slice(at, at + size) });
  }
}

function collect(
  values: ReadonlyMap<string, number[]>,
  figures: Readonly<Record<string, number | null>>,
): void {
  for (const [name, measured] of values) {
    const value = figures[name] ?? null;
    if (value !== null) measured.push(value);
  }
}

const isKnown =
  (values: ReadonlyMap<string, readonly number[]>) =>
  ([name, halfWidth]: readonly [string, number]): boolean => {
    const interval = meanInterval(values.get(name)!);
    return interval !== undefined && (interval.high - interval.low) / 2 <= halfWidth;
  };
