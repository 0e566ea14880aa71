/**
 * Values are read by rows (fields.ts). Rows become functions once; a fault says where it is, and is
 * put into words by anyone who shows it.
 */

import { jsonCopy } from '../json.ts';
import { pointerTo } from '../json-pointer.ts';
import { isMap } from '../plain-data.ts';
import { isInstant } from '../utc.ts';
import type { Fields, Kind, Limits } from './fields.ts';
import { charactersIn, isWholeWithin, isWithin } from './range.ts';

type Keyed = Record<string, unknown>;

/** The value in stored form, or its problem. */
type Reader = (value: unknown, into?: Keyed) => unknown;

export function readerOf(kind: Kind): Reader {
  switch (kind.type) {
    case 'record':
      return recordReader(kind.fields, kind.partial);
    case 'list':
      return listReader(kind);
    case 'map':
      return mapReader(kind);
    case 'either':
      return eitherReader(kind);
    case 'any':
      return (value) => value;
    case 'function':
      return (value) => (typeof value === 'function' ? value : new Wrong(value, kind));
    case 'object':
      return (value) => (hasMethods(value, kind.methods) ? value : new Wrong(value, kind));
    case 'json':
      return (value) => (isMap(value) ? jsonCopy(value) : undefined) ?? new Wrong(value, kind);
    default:
      return (value) => {
        const read = typeof value === 'string' ? readText(kind, value) : readLeaf(kind, value);
        return read ?? new Wrong(value, kind);
      };
  }
}

/**
 * Reads into a record that shares nothing with what is given; what no row names is left out.
 * `isChange`: nothing is required.
 */
export function recordReader(fields: Fields, isChange = false): Reader {
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

const hasMethods = (value: unknown, methods: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  methods.every((name) => typeof (value as Keyed)[name] === 'function');

const fieldOf = (input: object, key: string): unknown =>
  Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined;

function listReader(kind: Kind & { type: 'list' }): Reader {
  const { of, least = 0, most } = kind;
  const readOne = readerOf(of);
  return (value) => {
    const isOne = kind.orOne === true && !Array.isArray(value);
    const values = isOne ? [value] : value;
    if (!Array.isArray(values) || !isWithin(values.length, { least, most })) {
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

/** Parses a non-text value to stored form; undefined: not of this kind. */
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
  const isRight = kind.type === 'whole' ? isWholeWithin(value, kind) : isWithin(value, kind);
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
      return value.length <= SHOWN && isInstant(value) ? value : undefined;
    case 'text': {
      const limits = charactersIn(kind);
      if (!isWithin(charactersOf(value, limits), limits)) return undefined;
      if (kind.raw !== 'unpaired' && (kind.raw ? UNPAIRED : NOT_PLAIN).test(value))
        return undefined;
      if (kind.pattern?.test(value) === false) return undefined;
      if (kind.rule?.(value) === false) return undefined;
      if (kind.storedIn === 'upper') return value.toUpperCase();
      return kind.storedIn === 'lower' ? value.toLowerCase() : value;
    }
    default:
      return undefined;
  }
}

/** Of Unicode, as JSON Schema counts them; what cannot fit is not looked at. */
function charactersOf(text: string, { most }: Limits): number {
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

interface Surrounding {
  readonly name?: string;
  readonly failure?: string | undefined;
}

/** What is wrong with a value. What surrounds it adds where it stands, the innermost first. */
export class Wrong {
  /** `undefined`: there is no value. */
  readonly value: unknown;
  /** What it has to be. */
  readonly kind: Kind;
  #path = '';
  #name: string | undefined;
  #failure: string | undefined;

  constructor(value: unknown, kind: Kind) {
    this.value = value;
    this.kind = kind;
  }

  at(path: string, { name, failure }: Surrounding): this {
    this.#path = path + this.#path;
    this.#name ??= name;
    this.#failure ??= failure;
    return this;
  }

  /** JSON pointer to it. */
  get path(): string {
    return this.#path;
  }

  /** Name of the field. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Code of its row, or of what surrounds it. */
  get failure(): string | undefined {
    return this.#failure;
  }
}

/** A key, or a URL with a password, that stands in the field beside its own. */
const KEY_LIKE = /[0-9A-Fa-f]{32}|-----BEGIN|:\/\/[^/?#]*@/;

/** A value in a message: short, and without what looks like a secret. */
export function quote(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isMap(value)) return `a map of ${Object.keys(value).length}`;
  if (typeof value === 'function') return 'a function';
  const text = String(value);
  if (KEY_LIKE.test(text)) return `a text of ${text.length} characters`;
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return typeof value === 'string' ? JSON.stringify(shown) : shown;
}
