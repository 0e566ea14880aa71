/** Intervals that tell how far a few runs can be trusted: of a mean, a quantile, a proportion. */
import { assert } from '../../sim/base/assert.ts';
import { normalQuantile } from '../../sim/base/math.ts';
import { mean, standardDeviation } from '../statistics.ts';
import { binomialAtMost, studentOutside, studentT } from './distributions.ts';

/** From `low` to `high`, both in it. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** That of intervals where none is given: they hold what they are for 19 times in 20. */
export const CONFIDENCE = 0.95;

/**
 * Interval of the mean of the population that the values were drawn from (Student's t); exact for
 * normal values, and good for a mean of twenty others. Undefined of fewer than two values.
 */
export function meanInterval(
  values: readonly number[],
  confidence = CONFIDENCE,
): Interval | undefined {
  const half = confidenceHalfWidth(values, confidence);
  const centre = mean(values);
  return Number.isNaN(half) ? undefined : { low: centre - half, high: centre + half };
}

/** Half the width of that interval; NaN of fewer than two values. */
export function confidenceHalfWidth(values: readonly number[], confidence = CONFIDENCE): number {
  const count = values.length;
  if (count < 2) return Number.NaN;
  return (studentT(count - 1, confidence) * standardDeviation(values)) / Math.sqrt(count);
}

/** Ranks, from 1, of two values in order. */
interface Ranks {
  readonly low: number;
  readonly high: number;
}

/**
 * Which two of `count` values in order have a quantile between them (0 < quantile < 1), whatever
 * the distribution (Conover, Practical Nonparametric Statistics, §3.2): the quantile is below the
 * one, and above the other, with at most half of what `confidence` leaves, each. Undefined of too
 * few: of the median at 95 % fewer than 6.
 */
export function quantileRanks(
  count: number,
  quantile: number,
  confidence = CONFIDENCE,
): Ranks | undefined {
  assert(Number.isInteger(count) && count >= 0, 'values are counted');
  assert(quantile > 0 && quantile < 1, 'a quantile lies between 0 and 1');
  const side = (1 - confidence) / 2;
  // The first rank is too low where fewer values than it lie below the quantile.
  const low = lastThat(count, (rank) => binomialAtMost(rank - 1, count, quantile) <= side);
  // The same from above: as many as that lie over it.
  const above = lastThat(count, (rank) => binomialAtMost(rank - 1, count, 1 - quantile) <= side);
  return low === 0 || above === 0 ? undefined : { low, high: count + 1 - above };
}

/** The greatest of 1…most for which it holds, when it holds for all before; 0 if for none. */
function lastThat(most: number, holds: (rank: number) => boolean): number {
  let held = 0;
  let not = most + 1;
  while (not - held > 1) {
    const middle = Math.floor((held + not) / 2);
    if (holds(middle)) held = middle;
    else not = middle;
  }
  return held;
}

/** Two of the values that have the quantile between them; undefined of too few. */
export function quantileInterval(
  values: readonly number[],
  quantile: number,
  confidence = CONFIDENCE,
): Interval | undefined {
  const ranks = quantileRanks(values.length, quantile, confidence);
  if (ranks === undefined) return undefined;
  const sorted = Float64Array.from(values).sort();
  return { low: sorted[ranks.low - 1]!, high: sorted[ranks.high - 1]! };
}

/**
 * Wilson's score interval of a proportion, without correction for continuity (Newcombe, Statistics
 * in Medicine 17, 1998, method 3): `part` of `whole`, 0 ≤ part ≤ whole. It lies in 0…1 and has a
 * width where all or none were counted, too. Undefined where there was nothing to count.
 */
export function proportionInterval(
  part: number,
  whole: number,
  confidence = CONFIDENCE,
): Interval | undefined {
  assert(part >= 0 && part <= whole, 'a part is none, all, or between');
  if (whole === 0) return undefined;
  const z = normalQuantile((1 + confidence) / 2);
  const share = part / whole;
  const weight = 1 + (z * z) / whole;
  const centre = (share + (z * z) / (2 * whole)) / weight;
  const spread = (share * (1 - share)) / whole + (z * z) / (4 * whole * whole);
  const half = (z * Math.sqrt(spread)) / weight;
  return {
    low: part === 0 ? 0 : Math.max(0, centre - half),
    high: part === whole ? 1 : Math.min(1, centre + half),
  };
}

/** What the second of two values is more than the first, over pairs. */
export interface PairedDifference {
  readonly pairs: number;
  /** NaN of no pair. */
  readonly mean: number;
  /** Of the mean; undefined of fewer than two pairs. */
  readonly interval: Interval | undefined;
  /**
   * How often chance alone makes a mean that is as far from 0 (two-sided, 0…1): by Student's t;
   * where all pairs differ by the same, which leaves t nothing to measure, by their signs: 2^(1 −
   * pairs). NaN of no pair.
   */
  readonly byChance: number;
}

/** `first` and `second` are as long as each other, and what stands at one place is a pair. */
export function pairedDifference(
  first: readonly number[],
  second: readonly number[],
  confidence = CONFIDENCE,
): PairedDifference {
  assert(first.length === second.length, 'each value of a pair has the other one');
  const differences = second.map((value, at) => value - first[at]!);
  const pairs = differences.length;
  return {
    pairs,
    mean: mean(differences),
    interval: meanInterval(differences, confidence),
    byChance: byChance(differences),
  };
}

function byChance(differences: readonly number[]): number {
  const pairs = differences.length;
  if (pairs === 0) return Number.NaN;
  const centre = Math.abs(mean(differences));
  if (differences.every((each) => each === 0)) return 1;
  const deviation = standardDeviation(differences);
  if (pairs === 1 || deviation === 0) return allOneSign(pairs);
  return studentOutside((centre * Math.sqrt(pairs)) / deviation, pairs - 1);
}

/** Probability that `count` ≥ 1 fair coins all show the same side: exactly 2^(1 − count). */
function allOneSign(count: number): number {
  let chance = 1;
  for (let coin = 1; coin < count; coin++) chance /= 2;
  return chance;
}

/**
 * Which of several findings are beyond chance together (Holm, Scandinavian Journal of Statistics 6,
 * 1979): where nothing differs, one or more of them are found with at most 1 − confidence. In the
 * order given; NaN is none.
 */
export function beyondChance(
  findings: readonly number[],
  confidence = CONFIDENCE,
): readonly boolean[] {
  const order = findings
    .map((byChance, at) => ({ byChance, at }))
    .filter((each) => !Number.isNaN(each.byChance))
    .sort((a, b) => a.byChance - b.byChance || a.at - b.at);
  const found = findings.map(() => false);
  for (const [step, { byChance, at }] of order.entries()) {
    if (byChance > (1 - confidence) / (order.length - step)) break;
    found[at] = true;
  }
  return found;
}
