/**
 * Settling: derives what a device received in its multicast sessions from the air log.
 *
 * Problem: the air log has one row per frame and nothing per device. A query must not see a device
 * before its receptions are derived, and a completed block must act at its own time.
 *
 * Approach: every event and every command of a device settles it first (docs/decisions/0029). So
 * the columns that describe its latest uplink, windows and sessions hold for every row not settled
 * yet. Rows of several channels are taken in the order of their ends. A completed block has effects
 * in time. A frame adds at most one fragment, so a block cannot be complete before a certain
 * counter. A group's `checkAtFCnt` is the earliest such counter, and a frame from there on raises a
 * check event. Between checks the device costs no event.
 *
 * Rejected: settling in each function that reads derived state. It was a rule for authors, and it
 * was broken: sums that an earlier query had left decided whether a battery was empty. Now the
 * dispatcher settles, and readers assert it (`settling-progress.ts`). Also rejected: an event for
 * each device and frame.
 */
import type { FragmentLoss, MulticastFate } from '../base/counts.ts';
import { doAll, ROWS_A_STEP, type Stepwise } from '../base/stepwise.ts';
import { EventKind } from '../events.ts';
import { NONE } from '../kernel/columns.ts';
import { type AirRow, lowerFCnt } from '../radio/air-row.ts';
import type { ChannelLog } from '../radio/channel-log.ts';
import { gatewayOf } from '../radio/links.ts';
import { Taken, takeFragment } from './block.ts';
import { advanceBeacons } from './class-b/beacon.ts';
import { isInMulticastSession, openMulticastSessionCount } from './class-b/group-ping-slots.ts';
import type { DeviceSide } from './device-side.ts';
import { accountForClassB } from './energy.ts';
import { fragSessionFor, takesFragmentsOf } from './fragment-sessions.ts';
import { takeSeries } from './frame-series.ts';
import { busySpan, type GroupReceiver, groupReceiver } from './group-receiver.ts';
import { multicastFate, openGroupFrame, rememberBusyTimes } from './multicast-reception.ts';
import { endMulticastSession } from './multicast-session-end.ts';
import { isStanding, McSessionState } from './multicast-state.ts';
import { traceMulticastDecided } from './multicast-trace.ts';
import { packagesFor } from './packages/answers.ts';
import { takeGroupCommand } from './packages/fragment-status.ts';
import { assertSettled, noteSettled } from './settling-progress.ts';

/** A row of a channel's air log that one of a device's groups has not looked at yet. */
interface UnseenRow {
  /** Row of the group whose session is on that channel. */
  readonly group: number;
  /** Place of the row in the channel's log. */
  readonly ordinal: number;
  readonly air: AirRow;
}

/**
 * Derives what the device heard of frames and beacons that ended by `untilUs`, which is now or
 * earlier. Called before every event and every command of the device, and before its state is read.
 */
export function settle(side: DeviceSide, device: number, untilUs: number): void {
  noteSettled(side, device, untilUs);
  side.downlinkAir.takeOffers(device);
  const sessions = openMulticastSessionCount(side, device);
  if (side.column.standingGroups[device] > 0) settleSeveral(side, device, untilUs);
  else if (sessions === 1) settleOnly(side, device, untilUs);
  else if (sessions > 1) settleSeveral(side, device, untilUs);
  advanceBeacons(side, device, untilUs);
}

/** The same for every device that is in service. */
export const settleAll = (side: DeviceSide, untilUs: number): void =>
  doAll(settlingAll(side, untilUs));

/** Settles all devices until an instant, in steps. */
export function* settlingAll(side: DeviceSide, untilUs: number): Stepwise {
  const { devices } = side;
  for (let row = 0; row < devices.rows; row++) {
    if (row % ROWS_A_STEP === 0) yield;
    if (devices.column.alive[row] === 1) settle(side, row, untilUs);
  }
}

/** Whether settling would take a frame of a group; all else that it derives are sums. */
export function hasUnseen(side: DeviceSide, device: number, untilUs: number): boolean {
  const listens = openMulticastSessionCount(side, device) > 0;
  const isMember = side.column.standingGroups[device] > 0;
  return (listens || isMember) && firstUnseen(side, device, untilUs) !== undefined;
}

/** The same where several groups may be heard: their rows in the order of their ends. */
function settleSeveral(side: DeviceSide, device: number, untilUs: number): void {
  const { cursor, mcAddr } = side.multicast.mcGroups.column;
  let found = firstUnseen(side, device, untilUs);
  const busy = found === undefined ? undefined : busySpan(side, device);
  while (found !== undefined) {
    const { group, ordinal, air } = found;
    cursor[group] = ordinal + 1;
    // One row may end another group's session: each has an ear of its own.
    if (air.mcAddr === mcAddr[group])
      takeAirRow(side, groupReceiver(side, device, group, busy), air);
    found = firstUnseen(side, device, untilUs);
  }
}

/** The same where one session is open: its channel's log alone, until it ends. */
function settleOnly(side: DeviceSide, device: number, untilUs: number): void {
  const { sessionState, cursor, next, frequencyHz, dataRate } = side.multicast.mcGroups.column;
  let row = side.column.mcGroups[device];
  while (sessionState[row] !== McSessionState.open) row = next[row];
  const log = side.multicastAir.log(frequencyHz[row], dataRate[row]);
  const { starts, counts, all } = side.links;
  const from = starts[device];
  const until = from + counts[device];
  let listener: GroupReceiver | undefined;
  while (log !== undefined && sessionState[row] === McSessionState.open) {
    const ordinal = log.next(cursor[row], all, from, until);
    const air = ordinal === NONE ? undefined : log.row(ordinal);
    if (air === undefined || air.endUs > untilUs) return;
    listener ??= groupReceiver(side, device, row);
    const next = takeSeries(side, listener, log, ordinal, untilUs);
    cursor[row] = next === NONE ? ordinal + 1 : next;
    if (next !== NONE) continue;
    if (air.mcAddr === listener.mcAddr) takeAirRow(side, listener, air);
  }
}

/**
 * Of the open sessions' next rows that ended by `untilUs` the one that ended first; of those that
 * ended together the one with the lower ordinal in the same log, else the lower McGroupID.
 */
function firstUnseen(side: DeviceSide, device: number, untilUs: number): UnseenRow | undefined {
  const g = side.multicast.mcGroups.column;
  const { starts, counts, all } = side.links;
  const [from, until] = [starts[device], starts[device] + counts[device]];
  let first: UnseenRow | undefined;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    const log = logOf(side, row);
    const ordinal = log?.next(g.cursor[row], all, from, until) ?? NONE;
    const air = ordinal === NONE ? undefined : log?.row(ordinal);
    if (air === undefined || air.endUs > untilUs) continue;
    const one = { group: row, ordinal, air };
    if (first === undefined || goesBefore(side, one, first)) first = one;
  }
  return first;
}

/** The air log that a group of a device listens to; undefined: it does not listen. */
function logOf({ multicast, multicastAir }: DeviceSide, group: number): ChannelLog | undefined {
  const { mcGroupId, mcAddr, sessionState, frequencyHz, dataRate } = multicast.mcGroups.column;
  if (isStanding(mcGroupId[group])) return multicast.standing.get(mcAddr[group])!.log;
  if (sessionState[group] !== McSessionState.open) return undefined;
  return multicastAir.log(frequencyHz[group], dataRate[group]);
}

/** A total order of rows in different groups' sessions: see `firstUnseen`. */
function goesBefore(side: DeviceSide, a: UnseenRow, b: UnseenRow): boolean {
  const { frequencyHz, dataRate, mcGroupId } = side.multicast.mcGroups.column;
  if (a.air.endUs !== b.air.endUs) return a.air.endUs < b.air.endUs;
  const sameLog =
    frequencyHz[a.group] === frequencyHz[b.group] && dataRate[a.group] === dataRate[b.group];
  if (sameLog && a.ordinal !== b.ordinal) return a.ordinal < b.ordinal;
  return mcGroupId[a.group] < mcGroupId[b.group];
}

/**
 * A frame of a standing group has ended. Each frame has a share of the members looked at. So all of
 * them have been after some number of frames, and what ended before that is forgotten.
 */
export function takeStandingRow(side: DeviceSide, air: AirRow, nowUs: number): void {
  const group = side.multicast.standing.get(air.mcAddr);
  side.countGroupMembers(air.mcAddr, group?.members.length ?? 0);
  if (group === undefined) return;
  group.log.append(air);
  const { members } = group;
  if (group.next >= members.length) {
    const { log } = group;
    log.forgetBefore(group.passFrom);
    group.next = 0;
    group.passFrom = log.end;
    // What ends in the present microsecond may not all be known yet: it is left to the next pass.
    while ((log.row(group.passFrom - 1)?.endUs ?? 0) >= nowUs) group.passFrom--;
  }
  const share = Math.ceil(members.length / FRAMES_A_PASS);
  const until = Math.min(members.length, group.next + share);
  for (; group.next < until; group.next++) settle(side, members[group.next]!, nowUs - 1);
}

/** Frames after which every member of a standing group was looked at. */
const FRAMES_A_PASS = 64;

/** A frame of a group in whose session the device is has ended: decides and acts on it. */
function takeAirRow(side: DeviceSide, listener: GroupReceiver, air: AirRow): void {
  const { device, group } = listener;
  advanceBeacons(side, device, air.startUs);
  const fate = multicastFate(side, listener, air);
  if (listener.hasPingSlots && locksRadio(fate)) {
    const stands = isStanding(side.multicast.mcGroups.column.mcGroupId[group]);
    accountForClassB(side, device, stands ? 'ping' : 'multicast', air.endUs - air.startUs);
  }
  traceMulticastDecided(side, device, air, fate);
  side.recorder?.groupFrame(device, air.mcAddr, lowerFCnt(air), fate);
  if (isStanding(side.multicast.mcGroups.column.mcGroupId[group])) {
    side.countGroupFrame(air.mcAddr, fate);
    if (fate === 'heard') openGroupFrame(side, listener, air);
    return;
  }
  if (fate !== 'heard') return countLoss(side, device, group, fate);
  const frame = openGroupFrame(side, listener, air);
  if (frame?.fPort !== listener.packages.fragmentation.fPort) return;
  const { data } = frame;
  if (data === undefined) return takeGroupCommand(side, device, group, frame.payload, air.endUs);
  const session = fragSessionFor(side, device, group, data.fragIndex);
  if (session === NONE) return;
  const { fragmentNumber, fragment } = data;
  const taken = takeFragment(side, device, session, fragmentNumber, fragment, air.endUs);
  if (taken !== Taken.completed) return;
  // The device followed beacons until now, also those that it stops following with its session.
  advanceBeacons(side, device, side.agenda.nowUs);
  endFinishedSessions(side, device);
}

/** Whether the device has locked on the frame, whatever became of it. */
const locksRadio = (fate: MulticastFate): boolean =>
  fate === 'heard' || fate === 'frameLoss' || fate === 'noise' || fate === 'interfered';

/** The device is about to send: keeps when its earlier uplink and windows made the radio busy. */
export function beforeTransmission(side: DeviceSide, device: number, nowUs: number): void {
  assertSettled(side, device);
  if (isInMulticastSession(side, device)) rememberBusyTimes(side, device, nowUs);
}

/** A copy that was not heard; copies after completion or by far gateways do not count. */
function countLoss(
  side: DeviceSide,
  device: number,
  group: number,
  cause: FragmentLoss | 'outOfReach',
): void {
  if (cause === 'outOfReach' || fewestNeeded(side, device, group) === 0) return;
  side.countFragments(side.multicast.mcGroups.column.mcAddr[group], cause, 1);
}

// ── completion ───────────────────────────────────────────────────────────────────────────────────

/** The device leaves the sessions of groups all of whose blocks are complete, unless it stays. */
function endFinishedSessions(side: DeviceSide, device: number): void {
  if (packagesFor(side, device).sessionEnd === 'timeOut') return;
  const g = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] !== McSessionState.open || !hasAllBlocks(side, device, row)) continue;
    endMulticastSession(side, device, row, side.agenda.nowUs);
  }
}

/** Whether there is a block from this group, and none that is not complete. */
function hasAllBlocks(side: DeviceSide, device: number, group: number): boolean {
  const s = side.multicast.fragSessions.column;
  let isFed = false;
  for (let row = side.column.fragSessions[device]; row !== NONE; row = s.next[row]) {
    if (!takesFragmentsOf(side, row, group)) continue;
    if (s.complete[row] === 0) return false;
    isFed = true;
  }
  return isFed;
}

/**
 * Fewest frames of a group without which none of its blocks can be complete; 0 when there is no
 * block to complete. Where k open groups bring a block's n fragments, one brings n / k of them.
 */
function fewestNeeded(side: DeviceSide, device: number, group: number): number {
  const s = side.multicast.fragSessions.column;
  let fewest = 0;
  for (let row = side.column.fragSessions[device]; row !== NONE; row = s.next[row]) {
    if (s.complete[row] === 1 || !takesFragmentsOf(side, row, group)) continue;
    const lacking = Math.max(1, s.nbFrag[row] - s.distinct[row]);
    const needed = Math.ceil(lacking / feeders(side, device, row));
    if (fewest === 0 || needed < fewest) fewest = needed;
  }
  return fewest;
}

/** Open groups that bring fragments of a block, at least 1. */
function feeders(side: DeviceSide, device: number, session: number): number {
  const g = side.multicast.mcGroups.column;
  if (openMulticastSessionCount(side, device) <= 1) return 1;
  let count = 0;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] === McSessionState.open && takesFragmentsOf(side, session, row))
      count++;
  }
  return Math.max(1, count);
}

/** Appoints the next look at a device one of whose blocks could by then be complete. */
function appointCompletionChecks(side: DeviceSide, device: number): void {
  const g = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] === McSessionState.open) appointCompletionCheck(side, device, row);
  }
}

function appointCompletionCheck(side: DeviceSide, device: number, row: number): void {
  const g = side.multicast.mcGroups.column;
  const needed = fewestNeeded(side, device, row);
  if (needed === 0) {
    g.checkAtFCnt[row] = NONE;
    return;
  }
  const fCnt = Math.max(g.fCnt[row], g.minFCount[row] - 1) + needed;
  if (fCnt === g.checkAtFCnt[row]) return;
  g.checkAtFCnt[row] = fCnt;
  const { starts, counts, all } = side.links;
  for (let at = starts[device]; at < starts[device] + counts[device]; at++) {
    side.completionChecks.add(g.mcAddr[row], gatewayOf(all[at]), fCnt, device);
  }
}

/** The same where earlier appointments may be gone or lie with other gateways. */
export function reappointCompletionChecks(side: DeviceSide, device: number): void {
  const g = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    g.checkAtFCnt[row] = NONE;
  }
  appointCompletionChecks(side, device);
}

/**
 * The device, which is settled, has other links from now on. What a gateway has sent before that it
 * comes into reach is over, and never looked at.
 */
export function onLinksDrawn(side: DeviceSide, device: number): void {
  assertSettled(side, device);
  const { next, cursor } = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = next[row]) {
    const log = logOf(side, row);
    if (log !== undefined) cursor[row] = log.end;
  }
  if (isInMulticastSession(side, device)) reappointCompletionChecks(side, device);
}

/**
 * A frame at which a block could be complete has ended, and the device is settled: appoints the
 * next look at blocks that are not complete.
 */
export function checkCompletion(side: DeviceSide, device: number): void {
  assertSettled(side, device);
  appointCompletionChecks(side, device);
}

/**
 * A device's fragmentation sessions have changed by unicast: sessions of groups whose blocks are
 * complete end, and other blocks may be complete at another row than was expected.
 */
export function reviewMulticastSessions(side: DeviceSide, device: number): void {
  if (!isInMulticastSession(side, device)) return;
  endFinishedSessions(side, device);
  appointCompletionChecks(side, device);
}

/** A row of a group has been appended: raises the checks that are due with it. */
export function raiseCompletionChecks(
  side: DeviceSide,
  air: AirRow,
  fCnt: number,
  nowUs: number,
): void {
  for (const { gateway } of air.copies) {
    for (const { device, fCnt: waitedFor } of side.completionChecks.take(
      air.mcAddr,
      gateway,
      fCnt,
    )) {
      if (!awaits(side, device, air.mcAddr, waitedFor)) continue;
      side.agenda.appoint(EventKind.completionCheck, device, nowUs);
      // Until the device has come further, each frame may be the one.
      side.completionChecks.add(air.mcAddr, gateway, waitedFor, device);
    }
  }
}

/**
 * A group received a command: every device in its session is looked at now, since answers go out
 * after random delays from now on.
 */
export function raiseChecksOfGroup(side: DeviceSide, mcAddr: number, nowUs: number): void {
  const { table, column: g } = side.multicast.mcGroups;
  for (let row = 0; row < table.rows; row++) {
    if (g.sessionState[row] !== McSessionState.open || g.mcAddr[row] !== mcAddr) continue;
    side.agenda.appoint(EventKind.completionCheck, g.device[row], nowUs);
  }
}

/** Whether a device in a session of this group waits for a counter. */
function awaits(side: DeviceSide, device: number, mcAddr: number, fCnt: number): boolean {
  const g = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.mcAddr[row] !== mcAddr || g.sessionState[row] !== McSessionState.open) continue;
    if (g.checkAtFCnt[row] === fCnt) return true;
  }
  return false;
}
