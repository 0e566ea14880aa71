/**
 * Class C multicast sessions on the device: opened and closed by its own clock, and what it heard
 * in them derived from the air log when something needs to know.
 *
 * Invariant: whatever changes what a device can hear settles it first, so the columns that describe
 * its latest uplink and windows hold for every row not settled yet. A completed block has effects
 * in time; since a frame adds at most one fragment, `checkAtFCnt` tells the earliest counter of the
 * group at which the block can be complete, and a check is raised when such a frame ends.
 */
import { SECOND_US } from '../base/units.ts';
import { EventKind } from '../events.ts';
import { removeRow } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import { classCTimeOutS } from '../lorawan/packages/ts005-multicast-setup.ts';
import type { AirRow } from '../radio/multicast-air.ts';
import { dropSession, sessionOf, Taken, takeFragment } from './block.ts';
import { leaveRxc, listenContinuously } from './class-c.ts';
import type { DeviceRoom } from './device-room.ts';
import { NEVER } from './device-table.ts';
import { worldUsOfDeviceGps } from './gps-clock.ts';
import { Session } from './groups.ts';
import {
  hear,
  isFragmentOf,
  type MulticastCause,
  rememberBusyTimes,
} from './multicast-reception.ts';
import { traceCloses, traceDecided, traceOpens } from './session-trace.ts';

export interface SessionPlan {
  /** GPS seconds modulo 2^32. */
  readonly sessionTime: number;
  /** The session lasts at most 2^timeOut s. */
  readonly timeOut: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/** Appoints a session of a group, in place of an earlier one. */
export function planSession(room: DeviceRoom, row: number, plan: SessionPlan, nowUs: number): void {
  const g = room.groups.groups.column;
  const device = g.device[row];
  if (g.session[row] === Session.open) closeSession(room, device, row, nowUs);
  if (g.session[row] === Session.waiting) {
    room.multicastAir.close(g.frequencyHz[row], g.dataRate[row]);
  }
  g.session[row] = Session.waiting;
  g.sessionTimeS[row] = plan.sessionTime;
  g.timeOut[row] = plan.timeOut;
  g.frequencyHz[row] = plan.frequencyHz;
  g.dataRate[row] = plan.dataRate;
  room.multicastAir.open(plan.frequencyHz, plan.dataRate);
  timeSession(room, row, nowUs);
  appointSessions(room, device);
}

/** Begin and end as the device's clock, as it stands now, will show them. */
function timeSession(room: DeviceRoom, row: number, nowUs: number): void {
  const g = room.groups.groups.column;
  const device = g.device[row];
  const opensAtUs = worldUsOfDeviceGps(room, device, g.sessionTimeS[row], nowUs);
  const lengthUs = classCTimeOutS(g.timeOut[row]) * SECOND_US;
  const drift = 1 + room.devices.column.driftPpb[device] / 1e9;
  g.opensAtUs[row] = Math.max(nowUs + 1, opensAtUs);
  g.closesAtUs[row] = Math.max(nowUs + 2, opensAtUs + Math.round(lengthUs / drift));
}

/** The clock was set: sessions that wait are timed anew. */
export function retimeSessions(room: DeviceRoom, device: number, nowUs: number): void {
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.waiting) timeSession(room, row, nowUs);
  }
  appointSessions(room, device);
}

/** Notes when the next session begins or ends. */
function appointSessions(room: DeviceRoom, device: number): void {
  const g = room.groups.groups.column;
  const c = room.devices.column;
  let dueAtUs: number = NEVER;
  for (let row = c.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.none) continue;
    const nextUs = g.session[row] === Session.waiting ? g.opensAtUs[row] : g.closesAtUs[row];
    if (dueAtUs === NEVER || nextUs < dueAtUs) dueAtUs = nextUs;
  }
  c.sessionDueAtUs[device] = dueAtUs;
}

/** A session's begin or end is due. One radio: an open session ends when another begins. */
export function onSessionDue(room: DeviceRoom, device: number, nowUs: number): void {
  const g = room.groups.groups.column;
  const c = room.devices.column;
  for (let row = c.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.open && g.closesAtUs[row] <= nowUs) {
      closeSession(room, device, row, nowUs);
    } else if (g.session[row] === Session.waiting && g.opensAtUs[row] <= nowUs) {
      openSession(room, device, row, nowUs);
    }
  }
  appointSessions(room, device);
}

function openSession(room: DeviceRoom, device: number, row: number, nowUs: number): void {
  const g = room.groups.groups.column;
  const c = room.devices.column;
  if (c.listensTo[device] !== NONE) closeSession(room, device, c.listensTo[device], nowUs);
  leaveRxc(room, device, nowUs);
  g.session[row] = Session.open;
  c.listensTo[device] = row;
  g.cursor[row] = room.multicastAir.end(g.frequencyHz[row], g.dataRate[row]);
  const missed = room.multicastAir.rowsOf(g.mcAddr[row]);
  room.countFragments(g.mcAddr[row], 'notListening', missed);
  const session = sessionOf(room, device, g.mcGroupId[row]);
  if (session !== NONE) appointAnew(room, device, row, session);
  traceOpens(room, device, row);
}

/** Ends a session, open or still waiting. */
function closeSession(room: DeviceRoom, device: number, row: number, nowUs: number): void {
  const g = room.groups.groups.column;
  const c = room.devices.column;
  if (g.session[row] === Session.open) {
    settle(room, device, nowUs);
    traceCloses(room, device, row);
    c.listensTo[device] = NONE;
    room.groups.busy.delete(device);
    listenContinuously(room, device, nowUs);
  }
  room.multicastAir.close(g.frequencyHz[row], g.dataRate[row]);
  g.session[row] = Session.none;
}

/** Forgets a group and its session. */
export function dropGroup(room: DeviceRoom, device: number, row: number, nowUs: number): void {
  const g = room.groups.groups.column;
  if (g.session[row] !== Session.none) closeSession(room, device, row, nowUs);
  removeRow(room.devices.column.mcGroups, device, g.next, row);
  room.groups.groups.give(row);
  appointSessions(room, device);
}

/** A device goes: its sessions end, its groups and blocks are forgotten. */
export function retireListener(room: DeviceRoom, device: number, nowUs: number): void {
  const c = room.devices.column;
  while (c.mcGroups[device] !== NONE) dropGroup(room, device, c.mcGroups[device], nowUs);
  while (c.fragSessions[device] !== NONE) dropSession(room, device, c.fragSessions[device]);
  const { pool } = room.outgoing;
  room.outgoing.drop(c.outgoing, device, () => true);
  if (c.outgoingInHand[device] !== NONE) pool.give(c.outgoingInHand[device]);
  c.outgoingInHand[device] = NONE;
}

// ── what was heard ───────────────────────────────────────────────────────────────────────────────

/** Derives what the device heard in its open session from rows that ended by `untilUs`. */
export function settle(room: DeviceRoom, device: number, untilUs: number): void {
  const row = room.devices.column.listensTo[device];
  if (row === NONE) return;
  const g = room.groups.groups.column;
  const log = room.multicastAir.log(g.frequencyHz[row], g.dataRate[row]);
  const { starts, counts, gateways } = room.links;
  const [from, until] = [starts[device], starts[device] + counts[device]];
  for (;;) {
    const ordinal = log?.next(g.cursor[row], gateways, from, until) ?? NONE;
    const air = ordinal === NONE ? undefined : log?.row(ordinal);
    if (air === undefined || air.endUs > untilUs) return;
    g.cursor[row] = ordinal + 1;
    if (air.mcAddr !== g.mcAddr[row]) continue;
    const session = sessionOf(room, device, g.mcGroupId[row]);
    const cause = hear(room, device, row, air);
    traceDecided(room, device, air, cause);
    if (cause !== 'heard') {
      if (session !== NONE) countLoss(room, row, session, cause);
      continue;
    }
    const data = isFragmentOf(room, row, air);
    if (data === undefined || session === NONE) continue;
    const taken = takeFragment(
      room,
      device,
      session,
      data.fragmentNumber,
      data.fragment,
      air.endUs,
    );
    if (taken !== Taken.completed) continue;
    leave(room, device, row);
    return;
  }
}

/** The device begins to send: what it has heard is settled, what it was busy with remembered. */
export function beforeTransmission(room: DeviceRoom, device: number, nowUs: number): void {
  settle(room, device, nowUs);
  if (room.devices.column.listensTo[device] !== NONE) rememberBusyTimes(room, device, nowUs);
}

/** The block is complete: the device has no more use for the session. */
function leave(room: DeviceRoom, device: number, row: number): void {
  const g = room.groups.groups.column;
  traceCloses(room, device, row);
  room.devices.column.listensTo[device] = NONE;
  room.groups.busy.delete(device);
  listenContinuously(room, device, room.agenda.nowUs);
  room.multicastAir.close(g.frequencyHz[row], g.dataRate[row]);
  g.session[row] = Session.none;
  appointSessions(room, device);
}

/** A copy that was not heard; copies after completion or by far gateways do not count. */
function countLoss(room: DeviceRoom, row: number, session: number, cause: MulticastCause): void {
  if (cause === 'outOfReach' || room.groups.sessions.column.complete[session] === 1) return;
  room.countFragments(room.groups.groups.column.mcAddr[row], cause, 1);
}

/** Appoints the next look at a device that could by then be complete. */
function appointCheck(room: DeviceRoom, device: number, row: number, session: number): void {
  const s = room.groups.sessions.column;
  const g = room.groups.groups.column;
  if (s.complete[session] === 1) return;
  const needed = Math.max(1, s.nbFrag[session] - s.received[session]);
  const fCnt = Math.max(g.fCnt[row], g.minFCount[row] - 1) + needed;
  if (fCnt === s.checkAtFCnt[session]) return;
  s.checkAtFCnt[session] = fCnt;
  const { starts, counts, gateways } = room.links;
  for (let link = starts[device]; link < starts[device] + counts[device]; link++) {
    room.checks.add(g.mcAddr[row], gateways[link], fCnt, device);
  }
}

/** As before, but earlier appointments may be gone or lie with other gateways. */
function appointAnew(room: DeviceRoom, device: number, row: number, session: number): void {
  room.groups.sessions.column.checkAtFCnt[session] = -1;
  appointCheck(room, device, row, session);
}

/** Other gateways may have come into the device's reach. */
export function onLinksDrawn(room: DeviceRoom, device: number): void {
  const row = room.devices.column.listensTo[device];
  if (row === NONE) return;
  const session = sessionOf(room, device, room.groups.groups.column.mcGroupId[row]);
  if (session !== NONE) appointAnew(room, device, row, session);
}

/**
 * A frame at which the block could be complete has ended: settle, and look further if it is not.
 */
export function checkCompletion(room: DeviceRoom, device: number, nowUs: number): void {
  settle(room, device, nowUs);
  const row = room.devices.column.listensTo[device];
  if (row === NONE) return;
  const session = sessionOf(room, device, room.groups.groups.column.mcGroupId[row]);
  if (session !== NONE) appointCheck(room, device, row, session);
}

/**
 * A block has changed otherwise than by the session: a complete one needs the session no more, any
 * other may be complete at another row than was thought.
 */
export function reviewSession(room: DeviceRoom, device: number): void {
  const row = room.devices.column.listensTo[device];
  if (row === NONE) return;
  const session = sessionOf(room, device, room.groups.groups.column.mcGroupId[row]);
  if (session === NONE) return;
  if (room.groups.sessions.column.complete[session] === 1) leave(room, device, row);
  else appointCheck(room, device, row, session);
}

/** A row of a group has been appended: raises the checks that are due with it. */
export function raiseChecks(room: DeviceRoom, air: AirRow, fCnt: number, nowUs: number): void {
  for (const { gateway } of air.copies) {
    for (const { device, fCnt: waitedFor } of room.checks.take(air.mcAddr, gateway, fCnt)) {
      if (awaitedFCnt(room, device, air.mcAddr) !== waitedFor) continue;
      room.agenda.appoint(EventKind.completionCheck, device, nowUs);
      // Until the device has come further, each frame may be the one.
      room.checks.add(air.mcAddr, gateway, waitedFor, device);
    }
  }
}

/** The counter that a device in a session of this group waits for, −1 when it waits for none. */
function awaitedFCnt(room: DeviceRoom, device: number, mcAddr: number): number {
  const row = room.devices.column.listensTo[device];
  const g = room.groups.groups.column;
  if (row === NONE || g.mcAddr[row] !== mcAddr) return -1;
  const session = sessionOf(room, device, g.mcGroupId[row]);
  return session === NONE ? -1 : room.groups.sessions.column.checkAtFCnt[session];
}
