/** api/engine/watchdog: when a worker is made anew. */
import { expect, it } from 'vitest';
import { Watchdog } from '../../api/engine/watchdog.ts';

function watched() {
  const at = { waiting: 0, busy: 0, renewed: 0 };
  const dog = new Watchdog(
    {
      waiting: async () => at.waiting,
      busy: () => at.busy,
      renew: async () => void at.renewed++,
    },
    60_000,
  );
  return { at, dog };
}

it('a worker is made anew when work waits, and it has had none for a minute', async () => {
  const { at, dog } = watched();
  at.waiting = 3;
  for (const second of [0, 20, 40, 59]) await dog.look(1000 * second);
  expect(at.renewed).toBe(0);
  await dog.look(60_000);
  expect(at.renewed).toBe(1);
  // And again after another minute, not at once.
  await dog.look(61_000);
  expect(at.renewed).toBe(1);
  await dog.look(121_000);
  expect(at.renewed).toBe(2);
});

it('a worker that works, or has nothing to do, is left alone', async () => {
  const { at, dog } = watched();
  at.waiting = 3;
  await dog.look(0);
  at.busy = 1;
  await dog.look(50_000);
  at.busy = 0;
  await dog.look(70_000);
  await dog.look(129_000);
  at.waiting = 0;
  await dog.look(140_000);
  expect(at.renewed).toBe(0);
});
