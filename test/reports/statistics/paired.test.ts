/** What common random numbers are worth: reports/statistics/paired.ts. */
import { describe, expect, it } from 'vitest';
import { commonRandomNumbers, correlation } from '../../../reports/statistics/paired.ts';
import { normalQuantile } from '../../../sim/base/math.ts';
import { lehmer } from '../lehmer.ts';

describe('two variants with the same seeds', () => {
  it('have the variance of their difference in place of both variances', () => {
    // Variances 5/3 and 20/3, differences 1 2 3 4 with 5/3.
    expect(commonRandomNumbers([1, 2, 3, 4], [2, 4, 6, 8])).toEqual({
      pairs: 4,
      correlation: expect.closeTo(1, 12),
      apart: expect.closeTo(25 / 3, 12),
      paired: expect.closeTo(5 / 3, 12),
      timesFewerSeeds: expect.closeTo(5, 12),
    });
  });

  it('take that many times fewer seeds as correlation and variances say', () => {
    // Luck of variance 9 in both, and of 1 in each: 20 apart, 2 paired.
    const next = lehmer(11);
    const normal = () => normalQuantile(next());
    const random = Array.from({ length: 20_000 }, () => 3 * normal());
    const first = random.map((shared) => shared + normal());
    const second = random.map((shared) => 5 + shared + normal());
    const found = commonRandomNumbers(first, second);
    expect(found.timesFewerSeeds).toBeCloseTo(10, 0);
    expect(found.correlation).toBeCloseTo(0.9, 2);
    const apart = commonRandomNumbers(first, second.toReversed());
    expect(apart.timesFewerSeeds).toBeCloseTo(1, 1);
    expect(apart.correlation).toBeCloseTo(0, 1);
  });

  it('need no more than one seed where all pairs differ by the same', () => {
    expect(commonRandomNumbers([1, 2, 4], [2, 3, 5]).timesFewerSeeds).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(commonRandomNumbers([1, 1], [2, 2]).timesFewerSeeds).toBeNaN();
  });

  it('are worse than apart where what is luck for one is bad luck for the other', () => {
    const { timesFewerSeeds, correlation: found } = commonRandomNumbers([1, 2, 3], [3, 2, 1]);
    expect([timesFewerSeeds, found]).toEqual([expect.closeTo(0.5, 12), expect.closeTo(-1, 12)]);
  });

  it('are as many each, and at least two', () => {
    expect(() => commonRandomNumbers([1, 2], [1])).toThrow('pair');
    expect(() => commonRandomNumbers([1], [1])).toThrow('two values');
  });
});

// Anscombe, The American Statistician 27 (1973), first data set: 0.81642.
it('the correlation of Anscombe’s quartet is 0.816', () => {
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  expect(correlation(x, y)).toBeCloseTo(0.81642, 5);
  expect(correlation([1, 2], [3, 3])).toBeNaN();
});
