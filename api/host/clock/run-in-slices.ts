/** Carries out a run in slices, so that the host stays able to draw, to listen and to stop. */
import { setImmediate } from 'node:timers/promises';
import type { Run } from '../../../core/world/world.ts';
import { Slices } from './slice.ts';

/** Wall time of a slice, ms. */
const SLICE_MS = 20;

interface Until {
  /** An instant, µs. */
  readonly untilUs?: number;
  /** Events executed. */
  readonly untilEvents?: number;
}

/**
 * Resolves to true at the world's end, or where it is to end before; to false when `stops()` came
 * true before. `onSlice` is called after every slice.
 */
export async function drive(
  world: Run,
  stops: () => boolean,
  onSlice: () => void,
  { untilUs = world.endUs, untilEvents = Number.POSITIVE_INFINITY }: Until = {},
): Promise<boolean> {
  const slices = new Slices(world, () => performance.now());
  for (;;) {
    const ended = slices.run({ untilUs, untilEvents }, SLICE_MS);
    onSlice();
    if (ended) return true;
    await setImmediate();
    if (stops()) return false;
  }
}
