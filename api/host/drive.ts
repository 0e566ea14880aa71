/** Carries out a run in slices, so that the host stays able to draw, to listen and to stop. */
import { setImmediate } from 'node:timers/promises';
import type { Run } from '../../core/world/world.ts';
import { Slices } from './slice.ts';

/** Wall time of a slice, ms. */
const SLICE_MS = 20;

/**
 * Resolves to true at the world's end, or after so many of its events; to false when `stops()` came
 * true before. `onSlice` is called after every slice.
 */
export async function drive(
  world: Run,
  stops: () => boolean,
  onSlice: () => void,
  untilEvents = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const slices = new Slices(world, () => performance.now());
  for (;;) {
    const ended = slices.run({ untilUs: world.endUs, untilEvents }, SLICE_MS);
    onSlice();
    if (ended) return true;
    await setImmediate();
    if (stops()) return false;
  }
}
