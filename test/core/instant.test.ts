/** Instants in RFC 3339, as the services read and write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, microsecondsOf } from '../../core/base/instant.ts';
import { isInstant, parseUtc } from '../../sim/base/utc.ts';

describe('an instant', () => {
  it('is read and written as the calendar of the platform has it, from 1970 to 9999', () => {
    const [min, max] = [new Date(0), new Date('9999-12-31T23:59:59.999Z')];
    const years = { min, max, noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        const text = date.toISOString();
        expect(parseUtc(text)).toBe(date.getTime());
        expect(new Date(formatInstant(date.getTime())).getTime()).toBe(date.getTime());
      }),
    );
  });

  it('is right on the first and the last day of every February, March and year', () => {
    const days = ['01-01', '02-01', '02-28', '02-29', '03-01', '12-31'];
    const wrong: string[] = [];
    for (let year = 1970; year <= 9999; year++) {
      for (const day of days) {
        const text = `${year}-${day}T00:00:00Z`;
        const date = new Date(text);
        const isDay = !Number.isNaN(date.getTime()) && date.toISOString().slice(5, 10) === day;
        const unixMs = parseUtc(text);
        const isRight =
          (unixMs !== undefined) === isDay &&
          (unixMs === undefined || (unixMs === date.getTime() && formatInstant(unixMs) === text));
        if (!isRight) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has a 29th of February in 2000 and 2400, and none in 2100 or 9900', () => {
    const isDay = (year: number) => isInstant(`${year}-02-29T00:00:00Z`);
    expect([1972, 2000, 2024, 2400, 9996].map(isDay)).toEqual([true, true, true, true, true]);
    expect([1970, 2025, 2100, 2300, 9900].map(isDay)).toEqual([false, false, false, false, false]);
  });

  it('is written without a fraction when it is a whole second', () => {
    expect(formatInstant(1_767_225_600_000)).toBe('2026-01-01T00:00:00Z');
    expect(formatInstant(1_767_225_600_250)).toBe('2026-01-01T00:00:00.250Z');
  });

  it('has up to six digits of a second beyond those of its ms', () => {
    const digits = ['', '.1', '.123', '.1234', '.123456', '.123456789', '.000001'];
    expect(digits.map((each) => microsecondsOf(`2026-01-01T00:00:00${each}+02:30`))).toEqual([
      0, 0, 0, 400, 456, 456, 1,
    ]);
  });

  it('is the same in every time zone', () => {
    const utc = parseUtc('2026-01-01T12:00:00Z');
    expect(parseUtc('2026-01-01T14:30:00+02:30')).toEqual(utc);
    expect(parseUtc('2026-01-01t04:00:00.000-08:00')).toEqual(utc);
  });

  it.each([
    '',
    'tomorrow',
    '2026-01-01',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00',
    '1969-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '10000-01-01T00:00:00Z',
    '2026-06-30T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
  ])('%j is none', (text) => {
    expect(isInstant(text)).toBe(false);
  });
});
