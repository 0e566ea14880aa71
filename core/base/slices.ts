/** Work on very many records, a slice a wake-up, so that no event does unbounded work. */
import { assert } from '../../sim/base/assert.ts';
import { MILLISECOND_US } from '../../sim/base/units.ts';

/** Records that one wake-up looks at. */
export const MOST_PER_WAKE = 256;

/** Pause between two slices. */
export const SLICE_PAUSE_US = MILLISECOND_US;

/** When the next slice is due of what wakes at an instant; `NEVER_US`: not by itself. */
export function nextSliceUs(wakesAtUs: number, nowUs: number): number {
  const atUs = nowUs + SLICE_PAUSE_US;
  const nextUs = wakesAtUs > nowUs ? Math.min(wakesAtUs, atUs) : atUs;
  assert(nextUs > nowUs, 'a slice of work is due later');
  return nextUs;
}
