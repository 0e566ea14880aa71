/**
 * Fields as tables: a row says what a field is, what it may hold, what null means, how it fails,
 * and where it is documented. What callers give is read by the rows, once, before anything is
 * decided; scenario files, HTTP and its documentation take the same rows.
 */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { parseInstant } from './instant.ts';

/** What a value is made of. */
export type Kind =
  | Described<{ readonly type: 'flag' }>
  /** Finite; `whole`: without a fraction. The unit is that of the document. */
  | Described<{
      readonly type: 'number' | 'whole';
      readonly least: number;
      readonly most: number;
      readonly unit?: 's' | 'MHz' | 'B' | 'share' | 'm' | 'dr';
      readonly rule?: (value: number) => boolean;
    }>
  /**
   * Well-formed Unicode without control characters, 1 to 250 characters unless it says otherwise;
   * `upper`: ASCII that is kept in upper case.
   */
  | Described<{
      readonly type: 'text';
      readonly least?: number;
      readonly most?: number;
      readonly upper?: true;
      readonly rule?: (value: string) => boolean;
    }>
  | Described<{ readonly type: 'choice'; readonly words: readonly string[] }>
  /** So many hexadecimal digits, or bytes in hexadecimal; any case is taken, upper case is kept. */
  | Described<{ readonly type: 'hex'; readonly digits: number }>
  | Described<{ readonly type: 'hexBytes'; readonly least: number; readonly most: number }>
  /** RFC 3339. */
  | Described<{ readonly type: 'instant' }>
  | Described<{ readonly type: 'bytes'; readonly least: number; readonly most: number }>
  /** `orOne`: a single value stands for a list of it; `distinct`: each is kept once. */
  | Described<{
      readonly type: 'list';
      readonly of: Kind;
      readonly least?: number;
      readonly most: number;
      readonly orOne?: true;
      readonly distinct?: true;
    }>
  /** Values by keys that are kinds themselves. */
  | Described<{
      readonly type: 'map';
      readonly keys: Kind;
      readonly of: Kind;
      readonly most: number;
    }>
  /** `partial`: a change, which gives what it changes. */
  | Described<{ readonly type: 'record'; readonly fields: Fields; readonly partial?: true }>;

type Described<Made> = Made & {
  /** Code of the failure; that of what surrounds it when absent. */
  readonly failure?: string;
  /** What is allowed, in words; the row itself says it when absent. */
  readonly allowed?: string;
  /** Messages do not repeat it. */
  readonly secret?: true;
};

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

// ── types of what rows describe ──────────────────────────────────────────────────────────────────

type Of<K> = K extends { type: 'choice'; words: readonly (infer Word)[] }
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
            ? readonly Of<Each>[]
            : K extends { type: 'map'; of: infer Each }
              ? Readonly<Record<string, Of<Each>>>
              : K extends { type: 'record'; fields: infer Inner; partial: true }
                ? Partial<Given<Inner>>
                : K extends { type: 'record'; fields: infer Inner }
                  ? Given<Inner>
                  : never;

type InputOf<K> = K extends { type: 'list'; of: infer Each; orOne: true }
  ? InputOf<Each> | readonly InputOf<Each>[]
  : K extends { type: 'list'; of: infer Each }
    ? readonly InputOf<Each>[]
    : K extends { type: 'record'; fields: infer Inner; partial: true }
      ? Partial<Input<Inner>>
      : K extends { type: 'record'; fields: infer Inner }
        ? Input<Inner>
        : Of<K>;

type KeysWith<F, What> = { [K in keyof F]: F[K] extends What ? K : never }[keyof F];
type NullIn<K, Meaning> = K extends { null: Meaning } ? null : never;
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** What a caller may give. */
export type Input<F> = Flat<
  { [K in KeysWith<F, { required: true }>]: InputOf<F[K]> | NullIn<F[K], string> } & {
    [K in Exclude<keyof F, KeysWith<F, { required: true }>>]?: InputOf<F[K]> | NullIn<F[K], string>;
  }
>;

/** What was given, once it is read: null where that has a meaning of its own. */
export type Given<F> = Flat<
  {
    [K in KeysWith<F, { required: true }>]: Of<F[K]> | NullIn<F[K], 'automatic' | 'derived'>;
  } & {
    [K in Exclude<keyof F, KeysWith<F, { required: true }>>]?:
      | Of<F[K]>
      | NullIn<F[K], 'automatic' | 'derived'>;
  }
>;

/** What was given, with the defaults. */
export type Effective<F> = Flat<
  Omit<Given<F>, KeysWith<F, { default: unknown }>> & {
    [K in KeysWith<F, { default: unknown }>]: Of<F[K]>;
  }
>;

/** The rows' defaults for what is absent. */
export function effective<const F extends Fields>(fields: F, given: object): Effective<F> {
  const defaults = Object.entries(fields).flatMap(([name, row]) =>
    row.default === undefined ? [] : [[name, row.default] as const],
  );
  return { ...Object.fromEntries(defaults), ...given } as unknown as Effective<F>;
}

// ── reading ──────────────────────────────────────────────────────────────────────────────────────

/** Where a value stands, and the code of its failure. */
interface Place {
  /** JSON pointer into what a request carries. */
  readonly path: string;
  readonly name: string;
  readonly failure: string;
}

type Read = Result<unknown>;

/**
 * A copy of what is given for the rows, in their order, that shares nothing with the input; what no
 * row names is left out. Reading what was read gives the same.
 */
export function readFields(
  fields: Fields,
  input: unknown,
  at: Place,
  isChange = false,
): Result<Readonly<Record<string, unknown>>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return wrong(input, at, 'a map of keys and values');
  }
  const given: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(fields)) {
    const path = row.body ? '' : `${at.path}/${name}`;
    const place = { path, name, failure: row.failure ?? at.failure };
    const value = fieldOf(input, name);
    const isAbsent = value === undefined || (value === null && row.null === 'absent');
    if (isAbsent && row.required && !isChange) return wrong(undefined, place, allowedOf(row));
    if (isAbsent) continue;
    const read = value === null && row.null !== undefined ? ok(null) : readValue(row, value, place);
    if (!read.ok) return read;
    given[name] = read.value;
  }
  return ok(given);
}

const fieldOf = (input: object, key: string): unknown =>
  Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined;

function readValue(kind: Kind, value: unknown, outer: Place): Read {
  const at = { ...outer, failure: kind.failure ?? outer.failure };
  switch (kind.type) {
    case 'record':
      return readFields(kind.fields, value, at, kind.partial);
    case 'list':
      return readList(kind, value, at);
    case 'map':
      return readMap(kind, value, at);
    default: {
      const read = readLeaf(kind, value);
      return read === undefined
        ? wrong(kind.secret ? SECRET : value, at, allowedOf(kind))
        : ok(read);
    }
  }
}

function readList(kind: Kind & { type: 'list' }, value: unknown, at: Place): Read {
  const isOne = kind.orOne && !Array.isArray(value);
  const values = isOne ? [value] : value;
  if (!Array.isArray(values)) return wrong(value, at, allowedOf(kind));
  const { length } = values;
  if (length < (kind.least ?? 0) || length > kind.most) {
    return wrong(`${length} long`, at, allowedOf(kind), '');
  }
  const list: unknown[] = [];
  for (let i = 0; i < length; i++) {
    const path = isOne ? at.path : `${at.path}/${i}`;
    const read = readValue(kind.of, values[i], { ...at, path });
    if (!read.ok) return read;
    list.push(read.value);
  }
  return ok(kind.distinct ? [...new Set(list)] : list);
}

/** In the order of the keys, so that the order in which they were given has no effect. */
function readMap(kind: Kind & { type: 'map' }, value: unknown, at: Place): Read {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return wrong(value, at, allowedOf(kind));
  }
  const keys = Object.keys(value);
  if (keys.length > kind.most) return wrong(`${keys.length} long`, at, allowedOf(kind), '');
  const entries: [string, unknown][] = [];
  for (const key of keys) {
    const place = { ...at, path: `${at.path}/${key.slice(0, SHOWN)}`, name: quote(key) };
    const name = readValue(kind.keys, key, place);
    const read = name.ok ? readValue(kind.of, fieldOf(value, key), place) : name;
    if (!name.ok || !read.ok) return read;
    entries.push([String(name.value), read.value]);
  }
  return ok(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))));
}

type Leaf = Exclude<Kind, { type: 'record' | 'list' | 'map' }>;

/** Unpaired surrogates have no bytes in UTF-8, so a log would not keep them. */
const UNPAIRED = /\p{Surrogate}/u;
const isControl = (code: number): boolean => code < 0x20 || code === 0x7f;

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isControl(text.charCodeAt(i))) return false;
  return !UNPAIRED.test(text);
}

/** The value as it is kept; undefined: it is not of this kind. */
function readLeaf(kind: Leaf, value: unknown): unknown {
  switch (kind.type) {
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'number':
    case 'whole': {
      if (typeof value !== 'number' || !(value >= kind.least && value <= kind.most))
        return undefined;
      if (kind.type === 'whole' && !Number.isInteger(value)) return undefined;
      return kind.rule?.(value) === false ? undefined : value + 0; // −0 is 0
    }
    case 'bytes': {
      if (!(value instanceof Uint8Array)) return undefined;
      return value.length < kind.least || value.length > kind.most ? undefined : value.slice();
    }
    default:
      return typeof value === 'string' ? readText(kind, value) : undefined;
  }
}

function readText(kind: Leaf, value: string): string | undefined {
  switch (kind.type) {
    case 'choice':
      return kind.words.find((word) => word === value);
    case 'hex':
      return value.length === kind.digits && HEX.test(value) ? value.toUpperCase() : undefined;
    case 'hexBytes': {
      const bytes = value.length / 2;
      const isRight = Number.isInteger(bytes) && bytes >= kind.least && bytes <= kind.most;
      return isRight && HEX.test(value) ? value.toUpperCase() : undefined;
    }
    case 'instant':
      return value.length <= SHOWN && parseInstant(value).ok ? value : undefined;
    case 'text': {
      const isRight = value.length >= (kind.least ?? 1) && value.length <= (kind.most ?? 250);
      if (!isRight || !isPlain(value) || kind.rule?.(value) === false) return undefined;
      return kind.upper ? value.toUpperCase() : value;
    }
    default:
      return undefined;
  }
}

const HEX = /^[0-9A-Fa-f]*$/;

// ── what is wrong ────────────────────────────────────────────────────────────────────────────────

const SHOWN = 60;
const SECRET = {};

function wrong(
  value: unknown,
  { name, path, failure }: Place,
  allowed: string,
  is = ' is',
): Read & {
  readonly ok: false;
} {
  const what = value === undefined ? ' is missing' : `${is} ${is === '' ? value : quote(value)}`;
  return fail(failure, `${name}${what}; it has to be ${allowed}.`, path);
}

/** A value as a message shows it, at most `SHOWN` characters of it. */
function quote(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value === SECRET) return 'something else';
  if (typeof value === 'object' && value !== null) return 'a map';
  const text = typeof value === 'function' ? 'a function' : String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
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
      return `a map of at most ${kind.most}`;
    case 'record':
      return 'a map of keys and values';
  }
}
