/** Statistics against published values and laws: reports/statistics.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, median, percentile, standardDeviation } from '../../reports/statistics.ts';

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });

describe('mean and standard deviation', () => {
  it('give 5 and √(32/7) for eight well-known values', () => {
    const eight = [2, 4, 4, 4, 5, 5, 7, 9];
    expect(mean(eight)).toBe(5);
    expect(standardDeviation(eight)).toBeCloseTo(Math.sqrt(32 / 7), 12);
  });

  it('are NaN of nothing, and one value has no deviation', () => {
    expect(mean([])).toBeNaN();
    expect(standardDeviation([])).toBeNaN();
    expect(standardDeviation([3])).toBeNaN();
  });

  it('give no deviation to equal values, though their mean is rounded', () => {
    expect(standardDeviation([0.1, 0.1, 0.1])).toBe(0);
  });

  it('keep the mean between the smallest and the greatest value', () => {
    fc.assert(
      fc.property(values, (all) => {
        const slack = 1e-6;
        return mean(all) >= Math.min(...all) - slack && mean(all) <= Math.max(...all) + slack;
      }),
    );
  });

  it('do not move the deviation when every value is moved', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: -1000, max: 1000 }), (all, by) => {
        fc.pre(all.length > 1);
        const moved = standardDeviation(all.map((value) => value + by));
        expect(moved).toBeCloseTo(standardDeviation(all), 4);
      }),
    );
  });
});

describe('percentile by nearest rank', () => {
  const five = [40, 15, 50, 20, 35];

  it.each([
    [0, 15],
    [5, 15],
    [30, 20],
    [40, 20],
    [50, 35],
    [100, 50],
  ])('the %d th of 15 20 35 40 50 is %d', (percent, value) => {
    expect(percentile(five, percent)).toBe(value);
  });

  it('leaves the values as they were', () => {
    const own = [...five];
    percentile(own, 50);
    expect(own).toEqual(five);
  });

  it('is NaN of nothing', () => expect(percentile([], 50)).toBeNaN());

  it('refuses a percentile above 100', () => {
    expect(() => percentile(five, 101)).toThrow('a percentile lies in 0…100');
  });

  it('is the smallest value that that many do not exceed', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (all, percent) => {
        const found = percentile(all, percent);
        const needed = (percent * all.length) / 100;
        expect(all).toContain(found);
        expect(all.filter((value) => value <= found).length).toBeGreaterThanOrEqual(needed);
        expect(all.filter((value) => value < found).length).toBeLessThan(needed);
      }),
    );
  });
});

describe('median', () => {
  it.each([
    [[40, 15, 50, 20, 35], 35],
    // Of an even number it is the mean of the two in the middle.
    [[40, 15, 50, 20], 30],
    [[3, 4], 3.5],
    [[7], 7],
  ])('of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it('is NaN of nothing, and has as many values below it as above', () => {
    expect(median([])).toBeNaN();
    fc.assert(
      fc.property(values, (all) => {
        const middle = median(all);
        const [below, above] = [
          all.filter((value) => value < middle).length,
          all.filter((value) => value > middle).length,
        ];
        expect(Math.max(below, above)).toBeLessThanOrEqual(all.length / 2);
      }),
    );
  });
});
