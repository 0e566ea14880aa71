/** Instants in RFC 3339, as the services read and write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, parseInstant } from '../../core/base/instant.ts';

describe('an instant', () => {
  it('is read and written as the calendar of the platform has it', () => {
    const years = { min: new Date('1981-01-01'), max: new Date('2099-12-31'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        const text = date.toISOString();
        expect(parseInstant(text)).toEqual({ ok: true, value: date.getTime() });
        expect(new Date(formatInstant(date.getTime())).getTime()).toBe(date.getTime());
      }),
    );
  });

  it('is written without a fraction when it is a whole second', () => {
    expect(formatInstant(1_767_225_600_000)).toBe('2026-01-01T00:00:00Z');
    expect(formatInstant(1_767_225_600_250)).toBe('2026-01-01T00:00:00.250Z');
  });

  it('is the same in every time zone', () => {
    const utc = parseInstant('2026-01-01T12:00:00Z');
    expect(parseInstant('2026-01-01T14:30:00+02:30')).toEqual(utc);
    expect(parseInstant('2026-01-01t04:00:00.000-08:00')).toEqual(utc);
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
    '1979-01-01T00:00:00Z',
    '2026-01-01T00:00:00+24:00',
  ])('%j is none', (text) => {
    expect(parseInstant(text)).toMatchObject({ ok: false, failure: { code: 'instant.malformed' } });
  });
});
