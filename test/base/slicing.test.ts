/** Slices of series: as many as there are, or ever longer ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coarser, sliceAt } from '../../sim/base/slicing.ts';
import { Tally } from '../../sim/observation/tally.ts';

describe('the series of a world without end', () => {
  it('counts in slices that double when they would be too many, and loses nothing', () => {
    const gaps = fc.array(fc.nat(500), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 9 }), (pauses, most) => {
        const slicing = { firstUs: 10, most };
        const [tally, plain] = [new Tally(slicing), new Tally({ ...slicing, most: 1e9 })];
        let atUs = 0;
        for (const pause of pauses) {
          atUs += pause;
          for (const each of [tally, plain]) each.mark('uplinks', atUs);
        }
        const { series, sliceUs } = tally;
        expect(series.uplinks.length).toBeLessThanOrEqual(most);
        expect(sliceUs).toBe(sliceAt(slicing, atUs + 1));
        expect(series.uplinks).toEqual(coarser(plain.series.uplinks, sliceUs! / 10));
      }),
    );
  });

  it('goes on where it was saved', () => {
    const tally = new Tally({ firstUs: 10, most: 2 });
    for (const atUs of [5, 15, 25, 35]) tally.mark('uplinks', atUs);
    const restored = new Tally({ firstUs: 10, most: 2 });
    restored.load(tally.save());
    for (const each of [tally, restored]) each.mark('uplinks', 75);
    expect(restored.save()).toEqual(tally.save());
    expect([tally.sliceUs, tally.series.uplinks]).toEqual([40, [4, 1]]);
  });
});
