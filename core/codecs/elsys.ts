/**
 * The payloads of ELSYS sensors (ERS and its relatives): values one after the other, each with a
 * type and some bytes, mostly the most significant first. Names are those of the maker's own
 * decoder.
 */

import type { Json, JsonObject } from '../../sim/base/json.ts';
import type { Codec, CodecUplink } from './codec.ts';
import { numberAt } from './numbers.ts';

/** A number within a value. */
interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly signed: boolean;
  readonly divisor: number;
  /** The least significant byte comes first. */
  readonly little?: true;
}

const u = (name: string, bytes: number, divisor = 1): Part => ({
  name,
  bytes,
  signed: false,
  divisor,
});
const s = (name: string, bytes: number, divisor = 1): Part => ({
  ...u(name, bytes, divisor),
  signed: true,
});

const PIXELS = 64;

/** What a type holds. */
const TYPES: ReadonlyMap<number, readonly Part[]> = new Map([
  [0x01, [s('temperature', 2, 10)]],
  [0x02, [u('humidity', 1)]],
  // 63 is 1 g.
  [0x03, [s('x', 1), s('y', 1), s('z', 1)]],
  [0x04, [u('light', 2)]],
  [0x05, [u('motion', 1)]],
  [0x06, [u('co2', 2)]],
  [0x07, [u('vdd', 2)]],
  [0x08, [u('analog1', 2)]],
  [
    0x09,
    [
      { ...s('lat', 3, 10_000), little: true },
      { ...s('long', 3, 10_000), little: true },
    ],
  ],
  [0x0a, [u('pulse1', 2)]],
  [0x0b, [u('pulseAbs', 4)]],
  [0x0c, [s('externalTemperature', 2, 10)]],
  [0x0d, [u('digital', 1)]],
  [0x0e, [u('distance', 2)]],
  [0x0f, [u('accMotion', 1)]],
  [0x10, [s('irInternalTemperature', 2, 10), s('irExternalTemperature', 2, 10)]],
  [0x11, [u('occupancy', 1)]],
  [0x12, [u('waterleak', 1)]],
  [0x14, [u('pressure', 4, 1000)]],
  [0x15, [u('soundPeak', 1), u('soundAvg', 1)]],
  [0x16, [u('pulse2', 2)]],
  [0x17, [u('pulseAbs2', 4)]],
  [0x18, [u('analog2', 2)]],
  [0x1a, [u('digital2', 1)]],
  [0x1b, [s('analogUv', 4)]],
  [0x1c, [u('tvoc', 2)]],
]);

const GRID_EYE = 0x13;
const SECOND_PROBE = 0x19;
/** What follows is the sensor's settings, which are no measurements. */
const SETTINGS = 0x3e;

function decode({ bytes }: Pick<CodecUplink, 'bytes'>): JsonObject {
  const data: Record<string, Json> = {};
  let at = 0;
  while (at < bytes.length) {
    const type = bytes[at]!;
    if (type === SETTINGS) return data;
    const parts = partsOf(type);
    if (parts === undefined) return { errors: [`byte ${at}: type ${type} is unknown`] };
    const size = parts.reduce((sum, each) => sum + each.bytes, 0);
    const left = bytes.length - at - 1;
    if (left < size) {
      return { errors: [`byte ${at}: type ${type} needs ${size} bytes, there are ${left}`] };
    }
    addTo(data, type, valuesAt(parts, bytes, at + 1));
    at += 1 + size;
  }
  return data;
}

const GRID: readonly Part[] = [
  u('irInternalTemperature', 1),
  ...Array.from({ length: PIXELS }, () => u('', 1, 10)),
];
const PROBE: readonly Part[] = [s('externalTemperature2', 2, 10)];

const partsOf = (type: number): readonly Part[] | undefined =>
  type === GRID_EYE ? GRID : type === SECOND_PROBE ? PROBE : TYPES.get(type);

/** Numbers of the parts, in their order. */
function valuesAt(parts: readonly Part[], bytes: Uint8Array, from: number) {
  let at = from;
  return parts.map(({ name, bytes: size, signed, divisor, little = false }) => {
    const own = bytes.subarray(at, at + size);
    at += size;
    return [name, numberAt(little ? own.toReversed() : own, 0, size, signed) / divisor] as const;
  });
}

function addTo(
  data: Record<string, Json>,
  type: number,
  values: readonly (readonly [name: string, value: number])[],
): void {
  if (type === GRID_EYE) {
    const [[name, reference], ...pixels] = values as [(typeof values)[0], ...typeof values];
    data[name] = reference;
    data.grideye = pixels.map(([, above]) => (10 * reference + Math.round(10 * above)) / 10);
    return;
  }
  for (const [name, value] of values) {
    // More probes than one: a list of them.
    const before = type === SECOND_PROBE ? data[name] : undefined;
    data[name] = before === undefined ? value : [before, value].flat();
  }
}

export const elsys: Codec = { decode };
