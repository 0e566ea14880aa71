/** Rows of pools are used again: what stood in one before decides nothing and shows nowhere. */
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { campaignWorlds } from '../../scenarios/testing/generators/arbitrary-campaigns.ts';
import { type Column, Pool } from '../../sim/kernel/columns.ts';
import { someRuns } from '../support/long.ts';
import { straightOn } from '../support/worlds.ts';

const { give } = Pool.prototype;

/** Whatever is given back is written over, but for the thread of the free list. */
function scribble(): void {
  vi.spyOn(Pool.prototype, 'give').mockImplementation(function (this: Pool<never>, row: number) {
    const column = this.column as Record<string, Column>;
    const rows = column.next!.length;
    for (const [name, values] of Object.entries(column)) {
      const width = values.length / rows;
      if (name !== 'next') values.fill(0x5a, row * width, (row + 1) * width);
    }
    give.call(this, row);
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['generated worlds', worlds({ minutes: 30 }), 40],
  ['generated campaigns', campaignWorlds(), 6],
])(
  'what stood in a row or cache never shows: it leaves the digests of %s as they are',
  (_, generated, numRuns) => {
    fc.assert(
      fc.property(generated, (world) => {
        vi.restoreAllMocks();
        const plain = straightOn(world);
        scribble();
        expect(straightOn(world)).toEqual(plain);
      }),
      { numRuns: someRuns(numRuns), endOnFailure: true },
    );
  },
);
