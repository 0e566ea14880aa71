/**
 * Sobol indices: which share of the variance of an output each parameter explains. First-order ones
 * as in Saltelli et al. (Computer Physics Communications 181, 2010, table 2 (b)), total ones as in
 * Jansen (Computer Physics Communications 117, 1999).
 */
import { assert } from '../../sim/base/assert.ts';
import { toBelow } from '../../sim/base/random.ts';
import { mean } from '../statistics.ts';
import { type Draws, namedDraws } from './draws.ts';
import { CONFIDENCE, type Interval } from './intervals.ts';

/** Outputs at the points of Saltelli's design: what stands at one place belongs together. */
export interface SaltelliOutputs {
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** [parameter][row]: at the points of A with this parameter's column from B. */
  readonly ab: readonly (readonly number[])[];
}

/**
 * Outputs in the order of `saltelliPoints`, base × (parameters + 2) of them, taken apart. A row is
 * left out of all blocks where any of them has none (null): what could not be measured.
 */
export function saltelliOutputs(
  outputs: readonly (number | null)[],
  parameters: number,
): SaltelliOutputs {
  const base = outputs.length / (parameters + 2);
  assert(Number.isInteger(base), 'outputs are those of whole blocks');
  const blocks = Array.from({ length: parameters + 2 }, (_, block) =>
    outputs.slice(block * base, (block + 1) * base),
  );
  const isWhole = (_: unknown, row: number) => blocks.every((block) => block[row] !== null);
  const [a = [], b = [], ...ab] = blocks.map((block) => block.filter(isWhole) as number[]);
  return { a, b, ab };
}

export interface SobolIndex {
  /**
   * Share of the variance that goes if this parameter alone becomes known, 0…1; an estimate may be
   * somewhat outside.
   */
  readonly first: number;
  /** Share that stays while all others are known, 0…1: with all that it does together with them. */
  readonly total: number;
  /** By the percentiles of resamples; undefined of fewer than two rows, or where nothing varies. */
  readonly firstInterval: Interval | undefined;
  readonly totalInterval: Interval | undefined;
}

export interface SobolIndices {
  /** Rows of each block that were counted. */
  readonly rows: number;
  /** Of the output over A and B, in its unit squared. */
  readonly variance: number;
  /** In the order of parameters; both NaN where the output does not vary. */
  readonly parameters: readonly SobolIndex[];
}

export interface SobolOptions {
  /** Seed of the resamples. */
  readonly seed: string;
  /** 0.95 when absent. */
  readonly confidence?: number;
  /** 1000 when absent; 0: no intervals. */
  readonly resamples?: number;
}

/**
 * The output is a function of the parameters alone: worlds of several seeds give their mean, with
 * the same seeds at all points. Intervals are those of rows drawn at random; of a Sobol sequence
 * they are rather too wide.
 */
export function sobolIndices(
  { a, b, ab }: SaltelliOutputs,
  { seed, confidence = CONFIDENCE, resamples = 1000 }: SobolOptions,
): SobolIndices {
  assert(confidence > 0 && confidence < 1, 'a confidence lies between 0 and 1');
  const rows = a.length;
  assert(
    [b, ...ab].every((block) => block.length === rows),
    'all blocks have the same rows',
  );
  const all = [...a, ...b];
  const varies = all.some((value) => value !== all[0]);
  // Around 0 nothing is lost to a mean that is large against what varies.
  const centre = varies ? mean(all) : 0;
  const centred = (block: readonly number[]) => block.map((value) => value - centre);
  const outputs = { a: centred(a), b: centred(b), ab: ab.map(centred) };
  const found = estimate(outputs, new Int32Array(rows).fill(1));
  const again = varies && rows >= 2 ? resampled(outputs, resamples, seed) : [];
  const intervalOf = (which: 'first' | 'total', at: number) =>
    percentileInterval(
      again.map((each) => each[which][at]!),
      confidence,
    );
  return {
    rows,
    variance: varies ? found.variance : 0,
    parameters: ab.map((_, at) => ({
      first: varies ? found.first[at]! : Number.NaN,
      total: varies ? found.total[at]! : Number.NaN,
      firstInterval: intervalOf('first', at),
      totalInterval: intervalOf('total', at),
    })),
  };
}

interface Estimate {
  readonly variance: number;
  /** By parameter. */
  readonly first: readonly number[];
  readonly total: readonly number[];
}

/** Sobol indices of rows with weights. */
function estimate({ a, b, ab }: SaltelliOutputs, times: Int32Array): Estimate {
  const rows = a.length;
  let sum = 0;
  for (let row = 0; row < rows; row++) sum += times[row]! * (a[row]! + b[row]!);
  const centre = sum / (2 * rows);
  let squares = 0;
  for (let row = 0; row < rows; row++) {
    const ofA = a[row]! - centre;
    const ofB = b[row]! - centre;
    squares += times[row]! * (ofA * ofA + ofB * ofB);
  }
  const variance = squares / (2 * rows);
  const first: number[] = [];
  const total: number[] = [];
  for (const mixed of ab) {
    let together = 0;
    let apart = 0;
    for (let row = 0; row < rows; row++) {
      const step = mixed[row]! - a[row]!;
      together += times[row]! * (b[row]! - centre) * step;
      apart += times[row]! * step * step;
    }
    first.push(together / rows / variance);
    total.push(apart / (2 * rows) / variance);
  }
  return { variance, first, total };
}

/** Estimates of as many rows, drawn with replacement; without those in which nothing varies. */
function resampled(outputs: SaltelliOutputs, resamples: number, seed: string): Estimate[] {
  const draws = namedDraws(seed, 'sobol indices, resamples');
  const rows = outputs.a.length;
  return Array.from({ length: resamples }, (_, number) =>
    estimate(outputs, drawnTimes(draws, number * rows, rows)),
  ).filter(({ variance }) => variance > 0);
}

/** How often each row is drawn when as many are drawn as there are. */
function drawnTimes(draws: Draws, place: number, rows: number): Int32Array {
  const times = new Int32Array(rows);
  for (let at = 0; at < rows; at++) times[toBelow(draws(place + at), rows)]! += 1;
  return times;
}

/** Leaves as many of the values on one side as on the other (Efron); undefined of no value. */
function percentileInterval(values: readonly number[], confidence: number): Interval | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const outside = Math.floor(((1 - confidence) / 2) * (sorted.length + 1));
  const rank = Math.max(1, outside);
  return { low: sorted[rank - 1]!, high: sorted[sorted.length - rank]! };
}
