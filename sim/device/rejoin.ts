/**
 * Rejoin requests of a device in a 1.1 session (LoRaWAN 1.1 §6.2.4): when the network forces one,
 * or after so many uplinks or so much time. The session goes on until an accept comes.
 */
import { draw, Purpose as Luck, toUnit } from '../base/random.ts';
import { SECOND_US } from '../base/units.ts';
import { putMic } from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { euiBytes } from '../lorawan/keys.ts';
import { REJOIN_BYTES, type RejoinType, writeRejoinRequest } from '../lorawan/rejoin.ts';
import type { DeviceRoom } from './device-room.ts';
import { NEVER } from './device-table.ts';
import { JOIN_EUI } from './join.ts';

/** Between forced requests: this, doubled Period times, and a random part of it. */
const FORCED_PAUSE_US = 32 * SECOND_US;

/** The network forces requests: the first at once, `triesLeft` more while none is accepted. */
export function forceRejoin(
  { devices, agenda }: DeviceRoom,
  device: number,
  order: {
    readonly type: RejoinType;
    readonly period: number;
    readonly maxRetries: number;
    readonly dataRate: number;
  },
): void {
  const c = devices.column;
  c.rejoinType[device] = order.type;
  c.rejoinPeriod[device] = order.period;
  c.rejoinTriesLeft[device] = order.maxRetries;
  c.rejoinDataRate[device] = order.dataRate;
  c.rejoinDueAtUs[device] = agenda.nowUs;
}

/** Whether a request is due now; a periodic one is of type 0, at the present data rate. */
export function rejoinIsDue({ devices }: DeviceRoom, device: number, nowUs: number): boolean {
  const c = devices.column;
  if (c.minor[device] === 0) return false;
  if (c.rejoinDueAtUs[device] !== NEVER) return c.rejoinDueAtUs[device] <= nowUs;
  if (c.rejoinEveryUplinks[device] === 0) return false;
  const many = c.fCntUp[device] - c.rejoinedAtFCnt[device] >= c.rejoinEveryUplinks[device];
  const long = nowUs - c.rejoinedAtUs[device] >= c.rejoinEveryUs[device];
  if (!many && !long) return false;
  c.rejoinType[device] = 0;
  c.rejoinTriesLeft[device] = 0;
  c.rejoinDataRate[device] = c.dataRate[device];
  return true;
}

/** A request is in hand: the next periodic one counts from here. */
export function beginRejoin({ devices }: DeviceRoom, device: number, nowUs: number): void {
  const c = devices.column;
  c.rejoinDueAtUs[device] = NEVER;
  c.rejoinedAtFCnt[device] = c.fCntUp[device];
  c.rejoinedAtUs[device] = nowUs;
}

/** No accept came: the next forced request is appointed while tries are left. */
export function afterRejoinTry({ devices }: DeviceRoom, device: number, nowUs: number): void {
  const c = devices.column;
  if (c.rejoinTriesLeft[device] === 0) return;
  c.rejoinTriesLeft[device]--;
  const word = draw(c.key0[device], c.key1[device], Luck.joinDelay, c.frames[device]);
  const pauseUs = FORCED_PAUSE_US * (1 << c.rejoinPeriod[device]);
  c.rejoinDueAtUs[device] = nowUs + pauseUs + Math.floor(toUnit(word) * FORCED_PAUSE_US);
}

export const rejoinBytes = ({ devices }: DeviceRoom, device: number): number =>
  REJOIN_BYTES[devices.column.rejoinType[device] as RejoinType];

/** Writes the request with the counter of its type, which then moves on. */
export function encodeRejoin(room: DeviceRoom, device: number, out: Uint8Array): number {
  const { devices, security } = room;
  const c = devices.column;
  const at = device * KEY_BYTES;
  const type = c.rejoinType[device] as RejoinType;
  const devEui = euiBytes(devices.identities[device]!.devEui);
  const netId = c.netId[device];
  const home = type === 1 ? JOIN_EUI : Uint8Array.of(netId, netId >>> 8, netId >>> 16);
  const count = type === 1 ? c.rjCount1[device]++ : c.rjCount0[device]++;
  c.devNonce[device] = count;
  const length = writeRejoinRequest(out, type, home, devEui, count);
  if (type !== 1) return putMic(out, length, security.joinMic(c.sNwkSIntKey, at, out, length));
  const jsIntKey = security.v11.joinServerKey({ keys: c.nwkKey, at }, 6, devEui);
  return putMic(out, length, security.joinMic(jsIntKey, 0, out, length));
}
