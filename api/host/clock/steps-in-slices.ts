/**
 * Work in steps, carried out in slices: between them the event loop does other work. All such work
 * of a process has its turns as one caller has: others wait for a slice or two, however many there
 * are who have such work (docs/decisions/0102).
 */
import type { Steps } from '../../../core/base/in-steps.ts';
import { TURNS } from '../process/turns.ts';

/** Work of one slice, ms. */
const SLICE_MS = 8;

/** All work in slices, among those who wait for a turn. */
const CALLER = 'work in slices';

/** What the steps return. The first slice is done at once. */
export async function runInSlices<Value>(steps: Steps<Value>): Promise<Value> {
  let last = sliceOf(steps);
  while (last.done !== true) last = await inTurn(() => sliceOf(steps));
  return last.value;
}

const inTurn = <Value>(slice: () => Value): Promise<Value> =>
  new Promise((resolve, reject) => {
    TURNS.add(CALLER, () => {
      try {
        resolve(slice());
      } catch (error) {
        reject(error);
      }
    });
  });

/** Steps for as long as a slice takes; the last of them. */
function sliceOf<Value>(steps: Steps<Value>): IteratorResult<undefined, Value> {
  const untilMs = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() >= untilMs) return step;
  }
}
