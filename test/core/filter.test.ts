/** Filters, order and masks of lists (docs/rest.md, Filters), against a second implementation. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish, joined, oneStep } from '../../core/base/in-steps.ts';
import { formatInstant } from '../../core/base/instant.ts';
import type { Cell } from '../../core/listing/cells.ts';
import { FILTER_LIMITS, filterReader, OPERATORS } from '../../core/listing/filters.ts';
import { listed, MOST_PER_PAGE } from '../../core/listing/listed.ts';
import { maskReader } from '../../core/listing/masks.ts';
import { orderReader } from '../../core/listing/order.ts';
import { matcherOf } from '../../core/listing/wildcards.ts';
import {
  HEX_EUI,
  INSTANT,
  listOf,
  record,
  responseField,
  responseFieldOrNull,
} from '../../core/rows/answers.ts';
import type { Fields } from '../../sim/base/rows/fields.ts';
import { costMs, growsTooMuch } from '../support/cost.ts';

const is = 'A field.';
const FIELDS = {
  name: responseField({ type: 'text', is }),
  eui: responseField({ ...HEX_EUI, is }),
  kind: responseField({ type: 'choice', words: ['good', 'fair', 'poor'], is }),
  open: responseField({ type: 'flag', is }),
  level: responseField({ type: 'number', least: -200, most: 0, is }),
  battery: responseFieldOrNull({ type: 'whole', least: 0, most: 100, is }),
  at: responseFieldOrNull({ ...INSTANT, is }),
  groups: responseField({
    ...listOf(
      record({
        id: responseField({ type: 'text', is }),
        name: responseField({ type: 'text', is }),
      }),
    ),
    is,
  }),
} as const satisfies Fields;
type Name = keyof typeof FIELDS;

/** An entry as it is reported. */
type Entry = Readonly<Record<Name, unknown>>;
const NAMES = Object.keys(FIELDS) as Name[];

const cellOf = (name: Name, value: unknown): Cell =>
  name === 'at' && value !== null ? Date.parse(value as string) : (value as Cell);
const columnsOf = (entries: readonly Entry[]) => (name: string) => (row: number) =>
  cellOf(name as Name, entries[row]![name as Name]);

const filterOf = filterReader(FIELDS, 'list.filter', '/filter');
const orderOf = orderReader(FIELDS, ['name', 'eui'], 'list.sort', '/sort');
const maskOf = maskReader(FIELDS, ['eui'], 'list.mask', '/field_mask');

/** The entries that a filter wants. */
function wanted(entries: readonly Entry[], filter: unknown): readonly Entry[] {
  const read = filterOf(JSON.stringify(filter));
  if (!read.ok) throw new Error(read.failure.message);
  const isWanted = read.value.over(columnsOf(entries));
  return entries.filter((_, row) => isWanted(row));
}

const faultOf = (filter: unknown) => {
  const read = filterOf(typeof filter === 'string' ? filter : JSON.stringify(filter));
  if (read.ok) throw new Error('it is taken');
  expect(read.failure.code).toBe('list.filter');
  return read.failure;
};

const USUAL: Entry = {
  name: 'meter',
  eui: '00000000000000AA',
  kind: 'good',
  open: true,
  level: -100.5,
  battery: null,
  at: null,
  groups: [],
};
const entry = (given: Partial<Entry>): Entry => ({ ...USUAL, ...given });
const isWanted = (given: Partial<Entry>, filter: unknown) =>
  wanted([entry(given)], filter).length === 1;

// ── the second implementation ────────────────────────────────────────────────────────────────────

/** By the document, over plain objects: slowly. */
function fits(one: Entry, filter: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([key, operand]) => {
    if (key === '$and') return (operand as []).every((each) => fits(one, each));
    if (key === '$or') return (operand as []).some((each) => fits(one, each));
    return fieldFits(key as Name, one[key as Name], operand as Record<string, unknown>);
  });
}

const same = (name: Name, value: unknown, operand: unknown): boolean => {
  if (value === null || operand === null) return value === operand;
  if (name === 'at') return Date.parse(value as string) === Date.parse(operand as string);
  if (name === 'eui') return value === (operand as string).toUpperCase();
  return value === operand;
};

function fieldFits(name: Name, value: unknown, operators: Record<string, unknown>): boolean {
  return Object.entries(operators).every(([key, operand]) => {
    switch (key) {
      case '$and':
        return (operand as []).every((each) => fieldFits(name, value, each));
      case '$or':
        return (operand as []).some((each) => fieldFits(name, value, each));
      case '=':
        return same(name, value, operand);
      case '!=':
        return !same(name, value, operand);
      case '$in':
        return (operand as []).some((each) => same(name, value, each));
      case '$nin':
        return !(operand as []).some((each) => same(name, value, each));
      case '$intersects':
        return (value as { id: string }[]).some(({ id }) => (operand as string[]).includes(id));
      default: {
        const flags = key === '$ilike' || name === 'eui' ? 'isu' : 'su';
        const source = (operand as string)
          .split('~')
          .map((piece) =>
            piece.replaceAll(
              /[\\^$.*+?()[\]{}|/-]/g,
              (c) => `\\u{${c.charCodeAt(0).toString(16)}}`,
            ),
          )
          .join('.*');
        return new RegExp(`^${source}$`, flags).test(value as string);
      }
    }
  });
}

// ── anything ─────────────────────────────────────────────────────────────────────────────────────

const WORDS = ['', 'a', 'A', 'ab', 'Ab', 'b', 'ba', 'aab', 'a.b', 'a*', '~', 'meter-1', 'Meter-12'];
const word = fc.constantFrom(...WORDS);
const euiText = fc.constantFrom('00000000000000AA', '00000000000000AB', '0123456789ABCDEF');
const instant = fc
  .integer({ min: 0, max: 3 })
  .map((s) => formatInstant(1_767_225_600_000 + s * 500));
const group = fc.constantFrom('g1', 'g2', 'g3');
const VALUES: Readonly<Record<Name, fc.Arbitrary<unknown>>> = {
  name: word,
  eui: euiText,
  kind: fc.constantFrom('good', 'fair', 'poor'),
  open: fc.boolean(),
  level: fc.constantFrom(-100.5, -100, 0),
  battery: fc.option(fc.constantFrom(0, 1, 100)),
  at: fc.option(instant),
  groups: fc.uniqueArray(group).map((ids) => ids.map((id) => ({ id, name: `called ${id}` }))),
};
const OPERANDS: Readonly<Record<Name, fc.Arbitrary<unknown>>> = {
  ...VALUES,
  eui: fc.tuple(euiText, fc.boolean()).map(([eui, low]) => (low ? eui.toLowerCase() : eui)),
  at: fc.option(
    fc.oneof(
      instant,
      instant.map((text) => text.replace('Z', '+00:00')),
      instant.map((text) => `${formatInstant(Date.parse(text) + 3_600_000).slice(0, -1)}+01:00`),
    ),
  ),
};
const anyEntry: fc.Arbitrary<Entry> = fc.record(VALUES) as fc.Arbitrary<Entry>;
const pattern = fc
  .array(fc.oneof(word, fc.constant('~')), { maxLength: 5 })
  .map((all) => all.join(''));

function condition(name: Name, operator: string): fc.Arbitrary<unknown> {
  if (operator === '$intersects') return fc.array(group, { maxLength: 2 });
  if (operator === '$in' || operator === '$nin') return fc.array(OPERANDS[name], { maxLength: 3 });
  return operator.endsWith('like') ? pattern : OPERANDS[name];
}

const operatorsOf = (name: Name): readonly string[] =>
  OPERATORS[name === 'eui' ? 'hex' : name === 'battery' ? 'number' : sortOf(name)];
const sortOf = (name: Name) => {
  const { type } = FIELDS[name];
  return type === 'list' ? 'groups' : (type as 'text');
};

const anyOperators = (name: Name, depth: number): fc.Arbitrary<object> => {
  const one = fc
    .constantFrom(...operatorsOf(name))
    .chain((key) => condition(name, key).map((operand) => ({ [key]: operand })));
  if (depth === 0) return one;
  const several = fc.array(anyOperators(name, depth - 1), { minLength: 1, maxLength: 2 });
  return fc.oneof(
    { weight: 3, arbitrary: one },
    several.map((all) => ({ $or: all })),
    several.map((all) => ({ $and: all })),
    fc.tuple(one, one).map(([a, b]) => ({ ...a, ...b })),
  );
};

const anyFilter = (depth: number): fc.Arbitrary<Record<string, unknown>> => {
  const field = fc
    .constantFrom(...NAMES)
    .chain((name) => anyOperators(name, 2).map((operators) => ({ [name]: operators })));
  if (depth === 0) return field;
  const several = fc.array(anyFilter(depth - 1), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 2, arbitrary: field },
    several.map((all) => ({ $and: all })),
    several.map((all) => ({ $or: all })),
    fc.tuple(field, field).map(([a, b]) => ({ ...a, ...b })),
    fc.constant({}),
  );
};

describe('a filter', () => {
  it('wants what a second implementation over plain objects wants', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 12 }), anyFilter(3), (entries, filter) => {
        expect(wanted(entries, filter)).toEqual(entries.filter((one) => fits(one, filter)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('that is empty wants everything', () => {
    expect(isWanted({}, {})).toBe(true);
  });

  it('compares instants and not texts, and hexadecimal digits in any case', () => {
    const at = '2026-03-01T00:00:00Z';
    expect(isWanted({ at }, { at: { '=': '2026-03-01T01:00:00.000+01:00' } })).toBe(true);
    expect(isWanted({ at }, { at: { $nin: ['2026-03-01T00:00:00+00:00'] } })).toBe(false);
    expect(isWanted({}, { eui: { '=': '00000000000000aa' } })).toBe(true);
    expect(isWanted({}, { eui: { $like: '~aa' } })).toBe(true);
  });

  it('has null equal to null alone, where a field may be null', () => {
    expect(isWanted({ at: null }, { at: { '=': null } })).toBe(true);
    expect(isWanted({ at: null }, { at: { '!=': '2026-03-01T00:00:00Z' } })).toBe(true);
    expect(isWanted({ battery: 0 }, { battery: { $in: [null, 1] } })).toBe(false);
    expect(isWanted({ battery: null }, { battery: { $in: [null, 1] } })).toBe(true);
    expect(faultOf({ name: { '=': null } })).toMatchObject({ path: '/filter/name/=' });
  });

  it.each([
    ['no JSON', '{', '', /no JSON/],
    ['no map', [], '', /^The filter has to be a map of fields/],
    ['an unknown field', { nam: { '=': 'a' } }, '/nam', /"nam"; allowed: name, eui/],
    ['a field in other words', { Name: { '=': 'a' } }, '/Name', /did you mean name\?$/],
    ['an unknown operator', { name: { like: 'a' } }, '/name/like', /did you mean \$like\?$/],
    ['an operator of other fields', { level: { $like: '1' } }, '/level/$like', /= *,|allowed: =/],
    ['no operator', { name: 'a' }, '/name', /^name has to be a map of operators/],
    ['an empty map of operators', { name: {} }, '/name', /a map of operators/],
    ['a number for a text', { name: { '=': 5 } }, '/name/=', /^name.= is 5; it has to be text/],
    ['a text for a number', { level: { '=': '5' } }, '/level/=', /a number/],
    ['a text for a flag', { open: { '=': 'true' } }, '/open/=', /true or false/],
    ['another word', { kind: { '=': 'bad' } }, '/kind/=', /^kind.= is .* one of good, fair, poor/],
    ['digits that are too few', { eui: { $in: ['AA'] } }, '/eui/$in/0', /16 hexadecimal digits/],
    ['no instant', { at: { $in: [null, 'now'] } }, '/at/$in/1', /an instant/],
    ['no list', { name: { $in: 'a' } }, '/name/$in', /a list of at most 1000/],
    ['no list of filters', { $or: {} }, '/$or', /a list of 1 to 1000/],
    ['an empty $and', { $and: [] }, '/$and', /a list of 1 to 1000/],
    [
      'what stands deep',
      { $or: [{}, { $and: [{ name: { $or: [{ '=': 1 }] } }] }] },
      '/$or/1/$and/0/name/$or/0/=',
      /text/,
    ],
    ['an operator as a field', { $in: [] }, '/$in', /allowed: name/],
    ['a key of every object', '{"__proto__": {"=": 1}}', '/__proto__', /allowed: name/],
  ])('is refused for %s, with a pointer', (_, filter, path, message) => {
    const fault = faultOf(filter);
    expect(fault.path).toBe(`/filter${path}`);
    expect(fault.message).toMatch(message);
  });

  it('has eight levels of $and and $or at most, wherever they stand', () => {
    const deep = (levels: number, inner: object): object =>
      levels === 0 ? inner : { $or: [deep(levels - 1, inner)] };
    expect(isWanted({}, deep(8, {}))).toBe(true);
    expect(faultOf(deep(9, {})).message).toMatch(/at most 8 levels deep/);
    const inField = (levels: number) => deep(4, { name: deep(levels, { '=': 'meter' }) });
    expect(isWanted({}, inField(4))).toBe(true);
    expect(faultOf(inField(5)).path).toBe(
      `/filter${'/$or/0'.repeat(4)}/name${'/$or/0'.repeat(4)}/$or`,
    );
  });

  it('has bounds of what it costs', () => {
    const { conditions, entries, patternCharacters } = FILTER_LIMITS;
    const many = (count: number) => ({ name: { $or: new Array(count).fill({ '=': 'a' }) } });
    expect(isWanted({}, many(conditions))).toBe(false);
    expect(faultOf(many(conditions + 1)).message).toMatch(/at most 256 conditions/);
    const list = (count: number) => ({ name: { $in: new Array(count).fill('a') } });
    expect(isWanted({}, list(entries))).toBe(false);
    expect(faultOf(list(entries + 1)).path).toBe('/filter/name/$in');
    const half = '~'.repeat(patternCharacters / 4);
    const patterns = (count: number) => ({ name: { $or: new Array(count).fill({ $like: half }) } });
    expect(isWanted({}, patterns(4))).toBe(true);
    expect(faultOf(patterns(5)).message).toMatch(/at most 1000 characters together/);
  });

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.jsonValue().map((v) => JSON.stringify({ name: v })),
        ),
        (text) => {
          const read = filterOf(text);
          if (!read.ok) expect(read.failure.path).toMatch(/^\/filter/);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(filterOf('['.repeat(30_000)).ok).toBe(false);
    expect(filterOf(`${'{"$or":['.repeat(3_000)}{}${']}'.repeat(3_000)}`).ok).toBe(false);
  });
});

describe('a pattern', () => {
  it('has ~ for any characters, and nothing else that is special', () => {
    const matches = (pattern: string, text: string) => matcherOf(pattern)(text);
    expect(matches('meter-~', 'meter-12')).toBe(true);
    expect(matches('~', '')).toBe(true);
    expect(matches('a~a', 'a')).toBe(false);
    expect(matches('~ab~ab~', 'xabab')).toBe(true);
    expect(matches('~ab~b', 'xab')).toBe(false);
    expect(matches('~ab~b', 'xabb')).toBe(true);
    expect(matches('a.b', 'axb')).toBe(false);
    expect(matches('%', 'meter')).toBe(false);
  });

  it('is looked for in time that grows with the text, however many ~ it has', async () => {
    const costOf = (many: number) => (length: number) => {
      const text = `${'a'.repeat(length)}b`;
      const matches = matcherOf(`${'~a'.repeat(many)}~c`);
      return costMs(() => {
        for (let i = 0; i < 20; i++) expect(matches(text)).toBe(false);
      });
    };
    // Who tries all places for each ~ is seen with two of them; with more it would never end.
    expect(await growsTooMuch(costOf(2), 500)).toBe(false);
    expect(await growsTooMuch(costOf(500), 2_500)).toBe(false);
  });
});

describe('an order', () => {
  const sorted = (entries: readonly Entry[], keys: readonly string[]) => {
    const order = orderOf(keys);
    const filter = filterOf('{}');
    const mask = maskOf(undefined);
    if (!order.ok || !filter.ok || !mask.ok) throw new Error('it is taken');
    const listing = {
      fields: FIELDS,
      count: entries.length,
      columns: columnsOf(entries),
      ready: () => oneStep(undefined),
      order: order.value,
      filter: filter.value,
      mask: mask.value,
    };
    return (page: number, pageSize: number | null) =>
      joined(finish(listed({ ...listing, page, pageSize }))) as { total: number; entries: Entry[] };
  };

  /** By the document: each key, then name and EUI. */
  const rank = (name: Name, value: unknown): unknown =>
    name === 'kind' ? ['good', 'fair', 'poor'].indexOf(value as string) : cellOf(name, value);
  const slowly = (entries: readonly Entry[], keys: readonly string[]) =>
    entries.toSorted((one, other) => {
      for (const key of [...keys, 'name', 'eui']) {
        const name = key.replace(/^-/, '') as Name;
        const [a, b] = [rank(name, one[name]), rank(name, other[name])] as [number, number];
        if (a === b) continue;
        if (a === null || b === null) return a === null ? 1 : -1;
        return a < b === key.startsWith('-') ? 1 : -1;
      }
      return 0;
    });
  const sortable = NAMES.filter((name) => name !== 'groups');
  const key = fc.constantFrom(...sortable, ...sortable.map((name) => `-${name}`));

  it('is by its keys, then by name and DevEUI, with null last either way', () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry, { maxLength: 30 }),
        fc.array(key, { maxLength: 3 }),
        (entries, keys) => {
          expect(sorted(entries, keys)(1, null).entries).toEqual(slowly(entries, keys));
        },
      ),
    );
  });

  it('is the same of very many, which are merged from runs; equal ones keep their order', () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      entry({ name: `meter-${(i * 7_919) % 5_000}`, level: -(i % 3), battery: i }),
    );
    for (const keys of [[], ['-level'], ['level', '-name']]) {
      const expected = slowly(many, keys);
      const { entries } = sorted(many, keys)(1, null);
      // Thousands of differences take a minute to be shown.
      expect(entries.findIndex((each, i) => each.battery !== expected[i]!.battery)).toBe(-1);
      expect(entries).toHaveLength(many.length);
    }
  });

  it('has pages that together are the whole', () => {
    const many = Array.from({ length: 25 }, (_, i) => entry({ name: `${(i * 7) % 25}` }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (size) => {
        const list = sorted(many, []);
        const pages = Array.from({ length: Math.ceil(25 / size) }, (_, i) => list(i + 1, size));
        expect(pages.flatMap(({ entries }) => entries)).toEqual(list(1, null).entries);
        expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([25]));
        expect(list(pages.length + 1, size).entries).toEqual([]);
        expect(list(Number.MAX_SAFE_INTEGER, MOST_PER_PAGE).entries).toEqual([]);
      }),
    );
  });

  it('is refused by what has none, with a pointer', () => {
    for (const [keys, at] of [
      [['name', 'nam'], 1],
      [['groups'], 0],
      [['--name'], 0],
      [['__proto__'], 0],
    ] as const) {
      const read = orderOf(keys);
      expect(read).toMatchObject({
        ok: false,
        failure: { code: 'list.sort', path: `/sort/${at}` },
      });
    }
  });
});

describe('a mask', () => {
  it('keeps the fields that it names and those always reported, in their own order', () => {
    expect(maskOf(['open', 'name', 'open'])).toEqual({ ok: true, value: ['name', 'eui', 'open'] });
    expect(maskOf([])).toEqual({ ok: true, value: ['eui'] });
    expect(maskOf(undefined)).toEqual({ ok: true, value: NAMES });
  });

  it('is refused for a field that is not there, with a pointer', () => {
    const read = maskOf(['name', 'Battery']);
    expect(read).toMatchObject({ ok: false, failure: { path: '/field_mask/1' } });
    expect(JSON.stringify(read)).toMatch(/did you mean battery/);
  });
});
