/** Distributions against closed forms and published tables: reports/statistics/distributions.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  binomialAtMost,
  logGamma,
  regularizedBeta,
  studentOutside,
  studentT,
} from '../../../reports/statistics/distributions.ts';

const confidences = fc.double({ min: 0.001, max: 0.9999, noNaN: true });

describe("Student's t", () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, §1.3.6.7.2, and Abramowitz and Stegun 26.10.
  it.each([
    [1, 0.95, 12.706],
    [2, 0.95, 4.303],
    [4, 0.95, 2.776],
    [9, 0.95, 2.262],
    [19, 0.95, 2.093],
    [30, 0.95, 2.042],
    [100, 0.95, 1.984],
    [1, 0.9, 6.314],
    [5, 0.99, 4.032],
    [10, 0.99, 3.169],
    [10, 0.998, 4.144],
    [60, 0.8, 1.296],
  ])('with %d degrees of freedom lies within ± the table, with probability %d', (df, c, table) => {
    expect(Math.abs(studentT(df, c) - table)).toBeLessThan(5.1e-4);
  });

  it('is the closed form for 1 and 2 degrees of freedom', () => {
    fc.assert(
      fc.property(confidences, (c) => {
        const two = c * Math.sqrt(2 / (1 - c * c));
        expect(studentT(1, c) / Math.tan((Math.PI * c) / 2)).toBeCloseTo(1, 8);
        expect(studentT(2, c) / two).toBeCloseTo(1, 8);
      }),
    );
  });

  it('has the closed form for 4 degrees of freedom outside of −t…t', () => {
    for (const t of [0, 0.1, 1, 2.5, 10, 100]) {
      const u = t / Math.sqrt(4 + t * t);
      expect(studentOutside(t, 4)).toBeCloseTo(1 - (3 * u - u * u * u) / 2, 12);
    }
  });

  it('only falls as the degrees of freedom grow, down to the normal quantile', () => {
    for (let degrees = 1; degrees < 100; degrees++) {
      expect(studentT(degrees)).toBeGreaterThan(studentT(degrees + 1));
      expect(studentT(degrees + 1)).toBeGreaterThan(1.959963);
    }
    expect(studentT(9_999)).toBeCloseTo(1.960201, 6);
  });

  it('is 0 for certain to be exceeded, and never for certain', () => {
    expect(studentOutside(0, 7)).toBe(1);
    expect(studentOutside(Number.POSITIVE_INFINITY, 7)).toBe(0);
  });

  it('is not defined for no degrees of freedom, nor for certain', () => {
    expect(() => studentT(0)).toThrow('degrees of freedom are whole and at least 1');
    expect(() => studentT(3, 1)).toThrow('a confidence lies between 0 and 1');
  });
});

/** Pascal's triangle, in whole numbers: exact up to 50 trials. */
function exactAtMost(most: number, trials: number): number {
  let ways = 1;
  let sum = 0;
  for (let k = 0; k <= most; k++) {
    sum += ways;
    ways = Math.round((ways * (trials - k)) / (k + 1));
  }
  return sum / 2 ** trials;
}

describe('the binomial distribution', () => {
  it('of a fair coin is the exact count of Pascal’s triangle', () => {
    for (const trials of [1, 2, 10, 25, 50]) {
      for (let most = 0; most < trials; most++) {
        expect(binomialAtMost(most, trials, 0.5)).toBeCloseTo(exactAtMost(most, trials), 12);
      }
    }
  });

  // National Bureau of Standards, Tables of the Binomial Probability Distribution (1950).
  it.each([
    [2, 10, 0.1, 0.9298],
    [0, 20, 0.05, 0.3585],
    [3, 20, 0.25, 0.2252],
    [12, 15, 0.7, 0.8732],
  ])('of at most %d of %d at %d is the table', (most, trials, p, table) => {
    expect(Math.abs(binomialAtMost(most, trials, p) - table)).toBeLessThan(5.1e-5);
  });

  it('is 0 below no success, and 1 from all on', () => {
    expect(binomialAtMost(-1, 5, 0.3)).toBe(0);
    expect(binomialAtMost(5, 5, 0.3)).toBe(1);
    expect(binomialAtMost(0, 5, 0)).toBe(1);
    expect(binomialAtMost(4, 5, 1)).toBe(0);
  });

  it('refuses a probability above 1', () => {
    expect(() => binomialAtMost(1, 2, 1.1)).toThrow('a probability lies in 0…1');
  });
});

describe('the incomplete beta function', () => {
  it('is x for a = b = 1, and x² for a = 2, b = 1', () => {
    for (const x of [0, 0.1, 0.5, 0.9, 1]) {
      expect(regularizedBeta(x, 1, 1)).toBeCloseTo(x, 14);
      expect(regularizedBeta(x, 2, 1)).toBeCloseTo(x * x, 14);
    }
  });

  it('is the rest to 1 of the one with its arguments exchanged', () => {
    const shapes = fc.double({ min: 0.5, max: 500, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), shapes, shapes, (x, a, b) => {
        expect(regularizedBeta(x, a, b) + regularizedBeta(1 - x, b, a)).toBeCloseTo(1, 10);
      }),
    );
  });

  it('has factorials, and √π, in the Γ that it is made of', () => {
    expect(logGamma(1)).toBeCloseTo(0, 14);
    expect(logGamma(10)).toBeCloseTo(Math.log(362_880), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
    expect(logGamma(0.25)).toBeCloseTo(1.2880225246980774, 12);
  });
});
