/** How far an output goes while one parameter is moved: reports/statistics/one-at-a-time.ts. */
import { describe, expect, it } from 'vitest';
import { meanInterval } from '../../../reports/statistics/intervals.ts';
import { parameterSwing } from '../../../reports/statistics/one-at-a-time.ts';
import { normalQuantile } from '../../../sim/base/math.ts';
import { lehmer } from '../lehmer.ts';

describe('the swing of a parameter', () => {
  it('goes from the level with the least mean to that with the greatest', () => {
    const levels = [
      [10, 12],
      [4, 8],
      [20, 20],
    ];
    expect(parameterSwing(levels, 0)).toMatchObject({
      least: { level: 1, mean: 6 },
      greatest: { level: 2, mean: 20 },
      range: 14,
      ofBase: 14 / 11,
    });
    expect(parameterSwing([[-5], [-4]], 0).ofBase).toBe(0.2);
  });

  it('has the interval of pairs of the same seed', () => {
    const random = [100, 0, 50, 70];
    const levels = [random, random.map((shared, at) => shared + 9 + at)];
    expect(parameterSwing(levels, 0).interval).toEqual(meanInterval([9, 10, 11, 12]));
  });

  it('is uncertain for all pairs of its levels together', () => {
    const levels = [
      [1, 2, 3],
      [2, 3, 5],
      [4, 6, 9],
    ];
    // Three pairs: each has a third of what is left.
    expect(parameterSwing(levels, 0).interval).toEqual(meanInterval([3, 4, 6], 1 - 0.05 / 3));
  });

  it('is in its interval 19 times in 20 and more, and only 19 in 20 seem to matter', () => {
    const next = lehmer(19);
    const tries = 600;
    let held = 0;
    for (let number = 0; number < tries; number++) {
      const random = Array.from({ length: 8 }, () => 5 * normalQuantile(next()));
      const levels = [0, 1, 2, 3].map(() =>
        random.map((shared) => shared + normalQuantile(next())),
      );
      const { low } = parameterSwing(levels, 1).interval!;
      // Nothing matters here.
      if (low <= 0) held++;
    }
    expect(held / tries).toBeGreaterThan(0.95 - 0.027);
  });

  it('is nothing, without an interval, at a single level, and has none of a single seed', () => {
    expect(parameterSwing([[3, 5]], 0)).toEqual({
      least: { level: 0, mean: 4 },
      greatest: { level: 0, mean: 4 },
      range: 0,
      ofBase: 0,
      interval: undefined,
    });
    expect(parameterSwing([[3], [5]], 1).interval).toBeUndefined();
  });

  it('is nothing from the first to the first level where all are equal', () => {
    const { least, greatest, range, interval } = parameterSwing(
      [
        [3, 4],
        [3, 4],
      ],
      1,
    );
    expect([least.level, greatest.level, range, interval]).toEqual([0, 0, 0, { low: 0, high: 0 }]);
  });

  it('is of the same seeds at all levels', () => {
    expect(() => parameterSwing([[1, 2], [1]], 0)).toThrow('same seeds');
    expect(() => parameterSwing([[1]], 1)).toThrow('base');
    expect(() => parameterSwing([[]], 0)).toThrow('output');
  });
});
