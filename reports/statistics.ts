/**
 * What a few runs or many devices have in common: plain arithmetic, the same bits everywhere.
 * Intervals around it are in statistics/intervals.ts.
 */
import { assert } from '../sim/base/assert.ts';

/** Arithmetic mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Sample standard deviation (divided by n − 1); NaN of fewer than two values. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  const first = values[0] ?? 0;
  // A mean that is rounded would make some deviation of equal values.
  if (values.every((value) => value === first)) return 0;
  const centre = mean(values);
  const squares = values.reduce((total, value) => total + (value - centre) * (value - centre), 0);
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * Percentile by nearest rank: the smallest value that at least `percent` of the values do not
 * exceed. It is always one of the values; `percent` is in 0…100, and 0 gives the smallest. NaN of
 * nothing. The values need not be sorted.
 */
export function percentile(values: readonly number[], percent: number): number {
  assert(percent >= 0 && percent <= 100, 'a percentile lies in 0…100');
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil((percent * sorted.length) / 100);
  return sorted[Math.max(rank, 1) - 1] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}
