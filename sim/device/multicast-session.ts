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
import type { DeviceRoom } from './device-room.ts';
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
export function planSession(room: DeviceRoom, row: number, plan: SessionPlan, nowUs: number): void {
  const g = room.groups.groups.column;
  const device = g.device[row];
  closeSession(room, device, row, nowUs);
  g.session[row] = Session.waiting;
  g.sessionTimeS[row] = plan.sessionTime;
  g.timeOut[row] = plan.timeOut;
  g.periodicity[row] = plan.periodicity ?? CLASS_C;
  g.frequencyHz[row] = plan.frequencyHz;
  g.dataRate[row] = plan.dataRate;
  room.multicastAir.open(plan.frequencyHz, plan.dataRate);
  timeSession(room, row, nowUs);
  appointSessions(room, device);
}

/**
 * A class B session is entered this much before its start, to hear two beacons (LoRa Basics Modem);
 * it is left this much late, since slots are told by the beacon and not by the calendar.
 */
const ACQUIRE_US = 2 * 128 * SECOND_US + 7 * SECOND_US;
const CLOCK_ROOM_US = 10 * SECOND_US;

/** Begin and end as the device's clock, as it stands now, will show them. */
function timeSession(room: DeviceRoom, row: number, nowUs: number): void {
  const g = room.groups.groups.column;
  const device = g.device[row];
  const startsAtUs = worldUsOfDeviceGps(room, device, g.sessionTimeS[row], nowUs);
  const inSlots = g.periodicity[row] !== CLASS_C;
  const opensAtUs = inSlots ? startsAtUs - ACQUIRE_US : startsAtUs;
  const lengthUs = inSlots
    ? ACQUIRE_US + classBTimeOutS(g.timeOut[row]) * SECOND_US + CLOCK_ROOM_US
    : classCTimeOutS(g.timeOut[row]) * SECOND_US;
  g.opensAtUs[row] = Math.max(nowUs + 1, opensAtUs);
  g.closesAtUs[row] = Math.max(nowUs + 2, worldAfter(room, device, opensAtUs, lengthUs));
}

/** The clock was set: sessions that wait are timed anew. */
export function retimeSessions(room: DeviceRoom, device: number, nowUs: number): void {
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.waiting) timeSession(room, row, nowUs);
  }
  appointSessions(room, device);
}

/** Begins or ends of sessions are due; what ends makes way before what begins. */
export function onSessionDue(room: DeviceRoom, device: number, nowUs: number): void {
  const g = room.groups.groups.column;
  const head = room.devices.column.mcGroups[device];
  for (let row = head; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.open && g.closesAtUs[row] <= nowUs) {
      closeSession(room, device, row, nowUs);
    }
  }
  for (let row = head; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.waiting && g.opensAtUs[row] <= nowUs) {
      openSession(room, device, row, nowUs);
    }
  }
  appointSessions(room, device);
}

function openSession(room: DeviceRoom, device: number, row: number, nowUs: number): void {
  const g = room.groups.groups.column;
  assertSettled(room, device);
  g.session[row] = Session.open;
  if (g.periodicity[row] !== CLASS_C) enterSlots(room, device, nowUs);
  else takeRadio(room, device, nowUs);
  g.cursor[row] = room.multicastAir.end(g.frequencyHz[row], g.dataRate[row]);
  const missed = room.multicastAir.rowsOf(g.mcAddr[row]);
  room.countFragments(g.mcAddr[row], 'notListening', missed);
  appointChecksAnew(room, device);
  traceOpens(room, device, row);
}

/** A class C session has the radio to itself. */
function takeRadio(room: DeviceRoom, device: number, nowUs: number): void {
  leaveRxc(room, device, nowUs);
  forgetSessions(room, device, nowUs);
  room.devices.column.openSessions[device]++;
  setBackground(room, device, nowUs);
}

/** Ends a session, open or still waiting. */
function closeSession(room: DeviceRoom, device: number, row: number, nowUs: number): void {
  const g = room.groups.groups.column;
  if (g.session[row] !== Session.none) endSession(room, device, row, nowUs);
}

/** A class C device cannot serve ping slots (TS005-2.0.0 §4.6): sessions in class B end. */
export function endSlotSessions(room: DeviceRoom, device: number, nowUs: number): void {
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.periodicity[row] !== CLASS_C) closeSession(room, device, row, nowUs);
  }
}

/** Ends every session of a device, open or still waiting. */
export function endSessions(room: DeviceRoom, device: number, nowUs: number): void {
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    closeSession(room, device, row, nowUs);
  }
}

/** Forgets a group and its session. */
export function dropGroup(room: DeviceRoom, device: number, row: number, nowUs: number): void {
  const g = room.groups.groups.column;
  closeSession(room, device, row, nowUs);
  removeRow(room.devices.column.mcGroups, device, g.next, row);
  room.groups.groups.give(row);
  appointSessions(room, device);
}

/** A device goes: its sessions end, its groups and blocks are forgotten. */
export function retireListener(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  while (c.mcGroups[device] !== NONE) dropGroup(room, device, c.mcGroups[device], nowUs);
  while (c.fragSessions[device] !== NONE) dropSession(room, device, c.fragSessions[device]);
  room.groups.earlier.delete(device);
  unfollow(room, device, nowUs);
  const { pool } = room.outgoing;
  room.outgoing.drop(c.outgoing, device, () => true);
  if (c.outgoingInHand[device] !== NONE) pool.give(c.outgoingInHand[device]);
  c.outgoingInHand[device] = NONE;
}
