/** The closed form of redundancy against published figures and drawn devices. */
import { describe, expect, it } from 'vitest';
import { needsOf } from '../../../scenarios/planning/fragment-plan.ts';
import {
  drawnCheck,
  fewestCoded,
  rebuildingShare,
  rebuilds,
} from '../../../scenarios/planning/redundancy.ts';

describe('rows of a random code', () => {
  it('rebuild 400 fragments from as many and 0 … 7 more as is published', () => {
    const shares = Array.from({ length: 8 }, (_, more) => rebuilds(400, 400 + more).toFixed(3));
    expect(shares).toEqual([
      '0.289',
      '0.578',
      '0.770',
      '0.880',
      '0.939',
      '0.969',
      '0.984',
      '0.992',
    ]);
  });

  it('rebuild nothing from fewer, one fragment from one row in two, and none needs none', () => {
    expect(rebuilds(5, 4)).toBe(0);
    expect(rebuilds(1, 1)).toBeCloseTo(0.5, 12);
    expect(rebuilds(2, 2)).toBeCloseTo(0.5 * 0.75, 12);
    expect(rebuilds(0, 0)).toBe(1);
  });
});

describe('the share that rebuilds the image', () => {
  it('is that of devices without a loss where nothing is coded', () => {
    expect(rebuildingShare(40, 0, 0.1)).toBeCloseTo(0.9 ** 40, 12);
    expect(rebuildingShare(40, 0, 0)).toBe(1);
  });

  it.each([
    [400, 0.1, 66],
    [800, 0.1, 116],
    [536, 0.3, 260],
  ])('of %i fragments at %d lost is that of drawn devices', (nbFrag, loss, coded) => {
    const needs = needsOf(nbFrag, loss, 2 * nbFrag, 3000);
    for (const less of [0, 5, 10]) {
      const drawn = needs.filter((need) => need <= coded - less).length / needs.length;
      expect(Math.abs(rebuildingShare(nbFrag, coded - less, loss) - drawn)).toBeLessThan(0.02);
    }
  });
});

describe('the fewest coded fragments', () => {
  // p50, p90, p99 as measured over thousands of sessions with reference decoders.
  it.each([
    [200, 0.1, 24, 37],
    [400, 0.1, 46, 64],
    [400, 0.3, 174, 212],
    [800, 0.1, 90, 115],
    [1000, 0.3, 432, 487],
  ])('for %i fragments at %d lost are those that others measured', (nbFrag, loss, p50, p99) => {
    expect(Math.abs(fewestCoded(nbFrag, loss, 0.5)! - p50)).toBeLessThanOrEqual(1);
    expect(Math.abs(fewestCoded(nbFrag, loss, 0.99)! - p99)).toBeLessThanOrEqual(4);
  });

  it('suffice, and one less does not', () => {
    for (const share of [0.5, 0.9, 0.99, 0.999]) {
      const coded = fewestCoded(300, 0.2, share)!;
      expect(rebuildingShare(300, coded, 0.2)).toBeGreaterThanOrEqual(share);
      expect(rebuildingShare(300, coded - 1, 0.2)).toBeLessThan(share);
    }
  });

  it('are none without losses, and undefined where a session has not that many', () => {
    expect(fewestCoded(300, 0, 0.999)).toBe(0);
    expect(fewestCoded(12_000, 0.5, 0.99)).toBeUndefined();
  });
});

describe('drawn devices', () => {
  it('tell of a number of fragments that the code serves worse, and what it needs', () => {
    const closed = fewestCoded(50, 0.05, 0.99)!;
    const check = drawnCheck(50, 0.05, closed, 0.99)!;
    expect(check.share).toBeLessThan(0.95);
    expect(check.needed).toBeGreaterThan(closed);
  });

  it('agree where the code is as good as a random one', () => {
    const closed = fewestCoded(400, 0.1, 0.99)!;
    expect(drawnCheck(400, 0.1, closed, 0.99)).toMatchObject({ devices: 4000 });
    expect(drawnCheck(400, 0.1, closed, 0.99)).not.toHaveProperty('needed');
  });

  it('are not drawn of blocks that would take long', () => {
    expect(drawnCheck(8000, 0.2, 2100, 0.99)).toBeUndefined();
  });
});
