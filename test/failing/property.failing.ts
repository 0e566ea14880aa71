/** A property that fails, run in a process of its own by test/support/property-runs.test.ts. */
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** As a run of a large world: synchronous and slow. */
function work(ms: number): void {
  const untilMs = Date.now() + ms;
  while (Date.now() < untilMs);
}

it('no list has a large number', () => {
  const lists = fc.array(fc.integer({ min: 0, max: 1_000_000 }), {
    minLength: 200,
    maxLength: 400,
  });
  fc.assert(
    fc.property(lists, (list) => {
      work(20);
      expect(Math.max(...list)).toBeLessThan(990_000);
    }),
  );
});
