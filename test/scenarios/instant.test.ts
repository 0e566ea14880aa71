/** The instant at which a world starts. */
import { describe, expect, it } from 'vitest';
import { readInstant } from '../../scenarios/language/instant.ts';

describe('the start of a world', () => {
  it.each([
    ['1981-01-01T00:00:00Z', 347_155_200_000],
    ['2026-01-01T00:00:00Z', 1_767_225_600_000],
    ['2024-02-29', 1_709_164_800_000],
  ])('is %s', (text, unixMs) => {
    expect(readInstant(text)).toEqual({ ok: true, value: unixMs });
  });

  it('lies where GPS time is defined', () => {
    expect(readInstant('1980-01-03T00:00:00Z')).toMatchObject({
      ok: false,
      complaint: { allowed: 'years from 1981 to 2099' },
    });
  });
});
