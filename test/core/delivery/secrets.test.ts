/** Secrets are answered as asterisks, and asterisks that are given back keep what is stored. */
import { describe, expect, it } from 'vitest';
import { REDACTED, redacted, withStored } from '../../../core/delivery/secrets.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';

const TEXT = { type: 'text', is: '' } as const;
const ROWS: Fields = {
  user: TEXT,
  password: { ...TEXT, secret: true },
  key: { ...TEXT, secret: true },
};

describe('secrets', () => {
  it('that are there are hidden, and nothing else is', () => {
    expect(redacted(ROWS, { user: 'a', password: 'b', key: '' })).toEqual({
      user: 'a',
      password: REDACTED,
      key: REDACTED,
    });
    expect(redacted(ROWS, { user: 'a', password: 'b' })).toEqual({ user: 'a', password: REDACTED });
    expect(redacted(ROWS, { user: 'a', password: undefined })).toEqual({ user: 'a' });
  });

  it('that are given as asterisks are what was stored, and others are new', () => {
    const stored = { user: 'a', password: 'b', key: 'c' };
    const given = { user: REDACTED, password: REDACTED, key: 'd' };
    expect(withStored(ROWS, given, stored, 'x')).toEqual({
      ok: true,
      value: { user: REDACTED, password: 'b', key: 'd' },
    });
    expect(withStored(ROWS, { user: 'e' }, stored, 'x')).toEqual({
      ok: true,
      value: { user: 'e' },
    });
  });

  it.each([undefined, {}, { user: 'a', key: 'c' }])(
    'that are given as asterisks are refused where none is stored: %o',
    (stored) => {
      expect(withStored(ROWS, { password: REDACTED }, stored, 'x')).toMatchObject({
        ok: false,
        failure: { code: 'x', path: '/data/password' },
      });
    },
  );
});
