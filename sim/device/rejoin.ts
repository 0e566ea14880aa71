/**
 * Rejoin requests of a device in a 1.1 session (LoRaWAN 1.1 §6.2.4). The network may force one.
 * Those of type 1 come at a pause of the device's own, so that a network which has lost all hears
 * of it. Those of type 0 come after a number of uplinks or a time. The session goes on until an
 * accept comes.
 */
import { assert } from '../base/assert.ts';
import { DrawPurpose, draw, toUnit } from '../base/random.ts';
import { SECOND_US } from '../base/units.ts';
import { putMic } from '../lorawan/frame.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { euiBytes } from '../lorawan/keys.ts';
import { REJOIN_BYTES, type RejoinType, writeRejoinRequest } from '../lorawan/rejoin.ts';
import { isUsable } from './channels.ts';
import { worldAfter } from './clock.ts';
import type { DeviceSide } from './device-side.ts';
import { type DeviceTable, NEVER } from './device-table.ts';

/** Between forced requests: this, doubled Period times, and a random part of it. */
const FORCED_PAUSE_US = 32 * SECOND_US;
/**
 * With this count requests of a type are over: RJcount1 never begins again, RJcount0 with the next
 * session (1.1 §6.2.4.1, §6.2.4.2).
 */
const LAST_RJ_COUNT = 0xffff;

/** The network forces requests: the first at once, `triesLeft` more while none is accepted. */
export function forceRejoin(
  { devices, agenda }: DeviceSide,
  device: number,
  order: {
    readonly type: RejoinType;
    readonly period: number;
    readonly maxRetries: number;
    readonly dataRate: number;
  },
): void {
  devices.table.need('rejoins');
  const c = devices.column;
  if (order.type !== 1 && c.rjCount0[device] === LAST_RJ_COUNT) return;
  c.forcedType[device] = order.type;
  c.rejoinPeriod[device] = order.period;
  c.rejoinTriesLeft[device] = order.maxRetries;
  c.forcedDataRate[device] = order.dataRate;
  c.rejoinDueAtUs[device] = agenda.nowUs;
}

/** A session of 1.1 begins or a request of type 1 goes out: the next of them is appointed. */
export function appointType1(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  const { rejoinType1EveryUs } = side.types[c.type[device]]!;
  const isWanted = rejoinType1EveryUs !== undefined && c.minor[device] === 1;
  if (isWanted) side.devices.table.need('rejoins');
  else if (!side.devices.table.has('rejoins')) return;
  const hasCounter = c.rjCount1[device] < LAST_RJ_COUNT;
  c.rejoin1DueAtUs[device] =
    isWanted && hasCounter ? worldAfter(side, device, nowUs, rejoinType1EveryUs) : NEVER;
}

/** A session begins: its requests are counted from 0, and from now on. */
export function countRejoins({ devices, agenda }: DeviceSide, device: number): void {
  const c = devices.column;
  c.rejoinedAtUs[device] = agenda.nowUs;
  if (!devices.table.has('rejoins')) return;
  c.rjCount0[device] = 0;
  c.rejoinTriesLeft[device] = 0;
  c.rejoinedAtFCnt[device] = 0;
}

/** RejoinParamSetupReq: from now on a request of type 0 after a number of uplinks or a time. */
export function rejoinEvery(
  { devices, agenda }: DeviceSide,
  device: number,
  uplinks: number,
  us: number,
): void {
  devices.table.need('rejoins');
  const c = devices.column;
  c.rejoinEveryUplinks[device] = uplinks;
  c.rejoinEveryUs[device] = us;
  c.rejoinedAtFCnt[device] = c.fCntUp[device];
  c.rejoinedAtUs[device] = agenda.nowUs;
}

/** When a request is due that has a time: forced ones first, until they are over. */
export function rejoinDueAtUs({ devices }: DeviceSide, device: number): number {
  const { rejoinDueAtUs: forcedAtUs, rejoin1DueAtUs } = devices.column;
  // The columns are not made: every message asks here, and this is the fastest way to know.
  if (forcedAtUs.length === 0) return NEVER;
  return forcedAtUs[device] === NEVER ? rejoin1DueAtUs[device] : forcedAtUs[device];
}

/** Whether a request is due now. */
export function rejoinIsDue(side: DeviceSide, device: number, nowUs: number): boolean {
  const c = side.column;
  if (c.minor[device] === 0 || c.rejoinDueAtUs.length === 0) return false;
  const dueAtUs = rejoinDueAtUs(side, device);
  if (dueAtUs !== NEVER && dueAtUs <= nowUs) return true;
  return c.rejoinDueAtUs[device] === NEVER && type0IsDue(c, device, nowUs);
}

/** Whether RejoinParamSetupReq asked for one by now. */
function type0IsDue(c: DeviceTable['column'], device: number, nowUs: number): boolean {
  if (c.rejoinEveryUplinks[device] === 0 || c.rjCount0[device] === LAST_RJ_COUNT) return false;
  const many = c.fCntUp[device] - c.rejoinedAtFCnt[device] >= c.rejoinEveryUplinks[device];
  const long = nowUs - c.rejoinedAtUs[device] >= c.rejoinEveryUs[device];
  return many || long;
}

/**
 * The request that is due is in hand, and the next one of its kind counts from here. Periodic ones
 * go out at the present data rate.
 */
export function beginRejoin(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  assert(c.rejoinDueAtUs.length > 0, 'a rejoin request that is due has columns');
  const isForced = c.rejoinDueAtUs[device] !== NEVER;
  const dueAtUs = rejoinDueAtUs(side, device);
  const periodic = dueAtUs !== NEVER && dueAtUs <= nowUs ? 1 : 0;
  c.rejoinType[device] = isForced ? c.forcedType[device] : periodic;
  c.rejoinDataRate[device] = isForced ? forcedRate(side, device) : c.dataRate[device];
  c.rejoinDueAtUs[device] = NEVER;
  if (c.rejoinType[device] === 1) return appointType1(side, device, nowUs);
  c.rejoinedAtFCnt[device] = c.fCntUp[device];
  c.rejoinedAtUs[device] = nowUs;
}

/** The data rate that the network wants, or the present one where no channel carries it. */
function forcedRate(side: DeviceSide, device: number): number {
  const { forcedDataRate, dataRate, uplinkDwell } = side.column;
  const wanted = forcedDataRate[device];
  const isAllowed = wanted >= side.plan.slowest(uplinkDwell[device] === 1);
  return isAllowed && isUsable(side, device, wanted) ? wanted : dataRate[device];
}

/** The session has ended: no rejoin request is due from now on. */
export function forgetRejoins({ devices }: DeviceSide, device: number): void {
  if (!devices.table.has('rejoins')) return;
  const c = devices.column;
  c.rejoinTriesLeft[device] = 0;
  c.rejoinDueAtUs[device] = NEVER;
  c.rejoin1DueAtUs[device] = NEVER;
}

/** No accept came: the next forced request is appointed while tries are left. */
export function afterRejoinTry({ devices }: DeviceSide, device: number, nowUs: number): void {
  const c = devices.column;
  if (!devices.table.has('rejoins') || c.rejoinTriesLeft[device] === 0) return;
  const isOver = c.forcedType[device] !== 1 && c.rjCount0[device] === LAST_RJ_COUNT;
  c.rejoinTriesLeft[device] = isOver ? 0 : c.rejoinTriesLeft[device] - 1;
  if (isOver) return;
  const drawn = draw(c.key0[device], c.key1[device], DrawPurpose.joinDelay, c.frames[device]);
  const pauseUs = FORCED_PAUSE_US * (1 << c.rejoinPeriod[device]);
  c.rejoinDueAtUs[device] = nowUs + pauseUs + Math.floor(toUnit(drawn) * FORCED_PAUSE_US);
}

export const rejoinBytes = ({ devices }: DeviceSide, device: number): number =>
  REJOIN_BYTES[devices.column.rejoinType[device] as RejoinType];

/** Writes the request with the counter of its type, which then moves on. */
export function encodeRejoin(side: DeviceSide, device: number, out: Uint8Array): number {
  const { devices, security } = side;
  const c = devices.column;
  const at = device * KEY_BYTES;
  const type = c.rejoinType[device] as RejoinType;
  const devEui = euiBytes(devices.identities.of(device).devEui);
  const netId = c.netId[device];
  const home =
    type === 1 ? devices.joinEui(device) : Uint8Array.of(netId, netId >>> 8, netId >>> 16);
  const count = type === 1 ? c.rjCount1[device]++ : c.rjCount0[device]++;
  assert(count < LAST_RJ_COUNT, 'a count of rejoin requests that is over never begins again');
  c.devNonce[device] = count;
  const length = writeRejoinRequest(out, type, home, devEui, count);
  if (type !== 1) return putMic(out, length, security.joinMic(c.sNwkSIntKey, at, out, length));
  const jsIntKey = security.v11.joinServerKey(devices.rootKeys.nwk.of(device), 6, devEui);
  return putMic(out, length, security.joinMic(jsIntKey, 0, out, length));
}
