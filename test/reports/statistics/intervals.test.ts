/** Intervals against published examples, and by how often they hold: reports/statistics. */
import { describe, expect, it } from 'vitest';
import { binomialAtMost } from '../../../reports/statistics/distributions.ts';
import {
  beyondChance,
  confidenceHalfWidth,
  meanInterval,
  pairedDifference,
  proportionInterval,
  quantileInterval,
  quantileRanks,
} from '../../../reports/statistics/intervals.ts';
import { exp, normalQuantile } from '../../../sim/base/math.ts';
import { lehmer } from '../lehmer.ts';

/** Normal with mean 10 and deviation 2, `count` at a time, the same each time. */
function drawer(seed: number) {
  const next = lehmer(seed);
  return (count: number) => Array.from({ length: count }, () => 10 + 2 * normalQuantile(next()));
}

/** How many of 2000 tries hold. */
function holdsOf(tries: number, holds: () => boolean): number {
  let held = 0;
  for (let at = 0; at < tries; at++) if (holds()) held++;
  return held / tries;
}

describe('the interval of a mean', () => {
  it('is 10 ± 1.2416 for 9 9 10 11 11', () => {
    expect(confidenceHalfWidth([9, 9, 10, 11, 11])).toBeCloseTo(2.776445 / Math.sqrt(5), 6);
    const { low, high } = meanInterval([9, 9, 10, 11, 11])!;
    expect([low, high]).toEqual([expect.closeTo(8.758336, 6), expect.closeTo(11.241664, 6)]);
  });

  // NIST/SEMATECH e-Handbook, §1.3.5.2: ZARR13.DAT by its summary, 195 values.
  it('is 9.261460 ± 0.003217 for 195 values with the deviation 0.022789', () => {
    const half = (1.9723 * 0.022789) / Math.sqrt(195);
    const away = 0.022789;
    const values = Array.from({ length: 195 }, (_, at) => (at === 0 ? 0 : at % 2 ? away : -away));
    expect(confidenceHalfWidth(values)).toBeCloseTo(half, 6);
  });

  it('is nothing for equal values, and is not there for one', () => {
    expect(meanInterval([4, 4, 4])).toEqual({ low: 4, high: 4 });
    expect(meanInterval([4])).toBeUndefined();
    expect(confidenceHalfWidth([4])).toBeNaN();
  });

  it('holds the mean of normal values 19 times in 20, and 9 in 10 where that is asked for', () => {
    const draw = drawer(1);
    const at = (confidence: number) =>
      holdsOf(4000, () => {
        const { low, high } = meanInterval(draw(6), confidence)!;
        return low <= 10 && 10 <= high;
      });
    // Three standard errors of the share.
    expect(Math.abs(at(0.95) - 0.95)).toBeLessThan(0.0104);
    expect(Math.abs(at(0.9) - 0.9)).toBeLessThan(0.0143);
  });
});

describe('the interval of a quantile', () => {
  // Conover, Practical Nonparametric Statistics, and Dixon and Massey, table A-25: of the median.
  it.each([
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [10, 2, 9],
    [15, 4, 12],
    [20, 6, 15],
    [25, 8, 18],
    [30, 10, 21],
    [50, 18, 33],
    [100, 40, 61],
  ])('of the median of %d values is from the %dth to the %dth', (count, low, high) => {
    expect(quantileRanks(count, 0.5)).toEqual({ low, high });
  });

  it('leaves at most a fortieth on each side, and is the narrowest that does', () => {
    for (const quantile of [0.1, 0.5, 0.9]) {
      for (let count = 1; count <= 200; count++) {
        const ranks = quantileRanks(count, quantile);
        if (ranks === undefined) continue;
        const below = (rank: number) => binomialAtMost(rank - 1, count, quantile);
        const above = (rank: number) => 1 - binomialAtMost(rank - 1, count, quantile);
        expect(below(ranks.low)).toBeLessThanOrEqual(0.025);
        expect(below(ranks.low + 1)).toBeGreaterThan(0.025);
        expect(above(ranks.high)).toBeLessThanOrEqual(0.025 + 1e-12);
        expect(above(ranks.high - 1)).toBeGreaterThan(0.025);
      }
    }
  });

  it('is not there for fewer than 6 values of a median, and 36 of a 90th percentile', () => {
    const leastOf = (quantile: number) => {
      for (let count = 1; ; count++) if (quantileRanks(count, quantile)) return count;
    };
    expect([leastOf(0.5), leastOf(0.9), leastOf(0.1)]).toEqual([6, 36, 36]);
    expect(quantileInterval([1, 2, 3, 4, 5], 0.5)).toBeUndefined();
    expect(quantileInterval([], 0.5)).toBeUndefined();
  });

  it('is made of the values themselves, in whatever order they come', () => {
    expect(quantileInterval([6, 1, 5, 2, 4, 3], 0.5)).toEqual({ low: 1, high: 6 });
  });

  it('holds the median of a lopsided distribution as often as it says', () => {
    const draw = drawer(2);
    const median = exp(5);
    const share = holdsOf(2000, () => {
      const { low, high } = quantileInterval(
        draw(20).map((value) => exp(value / 2)),
        0.5,
      )!;
      return low <= median && median <= high;
    });
    // What the sixth and the fifteenth of 20 come to exactly.
    expect(Math.abs(share - 0.95861)).toBeLessThan(0.0134);
  });
});

describe("Wilson's interval of a proportion", () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %d of %d is from %d to %d', (part, whole, low, high) => {
    const found = proportionInterval(part, whole)!;
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  it('of all is that of none, turned round', () => {
    const none = proportionInterval(0, 20)!;
    const all = proportionInterval(20, 20)!;
    expect(all.high).toBe(1);
    expect(all.low).toBeCloseTo(1 - none.high, 12);
  });

  it('is not there where nothing was counted, and refuses more than all', () => {
    expect(proportionInterval(0, 0)).toBeUndefined();
    expect(() => proportionInterval(3, 2)).toThrow('a part is none, all, or between');
  });

  it('holds on the average over all proportions 19 times in 20', () => {
    let held = 0;
    const steps = 200;
    for (let step = 1; step < steps; step++) {
      const p = step / steps;
      for (let part = 0; part <= 20; part++) {
        const { low, high } = proportionInterval(part, 20)!;
        const chance = binomialAtMost(part, 20, p) - binomialAtMost(part - 1, 20, p);
        if (low <= p && p <= high) held += chance;
      }
    }
    expect(Math.abs(held / (steps - 1) - 0.9525)).toBeLessThan(0.005);
  });
});

describe('the difference over pairs', () => {
  // Student, Biometrika 6 (1908): hours of sleep gained by ten patients with two drugs.
  const FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
  const SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

  it('is that of Student’s ten patients: 1.58, from 0.70 to 2.46, by chance 0.0028', () => {
    const found = pairedDifference(FIRST, SECOND);
    expect(found.pairs).toBe(10);
    expect(found.mean).toBeCloseTo(1.58, 12);
    expect(found.interval!.low).toBeCloseTo(0.7001142, 6);
    expect(found.interval!.high).toBeCloseTo(2.4598858, 6);
    expect(found.byChance).toBeCloseTo(0.00283289, 7);
  });

  it('is the other way round where the pairs are', () => {
    const { mean, byChance } = pairedDifference(SECOND, FIRST);
    expect(mean).toBeCloseTo(-1.58, 12);
    expect(byChance).toBeCloseTo(0.00283289, 7);
  });

  it('counts signs where all pairs differ by the same', () => {
    expect(pairedDifference([1, 2, 3], [2, 3, 4])).toEqual({
      pairs: 3,
      mean: 1,
      interval: { low: 1, high: 1 },
      byChance: 0.25,
    });
    expect(pairedDifference([1, 2, 3], [1, 2, 3]).byChance).toBe(1);
  });

  it('says nothing of one pair but how it differs, and nothing of none', () => {
    expect(pairedDifference([1], [4])).toEqual({
      pairs: 1,
      mean: 3,
      interval: undefined,
      byChance: 1,
    });
    expect(pairedDifference([], []).mean).toBeNaN();
    expect(() => pairedDifference([1], [])).toThrow('each value of a pair has the other one');
  });
});

describe('several findings together', () => {
  it('are judged as Holm has it: each against what is left for it', () => {
    expect(beyondChance([0.01, 0.04, 0.03, 0.005])).toEqual([true, false, false, true]);
    expect(beyondChance([0.01, 0.013, 0.06, 0.005])).toEqual([true, true, false, true]);
    expect(beyondChance([0.06])).toEqual([false]);
  });

  it('leave out what is not measured', () => {
    expect(beyondChance([Number.NaN, 0.04])).toEqual([false, true]);
    expect(beyondChance([])).toEqual([]);
  });

  it('find something among twenty figures that are equal once in twenty times', () => {
    const draw = drawer(3);
    const figure = () => pairedDifference(draw(8), draw(8)).byChance;
    const share = holdsOf(400, () =>
      beyondChance(Array.from({ length: 20 }, figure)).some(Boolean),
    );
    expect(Math.abs(share - 0.05)).toBeLessThan(0.033);
  });
});
