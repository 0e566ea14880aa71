/** When a delivery is tried again, and what an answer means for it. */
import { toBelow } from '../../../sim/base/random.ts';
import { SECOND_US } from '../../../sim/base/units.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;

/** Pauses before the second to the eighth attempt, s. */
const PAUSES_S = [
  5,
  5 * MINUTE_S,
  30 * MINUTE_S,
  2 * HOUR_S,
  5 * HOUR_S,
  10 * HOUR_S,
  10 * HOUR_S,
] as const;

/** Attempts in all. */
export const MOST_ATTEMPTS = PAUSES_S.length + 1;

/** A receiver that has not answered by then has timed out. */
export const TIMEOUT_US = 15 * SECOND_US;

/** The longest Retry-After that is honoured, s: a day. */
export const LONGEST_RETRY_AFTER_S = 24 * HOUR_S;

/** Attempts that a target answers at a time; others wait in line. */
export const MOST_UNDERWAY = 10;

/** What waits of a target; the oldest beyond them is given up. */
export const MOST_WAITING = 10_000;

/** How long something waits at most: seven days. */
export const LONGEST_WAIT_US = 7 * 24 * HOUR_S * SECOND_US;

/** A target that has taken nothing for so long is disabled: five days. */
export const DEAD_AFTER_US = 5 * 24 * HOUR_S * SECOND_US;

/** Parts of a million that a pause differs by, up or down. */
const JITTER_PPM = 200_000;
const PPM = 1_000_000;

/** The pause after a number of failed attempts, µs, ± 20 % by 32 random bits. */
export function pauseUs(attempts: number, word: number): number {
  const ppm = PPM - JITTER_PPM + toBelow(word, 2 * JITTER_PPM + 1);
  return PAUSES_S[attempts - 1]! * ppm;
}

/** What an attempt came to: a status, or no answer. */
export type Answer = number | 'timeout' | 'connection refused';

const TOO_MANY_REQUESTS = 429;
export const GONE = 410;

export const isTaken = (answer: Answer): boolean =>
  typeof answer === 'number' && answer >= 200 && answer < 300;

/** Whether another attempt may fare better; other answers are final. */
export const isRetried = (answer: Answer): boolean =>
  typeof answer !== 'number' || answer >= 500 || answer === TOO_MANY_REQUESTS;
