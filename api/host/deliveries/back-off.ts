/** How much of a target that fails is tried: less and less often, until it takes something. */

/** Consecutive failed attempts after which deliveries to a target pause. */
const MOST_IN_ROW = 5;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 300_000;
/** Attempts underway at a time. */
const MOST_UNDERWAY = 10;

export const isBackedOff = (failsInRow: number): boolean => failsInRow >= MOST_IN_ROW;

/** One at a time finds out whether a target is there again. */
export const mostUnderway = (failsInRow: number): number =>
  isBackedOff(failsInRow) ? 1 : MOST_UNDERWAY;

/** Pause after this many consecutive failed attempts, ms. */
export function backOffMs(failsInRow: number): number {
  if (!isBackedOff(failsInRow)) return 0;
  const doublings = Math.min(failsInRow - MOST_IN_ROW, 10);
  return Math.min(FIRST_PAUSE_MS * 2 ** doublings, LONGEST_PAUSE_MS);
}
