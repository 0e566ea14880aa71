/** Carries out a run in slices, so that the host stays able to draw, to listen and to stop. */
import { setImmediate } from 'node:timers/promises';
import type { Run } from '../../core/world/world.ts';

/** About 20 ms of work. */
const EVENTS_A_SLICE = 5_000;

/**
 * Resolves to true at the world's end, to false when `stops()` came true before. `onSlice` is
 * called after every slice.
 */
export async function drive(
  world: Run,
  stops: () => boolean,
  onSlice: () => void,
): Promise<boolean> {
  for (;;) {
    const ended = world.runUntil(world.endUs, EVENTS_A_SLICE);
    onSlice();
    if (ended) return true;
    await setImmediate();
    if (stops()) return false;
  }
}
