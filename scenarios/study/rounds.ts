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
type FiguresOf = (run: Run) => Readonly<Record<string, number | null>> | 'broken' | undefined;

/** All rounds up to the first that is not whole. */
export function askedOf(plan: StudyPlan, figuresOf: FiguresOf): Asked {
  const rule = Object.entries(plan.until);
  const values = plan.points.map(() => new Map(rule.map(([name]) => [name, [] as number[]])));
  const settled = plan.points.map((): boolean | null => (rule.length === 0 ? null : false));
  const chunks: Chunk[] = [];
  for (let first = 1; first <= plan.atMost; first += plan.replicates) {
    const last = Math.min(plan.atMost, first + plan.replicates - 1);
    const runs = roundOf(plan, first, last, settled);
    if (runs.length === 0) break;
    cut(runs, plan.chunkRuns, chunks);
    let isWhole = true;
    for (const run of runs) {
      const figures = figuresOf(run);
      if (figures === undefined) isWhole = false;
      else if (figures !== 'broken') collect(values[run.point]!, figures);
    }
    if (!isWhole) return { chunks, settled, complete: false };
    for (const [point, measured] of values.entries()) {
      if (settled[point] === false) settled[point] = rule.every(isKnown(measured));
    }
  }
  return { chunks, settled, complete: true };
}

function roundOf(
  { points, manifest }: StudyPlan,
  first: number,
  last: number,
  settled: readonly (boolean | null)[],
): Run[] {
  const runs: Run[] = [];
  for (let replicate = first; replicate <= last; replicate++) {
    const seed = replicateSeed(manifest.seed, replicate);
    for (let point = 0; point < points.length; point++) {
      if (settled[point] === true) continue;
      runs.push({ row: (replicate - 1) * points.length + point, point, seed });
    }
  }
  return runs;
}

function cut(runs: readonly Run[], size: number, chunks: Chunk[]): void {
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
