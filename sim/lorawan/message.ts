/**
 * How a message lies on the wire: a table of fields from which its codec and the type of its
 * payload follow.
 *
 * All numbers are little-endian. A field of bits gives the payload one entry per name: `[high,
 * low]` is a number, a single bit's place a boolean. Bits without a name are reserved: written 0,
 * ignored when read. Inside this file payloads are records of unknown values, for their types are
 * known to the tables only; the casts in `message` are the place where the table vouches for them.
 */
import { assert } from '../base/assert.ts';
import { bitCount } from '../base/bits.ts';
import { readLe, writeLe } from '../base/bytes.ts';
import { exp2 } from '../base/math.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { bytesFault, shown, wholeFault } from './argument.ts';

type Values = Record<string, unknown>;

/** The length or the end of what the bytes do not hold as a whole. */
const CUT_SHORT = -1;

/** One part of a layout. */
interface Part {
  /** Bytes of the part at `at`, given what was read before; `CUT_SHORT` when they are not there. */
  lengthAt(bytes: Uint8Array, at: number, end: number, before: Values): number;
  read(bytes: Uint8Array, at: number, length: number, name: string, into: Values): void;
  /** Bytes the part will take. */
  lengthOf(name: string, from: Values): number;
  write(bytes: Uint8Array, at: number, name: string, from: Values): void;
  /** Why the values cannot be written, a sentence with the range; undefined when they can. */
  fault(name: string, from: Values): string | undefined;
  /** Bytes, when that never changes. */
  readonly size?: number;
  /** Readers of its values by name, `offset` bytes behind the CID; none of bytes and lists. */
  readersAt?(name: string, offset: number): Readonly<Record<string, Reader>>;
}

/** Reads one value of the message whose CID stands at `at`, without allocation. */
type Reader<T = number | boolean> = (bytes: Uint8Array, at: number) => T;

/** A part with one value; `type` is there for the compiler only. */
export interface Field<T> extends Part {
  readonly kind: 'value';
  readonly type?: T;
}

/** A part with one value that is absent under a condition. */
export interface OptionalField<T> extends Part {
  readonly kind: 'optional';
  readonly type?: T;
}

/** Bits that are absent under a condition. */
export interface OptionalBitField<R extends BitRanges> extends Part {
  readonly kind: 'optionalBits';
  readonly ranges: R;
}

/** High and low bit of a number (`'signed'`: two's complement), or the place of a flag. */
type BitRange = readonly [number, number] | readonly [number, number, 'signed'] | number;
type BitRanges = Readonly<Record<string, BitRange>>;

/** A part with one value per named range of bits. */
export interface BitField<R extends BitRanges> extends Part {
  readonly kind: 'bits';
  readonly ranges: R;
}

export type Fields = Readonly<
  Record<
    string,
    Field<unknown> | OptionalField<unknown> | BitField<BitRanges> | OptionalBitField<BitRanges>
  >
>;

// ── types of payloads ────────────────────────────────────────────────────────────────────────────

type PlainOf<F> = {
  readonly [K in keyof F as F[K] extends { kind: 'value' } ? K : never]: F[K] extends Field<infer T>
    ? T
    : never;
};
type OptionalOf<F> = {
  readonly [K in keyof F as F[K] extends { kind: 'optional' }
    ? K
    : never]?: F[K] extends OptionalField<infer T> ? T : never;
};
type BitsOf<F> = Both<
  {
    [K in keyof F]: F[K] extends BitField<infer R>
      ? BitValues<R>
      : F[K] extends OptionalBitField<infer R>
        ? Partial<BitValues<R>>
        : never;
  }[keyof F]
>;
type BitValues<R> = { readonly [N in keyof R]: R[N] extends number ? boolean : number };
type Both<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void
  ? I
  : never;
type Flat<T> = { [K in keyof T]: T[K] };

/** The payload of a message with these fields. */
export type Payload<F> = Flat<PlainOf<F> & OptionalOf<F> & BitsOf<F>>;

/** Readers of the numbers and flags that stand at a fixed place. */
export type Readers<F> = {
  readonly [N in keyof Payload<F> as Payload<F>[N] extends number | boolean ? N : never]: Reader<
    Payload<F>[N]
  >;
};

// ── numbers ──────────────────────────────────────────────────────────────────────────────────────

function fixedLength(count: number): (bytes: Uint8Array, at: number, end: number) => number {
  return (_bytes, at, end) => (at + count <= end ? count : CUT_SHORT);
}

/** Unsigned, or two's complement, of `count` bytes; in steps of `unit`. */
function numberField(count: number, signed = false, unit = 1): Field<number> {
  const span = exp2(8 * count);
  const least = signed ? -span / 2 : 0;
  return {
    kind: 'value',
    lengthAt: fixedLength(count),
    read(bytes, at, _length, name, into) {
      const value = readLe(bytes, at, count);
      into[name] = (signed && value >= span / 2 ? value - span : value) * unit;
    },
    lengthOf: () => count,
    size: count,
    readersAt: (name, offset) => ({
      [name]: (bytes, at) => {
        const value = readLe(bytes, at + offset, count);
        return (signed && value >= span / 2 ? value - span : value) * unit;
      },
    }),
    write(bytes, at, name, from) {
      const steps = Number(from[name]) / unit;
      const fits = Number.isInteger(steps) && steps >= least && steps < least + span;
      assert(fits, `${name} fits its ${count} bytes`);
      writeLe(bytes, at, count, steps < 0 ? steps + span : steps);
    },
    fault(name, from) {
      const value = from[name];
      const most = (least + span - 1) * unit;
      const fault = wholeFault(name, value, least * unit, most);
      if (fault !== undefined || Number.isInteger(Number(value) / unit)) return fault;
      return `${name} is a multiple of ${unit}, not ${shown(value)}`;
    },
  };
}

export const u8 = numberField(1);
export const u16 = numberField(2);
export const u24 = numberField(3);
export const u32 = numberField(4);
export const i32 = numberField(4, true);
/** 24 bits in steps of 100 Hz; the payload has Hz. */
export const frequency = numberField(3, false, 100);

/** Names for ranges of the bits of `u8`, `u16` … */
export function bits<const R extends BitRanges>(whole: Field<number>, ranges: R): BitField<R> {
  const rows = Object.entries(ranges).map(([name, range]) => bitRow(name, range));
  return {
    kind: 'bits',
    ranges,
    lengthAt: whole.lengthAt,
    read(bytes, at, length, _name, into) {
      const word = readLe(bytes, at, length);
      for (const row of rows) into[row.name] = row.decode(word);
    },
    lengthOf: whole.lengthOf,
    ...(whole.size === undefined ? {} : { size: whole.size }),
    readersAt: (_name, offset) => {
      const count = whole.size ?? 0;
      return Object.fromEntries(
        rows.map(({ name, decode }) => [
          name,
          (bytes: Uint8Array, at: number) => decode(readLe(bytes, at + offset, count)),
        ]),
      );
    },
    write(bytes, at, name, from) {
      let word = 0;
      for (const row of rows) word += row.encode(from[row.name]);
      writeLe(bytes, at, whole.lengthOf(name, from), word);
    },
    fault: (_name, from) => firstFault(rows, (row) => row.fault(from[row.name])),
  };
}

/** The first thing that is wrong. */
function firstFault<T>(
  rows: readonly T[],
  faultOf: (row: T, place: number) => string | undefined,
): string | undefined {
  for (let i = 0; i < rows.length; i++) {
    const fault = faultOf(rows[i], i);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

interface BitRow {
  readonly name: string;
  decode(word: number): number | boolean;
  /** The bits of a value in their place. */
  encode(value: unknown): number;
  /** As that of a part; a flag that is left out is off. */
  fault(value: unknown): string | undefined;
}

function bitRow(name: string, range: BitRange): BitRow {
  if (typeof range === 'number') {
    const place = exp2(range);
    return {
      name,
      decode: (word) => Math.floor(word / place) % 2 === 1,
      encode: (value) => (value === true ? place : 0),
      fault: (value) =>
        value === undefined || typeof value === 'boolean'
          ? undefined
          : `${name} is true or false, not ${shown(value)}`,
    };
  }
  const [high, low, sign] = range;
  const place = exp2(low);
  const span = exp2(high - low + 1);
  const least = sign === 'signed' ? -span / 2 : 0;
  return {
    name,
    decode(word) {
      const value = Math.floor(word / place) % span;
      return value >= least + span ? value - span : value;
    },
    encode(value) {
      const number = Number(value);
      const fits = Number.isInteger(number) && number >= least && number < least + span;
      assert(fits, `${name} fits its ${high - low + 1} bits`);
      return (number < 0 ? number + span : number) * place;
    },
    fault: (value) => wholeFault(name, value, least, least + span - 1),
  };
}

// ── bytes ────────────────────────────────────────────────────────────────────────────────────────

/** Exactly `count` bytes. */
export function bytes(count: number): Field<Uint8Array> {
  return {
    kind: 'value',
    lengthAt: fixedLength(count),
    read: readBytes,
    lengthOf: () => count,
    size: count,
    write(out, at, name, from) {
      assert(bytesOf(name, from).length === count, `${name} has ${count} bytes`);
      out.set(bytesOf(name, from), at);
    },
    fault: (name, from) => bytesFault(name, from[name], count, count),
  };
}

/** Bytes of the longest PHYPayload: no run of bytes is longer. */
const MOST_BYTES = 255;

/** All bytes to the end of the message. */
export const rest: Field<Uint8Array> = {
  kind: 'value',
  lengthAt: (_bytes, at, end) => end - at,
  read: readBytes,
  lengthOf: (name, from) => bytesOf(name, from).length,
  write(out, at, name, from) {
    out.set(bytesOf(name, from), at);
  },
  fault: (name, from) => bytesFault(name, from[name], 0, MOST_BYTES),
};

function readBytes(
  bytes: Uint8Array,
  at: number,
  length: number,
  name: string,
  into: Values,
): void {
  into[name] = bytes.slice(at, at + length);
}

function bytesOf(name: string, from: Values): Uint8Array {
  const value = from[name];
  assert(value instanceof Uint8Array, `${name} is an array of bytes`);
  return value;
}

// ── conditions and lists ─────────────────────────────────────────────────────────────────────────

/** A field that is there only while none of these flags, which stand before it, is up. */
export function absentWhen<T>(field: Field<T>, ...flags: readonly string[]): OptionalField<T> {
  const when = `without ${flags.join(', ')}`;
  return { kind: 'optional', ...optional(field, (values) => isNoneUp(values, flags), when) };
}

/** The same for bits. */
export function bitsAbsentWhen<const R extends BitRanges>(
  field: BitField<R>,
  ...flags: readonly string[]
): OptionalBitField<R> {
  const names = Object.keys(field.ranges);
  const when = `without ${flags.join(', ')}`;
  const part = optional(field, (values) => isNoneUp(values, flags), when, names);
  return { kind: 'optionalBits', ranges: field.ranges, ...part };
}

function isNoneUp(values: Values, flags: readonly string[]): boolean {
  return flags.every((flag) => values[flag] !== true);
}

/** A field that is there only when another one, which stands before it, has this value. */
export function presentWhen<T>(field: Field<T>, name: string, value: number): OptionalField<T> {
  const when = `with ${name} ${value}`;
  return { kind: 'optional', ...optional(field, (values) => values[name] === value, when) };
}

/**
 * `when` is the condition in words; `names` are the payload's entries for this part, when they are
 * not the part's own name.
 */
function optional(
  part: Part,
  isThere: (values: Values) => boolean,
  when: string,
  names?: readonly string[],
): Part {
  return {
    lengthAt: (bytes, at, end, before) =>
      isThere(before) ? part.lengthAt(bytes, at, end, before) : 0,
    read(bytes, at, length, name, into) {
      if (isThere(into)) part.read(bytes, at, length, name, into);
    },
    lengthOf: (name, from) => (isThere(from) ? part.lengthOf(name, from) : 0),
    write(out, at, name, from) {
      const there = isThere(from);
      const consistent = (names ?? [name]).every((each) => there === (from[each] !== undefined));
      assert(consistent, `${name} is there when it has to be`);
      if (there) part.write(out, at, name, from);
    },
    fault(name, from) {
      if (isThere(from)) return part.fault(name, from);
      const stray = (names ?? [name]).find((each) => from[each] !== undefined);
      return stray === undefined ? undefined : `${stray} is given only ${when}`;
    },
  };
}

/** One record of fixed length per set bit of another field, which stands before it. */
export function perBit<const F extends Fields>(
  maskName: string,
  fields: F,
): Field<readonly Payload<F>[]> {
  const size = Object.entries(fields).reduce(
    (sum, [name, part]) => sum + part.lengthOf(name, {}),
    0,
  );
  return {
    kind: 'value',
    lengthAt(_bytes, at, end, before) {
      const length = bitCount(Number(before[maskName])) * size;
      return at + length <= end ? length : CUT_SHORT;
    },
    read(bytes, at, length, name, into) {
      const records: Values[] = [];
      for (let i = at; i < at + length; i += size) {
        const record: Values = {};
        readFields(fields, bytes, i, i + size, record);
        records.push(record);
      }
      into[name] = records;
    },
    lengthOf: (name, from) => (from[name] as Values[]).length * size,
    write(out, at, name, from) {
      const records = from[name] as Values[];
      const expected = bitCount(Number(from[maskName]));
      assert(records.length === expected, `${name} has one entry per bit of ${maskName}`);
      records.forEach((record, i) => {
        writeFields(fields, out, at + i * size, record);
      });
    },
    fault(name, from) {
      const records = from[name];
      const expected = bitCount(Number(from[maskName]));
      if (!Array.isArray(records) || records.length !== expected) {
        const wanted = `a list of ${expected}, one per bit of ${maskName}`;
        return `${name} is ${wanted}, not ${shown(records)}`;
      }
      return firstFault(records, (record, i) => valuesFault(fields, record, `${name}[${i}]`));
    },
  };
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

/** Where the message ends; `CUT_SHORT` when it does not. */
function readFields(
  fields: Fields,
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Values,
): number {
  let at = start;
  for (const name in fields) {
    const length = fields[name].lengthAt(bytes, at, end, into);
    if (length === CUT_SHORT) return CUT_SHORT;
    fields[name].read(bytes, at, length, name, into);
    at += length;
  }
  return at;
}

/** Readers of all values whose place does not depend on what stands before them. */
function readersOf(fields: Fields): Readonly<Record<string, Reader>> {
  let readers: Readonly<Record<string, Reader>> = {};
  let offset = 1;
  for (const [name, { size, readersAt }] of Object.entries(fields)) {
    if (size === undefined) break;
    readers = { ...readers, ...readersAt?.(name, offset) };
    offset += size;
  }
  return readers;
}

function writeFields(fields: Fields, out: Uint8Array, start: number, from: Values): number {
  let at = start;
  for (const name in fields) {
    fields[name].write(out, at, name, from);
    at += fields[name].lengthOf(name, from);
  }
  return at;
}

/** Why values cannot be written with these fields; names that no field has are faults too. */
function valuesFault(fields: Fields, from: unknown, owner: string): string | undefined {
  if (typeof from !== 'object' || from === null) return `${owner} is an object, not ${shown(from)}`;
  const parts = Object.entries(fields);
  const fault = firstFault(parts, ([name, part]) => part.fault(name, from as Values));
  if (fault !== undefined) return `${owner}: ${fault}`;
  const names = parts.flatMap(([name, part]) =>
    'ranges' in part ? Object.keys(part.ranges) : [name],
  );
  const stranger = Object.keys(from).find((name) => !names.includes(name));
  if (stranger === undefined) return undefined;
  return `${owner} has no ${stranger}, but ${names.length === 0 ? 'no fields' : names.join(', ')}`;
}

/** A payload and the place behind its message. */
export interface ReadAt<P> {
  readonly payload: P;
  readonly end: number;
}

export interface Message<F extends Fields, Cid extends number = number> {
  readonly cid: Cid;
  readonly fields: F;
  /**
   * `value.chMask(bytes, at)`: one value of the message at `at`, whose bytes are all there, without
   * allocation.
   */
  readonly value: Readers<F>;
  /** CID and payload. Values that do not fit their fields are an assertion. */
  encode(payload: Payload<F>): Uint8Array;
  /** The payload of exactly one message, CID included. */
  decode(bytes: Uint8Array): Result<Payload<F>, 'message.malformed'>;
  /** Reads one message at `start`, CID included; undefined when it is another one or cut short. */
  readAt(bytes: Uint8Array, start: number, end: number): ReadAt<Payload<F>> | undefined;
  /**
   * Why `encode` would not take this, a sentence with the range for someone else's program;
   * undefined when it would. `name` is the message's.
   */
  fault(payload: unknown, name: string): string | undefined;
}

/** A message: its command identifier and its fields in the order of the wire. */
export function message<const F extends Fields, const Cid extends number>(
  cid: Cid,
  fields: F,
): Message<F, Cid> {
  const readAt: Message<F>['readAt'] = (bytes, start, end) => {
    if (start >= end || bytes[start] !== cid) return undefined;
    const values: Values = {};
    const after = readFields(fields, bytes, start + 1, end, values);
    return after < 0 ? undefined : { payload: values as Payload<F>, end: after };
  };
  return {
    cid,
    fields,
    value: readersOf(fields) as unknown as Readers<F>,
    encode(payload) {
      const values = payload as Values;
      let length = 1;
      for (const name in fields) length += fields[name]!.lengthOf(name, values);
      const out = new Uint8Array(length);
      out[0] = cid;
      writeFields(fields, out, 1, values);
      return out;
    },
    decode(bytes) {
      const found = readAt(bytes, 0, bytes.length);
      if (found?.end === bytes.length) return ok(found.payload);
      return fail('message.malformed', `${bytes.length} bytes are no whole message ${cid}`);
    },
    readAt,
    fault: (payload, name) => valuesFault(fields, payload, name),
  };
}

// ── runs of commands ─────────────────────────────────────────────────────────────────────────────

/** The messages that may stand in one direction, by the standard's name. */
export type CommandSet = Readonly<Record<string, Message<Fields>>>;

/** One of them, with its name. */
export type CommandOf<S> = {
  [N in keyof S]: {
    readonly name: N;
    readonly payload: S[N] extends Message<infer F> ? Payload<F> : never;
  };
}[keyof S];

/** Commands read from a run, and what is left behind the last one that could be read. */
export interface CommandRun<S> {
  readonly commands: readonly CommandOf<S>[];
  /**
   * 0 when the run was read to its end; else it stopped at an unknown CID or a command cut short.
   */
  readonly unreadBytes: number;
}

/** Reads the commands between `start` and `end`, up to the first that is unknown or cut short. */
export function readCommands<S extends CommandSet>(
  set: S,
  bytes: Uint8Array,
  start = 0,
  end = bytes.length,
): CommandRun<S> {
  const byCid = messagesByCid(set);
  const commands: CommandOf<S>[] = [];
  let at = start;
  while (at < end) {
    const entry = byCid.get(bytes[at]);
    const found = entry?.[1].readAt(bytes, at, end);
    if (entry === undefined || found === undefined) break;
    commands.push({ name: entry[0], payload: found.payload } as CommandOf<S>);
    at = found.end;
  }
  return { commands, unreadBytes: end - at };
}

type NamedMessage = readonly [name: string, message: Message<Fields>];

const indexes = new WeakMap<CommandSet, ReadonlyMap<number, NamedMessage>>();

function messagesByCid(set: CommandSet): ReadonlyMap<number, NamedMessage> {
  const known = indexes.get(set);
  if (known !== undefined) return known;
  const entries = Object.entries(set).map((entry) => [entry[1].cid, entry] as const);
  const index = new Map<number, NamedMessage>(entries);
  assert(index.size === entries.length, 'every command of a set has its own CID');
  indexes.set(set, index);
  return index;
}
