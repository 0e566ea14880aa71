/**
 * How the server judges uplinks and protects downlinks, by the keys of a device's session (LoRaWAN
 * 1.0.4 §4.3.3, §4.4; 1.1 §4.3.1.6, §4.4).
 */
import { assert } from '../base/assert.ts';
import {
  DOWNLINK,
  FCtrl,
  FOPTS_OFFSET,
  MIC_BYTES,
  NO_PORT,
  type ParsedFrame,
  UPLINK,
} from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import type { KeyAt, MicContext11 } from '../lorawan/frame-security-11.ts';
import { MOST_CHANNELS } from '../spectrum/channel-set.ts';
import { NEXT_KEYS, NextKey, type Registrations } from './registrations.ts';
import type { ServerSide } from './server-side.ts';

interface SessionKeys {
  readonly fNwkSIntKey: KeyAt;
  readonly sNwkSIntKey: KeyAt;
}

/** The integrity keys of a device's session, or of the one that it has not used yet. */
function integrityKeys({ registrations }: ServerSide, row: number, next: boolean): SessionKeys {
  const r = registrations.column;
  if (next) {
    const at = row * NEXT_KEYS * KEY_BYTES;
    return {
      fNwkSIntKey: { keys: r.nextKeys, at: at + NextKey.fNwkSInt * KEY_BYTES },
      sNwkSIntKey: { keys: r.nextKeys, at: at + NextKey.sNwkSInt * KEY_BYTES },
    };
  }
  const at = row * KEY_BYTES;
  return {
    fNwkSIntKey: registrations.nwkSKeys.of(row),
    sNwkSIntKey: { keys: r.sNwkSIntKey, at },
  };
}

/** Whether an uplink with this counter bears the MIC of the session (the next one with `next`). */
export function isAuthentic(
  side: ServerSide,
  row: number,
  bytes: Uint8Array,
  length: number,
  parsed: ParsedFrame,
  counter: number,
  uplink: { readonly dataRate: number; readonly frequencyHz: number },
  next: boolean,
): boolean {
  const { registrations, security } = side;
  const r = registrations.column;
  const text = length - MIC_BYTES;
  if (r.minor[row] === 0 && !next) {
    const { keys, at } = registrations.nwkSKeys.of(row);
    const { devAddr } = parsed;
    return parsed.mic === security.dataMic(keys, at, UPLINK, devAddr, counter, bytes, text);
  }
  const { fNwkSIntKey, sNwkSIntKey } = integrityKeys(side, row, next);
  const context: MicContext11 = {
    devAddr: parsed.devAddr,
    fCnt32: counter,
    confFCnt: (parsed.fCtrl & FCtrl.ack) === 0 ? 0 : r.confFCntDown[row] & 0xffff,
    txDr: uplink.dataRate,
    txCh: 0,
  };
  const isOn = (channel: number) => {
    context.txCh = channel;
    const mic = security.v11.uplinkMic(fNwkSIntKey, sNwkSIntKey, context, bytes, text);
    return mic === parsed.mic;
  };
  const believed = side.channelSets
    .get(r.channelSet[row])
    .findIndex((channel) => channel?.frequencyHz === uplink.frequencyHz);
  if (believed >= 0 && isOn(believed)) return true;
  for (let channel = 0; channel < MOST_CHANNELS; channel++) if (isOn(channel)) return true;
  return false;
}

/** What encrypts the payload on a port. */
function portKey(registrations: Registrations, row: number, fPort: number): KeyAt {
  if (fPort !== 0) return registrations.appSKeys.of(row);
  const { minor, nwkSEncKey } = registrations.column;
  if (minor[row] === 0) return registrations.nwkSKeys.of(row);
  return { keys: nwkSEncKey, at: row * KEY_BYTES };
}

/** Decrypts an uplink's FOpts and FRMPayload in place. */
export function openUplink(
  { registrations, security }: ServerSide,
  row: number,
  bytes: Uint8Array,
  parsed: ParsedFrame,
  counter: number,
): void {
  const r = registrations.column;
  const { devAddr, fPort, fOptsLength, payloadOffset, payloadLength } = parsed;
  const modern = r.minor[row] === 1;
  if (modern) {
    const key = { keys: r.nwkSEncKey, at: row * KEY_BYTES };
    security.v11.cryptFOpts(key, UPLINK, devAddr, counter, fPort, bytes, FOPTS_OFFSET, fOptsLength);
  }
  if (fPort === NO_PORT || !security.encrypts) return;
  const { keys, at } = portKey(registrations, row, fPort);
  security.crypt(keys, at, UPLINK, devAddr, counter, bytes, payloadOffset, payloadLength);
}

/** The parts of a downlink that are encrypted, and whether it acknowledges. */
interface Parts {
  readonly fPort: number;
  readonly fOptsLength: number;
  readonly payloadLength: number;
  readonly ack: boolean;
  readonly counter: number;
}

/** Encrypts a downlink of `length` bytes in place and returns its MIC. */
export function protectDownlink(
  { registrations, security }: ServerSide,
  row: number,
  bytes: Uint8Array,
  length: number,
  parts: Parts,
): number {
  const r = registrations.column;
  const { fPort, fOptsLength, payloadLength, ack, counter } = parts;
  const at = row * KEY_BYTES;
  const devAddr = r.devAddr[row];
  const modern = r.minor[row] === 1;
  const payloadAt = length - payloadLength;
  if (security.encrypts && payloadLength > 0) {
    const { keys, at } = portKey(registrations, row, fPort);
    security.crypt(keys, at, DOWNLINK, devAddr, counter, bytes, payloadAt, payloadLength);
  }
  if (!modern) {
    const { keys, at } = registrations.nwkSKeys.of(row);
    return security.dataMic(keys, at, DOWNLINK, devAddr, counter, bytes, length);
  }
  const { v11 } = security;
  const key = { keys: r.nwkSEncKey, at };
  v11.cryptFOpts(key, DOWNLINK, devAddr, counter, fPort, bytes, FOPTS_OFFSET, fOptsLength);
  const confFCnt = ack ? r.confFCntUp[row] & 0xffff : 0;
  // Data rate and channel are no part of a downlink's MIC.
  const context: MicContext11 = { devAddr, fCnt32: counter, confFCnt, txDr: 0, txCh: 0 };
  return v11.downlinkMic({ keys: r.sNwkSIntKey, at }, context, bytes, length);
}

/**
 * Decrypts a downlink's FOpts and FRMPayload in place; false, and it stays as it is, when the
 * device has another session by now. A 1.0 frame is known by its MIC. That of 1.1 may speak of an
 * uplink that is no longer the latest, but there a session has another address than the one before.
 */
export function openDownlink(
  { registrations, security }: ServerSide,
  row: number,
  bytes: Uint8Array,
  length: number,
  parsed: ParsedFrame,
  counter: number,
): boolean {
  const r = registrations.column;
  const { devAddr, mic, fPort, fOptsLength, payloadOffset, payloadLength } = parsed;
  if (devAddr !== r.devAddr[row]) return false;
  const modern = r.minor[row] === 1;
  if (modern) {
    const key = { keys: r.nwkSEncKey, at: row * KEY_BYTES };
    const { v11 } = security;
    v11.cryptFOpts(key, DOWNLINK, devAddr, counter, fPort, bytes, FOPTS_OFFSET, fOptsLength);
  } else {
    const text = length - MIC_BYTES;
    const { keys, at } = registrations.nwkSKeys.of(row);
    const own = security.dataMic(keys, at, DOWNLINK, devAddr, counter, bytes, text);
    if (own !== mic) return false;
  }
  if (fPort === NO_PORT || !security.encrypts) return true;
  const { keys, at } = portKey(registrations, row, fPort);
  security.crypt(keys, at, DOWNLINK, devAddr, counter, bytes, payloadOffset, payloadLength);
  return true;
}

/** With this value a counter of downlinks is over: a session has 2^32 − 1 of them at most. */
const OVER = 0xffff_ffff;

/** Whether a session is there that has counters left for downlinks. */
export function canBeSentTo({ registrations }: ServerSide, row: number): boolean {
  const { active, minor, aFCntDown, fCntDown } = registrations.column;
  if (active[row] === 0 || fCntDown[row] === OVER) return false;
  return minor[row] === 0 || aFCntDown[row] !== OVER;
}

/** Counter of the next downlink: 1.1 counts those of the application (FPort > 0) apart. */
export function takeFCntDown(
  { registrations }: ServerSide,
  row: number,
  application: boolean,
): number {
  const { minor, aFCntDown, fCntDown } = registrations.column;
  const counter = minor[row] === 1 && application ? aFCntDown : fCntDown;
  assert(counter[row] < OVER, 'who has no counters left is sent nothing');
  return counter[row]++;
}
