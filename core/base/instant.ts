/** Instants as the services write them (sim/base/utc.ts), and virtual ones that stand for none. */
import { assert } from '../../sim/base/assert.ts';
import { dateOf, parseUtc, twoDigits, UTC_FORM } from '../../sim/base/utc.ts';

/** An instant of virtual time, µs, that is not known or not set. */
export const NEVER_US = -1;

/** The latest instant of virtual time, µs: 285 years from the start. What is later never comes. */
export const LAST_US = Number.MAX_SAFE_INTEGER;

const DAY_MS = 86_400_000;

/** What an instant that was read has beyond its whole ms, µs: 0…999; finer digits are cut off. */
export function microsecondsOf(text: string): number {
  const fraction = UTC_FORM.exec(text)?.[7] ?? '';
  return Number(fraction.padEnd(6, '0').slice(3, 6));
}

/** Of an instant that was read: ms since 1970. */
export function instantOf(text: string): number {
  const unixMs = parseUtc(text);
  assert(unixMs !== undefined, 'a field of an instant holds one');
  return unixMs;
}

/** `2026-01-31T12:00:00Z`, with milliseconds where there are some; from 1970 on. */
export function formatInstant(unixMs: number): string {
  const whole = Math.floor(unixMs);
  const dayMs = whole - Math.floor(whole / DAY_MS) * DAY_MS;
  const ms = dayMs % 1000;
  const [hour, minute, second] = [3_600_000, 60_000, 1000].map((unit, i) =>
    twoDigits(Math.floor(dayMs / unit) % (i === 0 ? 24 : 60)),
  );
  const fraction = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`;
  return `${dateOf(Math.floor(whole / DAY_MS))}T${hour}:${minute}:${second}${fraction}Z`;
}
