/**
 * How a crystal's rate wanders: with temperature, −curvature·(T − 25 °C)² by a daily and a yearly
 * course, and with age (docs/standard.md, Clocks).
 *
 * The rate is constant within each hour of world time. What a clock is ahead at whole hours is a
 * whole number of µs in closed form, and lies on a straight line between them; so the clock's time
 * is exact, never goes back, and can be inverted.
 */
import { assert } from '../base/assert.ts';
import { cos } from '../base/math.ts';
import { HOUR_US } from '../base/units.ts';
import type { ClockPlan } from '../plan/network-plan.ts';

const HOURS_A_DAY = 24;
const HOURS_A_YEAR = 8_766;
/** Hours since 1970 at which a day and a year are warmest: 15:00 UTC, 20 July. */
const WARMEST_HOUR = 15;
const WARMEST_OF_YEAR = 200 * HOURS_A_DAY;
const TURN = 2 * Math.PI;
/** A tuning fork is fastest at 25 °C. */
const TURNOVER_CENTI_C = 2_500;
/** An hour of 1 ppb makes this many µs. */
const US_PER_PPB_HOUR = 3.6;

/** Temperature of the hour that begins `hours` after 1970 UTC, 1/100 °C. */
export function temperatureCentiC({ temperature }: ClockPlan, hours: number): number {
  const { meanCentiC, dailyCentiC, seasonalCentiC } = temperature;
  const middle = hours + 0.5;
  const day = cos((TURN * ((middle - WARMEST_HOUR) % HOURS_A_DAY)) / HOURS_A_DAY);
  const year = cos((TURN * ((middle - WARMEST_OF_YEAR) % HOURS_A_YEAR)) / HOURS_A_YEAR);
  return Math.round(meanCentiC + dailyCentiC * day + seasonalCentiC * year);
}

/** Rate error by temperature, whole ppb, never positive. */
export function temperaturePpb({ curvaturePpb }: ClockPlan, centiC: number): number {
  const degrees = (centiC - TURNOVER_CENTI_C) / 100;
  const ppb = -Math.round(curvaturePpb * degrees * degrees);
  assert(ppb <= 0, 'a tuning fork is nowhere faster than at its turnover');
  return ppb;
}

/** Constant error and ageing of one clock of a course. */
export interface ClockRate {
  /** Parts per billion; positive is fast. */
  readonly driftPpb: number;
  /** Parts per billion a year, from the world's start. */
  readonly ageingPpb: number;
}

/** The course that all clocks of a device type share. */
export class ClockCourse {
  readonly plan: ClockPlan;
  readonly #startHours: number;
  /** Sum of the rate errors by temperature over the first n hours; a cache that grows. */
  readonly #sums: number[] = [0];

  constructor(plan: ClockPlan, startUnixMs: number) {
    this.plan = plan;
    this.#startHours = Math.floor((startUnixMs * 1000) / HOUR_US);
  }

  /** What the clock has counted since the world's start at a world time ≥ 0, whole µs. */
  localUs(rate: ClockRate, worldUs: number): number {
    const hour = Math.max(0, Math.floor(worldUs / HOUR_US));
    const ahead = this.#aheadUs(rate, hour);
    const slope = (this.#aheadUs(rate, hour + 1) - ahead) / HOUR_US;
    assert(slope > -1, 'a clock goes forward');
    return worldUs + ahead + Math.round((worldUs - hour * HOUR_US) * slope);
  }

  /** The world time at which the clock has counted that much, to 1 µs. */
  worldUs(rate: ClockRate, localUs: number): number {
    let hour = Math.max(0, Math.floor(localUs / HOUR_US));
    hour = Math.max(0, Math.floor((localUs - this.#aheadUs(rate, hour)) / HOUR_US));
    while (hour > 0 && this.#localAt(rate, hour) > localUs) hour--;
    while (this.#localAt(rate, hour + 1) <= localUs) hour++;
    const from = this.#localAt(rate, hour);
    const gain = this.#aheadUs(rate, hour + 1) - this.#aheadUs(rate, hour);
    const counted = localUs - from;
    return hour * HOUR_US + counted - Math.round((counted * gain) / (HOUR_US + gain));
  }

  #localAt(rate: ClockRate, hour: number): number {
    return hour * HOUR_US + this.#aheadUs(rate, hour);
  }

  /** Clock lead after each hour, whole µs. */
  #aheadUs({ driftPpb, ageingPpb }: ClockRate, hour: number): number {
    const aged = (ageingPpb * hour * hour) / (2 * HOURS_A_YEAR);
    return Math.round((driftPpb * hour + this.#sum(hour) + aged) * US_PER_PPB_HOUR);
  }

  #sum(hours: number): number {
    const { plan } = this;
    if (plan.curvaturePpb === 0) return 0;
    while (this.#sums.length <= hours) {
      const last = this.#sums.length - 1;
      const centiC = temperatureCentiC(plan, this.#startHours + last);
      this.#sums.push(this.#sums[last]! + temperaturePpb(plan, centiC));
    }
    return this.#sums[hours]!;
  }
}
