/** Exact bounds of proportions: reports/statistics/proportions.ts. */
import { describe, expect, it } from 'vitest';
import { binomialAtMost } from '../../../reports/statistics/distributions.ts';
import { proportionInterval } from '../../../reports/statistics/intervals.ts';
import { atLeast, exactProportionInterval } from '../../../reports/statistics/proportions.ts';

describe('the exact interval of a proportion', () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 5.
  it.each([
    [81, 263, 0.2527, 0.3676],
    [15, 148, 0.0578, 0.1617],
    [0, 20, 0, 0.1684],
    [1, 29, 0.0009, 0.1776],
  ])('of %d of %d is that of Clopper and Pearson', (part, whole, low, high) => {
    const interval = exactProportionInterval(part, whole)!;
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('has closed forms where none or all were counted', () => {
    for (const whole of [1, 7, 400]) {
      const root = 0.025 ** (1 / whole);
      expect(exactProportionInterval(0, whole)!.high).toBeCloseTo(1 - root, 11);
      expect(exactProportionInterval(0, whole)!.low).toBe(0);
      expect(exactProportionInterval(whole, whole)!.low).toBeCloseTo(root, 11);
      expect(exactProportionInterval(whole, whole)!.high).toBe(1);
    }
  });

  it('holds every proportion at least as often as it says, by counting all that may come', () => {
    const least = (confidence: number, whole: number) => {
      let worst = 1;
      const intervals = Array.from(
        { length: whole + 1 },
        (_, part) => exactProportionInterval(part, whole, confidence)!,
      );
      for (let p = 0.005; p < 1; p += 0.005) {
        let held = 0;
        for (const [part, { low, high }] of intervals.entries()) {
          const chance = binomialAtMost(part, whole, p) - binomialAtMost(part - 1, whole, p);
          if (low <= p && p <= high) held += chance;
        }
        worst = Math.min(worst, held);
      }
      return worst;
    };
    expect(least(0.95, 20)).toBeGreaterThanOrEqual(0.95);
    expect(least(0.8, 33)).toBeGreaterThanOrEqual(0.8);
    // It is not much wider than it has to be.
    expect(least(0.8, 33)).toBeLessThan(0.84);
  });

  it('has Wilson’s inside, and is not there of nothing', () => {
    const exact = exactProportionInterval(18, 20)!;
    const wilson = proportionInterval(18, 20)!;
    expect(exact.low).toBeLessThan(wilson.low);
    expect(exact.high).toBeGreaterThan(wilson.high);
    expect(exactProportionInterval(0, 0)).toBeUndefined();
  });
});

it('the chance of all is a power, however small', () => {
  expect(atLeast(100, 100, 0.01) / 1e-200).toBeCloseTo(1, 9);
  expect(atLeast(0, 5, 0.3)).toBe(1);
  expect(atLeast(6, 5, 0.3)).toBe(0);
});
