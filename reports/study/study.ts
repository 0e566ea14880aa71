/**
 * Rows of a study to what they come to together. Rows are folded in order of their seeds, not of
 * their arrival, so that the same seeds give the same bits.
 */
import type { Manifest } from '../../core/result/manifest.ts';
import type {
  FigureSpread,
  FigureUnit,
  SeedResult,
  SeedRow,
  Spread,
  StudyResult,
  StudyVerdict,
} from '../../core/result/study.ts';
import { FIGURES } from '../figures/figures.ts';
import {
  type Interval,
  meanInterval,
  proportionInterval,
  quantileInterval,
} from '../statistics/intervals.ts';
import { mean, median, percentile, standardDeviation } from '../statistics.ts';
import { isResult } from './rows.ts';
import { studyWarnings } from './warnings.ts';

/** An expectation of the scenario, and what a study needs of it. */
export interface Needed {
  readonly expectation: string;
  /** Share of seeds in which it has to hold, ppm. */
  readonly seedsPpm: number;
  /** Of what it is judged on; null: a ratio, or no seed came to its end. */
  readonly unit: FigureUnit | null;
}

export interface StudyInput {
  readonly scenario: string;
  readonly manifest: Manifest;
  /** Seeds that were asked for. */
  readonly seeds: number;
  /** In the order of the seeds; fewer than those when the study was stopped. */
  readonly rows: readonly SeedRow[];
  /** Over the rows. */
  readonly digest: string;
  readonly expectations: readonly Needed[];
  /** What was warned of before. */
  readonly warnings: readonly string[];
}

export function studyOf(input: StudyInput): StudyResult {
  const { scenario, manifest, seeds, rows, digest } = input;
  const results = rows.filter(isResult);
  const figures = FIGURES.map(({ name, unit }): FigureSpread => {
    const values = results.map((row) => row.figures[name] ?? null);
    return { name, unit, ...spreadOf(values, unit) };
  });
  const expectations = input.expectations.map((each, at) => verdictOf(each, at, results, rows));
  return {
    scenario,
    complete: rows.length === seeds,
    digest,
    seeds,
    figures,
    expectations,
    warnings: [...input.warnings, ...studyWarnings(rows, figures)],
    rows,
    manifest,
  };
}

const ALL_PPM = 1_000_000;

/** Of what a study was stopped before nothing is said: its seeds are those that were run. */
export function verdictOf(
  { expectation, seedsPpm, unit }: Needed,
  at: number,
  results: readonly SeedResult[],
  { length: seeds }: readonly SeedRow[],
): StudyVerdict {
  const held = results.filter((row) => row.expectations[at]?.holds === true).length;
  const actuals = results.map((row) => row.expectations[at]?.actual ?? null);
  return {
    expectation,
    held,
    seeds,
    shareInterval: pair(proportionInterval(held, seeds)),
    needed: seedsPpm / ALL_PPM,
    // Both sides are whole, so that 19 of 20 are 95 % to the last bit.
    holds: seeds > 0 && held * ALL_PPM >= seedsPpm * seeds,
    actual: spreadOf(actuals, unit),
    unit,
  };
}

const pair = (interval: Interval | undefined): readonly [number, number] | null =>
  interval === undefined ? null : [interval.low, interval.high];

/** Of the values that are there. */
export function spreadOf(values: readonly (number | null)[], unit: FigureUnit | null): Spread {
  const measured = values.filter((value) => value !== null);
  if (measured.length === 0) return NOWHERE;
  const around = meanInterval(measured);
  const deviation = standardDeviation(measured);
  return {
    measured: measured.length,
    mean: mean(measured),
    meanInterval: pair(around && cut(around, unit)),
    standardDeviation: Number.isNaN(deviation) ? null : deviation,
    least: percentile(measured, 0),
    median: median(measured),
    medianInterval: pair(quantileInterval(measured, 0.5)),
    greatest: percentile(measured, 100),
  };
}

const NOWHERE: Spread = {
  measured: 0,
  mean: null,
  meanInterval: null,
  standardDeviation: null,
  least: null,
  median: null,
  medianInterval: null,
  greatest: null,
};

/** No share is above 1, and no figure below 0. */
function cut({ low, high }: Interval, unit: FigureUnit | null): Interval {
  if (unit === null) return { low, high };
  return { low: Math.max(0, low), high: unit === 'share' ? Math.min(1, high) : high };
}
