/**
 * When enough seeds have been run: rules that may look at what there is again and again, and are
 * wrong no more often than they say.
 */
import { assert } from '../../sim/base/assert.ts';
import { binomialAtMost } from './distributions.ts';
import { CONFIDENCE, confidenceHalfWidth } from './intervals.ts';
import { atLeast } from './proportions.ts';

export type Verdict = 'accept' | 'reject' | 'continue';

/** What has been seen of “this holds in at least that share of all seeds”. */
export interface ShareSeen {
  /** Seeds in which it holds, of those that were run. */
  readonly held: number;
  readonly seeds: number;
  /** How often this question has been asked, this time included: 1, 2, 3 … */
  readonly look: number;
  /** The share that is asked for, between 0 and 1, both excluded: more than all cannot be shown. */
  readonly share: number;
  /** Between 0 and 1; 0.95 when absent. */
  readonly confidence?: number;
}

/**
 * Accepts where the exact lower bound of the share is at least the one that is asked for. Rejects
 * where the upper bound is below it, and else asks for more seeds. What `confidence` leaves, α, is
 * spent look by look: α/(k (k + 1)) at look k, which adds up to α however often one looks. So a
 * share that is below is accepted with at most α, and one that is not is rejected with at most α.
 * That holds for any numbers of seeds at the looks, as long as what was seen does not choose them.
 * It need not end where the true share is the one that is asked for: the caller has a greatest
 * number of seeds.
 */
export function judgeShare(seen: ShareSeen): Verdict {
  const { held, seeds, look, share, confidence = CONFIDENCE } = seen;
  assert(
    Number.isInteger(held) && Number.isInteger(seeds) && held >= 0 && held <= seeds,
    'it holds in none of the seeds, in all, or between',
  );
  assert(share > 0 && share < 1, 'a share that can be shown lies between 0 and 1');
  const spent = spentAt(look, confidence);
  if (atLeast(held, seeds, share) <= spent) return 'accept';
  return binomialAtMost(held, seeds, share) <= spent ? 'reject' : 'continue';
}

/** Of what a confidence leaves: what is spent at look 1, 2, 3 … */
export function spentAt(look: number, confidence: number): number {
  assert(Number.isInteger(look) && look >= 1, 'looks are counted from 1');
  assert(confidence > 0 && confidence < 1, 'a confidence lies between 0 and 1');
  return (1 - confidence) / (look * (look + 1));
}

/**
 * The fewest seeds with which `judgeShare` can accept at this look: with fewer it does not even
 * where it holds in each. Of 95 % at 95 % confidence 72 at the first.
 */
export function fewestSeedsToAccept(share: number, look = 1, confidence = CONFIDENCE): number {
  assert(share > 0 && share < 1, 'a share that can be shown lies between 0 and 1');
  const spent = spentAt(look, confidence);
  let most = 1;
  while (atLeast(most, most, share) > spent) most *= 2;
  let tooFew = Math.floor(most / 2);
  while (most - tooFew > 1) {
    const middle = Math.floor((most + tooFew) / 2);
    if (atLeast(middle, middle, share) > spent) tooFew = middle;
    else most = middle;
  }
  return most;
}

/** Of fewer values no interval is thought to be narrow: their deviation is too uncertain. */
const FEWEST_FOR_MEAN = 20;

export interface NarrownessOptions {
  /** Of the interval; 0.95 when absent. */
  readonly confidence?: number;
  /** Fewer values are never enough: whole, at least 2; 20 when absent. */
  readonly fewest?: number;
}

/**
 * Whether the mean of the values is known well enough: half the width of its interval is at most
 * `halfWidthBound` (≥ 0, in the unit of the values). Who stops at the first time that it is (Chow
 * and Robbins, 1965) stops rather where the deviation came out small. So the interval then holds
 * somewhat less often than it says: of normal values at least 94 % in place of 95 %.
 */
export function isNarrowEnough(
  values: readonly number[],
  halfWidthBound: number,
  { confidence = CONFIDENCE, fewest = FEWEST_FOR_MEAN }: NarrownessOptions = {},
): boolean {
  assert(halfWidthBound >= 0, 'a width is not negative');
  assert(Number.isInteger(fewest) && fewest >= 2, 'an interval takes two values');
  return values.length >= fewest && confidenceHalfWidth(values, confidence) <= halfWidthBound;
}
