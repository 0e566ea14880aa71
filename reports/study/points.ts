/**
 * Runs of many points to what each point came to, which of them are allowed, and which is chosen.
 * Rows are folded in their order, anyone who ran them first.
 */
import type {
  DesignedStudy,
  StudyChoice,
  StudyObjective,
  StudyPoint,
} from '../../core/result/designed-study.ts';
import type { FigureSpread, FigureUnit, SeedResult, SeedRow } from '../../core/result/study.ts';
import { FIGURES } from '../figures/figures.ts';
import { pairedDifference } from '../statistics/intervals.ts';
import { commonRandomNumbers } from '../statistics/paired.ts';
import { paretoFront } from '../statistics/pareto.ts';
import { isFault, isResult } from './rows.ts';
import { sensitivityOf, swingsOf } from './sensitivity.ts';
import { type Needed, spreadOf, verdictOf } from './study.ts';
import { pointsWarnings } from './warnings.ts';

/** A figure that rows keep beside those of the table. */
export interface StoredFigure {
  readonly name: string;
  readonly unit: FigureUnit;
}

export interface PointInput extends Pick<StudyPoint, 'levels' | 'set' | 'settled' | 'command'> {
  /** In the order of the seeds. */
  readonly rows: readonly SeedRow[];
}

type Folded = 'points' | 'runs' | 'choice' | 'sensitivity' | 'swings' | 'warnings';

export interface DesignedStudyInput extends Omit<DesignedStudy, Folded> {
  readonly points: readonly PointInput[];
  readonly stored: readonly StoredFigure[];
  /** Of the scenario, and behind them the constraints: what rows have their verdicts of. */
  readonly needed: readonly Needed[];
  /** What was warned of before. */
  readonly warnings: readonly string[];
}

export function designedStudyOf({ stored, needed, ...input }: DesignedStudyInput): DesignedStudy {
  const { constraints, objectives } = input;
  const folded = input.points.map((point, at) =>
    foldedPoint(point, at, { stored, needed, constraints: constraints.length }),
  );
  const front = new Set(frontOf(folded, objectives));
  const response = reportedFigures(folded, stored);
  const points = folded.map((point, at) => {
    const figures = point.figures.filter(({ name }) => response.has(name));
    return { ...point, figures, onFront: front.has(at) };
  });
  return {
    ...input,
    points,
    runs: input.points.reduce((sum, { rows }) => sum + rows.length, 0),
    choice: choiceOf(points, objectives, input.points),
    sensitivity: sensitivityOf(input, points),
    swings: swingsOf(input),
    warnings: [...input.warnings, ...pointsWarnings(input.points, points, input.complete)],
  };
}

interface Folding {
  readonly stored: readonly StoredFigure[];
  readonly needed: readonly Needed[];
  readonly constraints: number;
}

function foldedPoint(
  { rows, ...point }: PointInput,
  at: number,
  { stored, needed, constraints }: Folding,
): StudyPoint {
  const results = rows.filter(isResult);
  const named = new Set(FIGURES.map(({ name }) => name));
  const figures = [...FIGURES, ...stored.filter(({ name }) => !named.has(name))];
  const verdicts = needed.map((each, index) => verdictOf(each, index, results, rows));
  const binding = verdicts.slice(verdicts.length - constraints);
  return {
    ...point,
    point: at + 1,
    runs: rows.length,
    faults: rows.filter(isFault).length,
    figures: figures.map(({ name, unit }): FigureSpread => {
      const values = results.map((row) => row.figures[name] ?? null);
      return { name, unit, ...spreadOf(values, unit) };
    }),
    verdicts,
    allowed: rows.length > 0 && binding.every(({ holds }) => holds),
    onFront: false,
  };
}

/** Figures that were something else than 0 somewhere, and those that the study names. */
function reportedFigures(
  points: readonly StudyPoint[],
  storedValue: readonly StoredFigure[],
): Set<string> {
  const response = new Set(storedValue.map(({ name }) => name));
  for (const { figures } of points) {
    for (const { name, least, greatest } of figures) {
      if ((least ?? 0) !== 0 || (greatest ?? 0) !== 0) response.add(name);
    }
  }
  return response;
}

/**
 * Its mean, if it was measured in every run that came to its end: where a time was never reached in
 * some, those that did reach it say too little.
 */
function meanOf({ figures, runs, faults }: StudyPoint, figure: string): number | null {
  const found = figures.find(({ name }) => name === figure);
  return found === undefined || found.measured < runs - faults ? null : found.mean;
}

/** Allowed points in which every objective was measured, in all of their runs. */
function comparable(points: readonly StudyPoint[], objectives: readonly StudyObjective[]) {
  return points.flatMap((point, at) => {
    const means = objectives.map(({ figure }) => meanOf(point, figure));
    return point.allowed && means.every((mean) => mean !== null) ? [{ at, means }] : [];
  });
}

function frontOf(points: readonly StudyPoint[], objectives: readonly StudyObjective[]): number[] {
  if (objectives.length === 0) return [];
  const candidates = comparable(points, objectives);
  const front = paretoFront(
    candidates.map(({ means }) => means),
    objectives.map(({ goal }) => goal),
  );
  return front.map((index) => candidates[index]!.at);
}

/** The best in the first objective; where it is equal in the next; then whichever comes first. */
function choiceOf(
  points: readonly StudyPoint[],
  objectives: readonly StudyObjective[],
  inputs: readonly PointInput[],
): StudyChoice | null {
  const [first] = objectives;
  if (first === undefined) return null;
  const cost = (mean: number, { goal }: StudyObjective) => (goal === 'minimise' ? mean : -mean);
  const ranked = comparable(points, objectives).sort((a, b) => {
    for (const [i, objective] of objectives.entries()) {
      const more = cost(a.means[i]!, objective) - cost(b.means[i]!, objective);
      if (more !== 0) return more;
    }
    return a.at - b.at;
  });
  const [best, second] = ranked;
  if (best === undefined) return null;
  if (second === undefined) return { point: best.at + 1, runnerUp: null, margin: null };
  const margin = marginOf(inputs[best.at]!.rows, inputs[second.at]!.rows, first.figure);
  return { point: best.at + 1, runnerUp: second.at + 1, margin };
}

function marginOf(
  best: readonly SeedRow[],
  second: readonly SeedRow[],
  figure: string,
): StudyChoice['margin'] {
  const bySeed = new Map(second.filter(isResult).map((row) => [row.seed, row]));
  const pairs = best.filter(isResult).flatMap((row) => {
    const values = [row, bySeed.get(row.seed)].map((each) => valueIn(each, figure));
    return values.every((value) => value !== null) ? [values as [number, number]] : [];
  });
  if (pairs.length === 0) return null;
  const [first, other] = [pairs.map(([one]) => one), pairs.map(([, two]) => two)];
  const { mean, interval } = pairedDifference(first, other);
  const fewer = pairs.length < 2 ? Number.NaN : commonRandomNumbers(first, other).timesFewerSeeds;
  return {
    mean,
    interval: interval === undefined ? null : [interval.low, interval.high],
    timesFewerSeeds: Number.isFinite(fewer) ? fewer : null,
  };
}

const valueIn = (row: SeedResult | undefined, figure: string): number | null =>
  row?.figures[figure] ?? null;
