/** Percentiles by nearest rank: the smallest value that a share of them does not exceed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentiles } from '../../../core/base/percentiles.ts';

it('a percentile is the smallest value that its share of all values does not exceed', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(fc.array(finite, { minLength: 1, maxLength: 40 }), (values) => {
      const smallest = (tenths: number) =>
        [...values]
          .sort((a, b) => a - b)
          .find((each) => 10 * values.filter((v) => v <= each).length >= tenths * values.length);
      expect(percentiles(values)).toEqual({
        p10: smallest(1),
        p50: smallest(5),
        p90: smallest(9),
        max: Math.max(...values),
      });
    }),
  );
});

it('percentiles of ten values are the first, the fifth, the ninth and the last', () => {
  const values = [3, 1, 2, 10, 9, 8, 7, 6, 5, 4];
  expect(percentiles(values)).toEqual({ p10: 1, p50: 5, p90: 9, max: 10 });
  expect(percentiles([])).toBeNull();
});
