/** Idempotency keys outlive kills: a sample of `npm run crash:keys` (docs/decisions/0105). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawsOf } from '../support/journals.ts';
import { bundledChild } from './bundle.ts';
import { keyRound } from './keys.ts';
import { newDurable, type Stored } from './process-runs.ts';

let child = '';
let removeChild = () => {};
let stored: Stored;

beforeAll(async () => {
  ({ path: child, remove: removeChild } = await bundledChild());
  stored = newDurable();
});
afterAll(() => {
  stored.remove();
  removeChild();
});

const names = { next: 0 };

it.each(['command.acknowledged', 'command.applied', 'answered.asked', 'answered.applied'])(
  'a process that is killed at %s makes nothing twice, and gives the first answers again',
  async (point) => {
    const ending = { afterMs: 10_000, ends: { point, hit: 20 } };
    const { answered, complaints } = await keyRound(child, stored, ending, names, drawsOf(1));
    expect(complaints).toEqual([]);
    expect(answered).toBeGreaterThan(5);
  },
);
