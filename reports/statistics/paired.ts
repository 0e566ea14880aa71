/** What common random numbers are worth: two variants that are run with the same seeds. */
import { assert } from '../../sim/base/assert.ts';
import { mean, standardDeviation } from '../statistics.ts';

export interface CommonRandomNumbers {
  readonly pairs: number;
  /** Of the two values over the seeds, −1…1; NaN where one of them is the same in each. */
  readonly correlation: number;
  /** Variance of the difference if each variant had seeds of its own: both variances added. */
  readonly apart: number;
  /** Variance of the difference over pairs of the same seed. */
  readonly paired: number;
  /**
   * `apart` over `paired`: how many times fewer seeds give a mean difference that is as well known
   * as with seeds of their own. 1: the seeds are worth nothing, below 1: worse than that; Infinity
   * where all pairs differ by the same, NaN where nothing varies.
   */
  readonly timesFewerSeeds: number;
}

/**
 * `first` and `second` are as long as each other, at least two, and what stands at one place has
 * the same seed. All figures are estimates of a sample (divided by n − 1), so those of few pairs
 * are rough (Law, Simulation Modeling and Analysis, §11.2).
 */
export function commonRandomNumbers(
  first: readonly number[],
  second: readonly number[],
): CommonRandomNumbers {
  assert(first.length === second.length, 'each value of a pair has the other one');
  assert(first.length >= 2, 'a variance is one of two values or more');
  const differences = second.map((value, at) => value - first[at]!);
  const apart = variance(first) + variance(second);
  const paired = variance(differences);
  return {
    pairs: first.length,
    correlation: correlation(first, second),
    apart,
    paired,
    timesFewerSeeds: apart / paired,
  };
}

const variance = (values: readonly number[]): number => {
  const deviation = standardDeviation(values);
  return deviation * deviation;
};

/** Pearson's; NaN where one of the two does not vary. Lists as long as each other. */
export function correlation(first: readonly number[], second: readonly number[]): number {
  const deviations = standardDeviation(first) * standardDeviation(second);
  if (!(deviations > 0)) return Number.NaN;
  const centres = [mean(first), mean(second)] as const;
  const products = first.reduce(
    (sum, value, at) => sum + (value - centres[0]) * (second[at]! - centres[1]),
    0,
  );
  const value = products / (first.length - 1) / deviations;
  return Math.min(1, Math.max(-1, value));
}
