/** Work in steps leaves the event loop to others after each slice. */
import { expect, it } from 'vitest';
import { runInSlices } from '../../../api/host/clock/steps-in-slices.ts';
import { TURNS } from '../../../api/host/process/turns.ts';

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

it('one who asks for something waits for a slice or two of twenty who have such work', async () => {
  let slices = 0;
  function* counted(): Generator<undefined, void> {
    for (let step = 0; step < 10; step++) {
      slices++;
      const untilMs = performance.now() + 9;
      while (performance.now() < untilMs);
      yield;
    }
  }
  const all = Promise.all(Array.from({ length: 20 }, () => runInSlices(counted())));
  const waited: number[] = [];
  for (let asked = 0; asked < 5; asked++) {
    const before = slices;
    await new Promise<void>((resolve) => TURNS.add('ann', resolve));
    waited.push(slices - before);
  }
  await all;
  expect(slices).toBe(200);
  expect(Math.max(...waited)).toBeLessThanOrEqual(2);
});
