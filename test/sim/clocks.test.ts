/** Device clocks (docs/standard.md, Clocks): temperature, ageing, synchronisation. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClockCourse, temperatureCentiC, temperaturePpb } from '../../sim/device/clock-course.ts';
import type { ClockPlan } from '../../sim/plan/network-plan.ts';
import { HOUR_US, SECOND_US } from '../support/small-network.ts';

const crystal = (
  meanCentiC: number,
  dailyCentiC = 0,
  seasonalCentiC = 0,
  ageingPpb = 0,
): ClockPlan => ({
  curvaturePpb: 34,
  temperature: { meanCentiC, dailyCentiC, seasonalCentiC },
  ageingPpb,
});

const DAY_US = 24 * HOUR_US;
const YEAR_US = 8766 * HOUR_US;
const remaining = { driftPpb: 0, ageingPpb: 0 };
const JULY_2026_MS = Date.UTC(2026, 6, 20);

describe('a watch crystal', () => {
  it('loses 42 ppm at −10 °C and at 60 °C, and none at 25 °C', () => {
    const at = (celsius: number) => temperaturePpb(crystal(0), celsius * 100);
    expect([at(-10), at(25), at(60)].map((ppb) => Math.round(ppb / 1000) + 0)).toEqual([
      -42, 0, -42,
    ]);
  });

  it('at −10 °C is 3.6 s late after a day, 150 ms after an hour', () => {
    const course = new ClockCourse(crystal(-1000), 0);
    expect(course.localUs(remaining, HOUR_US) - HOUR_US).toBe(-149_940);
    expect(course.localUs(remaining, DAY_US) - DAY_US).toBe(24 * -149_940);
  });

  it('that is 20 ppm fast is 72 ms ahead after an hour, and 1.73 s after a day', () => {
    const course = new ClockCourse(crystal(2500), 0);
    const fast = { driftPpb: 20_000, ageingPpb: 0 };
    expect(course.localUs(fast, HOUR_US) - HOUR_US).toBe(72_000);
    expect(course.localUs(fast, DAY_US) - DAY_US).toBe(1_728_000);
  });

  it('that ages by 3 ppm a year is 47 s ahead after one', () => {
    const course = new ClockCourse(crystal(2500), 0);
    const ageing = { driftPpb: 0, ageingPpb: 3_000 };
    const aheadS = (course.localUs(ageing, YEAR_US) - YEAR_US) / SECOND_US;
    expect(aheadS).toBeCloseTo((1.5e-6 * YEAR_US) / SECOND_US, 2);
  });

  it('is warmest in the afternoon and in July, coldest at night and in January', () => {
    const plan = crystal(1000, 500, 1200);
    const start = JULY_2026_MS / 3_600_000;
    const at = (hours: number) => temperatureCentiC(plan, start + hours) / 100;
    expect(at(15)).toBeCloseTo(27, 0);
    expect(at(3)).toBeCloseTo(17, 0);
    expect(at(4383 + 12)).toBeCloseTo(-7, 0);
  });
});

const plans = fc.record({
  curvaturePpb: fc.constantFrom(34, 0, 40),
  temperature: fc.record({
    meanCentiC: fc.integer({ min: -4000, max: 8500 }),
    dailyCentiC: fc.integer({ min: 0, max: 3000 }),
    seasonalCentiC: fc.integer({ min: 0, max: 3000 }),
  }),
  ageingPpb: fc.constant(0),
});
const rates = fc.record({
  driftPpb: fc.integer({ min: -50_000_000, max: 50_000_000 }),
  ageingPpb: fc.integer({ min: -10_000, max: 10_000 }),
});
const instants = fc.integer({ min: 0, max: 3 * YEAR_US });

describe('the time of a clock that wanders', () => {
  it('leads back to world time, to a microsecond', () => {
    fc.assert(
      fc.property(plans, rates, instants, (plan, rate, atUs) => {
        const course = new ClockCourse(plan, JULY_2026_MS);
        const back = course.worldUs(rate, course.localUs(rate, atUs));
        expect(Math.abs(back - atUs)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is whole and never goes back, across hours too', () => {
    const steps = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: HOUR_US }));
    const hours = fc.integer({ min: 1, max: 20_000 }).map((hour) => hour * HOUR_US - 1);
    const from = fc.oneof(instants, hours);
    fc.assert(
      fc.property(plans, rates, from, steps, (plan, rate, atUs, stepUs) => {
        const course = new ClockCourse(plan, JULY_2026_MS);
        const before = course.localUs(rate, atUs);
        const after = course.localUs(rate, atUs + stepUs);
        expect(Number.isSafeInteger(before)).toBe(true);
        expect(after).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('does not depend on what it was asked before', () => {
    fc.assert(
      fc.property(plans, rates, instants, instants, (plan, rate, atUs, otherUs) => {
        const asked = new ClockCourse(plan, JULY_2026_MS);
        asked.localUs(rate, otherUs);
        const fresh = new ClockCourse(plan, JULY_2026_MS);
        expect(asked.localUs(rate, atUs)).toBe(fresh.localUs(rate, atUs));
      }),
    );
  });

  it('runs as the sum of its hours’ rates says', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 0, max: 500 }), (plan, hours) => {
        const course = new ClockCourse(plan, JULY_2026_MS);
        let ppbHours = 0;
        for (let hour = 0; hour < hours; hour++) {
          const centiC = temperatureCentiC(plan, JULY_2026_MS / 3_600_000 + hour);
          ppbHours += temperaturePpb(plan, centiC);
        }
        const gained = course.localUs(remaining, hours * HOUR_US) - hours * HOUR_US;
        expect(Math.abs(gained - ppbHours * 3.6)).toBeLessThanOrEqual(0.51);
      }),
    );
  });
});
