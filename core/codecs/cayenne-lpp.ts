/**
 * Cayenne Low Power Payload, in its dynamic form: values one after the other, each with a channel,
 * a type and some bytes, the most significant first. The twelve types of the format, and others of
 * IPSO objects that its libraries have added. Decoded on every FPort; sent on 1 unless another is
 * asked for. A value is named by its type and channel: `{temperature_3: 27.2}`.
 */

import type { Json, JsonObject } from '../../sim/base/json.ts';
import { isWithin } from '../../sim/base/rows/range.ts';
import type { Codec, CodecUplink, Encoded } from './codec.ts';
import { MOST_PAYLOAD } from './limits.ts';
import { bytesOfNumber, numberAt, VALUES_OF } from './numbers.ts';

/** Numbers of one value: how many bytes each has, whether it is signed, how many make 1. */
interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly signed: boolean;
  readonly divisor: number;
}

interface Type {
  readonly type: number;
  readonly name: string;
  /** One part without a name: the value is a number. */
  readonly parts: readonly Part[];
  readonly bytes: number;
}

const part = (name: string, bytes: number, signed: boolean, divisor: number): Part => ({
  name,
  bytes,
  signed,
  divisor,
});
const U = (bytes: number, divisor = 1) => [part('', bytes, false, divisor)];
const S = (bytes: number, divisor = 1) => [part('', bytes, true, divisor)];
const AXES = (divisor: number) => ['x', 'y', 'z'].map((name) => part(name, 2, true, divisor));
const PLACE = [
  part('latitude', 3, true, 10_000),
  part('longitude', 3, true, 10_000),
  part('altitude', 3, true, 100),
];
const COLOUR = ['red', 'green', 'blue'].map((name) => part(name, 1, false, 1));

// The format's own.
const ROWS: readonly (readonly [type: number, name: string, parts: readonly Part[]])[] = [
  [0, 'digital_in', U(1)],
  [1, 'digital_out', U(1)],
  [2, 'analog_in', S(2, 100)],
  [3, 'analog_out', S(2, 100)],
  [101, 'luminosity', U(2)],
  [102, 'presence', U(1)],
  [103, 'temperature', S(2, 10)],
  [104, 'relative_humidity', U(1, 2)],
  [113, 'accelerometer', AXES(1000)],
  [115, 'barometric_pressure', U(2, 10)],
  [134, 'gyrometer', AXES(100)],
  [136, 'gps', PLACE],
  // What libraries have added.
  [100, 'generic', U(4)],
  [116, 'voltage', U(2, 100)],
  [117, 'current', U(2, 1000)],
  [118, 'frequency', U(4)],
  [120, 'percentage', U(1)],
  [121, 'altitude', S(2)],
  [125, 'concentration', U(2)],
  [128, 'power', U(2)],
  [130, 'distance', U(4, 1000)],
  [131, 'energy', U(4, 1000)],
  [132, 'direction', U(2)],
  [133, 'time', U(4)],
  [135, 'colour', COLOUR],
  [142, 'switch', U(1)],
];

const TYPES: readonly Type[] = ROWS.map(([type, name, parts]) => ({
  type,
  name,
  parts,
  bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
}));

/** By the byte that says so. */
const BY_NUMBER: readonly (Type | undefined)[] = Array.from({ length: 256 }, (_, number) =>
  TYPES.find(({ type }) => type === number),
);
const BY_NAME = new Map(TYPES.map((each) => [each.name, each]));

// ── decoding ─────────────────────────────────────────────────────────────────────────────────────

/** Names of values by type and channel, made when they are first needed. */
const NAMES: (string | undefined)[] = new Array(256 * 256).fill(undefined);

function nameOf({ type, name }: Type, channel: number): string {
  const at = 256 * type + channel;
  const known = NAMES[at];
  if (known !== undefined) return known;
  const created = `${name}_${channel}`;
  NAMES[at] = created;
  return created;
}

function decode({ bytes }: Pick<CodecUplink, 'bytes'>): JsonObject {
  const data: Record<string, Json> = {};
  let at = 0;
  while (at < bytes.length) {
    const type = BY_NUMBER[bytes[at + 1] ?? -1];
    if (type === undefined || at + 2 + type.bytes > bytes.length) return wrongAt(bytes, at);
    data[nameOf(type, bytes[at]!)] = valueAt(type, bytes, at + 2);
    at += 2 + type.bytes;
  }
  return data;
}

function valueAt({ parts }: Type, bytes: Uint8Array, from: number): Json {
  const [first] = parts;
  if (parts.length === 1) return partAt(first!, bytes, from);
  const value: Record<string, number> = {};
  let at = from;
  for (let i = 0; i < parts.length; i++) {
    const each = parts[i]!;
    value[each.name] = partAt(each, bytes, at);
    at += each.bytes;
  }
  return value;
}

const partAt = ({ bytes: size, signed, divisor }: Part, bytes: Uint8Array, at: number): number =>
  numberAt(bytes, at, size, signed) / divisor;

function wrongAt(bytes: Uint8Array, at: number): JsonObject {
  const number = bytes[at + 1];
  const type = number === undefined ? undefined : BY_NUMBER[number];
  const what =
    number === undefined
      ? 'a channel without a type'
      : type === undefined
        ? `type ${number} is unknown`
        : `${type.name} needs ${type.bytes} bytes, there are ${bytes.length - at - 2}`;
  return { errors: [`byte ${at}: ${what}`] };
}

// ── encoding ─────────────────────────────────────────────────────────────────────────────────────

const NAME = /^([a-z_]+)_(\d{1,3})$/;

function encode(data: JsonObject, fPort = 1): Encoded<{ fPort: number; bytes: Uint8Array }> {
  const bytes: number[] = [];
  const errors: string[] = [];
  for (const [key, value] of Object.entries(data)) {
    const [, name = '', channel = ''] = NAME.exec(key) ?? [];
    const type = BY_NAME.get(name);
    if (type === undefined || Number(channel) > 255) {
      errors.push(`${key}: is no value of Cayenne LPP; a name is one such as temperature_1`);
      continue;
    }
    bytes.push(Number(channel), type.type);
    for (const each of type.parts) bytes.push(...bytesOf(each, value, key, errors));
  }
  if (bytes.length > MOST_PAYLOAD) {
    errors.push(`the values need ${bytes.length} bytes; there may be ${MOST_PAYLOAD}`);
  }
  if (errors.length > 0) return { errors };
  return { value: { fPort, bytes: Uint8Array.from(bytes) }, warnings: [] };
}

/** The bytes of a part of a value; what is wrong with it is added to the errors. */
function bytesOf(part: Part, value: Json, key: string, errors: string[]): readonly number[] {
  const { name, bytes: size, signed, divisor } = part;
  const given = name === '' ? flagless(value) : (value as JsonObject | null)?.[name];
  const values = VALUES_OF[size]!;
  const [least, most] = signed ? [-values / 2, values / 2 - 1] : [0, values - 1];
  const raw = typeof given === 'number' ? Math.round(given * divisor) : Number.NaN;
  if (!isWithin(raw, { least, most })) {
    const where = name === '' ? key : `${key}.${name}`;
    errors.push(`${where}: has to be a number from ${least / divisor} to ${most / divisor}`);
    return [];
  }
  return bytesOfNumber(raw, size);
}

/** `true` is 1. */
const flagless = (value: Json): Json => (typeof value === 'boolean' ? Number(value) : value);

export const cayenneLpp: Codec = { decode, encode };
