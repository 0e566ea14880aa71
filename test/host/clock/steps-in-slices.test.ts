/** Work in steps leaves the event loop to others after each slice. */
import { expect, it } from 'vitest';
import { runInSlices } from '../../../api/host/clock/steps-in-slices.ts';

function* busy(steps: number, ms: number): Generator<undefined, string> {
  for (let step = 0; step < steps; step++) {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs);
    yield;
  }
  return 'done';
}

/** How often others had their turn until the work was done. */
async function turnsBeside(steps: number, ms: number): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    if (isOver) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  expect(await runInSlices(busy(steps, ms))).toBe('done');
  isOver = true;
  return turns;
}

it('others have a turn after each 8 ms of work, and none in a shorter piece', async () => {
  expect(await turnsBeside(20, 3)).toBeGreaterThanOrEqual(5);
  expect(await turnsBeside(1, 0)).toBeLessThanOrEqual(1);
});
