/**
 * A snapshot as bytes, and back: what leaves the program may come back damaged, or to another
 * world. Nothing of it is read before it is known to be whole and of this plan and seed.
 *
 *     bytes      what
 *     8          FLEETSNP
 *     4          version of this form and of what a snapshot holds
 *     6          length of the body
 *     32         SHA-256 of the plan
 *     32         SHA-256 of the seed
 *     …          the body
 *     8          checksum of all before (`sim/base/checksum.ts`)
 *
 * The body has two parts: records as MessagePack, behind their length, which takes 6 bytes; and
 * the numbers of typed arrays one after the other, each from a place on where numbers of any width
 * may begin. Where an array stands in the records there is its place among the numbers, so that
 * they are copied whole and once (docs/decisions/0092).
 *
 * The body names contents by their SHA-256, and has none of their bytes (docs/decisions/0041).
 *
 * Numbers of the header are little-endian. The checksum finds damage; it is no signature, and a
 * file that was forged with its checksum is trusted (docs/decisions/0033).
 */
import { decodeMulti, ExtensionCodec, encode } from '@msgpack/msgpack';
import { equalBytes, fromHex, readLe, toHex, writeLe } from '../../sim/base/bytes.ts';
import { checksum as checksumOf } from '../../sim/base/checksum.ts';
import { andThen, fail, ok, type Result } from '../../sim/base/result.ts';
import { sha256 } from '../../sim/base/sha256.ts';
import type { Content } from '../base/contents.ts';
import { hashOf } from '../base/hash.ts';
import { finish, type Steps } from '../base/in-steps.ts';
import type { WorldPlan } from './plan.ts';

/** Grows with every change of what is saved. */
const VERSION = 21;
const MAGIC = Uint8Array.from('FLEETSNP', (letter) => letter.charCodeAt(0));
const CHECK_BYTES = 8;
const AT = { version: 8, length: 12, plan: 18, seed: 50, body: 82, records: 88 } as const;

/** Which world a snapshot was taken of: SHA-256 of its plan and of its seed, in hexadecimal. */
export interface Origin {
  readonly plan: string;
  readonly seed: string;
}

export type SnapshotFault =
  | 'snapshot.format'
  | 'snapshot.version'
  | 'snapshot.length'
  | 'snapshot.checksum'
  | 'snapshot.plan'
  | 'snapshot.seed'
  | 'snapshot.contents';

/** Plans do not change, and the hash of a large one takes as long as a snapshot. */
const planHashes = new WeakMap<WorldPlan, string>();

export function originOf(plan: WorldPlan, seed: string): Origin {
  const known = planHashes.get(plan) ?? hashOfPlan(plan);
  planHashes.set(plan, known);
  return { plan: known, seed: hashOfPlain(seed) };
}

/** Devices are hashed field by field: their names of fields, a million times, are half of all. */
const hashOfPlan = ({ network, ...plan }: WorldPlan): string =>
  hashOfPlain({ ...plan, network: { ...network, devices: fieldsOf(network.devices) } });

/** What rows have, by its name, in their order: numbers as bytes, texts as one with their ends. */
function fieldsOf(rows: readonly object[]): object {
  const fields: Record<string, unknown[]> = {};
  rows.forEach((row, at) => {
    for (const [name, value] of Object.entries(row)) {
      fields[name] ??= new Array(rows.length).fill(undefined);
      fields[name][at] = value;
    }
  });
  const together = Object.entries(fields).map(([name, values]) => [name, joined(values)] as const);
  return { rows: rows.length, ...Object.fromEntries(together) };
}

function joined(values: readonly unknown[]): unknown {
  const bytesOf = (numbers: readonly number[]) => new Uint8Array(Float64Array.from(numbers).buffer);
  if (values.every((value) => typeof value === 'number')) return bytesOf(values);
  if (!values.every((value) => typeof value === 'string')) return values;
  return { text: values.join(''), lengths: bytesOf(values.map(({ length }) => length)) };
}

/** Of plain data, whatever the order of its keys. */
const hashOfPlain = (value: unknown): string =>
  toHex(sha256(encode(value, { sortKeys: true, ignoreUndefined: true })));

interface WithContents {
  readonly contents: readonly Content[];
}

/** How a snapshot is held to be whole. */
export interface Sealing {
  /**
   * Whether it carries its checksum; false: the storage verifies its integrity itself, which saves
   * time. True when absent.
   */
  readonly checksum?: boolean;
}

/** Plain data and typed arrays, sealed as a snapshot of this origin; contents by name only. */
export const packSnapshot = (state: WithContents, origin: Origin, sealing?: Sealing): Uint8Array =>
  finish(packingSnapshot(state, origin, sealing));

/** `packSnapshot` in steps. */
export function* packingSnapshot(
  { contents, ...state }: WithContents,
  { plan, seed }: Origin,
  { checksum = true }: Sealing = {},
): Steps<Uint8Array> {
  const named = contents.map(({ sha256 }) => sha256);
  const numbers = new PackedNumbers();
  const options = { extensionCodec, context: numbers };
  const records = joinBytes(yield* encoded({ ...state, named }, options, SPLIT_DEPTH));
  const numbersAt = aligned(AT.records + records.length);
  const end = numbersAt + numbers.length;
  const bytes = new Uint8Array(end + CHECK_BYTES);
  bytes.set(MAGIC);
  writeLe(bytes, AT.version, 4, VERSION);
  writeLe(bytes, AT.length, 6, end - AT.body);
  bytes.set(fromHex(plan), AT.plan);
  bytes.set(fromHex(seed), AT.seed);
  writeLe(bytes, AT.body, 6, records.length);
  bytes.set(records, AT.records);
  numbers.writeTo(bytes.subarray(numbersAt, end));
  if (checksum) bytes.set(checksumOf(bytes.subarray(0, end)), end);
  return bytes;
}

/** What was packed, or why these bytes are not a snapshot of this origin. */
export const unpackSnapshot = (
  bytes: Uint8Array,
  origin: Origin,
  port?: Beside['contents'],
  sealing?: Sealing,
): Result<WithContents, SnapshotFault> => finish(unpackingSnapshot(bytes, origin, port, sealing));

/** `unpackSnapshot` in steps. */
export function* unpackingSnapshot(
  bytes: Uint8Array,
  origin: Origin,
  port: Beside['contents'] = () => undefined,
  { checksum = true }: Sealing = {},
): Steps<Result<WithContents, SnapshotFault>> {
  const wrong = faultOf(bytes, origin, checksum);
  if (wrong !== undefined) return wrong;
  const end = AT.records + readLe(bytes, AT.body, 6);
  const context = new NumbersIn(bytes.subarray(aligned(end), -CHECK_BYTES));
  const options = { extensionCodec, context };
  const records = yield* decoded(bytes.subarray(AT.records, end), options);
  const { named, ...state } = records as { readonly named: readonly string[] };
  return andThen(contentsFrom(named, port), (contents) => ok({ ...state, contents }));
}

/** What is stored beside snapshots as bytes. */
export interface Beside {
  /** Contents by their SHA-256, lower-case hexadecimal; undefined: they are not there. */
  readonly contents?: (sha256: string) => Uint8Array | undefined;
}

/** The contents of these hashes, or which of them are not there or are others. */
function contentsFrom(
  hashes: readonly string[],
  port: NonNullable<Beside['contents']>,
): Result<readonly Content[], SnapshotFault> {
  const contents: Content[] = [];
  for (const sha256 of hashes) {
    const bytes = port(sha256);
    if (bytes === undefined || hashOf(bytes) !== sha256) {
      const what = bytes === undefined ? 'missing' : 'damaged';
      return fail('snapshot.contents', `The contents with SHA-256 ${sha256} are ${what}.`);
    }
    contents.push({ sha256, bytes });
  }
  return ok(contents);
}

function faultOf(
  bytes: Uint8Array,
  { plan, seed }: Origin,
  checksum: boolean,
): Result<never, SnapshotFault> | undefined {
  if (!equalBytes(bytes.subarray(0, MAGIC.length), MAGIC)) {
    return fail(
      'snapshot.format',
      'The bytes are not a snapshot: they do not begin with FLEETSNP.',
    );
  }
  if (bytes.length < AT.records + CHECK_BYTES) {
    const least = AT.records + CHECK_BYTES;
    const message = `The snapshot has ${bytes.length} bytes; it has to have at least ${least}.`;
    return fail('snapshot.length', message);
  }
  const version = readLe(bytes, AT.version, 4);
  if (version !== VERSION) {
    const message = `The snapshot is of version ${version}; this program reads version ${VERSION}.`;
    return fail('snapshot.version', message);
  }
  const length = AT.body + readLe(bytes, AT.length, 6) + CHECK_BYTES;
  if (bytes.length !== length) {
    const message = `The snapshot has ${bytes.length} bytes; its header says ${length}.`;
    return fail('snapshot.length', message);
  }
  if (checksum && !isWhole(bytes)) {
    return fail('snapshot.checksum', 'The snapshot is damaged: its checksum is not that of it.');
  }
  if (toHex(bytes.subarray(AT.plan, AT.seed)) !== plan) {
    return fail('snapshot.plan', 'The snapshot was taken of a world with another plan.');
  }
  if (toHex(bytes.subarray(AT.seed, AT.body)) !== seed) {
    return fail('snapshot.seed', 'The snapshot was taken of a world with another seed.');
  }
  return undefined;
}

const isWhole = (bytes: Uint8Array): boolean =>
  equalBytes(checksumOf(bytes.subarray(0, -CHECK_BYTES)), bytes.subarray(-CHECK_BYTES));

// ── records, in steps ────────────────────────────────────────────────────────────────────────────

interface Coding<Context> {
  readonly extensionCodec: ExtensionCodec<PackedNumbers | NumbersIn>;
  readonly context: Context;
}

/** Records are encoded one by one down to this depth: that of what each resource saves. */
const SPLIT_DEPTH = 4;
/** A map of MessagePack begins with how many entries it has: below 16, or as 16 bits. */
const SMALL_MAP = { most: 15, tag: 0x80 } as const;
const MAP = { tag: 0xde } as const;
/** Fields of a record that is split; lists by name have more. */
const MOST_SPLIT = 100;

/** Pieces of what `encode` makes of a value. */
function* encoded(
  value: unknown,
  coding: Coding<PackedNumbers>,
  depth: number,
): Steps<readonly Uint8Array[]> {
  const entries = depth > 0 && isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0 || entries.length > MOST_SPLIT) {
    yield;
    return [encode<PackedNumbers | NumbersIn>(value, coding)];
  }
  const pieces: Uint8Array[] = [mapHead(entries.length)];
  for (const [name, each] of entries) {
    pieces.push(encode(name), ...(yield* encoded(each, coding, depth - 1)));
  }
  return pieces;
}

const mapHead = (entries: number): Uint8Array =>
  entries <= SMALL_MAP.most
    ? Uint8Array.of(SMALL_MAP.tag | entries)
    : Uint8Array.of(MAP.tag, entries >> 8, entries & 0xff);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value);

function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** What `decode` makes of the bytes of a record, field by field. */
function* decoded(bytes: Uint8Array, coding: Coding<NumbersIn>): Steps<Record<string, unknown>> {
  const record: Record<string, unknown> = {};
  const entries = decodeMulti<PackedNumbers | NumbersIn>(
    bytes.subarray(bytes[0] === MAP.tag ? 3 : 1),
    coding,
  );
  for (const name of entries) {
    record[name as string] = entries.next().value;
    yield;
  }
  return record;
}

// ── typed arrays ───────────────────────────────────────────────────────────────────────────────

/** Extension types by their place. Numbers are in the order of bytes of the machine. */
const TYPED_ARRAYS = [Float64Array, Int32Array, Uint32Array, Int16Array, Uint16Array, Uint8Array];

/** The next place where numbers of any width may begin. */
const aligned = (at: number): number => 8 * Math.ceil(at / 8);

/** The numbers of a snapshot that is packed. */
class PackedNumbers {
  readonly #arrays: ArrayBufferView[] = [];
  /** Bytes of all of them. */
  length = 0;

  /** Takes an array in: its first byte and how many it has, as the records say it. */
  add(array: ArrayBufferView): Uint8Array {
    const place = new Uint8Array(12);
    writeLe(place, 0, 6, this.length);
    writeLe(place, 6, 6, array.byteLength);
    this.#arrays.push(array);
    this.length += aligned(array.byteLength);
    return place;
  }

  writeTo(bytes: Uint8Array): void {
    let at = 0;
    for (const { buffer, byteOffset, byteLength } of this.#arrays) {
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += aligned(byteLength);
    }
  }
}

/** The numbers of a snapshot that is unpacked. */
class NumbersIn {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A copy of those at a place: what is restored changes them. */
  at(place: Uint8Array): ArrayBuffer {
    const from = readLe(place, 0, 6);
    // Not slice(): of a Node.js Buffer that is a view of the same bytes.
    return new Uint8Array(this.#bytes.subarray(from, from + readLe(place, 6, 6))).buffer;
  }
}

const extensionCodec = new ExtensionCodec<PackedNumbers | NumbersIn>();
TYPED_ARRAYS.forEach((TypedArray, type) => {
  extensionCodec.register({
    type,
    encode: (value, numbers) =>
      value instanceof TypedArray ? (numbers as PackedNumbers).add(value) : null,
    decode: (place, _type, numbers) => new TypedArray((numbers as NumbersIn).at(place)),
  });
});
