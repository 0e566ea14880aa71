/**
 * Goes on with a world for a slice of wall time, so that its host stays able to draw, to listen and
 * to stop. Where slices end changes nothing of the world.
 */
import type { World } from '../../core/world/world.ts';

/** Events between two looks at the wall's clock: a fraction of a millisecond, as a rule. */
const EVENTS_A_LOOK = 32;

/** What a world is brought to. */
export interface Goal {
  /** At the latest, µs. */
  readonly untilUs: number;
  /** The end of an instant at which this holds; absent: `untilUs` alone. */
  readonly isThere?: () => boolean;
}

/**
 * True when the world is there, false when `isSpent` says first that the slice is over. A condition
 * that holds within an instant has to hold at the end of it, too.
 */
export function runSlice(world: World, goal: Goal, isSpent: () => boolean): boolean {
  const { untilUs, isThere } = goal;
  do {
    if (isThere?.() === true) {
      if (!world.runUntil(world.nowUs, EVENTS_A_LOOK)) continue;
      if (isThere()) return true;
    }
    if (world.runUntil(untilUs, EVENTS_A_LOOK, isThere)) return true;
  } while (!isSpent());
  return false;
}
