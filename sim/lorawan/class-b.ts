/**
 * Class B: when ping slots open and what a beacon holds (LoRaWAN 1.0.4 §8…§14; beacon layouts of
 * RP002-1.0.4).
 */
import { assert } from '../base/assert.ts';
import { readLe, writeLe } from '../base/bytes.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { BLOCK_WORDS, type CipherBlock, encryptWords, expandKey } from './aes.ts';
import type { ClassBChannel } from './regional-plan.ts';

/** Beacons start at GPS times that are multiples of this. */
export const BEACON_PERIOD_S = 128;
/** From the beacon's start: nothing but the beacon. */
export const BEACON_RESERVED_US = 2_120_000;
/** Before the next beacon: no ping slot begins here. */
export const BEACON_GUARD_US = 3_000_000;
export const PING_SLOT_US = 30_000;
/** Gateways start the beacon so much after the period's start. */
export const BEACON_DELAY_US = 1_500;

const BEACON_PERIOD_US = BEACON_PERIOD_S * 1_000_000;

// ── ping slots ───────────────────────────────────────────────────────────────────────────────────

const ZERO_KEY = expandKey(new Uint8Array(16));

/** `pingOffset` fills it and uses it up. */
const block: CipherBlock = new Int32Array(BLOCK_WORDS);

/** Ping slots per beacon period at periodicity 0…7. */
export function pingSlotsPerBeacon(periodicity: number): number {
  return 1 << (7 - periodicity);
}

/** Slots of 30 ms from one ping slot to the next. */
export function pingPeriodSlots(periodicity: number): number {
  return 32 << periodicity;
}

/**
 * Slot of a device's first ping in a beacon period. `beaconTimeS` is the GPS time of the beacon,
 * `devAddr` the device's or the multicast group's address. Source: LoRaWAN 1.0.4 §11.
 */
export function pingOffset(ping: {
  readonly beaconTimeS: number;
  readonly devAddr: number;
  readonly periodicity: number;
}): number {
  block[0] = reversed(ping.beaconTimeS % 4_294_967_296);
  block[1] = reversed(ping.devAddr);
  block[2] = 0;
  block[3] = 0;
  encryptWords(ZERO_KEY, block);
  const random = (block[0] >>> 24) | (((block[0] >>> 16) & 0xff) << 8);
  return random % pingPeriodSlots(ping.periodicity);
}

function reversed(word: number): number {
  return ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

export interface PingSlot {
  /** GPS time, s, of the beacon that it follows. */
  readonly beaconTimeS: number;
  /** Counted from 0 within the beacon period. */
  readonly slotNumber: number;
  /** GPS time, µs. */
  readonly startUs: number;
}

/** The first ping slot that starts after a GPS time in µs. */
export function nextPingSlot(afterUs: number, devAddr: number, periodicity: number): PingSlot {
  let beaconTimeS = Math.floor(afterUs / BEACON_PERIOD_US) * BEACON_PERIOD_S;
  const stepUs = pingPeriodSlots(periodicity) * PING_SLOT_US;
  for (;;) {
    const offset = pingOffset({ beaconTimeS, devAddr, periodicity });
    const firstUs = beaconTimeS * 1_000_000 + BEACON_RESERVED_US + offset * PING_SLOT_US;
    const slotNumber = Math.max(Math.floor((afterUs - firstUs) / stepUs) + 1, 0);
    if (slotNumber < pingSlotsPerBeacon(periodicity)) {
      return { beaconTimeS, slotNumber, startUs: firstUs + slotNumber * stepUs };
    }
    beaconTimeS += BEACON_PERIOD_S;
  }
}

/**
 * The first ping slot from a GPS time in µs on in which a frame keeps clear of the beacons around
 * it; `roomUs` is what a gateway's queue keeps free before and after a frame besides.
 */
export function nextClearSlot(
  fromUs: number,
  devAddr: number,
  periodicity: number,
  airtimeUs: number,
  marginUs: number,
): PingSlot {
  let slot = nextPingSlot(fromUs - 1, devAddr, periodicity);
  for (;;) {
    const beaconUs = slot.beaconTimeS * 1_000_000 + BEACON_DELAY_US;
    const isEarly = slot.startUs - marginUs < beaconUs + BEACON_RESERVED_US;
    const guardUs = beaconUs + BEACON_PERIOD_US - BEACON_GUARD_US;
    if (!isEarly && slot.startUs + airtimeUs + marginUs <= guardUs) return slot;
    slot = nextPingSlot(slot.startUs, devAddr, periodicity);
  }
}

/**
 * Frequency of a device's or group's ping slots in a beacon period: fixed, or hopping over eight.
 */
export function pingSlotFrequencyHz(
  channel: ClassBChannel,
  devAddr: number,
  beaconTimeS: number,
): number {
  const count = channel.frequenciesHz.length;
  return channel.frequenciesHz[(devAddr + Math.floor(beaconTimeS / BEACON_PERIOD_S)) % count];
}

/** Frequency of a beacon. */
export function beaconFrequencyHz(channel: ClassBChannel, beaconTimeS: number): number {
  return pingSlotFrequencyHz(channel, 0, beaconTimeS);
}

// ── beacons ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Bytes before Time (Param is the last of them) and after Lng, by the beacon's spreading factor.
 */
const BEACON_LAYOUTS: Readonly<Record<number, readonly [before: number, after: number]>> = {
  8: [1, 3],
  9: [2, 0],
  10: [3, 1],
  12: [5, 3],
};

export interface Beacon {
  /** GPS seconds modulo 2^32. */
  readonly timeS: number;
  /** Precision of the gateway's time: 10^−6 · 2^… ; bits of Param, 0 when it is good. */
  readonly param: number;
  /** 0…2: position of the gateway's antenna. */
  readonly infoDesc: number;
  /** Latitude · 2^23 / 90°, −2^23 … 2^23 − 1. */
  readonly latitude24: number;
  /** Longitude · 2^23 / 180°. */
  readonly longitude24: number;
}

function layoutOf(spreadingFactor: number): readonly [before: number, after: number] {
  const layout = BEACON_LAYOUTS[spreadingFactor];
  assert(layout !== undefined, 'beacons are sent at SF8, 9, 10 or 12');
  return layout;
}

/** Bytes of a beacon. */
export function beaconBytes(spreadingFactor: number): number {
  const [before, after] = layoutOf(spreadingFactor);
  return before + 4 + 2 + 7 + after + 2;
}

/** The beacon as it is sent; a spreading factor without a layout is an assertion. */
export function encodeBeacon(spreadingFactor: number, beacon: Beacon): Uint8Array {
  const [before] = layoutOf(spreadingFactor);
  const out = new Uint8Array(beaconBytes(spreadingFactor));
  out[before - 1] = beacon.param;
  writeLe(out, before, 4, beacon.timeS % 4_294_967_296);
  const second = before + 6;
  writeLe(out, second - 2, 2, crc16(out, 0, second - 2));
  out[second] = beacon.infoDesc;
  writeLe(out, second + 1, 3, beacon.latitude24 & 0xffffff);
  writeLe(out, second + 4, 3, beacon.longitude24 & 0xffffff);
  writeLe(out, out.length - 2, 2, crc16(out, second, out.length - 2));
  return out;
}

/**
 * Reads a beacon. The part with the time must be whole; `positionOk` is whether the gateway's
 * part is too.
 */
export function decodeBeacon(
  spreadingFactor: number,
  bytes: Uint8Array,
): Result<Beacon & { readonly positionOk: boolean }, 'beacon.malformed'> {
  const [before] = layoutOf(spreadingFactor);
  const second = before + 6;
  if (bytes.length !== beaconBytes(spreadingFactor)) {
    return fail('beacon.malformed', `${bytes.length} bytes are no beacon`);
  }
  if (readLe(bytes, second - 2, 2) !== crc16(bytes, 0, second - 2)) {
    return fail('beacon.malformed', 'the CRC of the beacon’s time is wrong');
  }
  return ok({
    timeS: readLe(bytes, before, 4),
    param: bytes[before - 1],
    infoDesc: bytes[second],
    latitude24: (readLe(bytes, second + 1, 3) << 8) >> 8,
    longitude24: (readLe(bytes, second + 4, 3) << 8) >> 8,
    positionOk: readLe(bytes, bytes.length - 2, 2) === crc16(bytes, second, bytes.length - 2),
  });
}

/** CRC-16 with polynomial 1021, from 0, without reflection, of bytes `start` … `end` − 1. */
function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let i = start; i < end; i++) {
    crc = ((crc << 8) & 0xffff) ^ CRC_OF_BYTE[(crc >> 8) ^ bytes[i]];
  }
  return crc;
}

/** What the polynomial makes of each byte: gateways sign beacons by the thousand. */
const CRC_OF_BYTE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return crc;
});
