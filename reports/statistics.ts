/** Statistics over a few runs or many devices: plain arithmetic, the same bits everywhere. */
import { assert } from '../sim/base/assert.ts';

/** Arithmetic mean; NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Sample standard deviation (divided by n − 1); NaN of fewer than two values. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
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

/**
 * Half the width of the 95 % confidence interval of the mean (Student's t): the mean of the
 * population lies in mean ± this, 19 times in 20. NaN of fewer than two values.
 */
export function confidenceHalfWidth(values: readonly number[]): number {
  const count = values.length;
  if (count < 2) return Number.NaN;
  return (studentT(count - 1) * standardDeviation(values)) / Math.sqrt(count);
}

/**
 * Two-sided 95 % quantile of Student's t for whole degrees of freedom ≥ 1. Up to 30 from the table
 * (NIST/SEMATECH e-Handbook §1.3.6.7.2, with more digits); above, the Cornish-Fisher expansion
 * around the normal quantile (Abramowitz and Stegun 26.7.5), exact to 10⁻⁵ there.
 */
export function studentT(degreesOfFreedom: number): number {
  assert(
    Number.isInteger(degreesOfFreedom) && degreesOfFreedom >= 1,
    'degrees of freedom are whole and at least 1',
  );
  const tabulated = STUDENT_T_95[degreesOfFreedom - 1];
  if (tabulated !== undefined) return tabulated;
  const z = 1.959963985;
  const z2 = z * z;
  const inverse = 1 / degreesOfFreedom;
  const first = (z * (z2 + 1)) / 4;
  const second = (z * ((5 * z2 + 16) * z2 + 3)) / 96;
  const third = (z * (((3 * z2 + 19) * z2 + 17) * z2 - 15)) / 384;
  return z + inverse * (first + inverse * (second + inverse * third));
}

/** Index 0 is one degree of freedom. */
const STUDENT_T_95: readonly number[] = [
  12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814, 2.20099,
  2.17881, 2.16037, 2.14479, 2.13145, 2.11991, 2.10982, 2.10092, 2.09302, 2.08596, 2.07961, 2.07387,
  2.06866, 2.0639, 2.05954, 2.05553, 2.05183, 2.04841, 2.04523, 2.04227,
];
