/** Response curves and where they cross: reports/statistics/response-curve.ts. */
import { describe, expect, it } from 'vitest';
import { meanInterval } from '../../../reports/statistics/intervals.ts';
import {
  type CurvePoint,
  crossings,
  differenceCurve,
  isMonotone,
  responseCurve,
} from '../../../reports/statistics/response-curve.ts';
import { normalQuantile } from '../../../sim/base/math.ts';
import { lehmer } from '../lehmer.ts';

/** Points at x = 0, 1, 2 … as [mean, half the width of the band]. */
const curveOf = (...points: (readonly [number, number])[]): CurvePoint[] =>
  points.map(([mean, half], x) => {
    return { x, count: 9, mean, band: { low: mean - half, high: mean + half } };
  });

describe('a response curve', () => {
  it('has mean and band at each x', () => {
    const [first, second] = responseCurve([0, 5], [[9, 9, 10, 11, 11], [4]]);
    expect(first).toEqual({ x: 0, count: 5, mean: 10, band: meanInterval([9, 9, 10, 11, 11]) });
    expect(second).toEqual({ x: 5, count: 1, mean: 4, band: undefined });
  });

  it('is of xs that ascend, with values at each', () => {
    expect(() => responseCurve([0, 0], [[1], [1]])).toThrow('ascend');
    expect(() => responseCurve([0, 1], [[1]])).toThrow('each x');
    expect(() => responseCurve([0], [[]])).toThrow('value');
  });
});

describe('the crossing of a threshold', () => {
  it('is on the straight line between two points, with edges where the band has its own', () => {
    // Means 0, 10, 20: 4 at 0.4. The upper edge, 2 above, reaches it at 0.2, the lower one at 0.6.
    expect(crossings(curveOf([0, 2], [10, 2], [20, 2]), 4)).toEqual([
      { x: 0.4, rises: true, from: expect.closeTo(0.2, 12), until: expect.closeTo(0.6, 12) },
    ]);
    expect(crossings(curveOf([20, 2], [10, 2], [0, 2]), 4)).toEqual([
      { x: 1.6, rises: false, from: expect.closeTo(1.4, 12), until: expect.closeTo(1.8, 12) },
    ]);
  });

  it('has edges in other segments where the band is wide', () => {
    const wide = curveOf([0, 1], [10, 8], [20, 12], [30, 12], [40, 12]);
    // Around 15 at 1.5: the upper edge is 1 at 0 and 18 at 1; the lower one 18 at 3, 8 at 2.
    expect(crossings(wide, 15)).toEqual([
      {
        x: 1.5,
        rises: true,
        from: expect.closeTo(14 / 17, 12),
        until: expect.closeTo(2.7, 12),
      },
    ]);
  });

  it('has no edge where the band has the threshold in it to the end', () => {
    const [crossing] = crossings(curveOf([4, 2], [6, 2]), 5);
    expect(crossing).toEqual({ x: 0.5, rises: true, from: undefined, until: undefined });
    const bare = responseCurve([0, 1], [[4], [6, 6]]);
    expect(crossings(bare, 5)[0]).toEqual({
      x: 0.5,
      rises: true,
      from: undefined,
      until: undefined,
    });
  });

  it('is where the mean begins and ends to be at least the threshold', () => {
    const bumps = curveOf([0, 1], [5, 1], [0, 1], [7, 1], [5, 1], [5, 1], [4, 1]);
    expect(crossings(bumps, 5).map(({ x, rises }) => [x, rises])).toEqual([
      [1, true],
      [1, false],
      [2 + 5 / 7, true],
      [5, false],
    ]);
    expect(crossings(bumps, 8)).toEqual([]);
    expect(crossings([], 8)).toEqual([]);
  });

  it('has itself between its edges where nothing is uncertain', () => {
    const exact = curveOf([0.1, 0], [0.7, 0], [0.3, 0]);
    for (const { x, from, until } of crossings(exact, 0.33)) {
      expect(from).toBeLessThanOrEqual(x);
      expect(until).toBeGreaterThanOrEqual(x);
      expect(until! - from!).toBeLessThan(1e-12);
    }
  });

  it('is within its edges in about 19 of 20 studies', () => {
    const next = lehmer(17);
    let held = 0;
    const tries = 600;
    for (let number = 0; number < tries; number++) {
      const xs = [0, 1, 2, 3, 4];
      const values = xs.map((x) => Array.from({ length: 20 }, () => x + normalQuantile(next())));
      const { from, until } = crossings(responseCurve(xs, values), 2)[0]!;
      if ((from ?? 0) <= 2 && 2 <= (until ?? 4)) held++;
    }
    expect(Math.abs(held / tries - 0.95)).toBeLessThan(0.027);
  });
});

describe('two curves', () => {
  const xs = [0, 1, 2];
  const random = [-3, 0, 1, 2];
  const rising = xs.map((x) => random.map((shared, at) => 10 * x + shared + (at % 2) / 8));
  const flat = xs.map(() => random.map((shared) => 12 + shared));

  it('cross where their difference is 0, whose band is free of the luck that they share', () => {
    const [crossing, ...others] = crossings(differenceCurve(xs, flat, rising), 0);
    expect(others).toEqual([]);
    expect(crossing!.rises).toBe(true);
    expect(crossing!.x).toBeCloseTo((12 - 1 / 16) / 10, 12);
    expect(crossing!.until! - crossing!.from!).toBeLessThan(0.03);
  });

  it('are of the same xs, and pairs of seeds', () => {
    expect(() => differenceCurve(xs, flat.slice(1), rising)).toThrow('same xs');
    expect(() => differenceCurve([0], [[1, 2]], [[1]])).toThrow('pair');
  });
});

describe('a curve is monotone', () => {
  it('where some curve within its bands is', () => {
    expect(isMonotone(curveOf([0, 1], [2, 1], [1, 1]), 'rising')).toBe(true);
    expect(isMonotone(curveOf([0, 1], [2, 0.4], [1, 0.4]), 'rising')).toBe(false);
    expect(isMonotone(curveOf([0, 0.4], [2, 0.4], [1, 0.4]), 'falling')).toBe(false);
    expect(isMonotone(curveOf([2, 0.4], [1, 0.4], [1.5, 0.4]), 'falling')).toBe(true);
  });

  it('not where one far point is above what comes much later', () => {
    expect(isMonotone(curveOf([5, 1], [4, 1.5], [3, 2], [2, 1]), 'rising')).toBe(false);
  });

  it('both ways where nothing is known to differ, and by the means where there is no band', () => {
    const unsure = curveOf([1, 3], [2, 3], [1, 3]);
    expect([isMonotone(unsure, 'rising'), isMonotone(unsure, 'falling')]).toEqual([true, true]);
    const bare = responseCurve([0, 1, 2], [[1], [2], [1.9]]);
    expect(isMonotone(bare, 'rising')).toBe(false);
    expect(isMonotone([], 'rising')).toBe(true);
  });
});
