/** Statistics against published values and laws: reports/statistics.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confidenceHalfWidth,
  mean,
  percentile,
  standardDeviation,
  studentT,
} from '../../reports/statistics.ts';

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

  it('is the smallest value that so many do not exceed', () => {
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

describe("Student's t, two-sided 95 %", () => {
  it.each([
    [1, 12.706205],
    [2, 4.302653],
    [4, 2.776445],
    [9, 2.262157],
    [30, 2.042272],
    [31, 2.039513],
    [40, 2.021075],
    [60, 2.000298],
    [100, 1.983972],
    [1000, 1.962339],
  ])('with %d degrees of freedom is %d', (degrees, quantile) => {
    expect(Math.abs(studentT(degrees) - quantile)).toBeLessThan(2e-5);
  });

  it('only falls as the degrees of freedom grow, down to the normal quantile', () => {
    for (let degrees = 1; degrees < 500; degrees++) {
      expect(studentT(degrees)).toBeGreaterThan(studentT(degrees + 1));
      expect(studentT(degrees + 1)).toBeGreaterThan(1.959963);
    }
  });

  it('is not defined for none', () => {
    expect(() => studentT(0)).toThrow('degrees of freedom are whole and at least 1');
  });
});

describe('the 95 % confidence interval of a mean', () => {
  it('is 10 ± 1.2416 for 9 9 10 11 11', () => {
    expect(confidenceHalfWidth([9, 9, 10, 11, 11])).toBeCloseTo((2.776445 * 1) / Math.sqrt(5), 4);
  });

  it('is nothing for equal values and NaN for one', () => {
    expect(confidenceHalfWidth([4, 4, 4])).toBe(0);
    expect(confidenceHalfWidth([4])).toBeNaN();
  });
});
