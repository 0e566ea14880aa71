/** The nearest curve that only rises: reports/statistics/isotonic.ts. */
import { describe, expect, it } from 'vitest';
import { isotonicFit } from '../../../reports/statistics/isotonic.ts';
import { lehmer } from '../lehmer.ts';

describe('an isotonic fit', () => {
  it('is the list itself where it nowhere falls', () => {
    expect(isotonicFit([1, 2, 2, 5])).toEqual([1, 2, 2, 5]);
    expect(isotonicFit([])).toEqual([]);
  });

  it('is the mean of neighbours that violate the order', () => {
    expect(isotonicFit([1, 3, 2, 4])).toEqual([1, 2.5, 2.5, 4]);
    expect(isotonicFit([3, 2, 1])).toEqual([2, 2, 2]);
    expect(isotonicFit([4, 5, 1, 6, 8, 7])).toEqual([10 / 3, 10 / 3, 10 / 3, 6, 7.5, 7.5]);
  });

  it('counts each value with its weight', () => {
    expect(isotonicFit([1, 3, 2, 4], [1, 3, 1, 1])).toEqual([1, 2.75, 2.75, 4]);
    expect(() => isotonicFit([1], [0])).toThrow('positive');
    expect(() => isotonicFit([1], [])).toThrow('weight');
  });

  it('is what the formula of largest and least means says', () => {
    // Robertson, Wright and Dykstra, Order Restricted Statistical Inference, theorem 1.4.4.
    const next = lehmer(13);
    for (let number = 0; number < 50; number++) {
      const values = Array.from({ length: 12 }, () => Math.floor(next() * 20));
      const weights = Array.from({ length: 12 }, () => 1 + Math.floor(next() * 5));
      const meanOf = (from: number, until: number) => {
        const places = Array.from({ length: until - from + 1 }, (_, at) => from + at);
        const sum = places.reduce((total, at) => total + values[at]! * weights[at]!, 0);
        return sum / places.reduce((total, at) => total + weights[at]!, 0);
      };
      const expected = values.map((_, at) => {
        const ends = Array.from({ length: 12 - at }, (__, more) => at + more);
        const begins = Array.from({ length: at + 1 }, (__, begin) => begin);
        return Math.max(
          ...begins.map((begin) => Math.min(...ends.map((end) => meanOf(begin, end)))),
        );
      });
      const fit = isotonicFit(values, weights);
      for (const [at, value] of expected.entries()) expect(fit[at]).toBeCloseTo(value, 10);
    }
  });
});
