/** Joining by OTAA on the device's side: requests, back-off, and what the accept sets. */
import { readLe } from '../base/bytes.ts';
import { DrawPurpose, draw, toUnit } from '../base/random.ts';
import { DAY_US, HOUR_US, SECOND_US } from '../base/units.ts';
import { MIC_BYTES, putMic } from '../lorawan/frame.ts';
import { type FrameSecurity, KEY_BYTES } from '../lorawan/frame-security.ts';
import type { KeyAt } from '../lorawan/frame-security-11.ts';
import {
  blankJoinAccept,
  isJoinAccept,
  type JoinAccept,
  parseJoinAccept,
  writeJoinRequest,
} from '../lorawan/join.ts';
import { euiBytes } from '../lorawan/keys.ts';
import type { JoinPlan } from '../lorawan/regional-plan.ts';
import type { DeviceTable } from './device-table.ts';

/** Tries at one data rate before the next slower one. */
const TRIES_PER_DATA_RATE = 2;
/** The pause between tries is uniform up to this, doubling six times. */
const FIRST_PAUSE_US = 10 * SECOND_US;
const DOUBLINGS = 6;

/**
 * Air time that join requests may take: 36 s in the first hour after power-on, 36 s in the next
 * ten, 8.7 s in each 24 hours after (LoRaWAN 1.0.x, retransmission back-off).
 */
export function backOffPeriod(sincePowerOnUs: number): { number: number; endsUs: number } {
  if (sincePowerOnUs < HOUR_US) return { number: 0, endsUs: HOUR_US };
  if (sincePowerOnUs < 11 * HOUR_US) return { number: 1, endsUs: 11 * HOUR_US };
  const days = Math.floor((sincePowerOnUs - 11 * HOUR_US) / DAY_US);
  return { number: 2 + days, endsUs: 11 * HOUR_US + (days + 1) * DAY_US };
}

export const backOffBudgetUs = (period: number): number =>
  period < 2 ? 36 * SECOND_US : 8.7 * SECOND_US;

/**
 * Data rate of the `attempt`-th request (from 0): the fastest first, two tries each, then around;
 * or that many tries on narrow channels for one on a wide one.
 */
export function joinDataRate(join: JoinPlan, attempt: number): number {
  if (join.kind === 'alternating') {
    return attempt % (join.tries + 1) < join.tries ? join.dataRate : join.wideDataRate;
  }
  const { minDataRate, maxDataRate } = join;
  const step = Math.floor(attempt / TRIES_PER_DATA_RATE) % (maxDataRate - minDataRate + 1);
  return maxDataRate - step;
}

/** Pause after the `attempt`-th failed request, µs by the device's clock. */
export function joinPauseUs(key0: number, key1: number, attempt: number): number {
  const most = FIRST_PAUSE_US * (1 << Math.min(DOUBLINGS, attempt));
  return 1 + Math.floor(toUnit(draw(key0, key1, DrawPurpose.joinDelay, attempt)) * most);
}

/** JoinEUI of a device that is given none. */
export const JOIN_EUI = '70B3D00000000001';

/** Request of a device with its present DevNonce, MIC included; EUIs in the order of the air. */
export function encodeJoinRequest(
  devices: DeviceTable,
  device: number,
  security: FrameSecurity,
  out: Uint8Array,
): number {
  const length = writeJoinRequest(
    out,
    devices.joinEui(device),
    euiBytes(devices.identities.of(device).devEui),
    devices.column.devNonce[device],
  );
  const { keys, at } = devices.rootKeys.nwk.of(device);
  return putMic(out, length, security.joinMic(keys, at, out, length));
}

/** What a join accept must fit. */
export interface ExpectedAccept {
  /** `JOIN_REQ_TYPE` for a join, 0…2 for a rejoin. */
  readonly joinReqType: number;
  /** Whether its JoinNonce has to grow (LoRaWAN 1.0.4 §6.2.6). */
  readonly mustGrow: boolean;
  /** Whether the device speaks LoRaWAN 1.1. */
  readonly modern: boolean;
}

/** JoinReqType of a join request (LoRaWAN 1.1 §6.2.3). */
export const JOIN_REQ_TYPE = 255;
/** A rejoin of this type keeps the radio's settings (LoRaWAN 1.1 §6.2.4.4). */
export const REJOIN_KEEPS_RADIO = 2;

/**
 * Decrypts a join accept in place. When it is good, the device has the session's keys and address
 * from then on. The session is one of 1.1 when both sides speak it (OptNeg). Returns what the
 * accept says, or undefined when it is not for this device; then nothing but `bytes` has changed.
 */
export function acceptJoin(
  devices: DeviceTable,
  device: number,
  bytes: Uint8Array,
  length: number,
  security: FrameSecurity,
  expected: ExpectedAccept,
): JoinAccept | undefined {
  if (!isJoinAccept(bytes, length)) return undefined;
  const c = devices.column;
  const root: KeyAt = devices.rootKeys.nwk.of(device);
  const devEui = euiBytes(devices.identities.of(device).devEui);
  const { joinReqType } = expected;
  const sealed =
    joinReqType === JOIN_REQ_TYPE
      ? root
      : { keys: security.v11.joinServerKey(root, 5, devEui), at: 0 };
  security.openJoinAccept(sealed.keys, sealed.at, bytes, length);
  const accept = blankJoinAccept();
  if (!parseJoinAccept(bytes, length, accept)) return undefined;
  const modern = expected.modern && accept.optNeg;
  if (!modern && joinReqType !== JOIN_REQ_TYPE) return undefined;
  const answered = { joinReqType, joinEui: devices.joinEui(device), devNonce: c.devNonce[device] };
  const text = length - MIC_BYTES;
  const mic = modern
    ? security.v11.joinAcceptMic(security.v11.joinServerKey(root, 6, devEui), answered, bytes, text)
    : security.joinMic(root.keys, root.at, bytes, text);
  if (mic !== (readLe(bytes, text, MIC_BYTES) | 0)) return undefined;
  if (expected.mustGrow && accept.joinNonce <= c.joinNonce[device]) return undefined;
  deriveKeys(devices, device, security, modern, accept);
  c.minor[device] = modern ? 1 : 0;
  c.joinNonce[device] = accept.joinNonce;
  c.netId[device] = accept.netId;
  devices.setDevAddr(device, accept.devAddr);
  if (joinReqType === REJOIN_KEEPS_RADIO) return accept;
  c.rx1DrOffset[device] = accept.rx1DrOffset;
  c.rx2DataRate[device] = accept.rx2DataRate;
  c.rx1DelayS[device] = Math.max(1, accept.rxDelay);
  return accept;
}

/** The session's keys: two of 1.0, or four of 1.1. */
function deriveKeys(
  devices: DeviceTable,
  device: number,
  security: FrameSecurity,
  modern: boolean,
  { joinNonce, netId }: JoinAccept,
): void {
  const c = devices.column;
  const devNonce = c.devNonce[device];
  const root: KeyAt = devices.rootKeys.nwk.of(device);
  const nwkS = devices.nwkSKeys.place(device);
  const appS = devices.appSKeys.place(device);
  if (!modern) {
    const { keys, at } = root;
    security.sessionKey(keys, at, 1, joinNonce, netId, devNonce, nwkS.keys, nwkS.at);
    security.sessionKey(keys, at, 2, joinNonce, netId, devNonce, appS.keys, appS.at);
    return;
  }
  const at = device * KEY_BYTES;
  devices.table.need('keys11');
  const { v11 } = security;
  const joinEui = devices.joinEui(device);
  v11.sessionKey(root, 1, joinNonce, joinEui, devNonce, nwkS);
  v11.sessionKey(root, 3, joinNonce, joinEui, devNonce, { keys: c.sNwkSIntKey, at });
  v11.sessionKey(root, 4, joinNonce, joinEui, devNonce, { keys: c.nwkSEncKey, at });
  v11.sessionKey(devices.rootKeys.app.of(device), 2, joinNonce, joinEui, devNonce, appS);
}
