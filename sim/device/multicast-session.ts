/**
 * Class C multicast sessions on the device: up to four groups, each opened and closed by the
 * device's own clock (TS005-1.0.0 §4.5). Several may be open at once; `multicast-radio.ts` tells
 * which of them the radio serves, `multicast-settling.ts` what was heard.
 */
import { SECOND_US } from '../base/units.ts';
import { removeRow } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import { classBTimeOutS, classCTimeOutS } from '../lorawan/packages/ts005-multicast-setup.ts';
import { dropSession } from './block.ts';
import { unfollow } from './class-b/beacon.ts';
import { enterSlots } from './class-b/session-slots.ts';
import { leaveRxc } from './class-c.ts';
import { worldAfter } from './clock.ts';
import type { DeviceSide } from './device-side.ts';
import { setBackground } from './energy.ts';
import { worldUsOfDeviceGps } from './gps-clock.ts';
import { CLASS_C, Session } from './groups.ts';
import { appointSessions, endSession } from './multicast-end.ts';
import { forgetSessions } from './multicast-radio.ts';
import { appointChecksAnew } from './multicast-settling.ts';
import { traceOpens } from './session-trace.ts';
import { assertSettled } from './settled.ts';

export interface SessionPlan {
  /** GPS seconds modulo 2^32. */
  readonly sessionTime: number;
  /** The session lasts at most 2^timeOut s, in class B 128 times as long. */
  readonly timeOut: number;
  /** Of the ping slots, 0…7; absent in class C. */
  readonly periodicity?: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/** Appoints a session of a group, in place of an earlier one. */
export function planSession(side: DeviceSide, row: number, plan: SessionPlan, nowUs: number): void {
  const g = side.groups.groups.column;
  const device = g.device[row];
  closeSession(side, device, row, nowUs);
  g.session[row] = Session.waiting;
  g.sessionTimeS[row] = plan.sessionTime;
  g.timeOut[row] = plan.timeOut;
  g.periodicity[row] = plan.periodicity ?? CLASS_C;
  g.frequencyHz[row] = plan.frequencyHz;
  g.dataRate[row] = plan.dataRate;
  side.multicastAir.open(plan.frequencyHz, plan.dataRate);
  timeSession(side, row, nowUs);
  appointSessions(side, device);
}

/**
 * A class B session is entered this much before its start, to hear two beacons (LoRa Basics Modem);
 * it is left this much late, since slots are told by the beacon and not by the calendar.
 */
const ACQUIRE_US = 2 * 128 * SECOND_US + 7 * SECOND_US;
const CLOCK_ROOM_US = 10 * SECOND_US;

/** Begin and end as the device's clock, as it stands now, will show them. */
function timeSession(side: DeviceSide, row: number, nowUs: number): void {
  const g = side.groups.groups.column;
  const device = g.device[row];
  const startsAtUs = worldUsOfDeviceGps(side, device, g.sessionTimeS[row], nowUs);
  const inSlots = g.periodicity[row] !== CLASS_C;
  const opensAtUs = inSlots ? startsAtUs - ACQUIRE_US : startsAtUs;
  const lengthUs = inSlots
    ? ACQUIRE_US + classBTimeOutS(g.timeOut[row]) * SECOND_US + CLOCK_ROOM_US
    : classCTimeOutS(g.timeOut[row]) * SECOND_US;
  g.opensAtUs[row] = Math.max(nowUs + 1, opensAtUs);
  g.closesAtUs[row] = Math.max(nowUs + 2, worldAfter(side, device, opensAtUs, lengthUs));
}

/** The clock was set: sessions that wait are timed anew. */
export function retimeSessions(side: DeviceSide, device: number, nowUs: number): void {
  const g = side.groups.groups.column;
  for (let row = side.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.waiting) timeSession(side, row, nowUs);
  }
  appointSessions(side, device);
}

/** Begins or ends of sessions are due; what ends makes way before what begins. */
export function onSessionDue(side: DeviceSide, device: number, nowUs: number): void {
  const g = side.groups.groups.column;
  const head = side.devices.column.mcGroups[device];
  for (let row = head; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.open && g.closesAtUs[row] <= nowUs) {
      closeSession(side, device, row, nowUs);
    }
  }
  for (let row = head; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.waiting && g.opensAtUs[row] <= nowUs) {
      openSession(side, device, row, nowUs);
    }
  }
  appointSessions(side, device);
}

function openSession(side: DeviceSide, device: number, row: number, nowUs: number): void {
  const g = side.groups.groups.column;
  assertSettled(side, device);
  g.session[row] = Session.open;
  if (g.periodicity[row] !== CLASS_C) enterSlots(side, device, nowUs);
  else takeRadio(side, device, nowUs);
  g.cursor[row] = side.multicastAir.end(g.frequencyHz[row], g.dataRate[row]);
  const missed = side.multicastAir.rowsOf(g.mcAddr[row]);
  side.countFragments(g.mcAddr[row], 'notListening', missed);
  appointChecksAnew(side, device);
  traceOpens(side, device, row);
}

/** A class C session has the radio to itself. */
function takeRadio(side: DeviceSide, device: number, nowUs: number): void {
  leaveRxc(side, device, nowUs);
  forgetSessions(side, device, nowUs);
  side.devices.column.openSessions[device]++;
  setBackground(side, device, nowUs);
}

/** Ends a session, open or still waiting. */
function closeSession(side: DeviceSide, device: number, row: number, nowUs: number): void {
  const g = side.groups.groups.column;
  if (g.session[row] !== Session.none) endSession(side, device, row, nowUs);
}

/** A class C device cannot serve ping slots (TS005-2.0.0 §4.6): sessions in class B end. */
export function endSlotSessions(side: DeviceSide, device: number, nowUs: number): void {
  const g = side.groups.groups.column;
  for (let row = side.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.periodicity[row] !== CLASS_C) closeSession(side, device, row, nowUs);
  }
}

/** Ends every session of a device, open or still waiting. */
export function endSessions(side: DeviceSide, device: number, nowUs: number): void {
  const g = side.groups.groups.column;
  for (let row = side.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    closeSession(side, device, row, nowUs);
  }
}

/** Forgets a group and its session. */
export function dropGroup(side: DeviceSide, device: number, row: number, nowUs: number): void {
  const g = side.groups.groups.column;
  closeSession(side, device, row, nowUs);
  removeRow(side.devices.column.mcGroups, device, g.next, row);
  side.groups.groups.give(row);
  appointSessions(side, device);
}

/** A device goes: its sessions end, its groups and blocks are forgotten. */
export function retireListener(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.devices.column;
  while (c.mcGroups[device] !== NONE) dropGroup(side, device, c.mcGroups[device], nowUs);
  while (c.fragSessions[device] !== NONE) dropSession(side, device, c.fragSessions[device]);
  side.groups.earlier.delete(device);
  unfollow(side, device, nowUs);
  const { pool } = side.outgoing;
  side.outgoing.drop(c.outgoing, device, () => true);
  if (c.outgoingInHand[device] !== NONE) pool.give(c.outgoingInHand[device]);
  c.outgoingInHand[device] = NONE;
}
