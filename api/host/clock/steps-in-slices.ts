/** Work in steps, carried out in slices: between them the event loop does other work. */
import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../../../core/base/in-steps.ts';

/** Work of one slice, ms. */
const SLICE_MS = 8;

/** What the steps return. */
export async function runInSlices<Value>(steps: Steps<Value>): Promise<Value> {
  let untilMs = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() < untilMs) continue;
    await setImmediate();
    untilMs = performance.now() + SLICE_MS;
  }
}
