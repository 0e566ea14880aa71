/**
 * What callers give is read by rows (core/rows/fields.ts). Rows become functions once; what is
 * wrong is put into words only when something is.
 */

import { pointerTo } from '../../sim/base/json-pointer.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { jsonCopy } from '../codecs/json.ts';
import type { Fields, Kind, Limits } from '../rows/fields.ts';
import { allowedOf } from './allowed.ts';
import { parseInstant } from './instant.ts';

/** Where a value stands, and the code of its failure. */
interface Place {
  /** JSON pointer into what a request carries. */
  readonly path: string;
  readonly name: string;
  readonly failure: string;
}

type Keyed = Record<string, unknown>;

/**
 * Reads what is given for the rows, in their order, into a record that shares nothing with it; what
 * no row names is left out. Reading what was read gives the same. Made once for rows that are read
 * often.
 */
export function fieldsReader(fields: Fields, at: Place) {
  const read = recordReader(fields);
  return (input: unknown, into: Keyed = {}): Result<Readonly<Keyed>> => {
    const given = read(input, into);
    return given instanceof Wrong ? given.at(at.path, at).refusal : ok(into);
  };
}

/** The same at once. */
export const readFields = (fields: Fields, input: unknown, at: Place) =>
  fieldsReader(fields, at)(input);

/** What is stored of a value, or what is wrong with it. */
type Reader = (value: unknown, into?: Keyed) => unknown;

function readerOf(kind: Kind): Reader {
  switch (kind.type) {
    case 'record':
      return recordReader(kind.fields, kind.partial);
    case 'list':
      return listReader(kind);
    case 'map':
      return mapReader(kind);
    case 'either':
      return eitherReader(kind);
    case 'json':
      return (value) => (isMap(value) ? jsonCopy(value) : undefined) ?? new Wrong(value, kind);
    default:
      return (value) => {
        const read = typeof value === 'string' ? readText(kind, value) : readLeaf(kind, value);
        return read ?? new Wrong(value, kind);
      };
  }
}

function recordReader(fields: Fields, isChange = false): Reader {
  const rows = Object.entries(fields).map(([name, row]) => {
    const { required = false, failure, null: nullIs } = row;
    const isRequired = required && !isChange;
    const path = row.body ? '' : `/${name}`;
    return { row, name, failure, nullIs, isRequired, path, read: readerOf(row) };
  });
  const whole: Kind = { type: 'record', fields };
  return (input, given = {}) => {
    if (!isMap(input)) return new Wrong(input, whole);
    for (const each of rows) {
      const value = fieldOf(input, each.name);
      const isAbsent = value === undefined || (value === null && each.nullIs === 'absent');
      if (isAbsent && !each.isRequired) continue;
      const isNull = value === null && each.nullIs !== undefined;
      const read = isAbsent ? new Wrong(undefined, each.row) : isNull ? null : each.read(value);
      if (read instanceof Wrong) return read.at(each.path, each);
      given[each.name] = read;
    }
    return given;
  };
}

const fieldOf = (input: object, key: string): unknown =>
  Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined;

function listReader(kind: Kind & { type: 'list' }): Reader {
  const { of, least = 0, most } = kind;
  const readOne = readerOf(of);
  return (value) => {
    const isOne = kind.orOne === true && !Array.isArray(value);
    const values = isOne ? [value] : value;
    if (!Array.isArray(values) || values.length < least || values.length > most) {
      return new Wrong(value, kind);
    }
    const list: unknown[] = [];
    for (let i = 0; i < values.length; i++) {
      const read = readOne(values[i]);
      if (read instanceof Wrong) return read.at(isOne ? '' : `/${i}`, of);
      list.push(read);
    }
    if (kind.unique && new Set(list).size < list.length) return secondOf(list, of);
    return kind.distinct ? [...new Set(list)] : list;
  };
}

/** The first value that stands in a list for the second time. */
function secondOf(list: readonly unknown[], of: Kind): Wrong {
  const seen = new Set<unknown>();
  const at = list.findIndex((each) => seen.size === seen.add(each).size);
  const other = { ...of, allowed: 'another than those before it' };
  return new Wrong(list[at], other).at(`/${at}`, {});
}

/** Of a map, what is wrong with it as the record that it may be says more. */
function eitherReader(kind: Kind & { type: 'either' }): Reader {
  const readers = kind.kinds.map((each) => ({ each, read: readerOf(each) }));
  return (value) => {
    let wrong = new Wrong(value, kind);
    for (const { each, read } of readers) {
      const found = read(value);
      if (!(found instanceof Wrong)) return found;
      if (each.type === 'record' && isMap(value)) wrong = found;
    }
    return wrong;
  };
}

/** In the order of the keys; of a key that is given twice, in two cases, the last counts. */
function mapReader(kind: Kind & { type: 'map' }): Reader {
  const [readKey, readOne] = [readerOf(kind.keys), readerOf(kind.of)];
  return (value) => {
    const keys = isMap(value) ? Object.keys(value) : [];
    if (!isMap(value) || keys.length > kind.most) return new Wrong(value, kind);
    const entries: [string, unknown][] = [];
    for (const key of keys) {
      const name = readKey(key);
      const read = name instanceof Wrong ? name : readOne(fieldOf(value, key));
      if (name instanceof Wrong && isMisplaced(kind.of, key)) return misplaced(key, kind.keys);
      if (read instanceof Wrong) {
        const { failure } = name instanceof Wrong ? kind.keys : kind.of;
        return read.at(pointerTo([key.slice(0, SHOWN)]), { failure, name: quote(key) });
      }
      entries.push([name as string, read]);
    }
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  };
}

/** Whether a secret may stand in the place of the name that it belongs to. */
const isMisplaced = (of: Kind, key: string): boolean =>
  of.secret === true && of.type === 'hex' && key.length >= of.digits;

/** It is not repeated, so nothing points to it. */
const misplaced = (key: string, { failure, ...kind }: Kind): Wrong =>
  new Wrong(key, { ...kind, secret: true }).at('', {
    failure,
    name: `The name of an entry, of ${key.length} characters,`,
  });

const isWithin = (size: number, { least = 1, most = 250 }: Partial<Limits>): boolean =>
  size >= least && size <= most;

/** What is no text as it is stored; undefined: it is not of this kind. */
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
      const excluded = kind.raw ? UNPAIRED : NOT_PLAIN;
      const isRight = isWithin(charactersOf(value, kind), kind) && !excluded.test(value);
      if (!isRight || kind.pattern?.test(value) === false) return undefined;
      if (kind.rule?.(value) === false) return undefined;
      if (kind.storedIn === 'upper') return value.toUpperCase();
      return kind.storedIn === 'lower' ? value.toLowerCase() : value;
    }
    default:
      return undefined;
  }
}

/** Of Unicode, as JSON Schema counts them; what cannot fit is not looked at. */
function charactersOf(text: string, { most = 250 }: Partial<Limits>): number {
  const units = text.length;
  return units <= 2 * most && SURROGATE.test(text) ? [...text].length : units;
}

const SURROGATE = /[\uD800-\uDBFF]/;

/** Unpaired surrogates have no bytes in UTF-8, so a log would not keep them. */
const UNPAIRED = /\p{Surrogate}/u;
const NOT_PLAIN = /\p{Cc}|\p{Surrogate}/u;

// ── what is wrong ────────────────────────────────────────────────────────────────────────────────

/** Characters of a value that a message shows. */
const SHOWN = 60;

/** Whether secrets belong here or within. */
function hasSecret(kind: Kind): boolean {
  if (kind.type === 'list' || kind.type === 'map') return hasSecret(kind.of);
  if (kind.type === 'either') return kind.kinds.some(hasSecret);
  if (kind.type === 'record') return Object.values(kind.fields).some(hasSecret);
  return kind.secret === true;
}

interface Surrounding {
  readonly name?: string;
  readonly failure?: string | undefined;
}

/** What is wrong with a value. What surrounds it adds where it stands, the innermost first. */
class Wrong {
  readonly #value: unknown;
  readonly #kind: Kind;
  #path = '';
  #name: string | undefined;
  #failure: string | undefined;

  /** `undefined`: there is no value. */
  constructor(value: unknown, kind: Kind) {
    this.#value = value;
    this.#kind = kind;
  }

  at(path: string, { name, failure }: Surrounding): this {
    this.#path = path + this.#path;
    this.#name ??= name;
    this.#failure ??= failure;
    return this;
  }

  get #shown(): string {
    return hasSecret(this.#kind) ? 'something else' : quote(this.#value);
  }

  get refusal(): Result<never> {
    const what = this.#value === undefined ? 'missing' : this.#shown;
    const message = `${this.#name} is ${what}; it has to be ${allowedOf(this.#kind)}.`;
    return fail(this.#failure as string, message, this.#path);
  }
}

/** A key, or a URL with a password, that stands in the field beside its own. */
const KEY_LIKE = /[0-9A-Fa-f]{32}|-----BEGIN|:\/\/[^/?#]*@/;

function quote(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isMap(value)) return `a map of ${Object.keys(value).length}`;
  if (typeof value === 'function') return 'a function';
  const text = String(value);
  if (KEY_LIKE.test(text)) return `a text of ${text.length} characters`;
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return typeof value === 'string' ? JSON.stringify(shown) : shown;
}
