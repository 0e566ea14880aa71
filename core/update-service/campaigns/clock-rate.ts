/**
 * How fast a member's clock runs.
 *
 * Problem: an RC oscillator of 1 % is off by 9 s a quarter of an hour after it was set right. So a
 * device that sends every 15 minutes never looks right to a service that accepts 5 s. Such a device
 * is no worse a listener than others, since its clock is wrong by the same amount every time.
 *
 * Approach: at the first look after a correction a clock shows its rate, by what it has lost since
 * then. From there on the service expects it to lose as much in every second, and judges it by what
 * it is off from that. It gives it the beginning of the session in the time of its own clock.
 *
 * Not done: a rate beyond that of an RC oscillator is not believed, since it looks the same as a
 * clock that can't be set (0116).
 */

/** What a clock loses, as it was seen between a correction and the next look. */
export interface ClockRate {
  /** Seconds that it fell behind; negative: it got ahead. */
  readonly lostS: number;
  /** Seconds in which it did; at least 1. */
  readonly overS: number;
  /** When its latest correction made it right: GPS seconds modulo 2^32. */
  readonly rightAtS: number;
}

/** A loss that shows a rate, s: with less, that of a whole second would be mostly rounding. */
export const LEAST_LOSS_S = 2;

/** RC oscillators with their usual temperature range: 2 %. */
export const LARGEST_RATE_PERCENT = 2;

/** Signed difference of two instants of GPS seconds modulo 2^32. */
export const difference = (a: number, b: number): number => (a - b) | 0;

/**
 * The rate of a clock that was right at `rightAtS` and is `behindS` behind at `nowS`; null: no
 * oscillator is as bad, given that both are whole seconds.
 */
export function clockRateOf(behindS: number, rightAtS: number, nowS: number): ClockRate | null {
  const overS = difference(nowS, rightAtS);
  if ((Math.abs(behindS) - 1) * 100 > LARGEST_RATE_PERCENT * overS) return null;
  return { lostS: behindS, overS, rightAtS };
}

/** By how much a clock is expected to be behind at an instant, whole seconds; 0 by no rate. */
export function expectedBehindS(rate: ClockRate | null, atS: number): number {
  if (rate === null) return 0;
  return Math.round((rate.lostS * difference(atS, rate.rightAtS)) / rate.overS);
}

/** An instant of GPS seconds modulo 2^32 as the clock is expected to show it. */
export const asShown = (rate: ClockRate | null, atS: number): number =>
  (atS - expectedBehindS(rate, atS)) >>> 0;
