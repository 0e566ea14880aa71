/**
 * What a device heard in its multicast sessions, derived from the air log when something needs to
 * know, and when it must be looked at.
 *
 * Invariant: every event and every command of a device settles it first, so the columns that
 * describe its latest uplink, windows and sessions hold for every row not settled yet. Rows of
 * several channels are taken in the order of their ends. A completed block has effects in time;
 * since a frame adds at most one fragment, a group's `checkAtFCnt` tells the earliest of its
 * counters at which a block can be complete, and a check is raised when such a frame ends.
 */
import { EventKind } from '../events.ts';
import { NONE } from '../kernel/columns.ts';
import type { AirRow } from '../radio/multicast-air.ts';
import { Taken, takeFragment } from './block.ts';
import { advanceBeacons } from './class-b/beacon.ts';
import { isInSession, sessionsOf } from './class-b/session-slots.ts';
import type { DeviceRoom } from './device-room.ts';
import { drawInSlot } from './energy.ts';
import { CLASS_C, Session } from './groups.ts';
import { endSession } from './multicast-end.ts';
import {
  hear,
  type MulticastCause,
  openForGroup,
  rememberBusyTimes,
} from './multicast-reception.ts';
import { packagesFor } from './packages/answers.ts';
import { takeGroupCommand } from './packages/fragment-status.ts';
import { traceDecided } from './session-trace.ts';
import { assertSettled, noteSettled } from './settled.ts';

/** The next row that a device has not looked at: group, ordinal in its channel's log. */
const next = { group: NONE, ordinal: 0, air: undefined as AirRow | undefined };

/** Derives what the device heard of beacons and in its open sessions that ended by `untilUs`. */
export function settle(room: DeviceRoom, device: number, untilUs: number): void {
  noteSettled(room, device, untilUs);
  const sessions = sessionsOf(room, device);
  if (sessions === 1) settleOnly(room, device, untilUs);
  else if (sessions > 1) settleSeveral(room, device, untilUs);
  advanceBeacons(room, device, untilUs);
}

/** The same for every device that is in service. */
export function settleAll(room: DeviceRoom, untilUs: number): void {
  const { devices } = room;
  for (let row = 0; row < devices.rows; row++) {
    if (devices.column.alive[row] === 1) settle(room, row, untilUs);
  }
}

function settleSeveral(room: DeviceRoom, device: number, untilUs: number): void {
  while (findNext(room, device, untilUs)) {
    const { group, ordinal, air } = next;
    room.groups.groups.column.cursor[group] = ordinal + 1;
    if (air !== undefined && air.mcAddr === room.groups.groups.column.mcAddr[group]) {
      takeRow(room, device, group, air);
    }
  }
}

/** The same where one session is open: its channel's log alone, until it ends. */
function settleOnly(room: DeviceRoom, device: number, untilUs: number): void {
  const { session, cursor, mcAddr, next: after, frequencyHz, dataRate } = room.groups.groups.column;
  let row = room.devices.column.mcGroups[device];
  while (session[row] !== Session.open) row = after[row];
  const log = room.multicastAir.log(frequencyHz[row], dataRate[row]);
  const { starts, counts, gateways } = room.links;
  const from = starts[device];
  const until = from + counts[device];
  while (log !== undefined && session[row] === Session.open) {
    const ordinal = log.next(cursor[row], gateways, from, until);
    const air = ordinal === NONE ? undefined : log.row(ordinal);
    if (air === undefined || air.endUs > untilUs) return;
    cursor[row] = ordinal + 1;
    if (air.mcAddr === mcAddr[row]) takeRow(room, device, row, air);
  }
}

/** Of the open sessions' next rows the one that ended first; of equals the lower ordinal, id. */
function findNext(room: DeviceRoom, device: number, untilUs: number): boolean {
  const g = room.groups.groups.column;
  const { starts, counts, gateways } = room.links;
  const [from, until] = [starts[device], starts[device] + counts[device]];
  next.group = NONE;
  next.air = undefined;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] !== Session.open) continue;
    const log = room.multicastAir.log(g.frequencyHz[row], g.dataRate[row]);
    const ordinal = log?.next(g.cursor[row], gateways, from, until) ?? NONE;
    const air = ordinal === NONE ? undefined : log?.row(ordinal);
    if (air === undefined || air.endUs > untilUs) continue;
    if (next.air !== undefined && !goesBefore(room, row, ordinal, air)) continue;
    next.group = row;
    next.ordinal = ordinal;
    next.air = air;
  }
  return next.air !== undefined;
}

/** Whether a row comes before the one found so far. */
function goesBefore(room: DeviceRoom, group: number, ordinal: number, air: AirRow): boolean {
  const { frequencyHz, dataRate, mcGroupId } = room.groups.groups.column;
  const found = next.air as AirRow;
  if (air.endUs !== found.endUs) return air.endUs < found.endUs;
  const sameLog =
    frequencyHz[group] === frequencyHz[next.group] && dataRate[group] === dataRate[next.group];
  if (sameLog && ordinal !== next.ordinal) return ordinal < next.ordinal;
  return mcGroupId[group] < mcGroupId[next.group];
}

/** One frame of a group in whose session the device is. */
function takeRow(room: DeviceRoom, device: number, group: number, air: AirRow): void {
  advanceBeacons(room, device, air.startUs);
  const cause = hear(room, device, group, air);
  if (isInSlots(room, group) && holdsRadio(cause)) {
    drawInSlot(room, device, 'ping', air.endUs - air.startUs);
  }
  traceDecided(room, device, air, cause);
  if (cause !== 'heard') {
    countLoss(room, device, group, cause);
    return;
  }
  const frame = openForGroup(room, group, air);
  if (frame?.fPort !== packagesFor(room, device).fragmentation.fPort) return;
  const { data } = frame;
  if (data === undefined) return takeGroupCommand(room, device, group, frame.payload, air.endUs);
  const session = sessionFor(room, device, group, data.fragIndex);
  if (session === NONE) return;
  const { fragmentNumber, fragment } = data;
  const taken = takeFragment(room, device, session, fragmentNumber, fragment, air.endUs);
  if (taken !== Taken.completed) return;
  // What the device follows no more after its session it has followed until now.
  advanceBeacons(room, device, room.agenda.nowUs);
  leaveDone(room, device);
}

/** Whether the device has locked on the frame, whatever became of it. */
const holdsRadio = (cause: 'heard' | MulticastCause): boolean =>
  cause === 'heard' || cause === 'frameLoss' || cause === 'noise' || cause === 'interfered';

const isInSlots = ({ groups }: DeviceRoom, group: number): boolean =>
  groups.groups.column.periodicity[group] !== CLASS_C;

/** The fragmentation session at an index, if it takes fragments of this group. */
function sessionFor(room: DeviceRoom, device: number, group: number, fragIndex: number): number {
  const row = room.groups.session(room.devices.column.fragSessions, device, fragIndex);
  return row !== NONE && isFedBy(room, row, group) ? row : NONE;
}

const isFedBy = (room: DeviceRoom, session: number, group: number): boolean =>
  (room.groups.sessions.column.mcGroupBitMask[session] &
    (1 << room.groups.groups.column.mcGroupId[group])) !==
  0;

/** The device begins to send: what it was busy with is remembered. */
export function beforeTransmission(room: DeviceRoom, device: number, nowUs: number): void {
  assertSettled(room, device);
  if (isInSession(room, device)) rememberBusyTimes(room, device, nowUs);
}

/** A copy that was not heard; copies after completion or by far gateways do not count. */
function countLoss(room: DeviceRoom, device: number, group: number, cause: MulticastCause): void {
  if (cause === 'outOfReach' || fewestNeeded(room, device, group) === 0) return;
  room.countFragments(room.groups.groups.column.mcAddr[group], cause, 1);
}

// ── completion ───────────────────────────────────────────────────────────────────────────────────

/** The device leaves the sessions of groups all of whose blocks are complete. */
function leaveDone(room: DeviceRoom, device: number): void {
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] !== Session.open || !isDone(room, device, row)) continue;
    endSession(room, device, row, room.agenda.nowUs);
  }
}

/** Whether there is a block from this group, and none that is not complete. */
function isDone(room: DeviceRoom, device: number, group: number): boolean {
  const s = room.groups.sessions.column;
  let isFed = false;
  for (let row = room.devices.column.fragSessions[device]; row !== NONE; row = s.next[row]) {
    if (!isFedBy(room, row, group)) continue;
    if (s.complete[row] === 0) return false;
    isFed = true;
  }
  return isFed;
}

/**
 * Fewest frames of a group without which none of its blocks can be complete; 0 when there is no
 * block to complete. Where k open groups bring a block's n fragments, one brings n / k of them.
 */
function fewestNeeded(room: DeviceRoom, device: number, group: number): number {
  const s = room.groups.sessions.column;
  let fewest = 0;
  for (let row = room.devices.column.fragSessions[device]; row !== NONE; row = s.next[row]) {
    if (s.complete[row] === 1 || !isFedBy(room, row, group)) continue;
    const lacking = Math.max(1, s.nbFrag[row] - s.distinct[row]);
    const needed = Math.ceil(lacking / feeders(room, device, row));
    if (fewest === 0 || needed < fewest) fewest = needed;
  }
  return fewest;
}

/** Open groups that bring fragments of a block, at least 1. */
function feeders(room: DeviceRoom, device: number, session: number): number {
  const g = room.groups.groups.column;
  if (sessionsOf(room, device) <= 1) return 1;
  let count = 0;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.open && isFedBy(room, session, row)) count++;
  }
  return Math.max(1, count);
}

/** Appoints the next look at a device one of whose blocks could by then be complete. */
function appointChecks(room: DeviceRoom, device: number): void {
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] === Session.open) appointCheck(room, device, row);
  }
}

function appointCheck(room: DeviceRoom, device: number, row: number): void {
  const g = room.groups.groups.column;
  const needed = fewestNeeded(room, device, row);
  if (needed === 0) {
    g.checkAtFCnt[row] = NONE;
    return;
  }
  const fCnt = Math.max(g.fCnt[row], g.minFCount[row] - 1) + needed;
  if (fCnt === g.checkAtFCnt[row]) return;
  g.checkAtFCnt[row] = fCnt;
  const { starts, counts, gateways } = room.links;
  for (let link = starts[device]; link < starts[device] + counts[device]; link++) {
    room.checks.add(g.mcAddr[row], gateways[link], fCnt, device);
  }
}

/** As before, but earlier appointments may be gone or lie with other gateways. */
export function appointChecksAnew(room: DeviceRoom, device: number): void {
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    g.checkAtFCnt[row] = NONE;
  }
  appointChecks(room, device);
}

/** Other gateways may have come into the device's reach. */
export function onLinksDrawn(room: DeviceRoom, device: number): void {
  if (isInSession(room, device)) appointChecksAnew(room, device);
}

/**
 * A frame at which a block could be complete has ended: it is looked at further if it is not.
 */
export function checkCompletion(room: DeviceRoom, device: number): void {
  assertSettled(room, device);
  appointChecks(room, device);
}

/**
 * Blocks have changed otherwise than by sessions: what is complete needs its session no more, any
 * other may be complete at another row than was thought.
 */
export function reviewSessions(room: DeviceRoom, device: number): void {
  if (!isInSession(room, device)) return;
  leaveDone(room, device);
  appointChecks(room, device);
}

/** A row of a group has been appended: raises the checks that are due with it. */
export function raiseChecks(room: DeviceRoom, air: AirRow, fCnt: number, nowUs: number): void {
  for (const { gateway } of air.copies) {
    for (const { device, fCnt: waitedFor } of room.checks.take(air.mcAddr, gateway, fCnt)) {
      if (!awaits(room, device, air.mcAddr, waitedFor)) continue;
      room.agenda.appoint(EventKind.completionCheck, device, nowUs);
      // Until the device has come further, each frame may be the one.
      room.checks.add(air.mcAddr, gateway, waitedFor, device);
    }
  }
}

/** A group was asked something: everybody who listens is to look now, for answers take time. */
export function raiseAll(room: DeviceRoom, mcAddr: number, nowUs: number): void {
  const { table, column: g } = room.groups.groups;
  for (let row = 0; row < table.rows; row++) {
    if (g.session[row] !== Session.open || g.mcAddr[row] !== mcAddr) continue;
    room.agenda.appoint(EventKind.completionCheck, g.device[row], nowUs);
  }
}

/** Whether a device in a session of this group waits for a counter. */
function awaits(room: DeviceRoom, device: number, mcAddr: number, fCnt: number): boolean {
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.mcAddr[row] !== mcAddr || g.session[row] !== Session.open) continue;
    if (g.checkAtFCnt[row] === fCnt) return true;
  }
  return false;
}
