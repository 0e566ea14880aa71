/**
 * Values from JSON Schema: of it, at its limits and beyond, and changed into what nobody asked for.
 * What a served world knows (ids, names, EUIs) stands as `Known` until a case is sent.
 */
import fc from 'fast-check';
import type { Schema } from './document.ts';

/** One of the values that the world has under this name, whichever there are by then. */
export class Known {
  readonly name: string;
  readonly nth: number;
  constructor(name: string, nth: number) {
    this.name = name;
    this.nth = nth;
  }
}

/** JSON text as it stands. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Arb = fc.Arbitrary<unknown>;

/** Fields that name something, as a rule. */
const NAMES =
  /^$|^\/|image|subscriber|delegate_to|gateway|device|eui|roles|profile|type|_?(id|name)s?$/i;

const known = (name: string): Arb => fc.nat().map((nth) => new Known(name, nth));

const is = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values of a schema; `name`: of the field that it belongs to. */
export function valid(schema: Schema, name = ''): Arb {
  const { anyOf, enum: words, type } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each) => valid(each as Schema, name)));
  if (Array.isArray(words)) return fc.constantFrom(...(words as unknown[]));
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((each) => valid({ ...schema, type: each }, name)));
  }
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer');
    case 'string':
      if (name === 'Email') return fc.constantFrom('ann@example.org', '"a b"@[::1]', 'ann@@b');
      return fc.oneof({ weight: NAMES.test(name) ? 5 : 1, arbitrary: known(name) }, textOf(schema));
    case 'array':
      return fc.array(valid((schema.items ?? {}) as Schema, name), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.max(Number(schema.minItems ?? 0), 4),
      });
    case 'object':
      return objectOf(schema, (each, key) => valid(each, key));
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function numberOf({ minimum, maximum }: Schema, isWhole: boolean): Arb {
  const [min, max] = [Number(minimum ?? -1e9), Number(maximum ?? 1e9)];
  const small = Math.min(max, min + 100);
  if (isWhole) {
    return fc.oneof(fc.integer({ min, max: Math.floor(small) }), fc.integer({ min, max }));
  }
  return fc.oneof(
    fc.double({ min, max: small, noNaN: true }),
    fc.double({ min, max, noNaN: true }),
  );
}

const DAY_MS = 86_400_000;
const MARCH = Date.parse('2026-03-01T00:00:00Z');

function textOf({ pattern, format, minLength = 0, maxLength = 250 }: Schema): fc.Arbitrary<string> {
  const [least, most] = [Number(minLength), Number(maxLength)];
  if (format === 'date-time') {
    return fc
      .integer({ min: -DAY_MS, max: 400 * DAY_MS })
      .map((ms) => new Date(MARCH + ms).toISOString());
  }
  if (typeof pattern === 'string') {
    const isRight = ({ length }: string) => length >= least && length <= most;
    return someOf(
      fc.stringMatching(new RegExp(pattern), { size: 'small' }).filter(isRight),
      pattern,
    );
  }
  const texts = { minLength: least, maxLength: Math.min(most, least + 12) };
  return someOf(fc.string({ unit: 'grapheme', ...texts }), JSON.stringify(texts));
}

/** Texts that cost much to make are made once. */
const SOME = 30;
const some = new Map<string, fc.Arbitrary<string>>();

function someOf(arbitrary: fc.Arbitrary<string>, name: string): fc.Arbitrary<string> {
  const created =
    some.get(name) ?? fc.constantFrom(...fc.sample(arbitrary, { seed: 1, numRuns: SOME }));
  some.set(name, created);
  return created;
}

function objectOf(schema: Schema, inner: (schema: Schema, key: string) => Arb): Arb {
  const { properties, required = [], propertyNames, additionalProperties } = schema;
  if (!is(properties) && is(propertyNames) && is(additionalProperties)) {
    const key = fc.oneof(
      textOf(propertyNames),
      fc.nat().map((nth) => new Known('deveui', nth)),
    );
    const entry = fc.tuple(key, inner(additionalProperties, ''));
    return fc.array(entry, { maxLength: 4 }).map((entries) => new Entries(entries));
  }
  const names = Object.keys(properties ?? {});
  const fields = new Map(
    names.map((name) => [name, inner((properties as Record<string, Schema>)[name]!, name)]),
  );
  const needed = (required as string[]).filter((name) => fields.has(name));
  const optional = names.filter((name) => !needed.includes(name));
  const few = fc.subarray(optional, { maxLength: Math.min(3, optional.length) });
  return fc.oneof({ weight: 3, arbitrary: few }, fc.subarray(optional)).chain((stored) => {
    const all = [...needed, ...stored].map((name) => [name, fields.get(name)!] as const);
    return fc.record(Object.fromEntries(all), { noNullPrototype: true });
  });
}

/** Keys that are known only when the case is sent. */
export class Entries {
  readonly list: readonly (readonly [string | Known, unknown])[];
  constructor(list: readonly (readonly [string | Known, unknown])[]) {
    this.list = list;
  }
}

// ── limits ───────────────────────────────────────────────────────────────────────────────────────

/** Longer texts and lists are for a few cases only. */
const LONGEST = 300;

/** A valid value in which the leaves stand at their limits, one below or one above. */
export function boundary(schema: Schema, name = ''): Arb {
  const { anyOf, enum: words, type } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each) => boundary(each as Schema, name)));
  if (Array.isArray(words)) {
    const near = words.flatMap((word) =>
      typeof word === 'string' ? [word, `${word} `, word.toUpperCase(), word.slice(0, -1)] : [word],
    );
    return fc.constantFrom(...near, '');
  }
  const one = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  switch (one) {
    case 'integer':
    case 'number':
      return fc.constantFrom(...numbersAt(schema));
    case 'string':
      return fc.oneof(fc.constantFrom(...textsAt(schema)), valid(schema, name));
    case 'array':
      return itemsAt(schema, name);
    case 'object':
      return objectOf({ ...schema, type: one }, (each, key) =>
        fc.oneof(valid(each, key), boundary(each, key)),
      );
    default:
      return valid(schema, name);
  }
}

function numbersAt({ minimum, maximum, type }: Schema): number[] {
  const [min, max] = [Number(minimum ?? 0), Number(maximum ?? 1e15)];
  const whole = [min - 1, min, min + 1, max - 1, max, max + 1];
  return type === 'integer' ? [...whole, min + 0.5] : [...whole, min * (1 - 2 ** -50), min - 1e-9];
}

function textsAt({ pattern, format, minLength = 0, maxLength = 250 }: Schema): string[] {
  if (format === 'date-time') return INSTANTS;
  const lengths = [Number(minLength), Number(maxLength)]
    .flatMap((each) => [each - 1, each, each + 1])
    .filter((length) => length >= 0 && length <= LONGEST);
  const texts = lengths.flatMap((length) =>
    ['a', 'A', '0', 'ß', '😀'].map((c) => c.repeat(length)),
  );
  const digits = [...String(pattern ?? '').matchAll(/\{(\d+)(?:,(\d+))?\}/g)]
    .flatMap(([, least, most]) => [Number(least), Number(most ?? least)])
    .flatMap((each) => [each - 1, each, each + 1, 2 * each])
    .filter((length) => length >= 0 && length <= LONGEST)
    .flatMap((length) => ['a', 'F', '0', 'g'].map((c) => c.repeat(length)));
  return [...texts, ...digits];
}

function itemsAt(schema: Schema, name: string): Arb {
  const { items, minItems = 0, maxItems = 1e6 } = schema;
  const lengths = [Number(minItems), Number(maxItems)]
    .flatMap((each) => [each - 1, each, each + 1])
    .filter((length) => length >= 0 && length <= 40);
  const listOf = (length: number) =>
    fc.array(valid((items ?? {}) as Schema, name), { minLength: length, maxLength: length });
  return fc.oneof(...lengths.map(listOf), valid({ ...schema, type: 'array' }, name));
}

/** Instants of all kinds, and what looks like one. */
const INSTANTS = [
  '2026-03-01T00:00:00Z',
  '2026-03-01T00:00:00.123456789Z',
  '2026-03-01T00:00:00.1234567890Z',
  '2026-03-01t00:00:00z',
  '2026-03-01 00:00:00Z',
  '2026-03-01T00:00:00',
  '2026-03-01T24:00:00Z',
  '2026-03-01T23:59:60Z',
  '2016-12-31T23:59:60Z',
  '2026-02-29T00:00:00Z',
  '2024-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-03-01T00:00:00+23:59',
  '2026-03-01T00:00:00+24:00',
  '2026-03-01T00:00:00-00:00',
  '1969-12-31T23:59:59Z',
  '1970-01-01T00:00:00Z',
  '1970-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-00:01',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-03-01',
  '2026-W09-7T00:00:00Z',
  '20260301T000000Z',
  'Sun, 01 Mar 2026 00:00:00 GMT',
  '1772323200',
  '２０２６-03-01T00:00:00Z',
  '2026-03-01T00:00:00Z ',
  '2026-03-01T00:00:00Z\n',
  `2026-03-01T00:00:00.${'0'.repeat(60)}Z`,
  'now',
  '',
];

// ── what nobody asked for ────────────────────────────────────────────────────────────────────────

const deep = (depth: number) => new Raw('['.repeat(depth) + ']'.repeat(depth));

/** Numbers, and what looks like one, as they stand in a text. */
const NUMBERS = '1e999 -1e999 9007199254740993 1e0 -0.0 NaN Infinity 01 .5 0x10'
  .split(' ')
  .map((text) => new Raw(text));

/** Values that no field expects, or that are hard to read. */
export const WILD: readonly unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  5e-324,
  ...NUMBERS,
  '',
  ' ',
  'a',
  'NaN',
  'null',
  'true',
  '1',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  '\u0007\u001b[31m',
  '\u202e\u200b',
  'a\r\nSet-Cookie: a=b',
  '\ud800',
  'a\udfffb',
  '../../etc/passwd',
  'b'.repeat(251),
  'c'.repeat(5000),
  'AbCdEf0123456789',
  '0123456789abcde',
  '0123456789ABCDEG',
  '00000000000000000000000000000000',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '%00',
  '😀',
  'é',
  'e\u0301',
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  { toString: null, valueOf: null },
  { length: 3 },
  deep(31),
  deep(33),
  deep(20_000),
  new Raw('{"__proto__":{"admin":true}}'),
  new Raw('{"constructor":{"prototype":{"admin":true}}}'),
  new Raw('{"a":1,"a":2}'),
  new Raw('"\\ud800"'),
  new Raw('"\\u0000"'),
];

export type How = 'replace' | 'drop' | 'extra' | 'twice' | 'null' | 'list' | 'wrap';

export interface Edit {
  readonly at: number;
  readonly how: How;
  readonly wild: unknown;
}

export const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(1_000),
  how: fc.constantFrom<How[]>(
    ...([
      'replace',
      'replace',
      'replace',
      'drop',
      'extra',
      'twice',
      'null',
      'list',
      'wrap',
    ] as How[]),
  ) as fc.Arbitrary<How>,
  wild: fc.constantFrom(...WILD),
});

/** What is known, put in place; keys that are named `__proto__` are values like others. */
export function resolved(value: unknown, pick: (known: Known) => unknown): unknown {
  if (value instanceof Known) return pick(value);
  if (value instanceof Raw) return value;
  if (value instanceof Entries) {
    const entries = value.list.map(([key, each]) => [
      key instanceof Known ? String(pick(key)) : key,
      resolved(each, pick),
    ]);
    return Object.fromEntries(entries);
  }
  if (Array.isArray(value)) return value.map((each) => resolved(each, pick));
  if (!is(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, resolved(each, pick)]),
  );
}

/** The value with one place of it changed. */
export function edited(value: unknown, { at, how, wild }: Edit): unknown {
  const places = placesOf(value);
  const path = places[at % places.length]!;
  return changed(value, path, (old, isIn) => {
    switch (how) {
      case 'null':
        return null;
      case 'list':
        return [old];
      case 'wrap':
        return { value: old };
      case 'drop':
        return isIn ? DROPPED : wild;
      case 'extra':
        return is(old) ? { ...old, admin: wild, id: 'mine', owner: 'bob' } : wild;
      case 'twice':
        return is(old) ? twice(old, wild) : wild;
      default:
        return wild;
    }
  });
}

const DROPPED = Symbol('dropped');

function twice(object: Schema, wild: unknown): Raw {
  const [[key, value] = ['a', 1], ...others] = Object.entries(object);
  const entry = (name: string, each: unknown) => `${JSON.stringify(name)}:${jsonText(each)}`;
  const list = [entry(key, wild), ...others.map(([name, each]) => entry(name, each))];
  return new Raw(`{${[...list, entry(key, value)].join(',')}}`);
}

function placesOf(value: unknown, path: readonly (string | number)[] = []): (typeof path)[] {
  if (value instanceof Raw || typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).slice(0, 50);
  return [path, ...inner.flatMap(([key, each]) => placesOf(each, [...path, key]))];
}

function changed(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  change: (old: unknown, isIn: boolean) => unknown,
  isIn = false,
): unknown {
  if (key === undefined) return change(value, isIn);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as never;
  const next = changed((value as never)[key], rest, change, true);
  if (next === DROPPED) delete copy[key];
  else (copy as Record<string, unknown>)[key] = next;
  return copy;
}

/** As JSON.stringify, with raw texts in it; unpaired surrogates and signs of zero stay. */
export function jsonText(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (value === undefined) return 'null';
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (!is(value)) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${jsonText(each)}`).join(',')}}`;
}
