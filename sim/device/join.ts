/** Joining by OTAA on the device's side: requests, back-off, and what the accept sets. */
import { readLe } from '../base/bytes.ts';
import { draw, Purpose, toUnit } from '../base/random.ts';
import { DAY_US, HOUR_US, SECOND_US } from '../base/units.ts';
import { MIC_BYTES, putMic } from '../lorawan/frame.ts';
import { type FrameSecurity, KEY_BYTES } from '../lorawan/frame-security.ts';
import {
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
 * or so many tries on narrow channels for one on a wide one.
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
  return 1 + Math.floor(toUnit(draw(key0, key1, Purpose.joinDelay, attempt)) * most);
}

/** Request of a device with its present DevNonce, MIC included; EUIs in the order of the air. */
export function encodeJoinRequest(
  devices: DeviceTable,
  device: number,
  joinEui: Uint8Array,
  security: FrameSecurity,
  out: Uint8Array,
): number {
  const c = devices.column;
  const length = writeJoinRequest(
    out,
    joinEui,
    euiBytes(devices.identities[device]!.devEui),
    c.devNonce[device],
  );
  return putMic(out, length, security.joinMic(c.appKey, device * KEY_BYTES, out, length));
}

const accept: JoinAccept = {
  joinNonce: 0,
  netId: 0,
  devAddr: 0,
  optNeg: false,
  rx1DrOffset: 0,
  rx2DataRate: 0,
  rxDelay: 0,
  cfList: undefined,
};

/** CFList of the join accept that was accepted last; undefined when it had none. */
export const acceptedCfList = (): Uint8Array | undefined => accept.cfList;

/**
 * Opens a join accept in place and, when it is good, puts the device in its session. The JoinNonce
 * must grow when `mustGrow` says so (LoRaWAN 1.0.4 §6.2.3). Returns the
 * JoinNonce, or −1 when it is not for this device.
 */
export function acceptJoin(
  devices: DeviceTable,
  device: number,
  bytes: Uint8Array,
  length: number,
  security: FrameSecurity,
  mustGrow: boolean,
): number {
  if (!isJoinAccept(bytes, length)) return -1;
  const c = devices.column;
  const keyAt = device * KEY_BYTES;
  security.openJoinAccept(c.appKey, keyAt, bytes, length);
  const mic = readLe(bytes, length - MIC_BYTES, MIC_BYTES) | 0;
  if (security.joinMic(c.appKey, keyAt, bytes, length - MIC_BYTES) !== mic) return -1;
  if (!parseJoinAccept(bytes, length, accept)) return -1;
  const { joinNonce, netId } = accept;
  if (mustGrow && joinNonce <= c.joinNonce[device]) return -1;
  const devNonce = c.devNonce[device];
  security.sessionKey(c.appKey, keyAt, 1, joinNonce, netId, devNonce, c.nwkSKey, keyAt);
  security.sessionKey(c.appKey, keyAt, 2, joinNonce, netId, devNonce, c.appSKey, keyAt);
  c.joinNonce[device] = joinNonce;
  c.devAddr[device] = accept.devAddr;
  c.rx1DrOffset[device] = accept.rx1DrOffset;
  c.rx2DataRate[device] = accept.rx2DataRate;
  c.rx1DelayS[device] = Math.max(1, accept.rxDelay);
  return joinNonce;
}
