/**
 * Fields as tables: a row says what a field is, what it may hold, what null means, how it fails,
 * and where it is documented. What callers give is read by the rows, once, before anything is
 * decided; scenario files, HTTP and its documentation take the same rows.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { parseInstant } from '../base/instant.ts';

/** What a value is made of. */
export type Kind = {
  /** Code of the failure; that of what surrounds it when absent. */
  readonly failure?: string;
  /** What is allowed, in words; the row itself says it when absent. */
  readonly allowed?: string;
  /** Messages do not repeat it. */
  readonly secret?: true;
} & (
  | { readonly type: 'flag' }
  /** Finite; `whole`: without a fraction. The unit is that of the document. */
  | (Limits & {
      readonly type: 'number' | 'whole';
      readonly unit?: 's' | 'MHz' | 'B' | 'share' | 'm' | 'dr';
      readonly rule?: (value: number) => boolean;
    })
  /** Well-formed Unicode without control characters; `keptIn`: ASCII of any case, kept in this. */
  | (Partial<Limits> & {
      readonly type: 'text';
      readonly keptIn?: 'upper' | 'lower';
      /** Of the whole text. */
      readonly pattern?: RegExp;
      readonly rule?: (value: string) => boolean;
    })
  | { readonly type: 'choice'; readonly words: readonly string[] }
  /** So many hexadecimal digits, or bytes in hexadecimal: in any case, kept in upper case. */
  | { readonly type: 'hex'; readonly digits: number }
  | (Limits & { readonly type: 'hexBytes' })
  /** RFC 3339. */
  | { readonly type: 'instant' }
  | (Limits & { readonly type: 'bytes' })
  /** `orOne`: one value stands for a list of it; `distinct`: each is kept once. */
  | (Pick<Limits, 'most'> & {
      readonly type: 'list';
      readonly of: Kind;
      readonly least?: number;
      readonly orOne?: true;
      readonly distinct?: true;
    })
  /** Values by keys that are kinds themselves. */
  | (Pick<Limits, 'most'> & { readonly type: 'map'; readonly keys: Kind; readonly of: Kind })
  /** `partial`: a change, which gives what it changes. */
  | { readonly type: 'record'; readonly fields: Fields; readonly partial?: true }
);

/** Of a number; of characters, bytes or entries otherwise. */
interface Limits {
  readonly least: number;
  readonly most: number;
}

/** A row. */
export type Field = Kind & {
  /** What it means, a sentence for people. */
  readonly is: string;
  readonly required?: true;
  /** What null says: the same as absence, or a meaning of its own; refused when absent. */
  readonly null?: 'absent' | 'automatic' | 'derived';
  /** What absence stands for. */
  readonly default?: unknown;
  /** Scenario files alone have it; the services do not document it. */
  readonly only?: 'scenario';
  /** Document and section. */
  readonly source?: string;
  /** Pointers of failures begin here: it is what a request carries. */
  readonly body?: true;
};

export type Fields = { readonly [name: string]: Field };

/** The row of what a request carries. */
export const body = <const F extends Fields>(fields: F) =>
  ({ type: 'record', fields, required: true, body: true, is: 'What is given.' }) as const;

/** The row of a change: any of these fields. */
export const changes = <const F extends Fields>(fields: F) =>
  ({ ...body(fields), partial: true }) as const;

/** The row of an id, of any form: what is of another form is unknown. */
export const id = (is: string) => ({ type: 'text', least: 0, required: true, is }) as const;

/** The same, where ids have the form of a UUID. */
export const uuid = (is: string) => ({ ...id(is), keptIn: 'lower' }) as const;

/** The same, of what an EUI names. */
export const euiOf = (is: string) => ({ ...id(is), keptIn: 'upper' }) as const;

/** An EUI-64, of a device or a gateway. */
export const EUI = { type: 'hex', digits: 16 } as const;

/** EUIs, each kept once. */
export const EUIS = { type: 'list', of: EUI, most: 1_000_000, distinct: true } as const;

// ── types of what rows describe ──────────────────────────────────────────────────────────────────

/** What is kept of a kind; `In`: what may be given for it. */
export type Of<K, In = false> = K extends { type: 'choice'; words: readonly (infer Word)[] }
  ? Word
  : K extends { type: 'text' | 'hex' | 'hexBytes' | 'instant' }
    ? string
    : K extends { type: 'number' | 'whole' }
      ? number
      : K extends { type: 'flag' }
        ? boolean
        : K extends { type: 'bytes' }
          ? Uint8Array
          : K extends { type: 'list'; of: infer Each }
            ? readonly Of<Each, In>[] | (K extends { orOne: In } ? Of<Each, In> : never)
            : K extends { type: 'map'; of: infer Each }
              ? Readonly<Record<string, Of<Each, In>>>
              : K extends { type: 'record'; fields: infer Inner }
                ? K extends { partial: true }
                  ? Partial<Values<Inner, In>>
                  : Values<Inner, In>
                : never;

/** Null where it has a meaning of its own; a caller may give it where it means absence, too. */
type NullOf<K, In> = K extends { null: infer Meaning }
  ? Meaning extends 'absent'
    ? In extends true
      ? null
      : never
    : null
  : never;

type KeysWith<F, What> = { [K in keyof F]: F[K] extends What ? K : never }[keyof F];
type Required<F> = KeysWith<F, { required: true }>;
type Flat<T> = { readonly [K in keyof T]: T[K] };
type Values<F, In> = Flat<
  { [K in Required<F>]: Of<F[K], In> | NullOf<F[K], In> } & {
    [K in Exclude<keyof F, Required<F>>]?: Of<F[K], In> | NullOf<F[K], In>;
  }
>;

/** What a caller may give. */
export type Input<F> = Values<F, true>;
/** What was given, once it is read. */
export type Given<F> = Values<F, false>;
/** What was given, with the defaults. */
export type Effective<F> = Flat<
  Omit<Given<F>, KeysWith<F, { default: unknown }>> & {
    [K in KeysWith<F, { default: unknown }>]: Of<F[K]> | NullOf<F[K], false>;
  }
>;

/** The rows' defaults for what is absent. */
export function effective<const F extends Fields>(fields: F, given: object): Effective<F> {
  const defaults = Object.entries(fields).map(([name, row]) => [name, row.default] as const);
  const stated = defaults.filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(stated), ...given } as unknown as Effective<F>;
}

// ── reading ──────────────────────────────────────────────────────────────────────────────────────

/** Where a value stands, and the code of its failure. */
interface Place {
  /** JSON pointer into what a request carries. */
  readonly path: string;
  readonly name: string;
  readonly failure: string;
}

type Read<Value = unknown> = Result<Value>;

/**
 * A copy of what is given for the rows, in their order, that shares nothing with the input; what no
 * row names is left out. Reading what was read gives the same.
 */
export function readFields(
  fields: Fields,
  input: unknown,
  at: Place,
  isChange = false,
): Read<Readonly<Record<string, unknown>>> {
  if (!isMap(input)) return refuse(input, at, 'a map of keys and values');
  const given: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(fields)) {
    const path = row.body ? '' : `${at.path}/${name}`;
    const place = { path, name, failure: row.failure ?? at.failure };
    const value = fieldOf(input, name);
    const isAbsent = value === undefined || (value === null && row.null === 'absent');
    if (isAbsent && row.required && !isChange) return refuse(undefined, place, allowedOf(row));
    if (isAbsent) continue;
    const read = value === null && row.null !== undefined ? ok(null) : readValue(row, value, place);
    if (!read.ok) return read;
    given[name] = read.value;
  }
  return ok(given);
}

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldOf = (input: object, key: string): unknown =>
  Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined;

function readValue(kind: Kind, value: unknown, outer: Place): Read {
  const at = { ...outer, failure: kind.failure ?? outer.failure };
  if (kind.type === 'record') return readFields(kind.fields, value, at, kind.partial);
  if (kind.type === 'list') return readList(kind, value, at);
  if (kind.type === 'map') return readMap(kind, value, at);
  const read = typeof value === 'string' ? readText(kind, value) : readLeaf(kind, value);
  if (read !== undefined) return ok(read);
  return refuse(kind.secret ? SECRET : value, at, allowedOf(kind));
}

function readList(kind: Kind & { type: 'list' }, value: unknown, at: Place): Read {
  const isOne = kind.orOne === true && !Array.isArray(value);
  const values = isOne ? [value] : value;
  if (!Array.isArray(values) || values.length < (kind.least ?? 0) || values.length > kind.most) {
    return refuse(value, at, allowedOf(kind));
  }
  const list: unknown[] = [];
  for (let i = 0; i < values.length; i++) {
    const read = readValue(kind.of, values[i], isOne ? at : { ...at, path: `${at.path}/${i}` });
    if (!read.ok) return read;
    list.push(read.value);
  }
  return ok(kind.distinct ? [...new Set(list)] : list);
}

/** In the order of the keys; of a key that is given twice, in two cases, the last counts. */
function readMap(kind: Kind & { type: 'map' }, value: unknown, at: Place): Read {
  const keys = isMap(value) ? Object.keys(value) : [];
  if (!isMap(value) || keys.length > kind.most) return refuse(value, at, allowedOf(kind));
  const entries: [string, unknown][] = [];
  for (const key of keys) {
    const place = { ...at, path: `${at.path}/${key.slice(0, SHOWN)}`, name: quote(key) };
    const name = readValue(kind.keys, key, place);
    const read = name.ok ? readValue(kind.of, fieldOf(value, key), place) : name;
    if (!name.ok || !read.ok) return read;
    entries.push([name.value as string, read.value]);
  }
  return ok(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))));
}

const isWithin = (size: number, { least = 1, most = 250 }: Partial<Limits>): boolean =>
  size >= least && size <= most;

/** What is no text as it is kept; undefined: it is not of this kind. */
function readLeaf(kind: Kind, value: unknown): unknown {
  if (kind.type === 'flag' && typeof value === 'boolean') return value;
  if (kind.type === 'bytes' && value instanceof Uint8Array) {
    // Not slice(): of a Node.js Buffer that is a view of the same bytes.
    const bytes = new Uint8Array(value);
    return isWithin(bytes.length, kind) ? bytes : undefined;
  }
  if ((kind.type !== 'number' && kind.type !== 'whole') || typeof value !== 'number') {
    return undefined;
  }
  const isRight = isWithin(value, kind) && (kind.type === 'number' || Number.isInteger(value));
  return isRight && kind.rule?.(value) !== false ? value + 0 : undefined; // −0 is 0
}

const HEX = /^[0-9A-Fa-f]*$/;

function readText(kind: Kind, value: string): string | undefined {
  switch (kind.type) {
    case 'choice':
      return kind.words.find((word) => word === value);
    case 'hex':
      return value.length === kind.digits && HEX.test(value) ? value.toUpperCase() : undefined;
    case 'hexBytes': {
      const isRight = value.length % 2 === 0 && isWithin(value.length / 2, kind) && HEX.test(value);
      return isRight ? value.toUpperCase() : undefined;
    }
    case 'instant':
      return value.length <= SHOWN && parseInstant(value).ok ? value : undefined;
    case 'text': {
      const isRight = isWithin(value.length, kind) && isPlain(value);
      if (!isRight || kind.pattern?.test(value) === false) return undefined;
      if (kind.rule?.(value) === false) return undefined;
      if (kind.keptIn === 'upper') return value.toUpperCase();
      return kind.keptIn === 'lower' ? value.toLowerCase() : value;
    }
    default:
      return undefined;
  }
}

/** Unpaired surrogates have no bytes in UTF-8, so a log would not keep them. */
const isPlain = (text: string): boolean => !/\p{Cc}|\p{Surrogate}/u.test(text);

// ── what is wrong ────────────────────────────────────────────────────────────────────────────────

/** Characters of a value that a message shows. */
const SHOWN = 60;
const SECRET = {};

function refuse(value: unknown, { name, path, failure }: Place, allowed: string) {
  const what = value === undefined ? 'missing' : quote(value);
  return fail(failure, `${name} is ${what}; it has to be ${allowed}.`, path);
}

function quote(value: unknown): string {
  if (value === SECRET) return 'something else';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isMap(value)) return `a map of ${Object.keys(value).length}`;
  if (typeof value === 'function') return 'a function';
  const text = String(value);
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return typeof value === 'string' ? JSON.stringify(shown) : shown;
}

/** What a kind allows, in words. */
export function allowedOf(kind: Kind): string {
  if (kind.allowed !== undefined) return kind.allowed;
  switch (kind.type) {
    case 'flag':
      return 'true or false';
    case 'number':
    case 'whole':
      return `a ${kind.type === 'whole' ? 'whole ' : ''}number from ${kind.least} to ${kind.most}`;
    case 'choice':
      return `one of ${kind.words.join(', ')}`;
    case 'hex':
      return `${kind.digits} hexadecimal digits`;
    case 'hexBytes':
      return `${kind.least} to ${kind.most} bytes in hexadecimal`;
    case 'instant':
      return 'an instant such as 2026-01-31T12:00:00Z';
    case 'bytes':
      return `${kind.least} to ${kind.most} bytes`;
    case 'text':
      return `text of ${kind.least ?? 1} to ${kind.most ?? 250} characters`;
    case 'list':
      return `a list of ${kind.least ?? 0} to ${kind.most}, each ${allowedOf(kind.of)}`;
    case 'map':
      return `a map of at most ${kind.most}, ${allowedOf(kind.of)} by ${allowedOf(kind.keys)}`;
    case 'record':
      return 'a map of keys and values';
  }
}
