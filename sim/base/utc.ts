/**
 * Instants as text and as milliseconds: RFC 3339, from 1970 to the end of 9999, without leap
 * seconds.
 */

/** 10000-01-01T00:00:00Z. */
const END_MS = 253_402_300_800_000;
/** Group 7 is the fraction of a second. */
export const UTC_FORM =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Milliseconds since 1970-01-01T00:00:00Z, finer digits cut off; undefined: it is no instant. */
export function parseUtc(text: string): number | undefined {
  const match = UTC_FORM.exec(text);
  const field = (group: number): number => Number(match?.[group] ?? 0);
  const [year, month, day] = [field(1), field(2), field(3)];
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  const isTime = field(4) <= 23 && field(5) <= 59 && field(6) <= 59;
  const isOffset = field(9) <= 23 && field(10) <= 59;
  if (match === null || !isDay || !isTime || !isOffset) return undefined;
  const seconds = dayNumber(year, month, day) * 86_400 + secondsOf(field(4), field(5), field(6));
  const ms = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offsetS = (match[8] === '-' ? -1 : 1) * secondsOf(field(9), field(10), 0);
  const unixMs = (seconds - offsetS) * 1000 + ms;
  // The offset may lead out of the years that have four digits.
  return unixMs >= 0 && unixMs < END_MS ? unixMs : undefined;
}

/** Whether a text is an instant. */
export const isInstant = (text: string): boolean => parseUtc(text) !== undefined;

export const twoDigits = (number: number): string => String(number).padStart(2, '0');

const secondsOf = (hours: number, minutes: number, seconds: number): number =>
  hours * 3600 + minutes * 60 + seconds;

/** `2026-01-31`. */
export function dateOf(dayNumberSince1970: number): string {
  // At most one year too many, since a year has 365.2425 days on average.
  let year = 1970 + Math.floor(dayNumberSince1970 / 365.2425) + 1;
  while (daysBefore(year) > dayNumberSince1970) year--;
  let month = 1;
  let left = dayNumberSince1970 - daysBefore(year);
  while (left >= daysIn(year, month)) left -= daysIn(year, month++);
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(left + 1)}`;
}

/** Days from 1970-01-01 to the first day of a year. */
function daysBefore(year: number): number {
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  return 365 * (year - 1970) + leapDays - LEAP_DAYS_BEFORE_1970;
}

/** From the year 1 on. */
const LEAP_DAYS_BEFORE_1970 = 477;

/** Days since 1970-01-01. */
export function dayNumber(year: number, month: number, day: number): number {
  let days = daysBefore(year) + day - 1;
  for (let m = 1; m < month; m++) days += daysIn(year, m);
  return days;
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Of a month, 1 to 12. */
export function daysIn(year: number, month: number): number {
  return (MONTH_DAYS[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0);
}
