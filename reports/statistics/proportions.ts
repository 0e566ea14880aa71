/** Exact bounds of a proportion (Clopper and Pearson, Biometrika 26, 1934). */
import { assert } from '../../sim/base/assert.ts';
import { binomialAtMost } from './distributions.ts';
import { CONFIDENCE, type Interval } from './intervals.ts';

/**
 * Interval of the proportion of a population of which `part` of `whole` were counted: whatever the
 * proportion, it is in the interval with at least `confidence`. Wider than `proportionInterval`,
 * which keeps its word on average. Relative error below 1e-11. Undefined where there was nothing to
 * count.
 */
export function exactProportionInterval(
  part: number,
  whole: number,
  confidence = CONFIDENCE,
): Interval | undefined {
  assert(confidence > 0 && confidence < 1, 'a confidence lies between 0 and 1');
  assert(
    Number.isInteger(part) && Number.isInteger(whole) && part >= 0 && part <= whole,
    'a part is none, all, or between',
  );
  if (whole === 0) return undefined;
  const side = (1 - confidence) / 2;
  return { low: lowerBound(part, whole, side), high: 1 - lowerBound(whole - part, whole, side) };
}

/**
 * The greatest proportion at which this count or more has a probability of at most `side`; 0 of
 * none.
 */
function lowerBound(part: number, whole: number, side: number): number {
  let low = 0;
  let high = part === 0 ? 0 : 1;
  while (high - low > 1e-13 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (atLeast(part, whole, middle) <= side) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The probability of at least `least` successes in `trials` of probability `p` each; as precise
 * where it is small as elsewhere.
 */
export const atLeast = (least: number, trials: number, p: number): number =>
  binomialAtMost(trials - least, trials, 1 - p);
