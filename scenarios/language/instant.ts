/**
 * UTC instants such as `2026-01-01T00:00:00Z`, without a calendar library and without leap
 * seconds.
 */
import { rangeFault } from '../../sim/base/rows/range.ts';
import { dayNumber, daysIn } from '../../sim/base/utc.ts';
import { quote, type Reading, read, refuse } from './complaint.ts';

const ALLOWED = 'a UTC instant such as 2026-01-01T00:00:00Z';
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?[Zz])?$/;

/** In which virtual time may begin: GPS time begins in 1980. */
export const START_YEARS = { least: 1981, most: 2099 } as const;

/** Milliseconds since 1970-01-01T00:00:00Z of an ISO 8601 instant in UTC, of `START_YEARS`. */
export function readInstant(input: unknown): Reading<number> {
  if (typeof input !== 'string') {
    return refuse(
      input === undefined ? 'is missing' : `${quote(input)} is not an instant`,
      ALLOWED,
    );
  }
  const match = INSTANT.exec(input);
  if (match === null) return refuse(`${quote(input)} is not an instant`, ALLOWED);
  const field = (group: number) => Number(match[group] ?? 0);
  const year = field(1);
  const month = field(2);
  const day = field(3);
  const { least, most } = START_YEARS;
  if (rangeFault(year, START_YEARS)) {
    return refuse(`the year ${year} is out of range`, `years from ${least} to ${most}`);
  }
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
    return refuse(`${quote(input)} names a day that does not exist`, ALLOWED);
  }
  if (field(4) > 23 || field(5) > 59 || field(6) > 59) {
    return refuse(`${quote(input)} names a time of day that does not exist`, ALLOWED);
  }
  const seconds = dayNumber(year, month, day) * 86_400 + field(4) * 3600 + field(5) * 60 + field(6);
  return read(seconds * 1000 + Number((match[7] ?? '').padEnd(3, '0')));
}
