/** When sessions are held: once a day, at a minute of the UTC day. */
import { formatInstant } from '../../base/instant.ts';

const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Minutes since midnight of a time of day, whose seconds are cut off. */
export const minuteOf = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** `HH:MM`. */
export const timeOf = (minute: number): string =>
  formatInstant(minute * MINUTE_MS).slice('1970-01-01T'.length, '1970-01-01T00:00'.length);

/** `2026-01-31`. */
export const dateOf = (unixMs: number): string =>
  formatInstant(unixMs).slice(0, '1970-01-01'.length);

/**
 * The next session strictly after an instant, both UTC in ms since 1970; null: that is after the
 * last instant at which one is held.
 */
export function nextSession(minute: number, afterMs: number, untilMs: number): number | null {
  const today = Math.floor(afterMs / DAY_MS) * DAY_MS + minute * MINUTE_MS;
  const next = today > afterMs ? today : today + DAY_MS;
  return next <= untilMs ? next : null;
}
