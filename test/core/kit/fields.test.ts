/** Rows of fields, and how what is given is read by them. */
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { OPERATIONS } from '../../../core/operations.ts';
import { body, changes } from '../../../core/rows/fields.ts';
import { effective, type Fields, type Given } from '../../../sim/base/rows/fields.ts';
import { Garbage } from '../../support/garbage.ts';
import { readFields } from '../../support/read-fields.ts';

const AT = { path: '', name: 'it', failure: 'it.malformed' };

const ROWS = {
  name: { type: 'text', required: true, failure: 'it.name', is: 'A label.' },
  size: { type: 'whole', least: 1, most: 8, unit: 'B', default: 4, is: 'Bytes.' },
  pause: { type: 'number', least: 0, most: 10, unit: 's', null: 'automatic', is: 'A pause.' },
  eui: { type: 'hex', digits: 16, null: 'absent', is: 'An EUI.' },
  payload: { type: 'hexBytes', least: 0, most: 2, is: 'Bytes in hexadecimal.' },
  since: { type: 'instant', is: 'An instant.' },
  on: { type: 'flag', default: true, is: 'A switch.' },
  way: { type: 'choice', words: ['in', 'out'], is: 'A way.' },
  content: { type: 'bytes', least: 1, most: 4, is: 'Content.' },
  tags: {
    type: 'list',
    of: { type: 'text', most: 3, failure: 'it.tag' },
    most: 3,
    orOne: true,
    distinct: true,
    is: 'Labels.',
  },
  once: { type: 'list', of: { type: 'hex', digits: 2 }, most: 3, unique: true, is: 'Unlike.' },
  keys: {
    type: 'map',
    keys: { type: 'hex', digits: 2 },
    of: { type: 'hex', digits: 4, secret: true },
    most: 2,
    is: 'Keys by number.',
  },
  inner: { type: 'record', fields: { deep: { type: 'flag', is: 'Deep.' } }, is: 'A record.' },
  pace: {
    type: 'either',
    kinds: [
      { type: 'number', least: 1, most: 9 },
      { type: 'choice', words: ['most'], allowed: 'most' },
      { type: 'record', fields: { until: { type: 'instant', required: true, is: 'An end.' } } },
    ],
    is: 'A number, a word or a record.',
  },
} as const satisfies Fields;

const read = (input: unknown, fields: Fields = ROWS) => readFields(fields, input, AT);
const withName = (more: object) => read({ name: 'x', ...more });
const store = (more: object): unknown => {
  const result = withName(more);
  return result.ok ? result.value : result.failure;
};

describe('a field', () => {
  it.each([
    [{ size: 8 }, { size: 8 }],
    [{ pause: -0 }, { pause: 0 }],
    [{ pause: 0.5 }, { pause: 0.5 }],
    [{ eui: 'ab00000000000001' }, { eui: 'AB00000000000001' }],
    [{ payload: 'a0' }, { payload: 'A0' }],
    [{ since: '2026-01-31T12:00:00+01:00' }, { since: '2026-01-31T12:00:00+01:00' }],
    [{ on: false }, { on: false }],
    [{ way: 'out' }, { way: 'out' }],
    [{ tags: 'a' }, { tags: ['a'] }],
    [{ tags: ['b', 'a', 'b'] }, { tags: ['b', 'a'] }],
    [{ tags: ['𐐷𐐷𐐷'] }, { tags: ['𐐷𐐷𐐷'] }],
    [{ keys: { ff: 'abcd', '0A': '0000' } }, { keys: { '0A': '0000', FF: 'ABCD' } }],
    [{ inner: { deep: true, more: 1 } }, { inner: { deep: true } }],
    [{ pace: 1.5 }, { pace: 1.5 }],
    [{ pace: 'most' }, { pace: 'most' }],
    [
      { pace: { until: '2026-01-31T12:00:00Z', more: 1 } },
      { pace: { until: '2026-01-31T12:00:00Z' } },
    ],
  ])('is stored in one normal form: %j', (given, form) => {
    const result = withName(given);
    expect(result).toEqual({ ok: true, value: { name: 'x', ...form } });
    expect(Object.is((result as { value: { pause?: number } }).value.pause, -0)).toBe(false);
  });

  it.each([
    [{ size: 0 }, '/size'],
    [{ size: 9 }, '/size'],
    [{ size: 1.5 }, '/size'],
    [{ size: '4' }, '/size'],
    [{ pause: Number.NaN }, '/pause'],
    [{ pause: Number.POSITIVE_INFINITY }, '/pause'],
    [{ eui: 'zz00000000000001' }, '/eui'],
    [{ eui: 'ab' }, '/eui'],
    [{ payload: 'a' }, '/payload'],
    [{ payload: 'a0b0c0' }, '/payload'],
    [{ since: 'today' }, '/since'],
    [{ on: 1 }, '/on'],
    [{ way: 'up' }, '/way'],
    [{ content: new Uint8Array(5) }, '/content'],
    [{ content: [1] }, '/content'],
    [{ tags: ['a', 5] }, '/tags/1', 'it.tag'],
    [{ tags: ['𐐷𐐷𐐷𐐷'] }, '/tags/0', 'it.tag'],
    [{ tags: ['abcd'] }, '/tags/0', 'it.tag'],
    [{ tags: ['a', 'b', 'c', 'd'] }, '/tags'],
    [{ once: ['ab', 'cd', 'AB'] }, '/once/2'],
    [{ keys: { ff: 'xyz' } }, '/keys/ff'],
    [{ keys: { zz: '0000' } }, '/keys/zz'],
    [{ inner: { deep: 0 } }, '/inner/deep'],
    [{ inner: [] }, '/inner'],
    [{ pace: 10 }, '/pace'],
    [{ pace: 'least' }, '/pace'],
    [{ pace: ['most'] }, '/pace'],
    [{ pace: {} }, '/pace/until'],
    [{ pace: { until: 'today' } }, '/pace/until'],
    [{ name: '' }, '/name', 'it.name'],
    [{ name: 'a\nb' }, '/name', 'it.name'],
    [{ name: '\ud800' }, '/name', 'it.name'],
    [{ name: 'x'.repeat(251) }, '/name', 'it.name'],
  ])('is refused with its place and its code: %j', (given, path, code = 'it.malformed') => {
    expect(store(given)).toMatchObject({ code, path });
  });

  it('says what it is and what it has to be, on one line and in few words', () => {
    expect(store({ size: 9 })).toMatchObject({
      message: 'size is 9; it has to be a whole number from 1 to 8.',
    });
    const { message } = store({ way: `\n${'x'.repeat(9999)}` }) as { message: string };
    expect(message).toMatch(/^way is "\\nx+…"; it has to be one of in, out\.$/);
    expect(message.length).toBeLessThan(120);
  });

  it('that may stand once in a list is reported to be another', () => {
    expect(store({ once: ['ab', 'AB'] })).toMatchObject({
      message: 'once is "AB"; it has to be another than those before it.',
    });
  });

  it('that may be of several kinds says all of them, or what is wrong with a record', () => {
    expect(store({ pace: 'x' })).toMatchObject({
      message:
        'pace is "x"; it has to be a number from 1 to 9, or most, or a map of keys and values.',
    });
    expect(store({ pace: { until: 5 } })).toMatchObject({
      message: 'until is 5; it has to be an instant such as 2026-01-31T12:00:00Z.',
    });
  });

  it('that is secret is not repeated', () => {
    const { message } = store({ keys: { ff: 'canary' } }) as { message: string };
    expect(message).not.toContain('canary');
  });

  it('may be null where the row says what that means, and nowhere else', () => {
    expect(store({ pause: null })).toEqual({ name: 'x', pause: null });
    expect(store({ eui: null })).toEqual({ name: 'x' });
    expect(store({ size: null })).toMatchObject({ path: '/size' });
  });

  it('that is required is missing when nothing is given, or a null that means absence', () => {
    const rows = { at: { type: 'instant', required: true, null: 'absent', is: '' } } as const;
    for (const given of [{}, { at: undefined }, { at: null }]) {
      expect(read(given, rows)).toMatchObject({ failure: { path: '/at' } });
      expect(read({ it: given }, { it: changes(rows) })).toEqual({ ok: true, value: { it: {} } });
    }
  });

  it('of a body is pointed to in the body', () => {
    expect(read({ it: { name: '' } }, { it: body(ROWS) })).toMatchObject({
      failure: { path: '/name' },
    });
  });

  it('is found as the input’s own only', () => {
    const inherited = Object.create({ name: 'x' });
    expect(read(inherited)).toMatchObject({ ok: false });
    expect(read(JSON.parse('{"name": "x", "__proto__": {"size": 3}}'))).toEqual({
      ok: true,
      value: { name: 'x' },
    });
  });

  it('has its default where it is absent', () => {
    expect(effective(ROWS, { name: 'x', on: false })).toEqual({ name: 'x', size: 4, on: false });
  });
});

describe('the type of a field', () => {
  it('that may be of several kinds is that of any of them', () => {
    expectTypeOf<Given<typeof ROWS>['pace']>().toEqualTypeOf<
      number | 'most' | { readonly until: string } | undefined
    >();
  });
});

describe('what was read', () => {
  it('shares nothing with what was given', () => {
    const given = { name: 'x', content: Uint8Array.of(1), tags: ['a'], inner: { deep: true } };
    const result = read(given);
    given.content[0] = 9;
    given.tags.push('b');
    given.inner.deep = false;
    expect(result).toEqual({
      ok: true,
      value: { name: 'x', content: Uint8Array.of(1), tags: ['a'], inner: { deep: true } },
    });
    // A Buffer’s slice() is a view.
    const buffer = Buffer.of(1, 2);
    const content = read({ name: 'x', content: buffer });
    buffer[0] = 9;
    const stored = Uint8Array.of(1, 2);
    expect(content).toStrictEqual({ ok: true, value: { name: 'x', content: stored } });
  });

  it('reads as itself, whatever was given to whatever operation', () => {
    const known = {
      devices: ['AB00000000000001'],
      gateways: ['AB00000000000002'],
      words: new Map(),
    };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const garbage = new Garbage(`${seed}`, known);
        for (const given of [garbage.command(), garbage.query()]) {
          for (const { takes } of Object.values(OPERATIONS)) {
            const once = read(given, takes);
            if (once.ok) expect(read(once.value, takes)).toEqual(once);
          }
        }
      }),
    );
  });
});
