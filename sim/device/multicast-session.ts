/**
 * Multicast sessions on the device: up to four groups, each opened and closed by the device's own
 * clock (TS005-1.0.0 §4.5). Several may be open at once; `multicast-radio.ts` says
 * which of them the radio serves, `multicast-settling.ts` what was heard.
 */
import { assert } from '../base/assert.ts';
import { SECOND_US } from '../base/units.ts';
import { removeRow } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import { classBTimeOutS, classCTimeOutS } from '../lorawan/packages/ts005-multicast-setup.ts';
import { dropFragSession } from './block.ts';
import { unfollowBeacons } from './class-b/beacon.ts';
import { enterClassBSession } from './class-b/group-ping-slots.ts';
import { leaveRxc } from './class-c.ts';
import { worldAfter } from './clock.ts';
import type { DeviceSide } from './device-side.ts';
import { updateBackground } from './energy.ts';
import { appointSuddenReboot } from './failures.ts';
import { worldUsOfDeviceGps } from './gps-clock.ts';
import { forgetRadioClaims } from './multicast-radio.ts';
import { appointMulticastSessions, endMulticastSession } from './multicast-session-end.ts';
import { reappointCompletionChecks } from './multicast-settling.ts';
import { isStanding, McSessionState, NO_PING_SLOTS } from './multicast-state.ts';
import { traceMulticastSessionOpens } from './multicast-trace.ts';
import { assertSettled } from './settling-progress.ts';
import { dropStandingGroups } from './standing-groups.ts';

export interface MulticastSessionPlan {
  /** GPS seconds modulo 2^32. */
  readonly sessionTime: number;
  /** The session lasts at most 2^timeOut s, in class B 128 times as long. */
  readonly timeOut: number;
  /** Of the ping slots, 0…7; absent in class C. */
  readonly periodicity?: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/** Appoints a session of the group in `row`, in place of an earlier one. */
export function planMulticastSession(
  side: DeviceSide,
  row: number,
  plan: MulticastSessionPlan,
  nowUs: number,
): void {
  const g = side.multicast.mcGroups.column;
  const device = g.device[row];
  assert(plan.timeOut >= 0 && plan.timeOut < 16, 'a session time-out has 4 bits');
  endMulticastSession(side, device, row, nowUs);
  g.sessionState[row] = McSessionState.waiting;
  g.sessionTimeS[row] = plan.sessionTime;
  g.timeOut[row] = plan.timeOut;
  g.periodicity[row] = plan.periodicity ?? NO_PING_SLOTS;
  g.frequencyHz[row] = plan.frequencyHz;
  g.dataRate[row] = plan.dataRate;
  side.multicastAir.open(plan.frequencyHz, plan.dataRate);
  timeMulticastSession(side, row, nowUs);
  appointMulticastSessions(side, device);
}

/**
 * A class B session is entered this much before its start, to hear two beacons (LoRa Basics Modem);
 * it is left this much late, since ping slots follow the beacon and not the device's calendar.
 */
const ACQUIRE_US = 2 * 128 * SECOND_US + 7 * SECOND_US;
const CLOCK_MARGIN_US = 10 * SECOND_US;

/** Begin and end as the device's clock, as it stands now, will show them. */
function timeMulticastSession(side: DeviceSide, row: number, nowUs: number): void {
  const g = side.multicast.mcGroups.column;
  const device = g.device[row];
  const startsAtUs = worldUsOfDeviceGps(side, device, g.sessionTimeS[row], nowUs);
  const inSlots = g.periodicity[row] !== NO_PING_SLOTS;
  const opensAtUs = inSlots ? startsAtUs - ACQUIRE_US : startsAtUs;
  const lengthUs = inSlots
    ? ACQUIRE_US + classBTimeOutS(g.timeOut[row]) * SECOND_US + CLOCK_MARGIN_US
    : classCTimeOutS(g.timeOut[row]) * SECOND_US;
  g.opensAtUs[row] = Math.max(nowUs + 1, opensAtUs);
  g.closesAtUs[row] = Math.max(nowUs + 2, worldAfter(side, device, opensAtUs, lengthUs));
  assert(g.opensAtUs[row] < g.closesAtUs[row], 'a session opens before it closes');
}

/** The device's clock was set: begin and end of waiting sessions follow it. */
export function retimeMulticastSessions(side: DeviceSide, device: number, nowUs: number): void {
  const g = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] === McSessionState.waiting) timeMulticastSession(side, row, nowUs);
  }
  appointMulticastSessions(side, device);
}

/** A session of the device begins or ends by now. Ends come before begins of the same instant. */
export function onMulticastSessionDue(side: DeviceSide, device: number, nowUs: number): void {
  const g = side.multicast.mcGroups.column;
  const head = side.column.mcGroups[device];
  for (let row = head; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] === McSessionState.open && g.closesAtUs[row] <= nowUs) {
      endMulticastSession(side, device, row, nowUs);
    }
  }
  for (let row = head; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] === McSessionState.waiting && g.opensAtUs[row] <= nowUs) {
      openMulticastSession(side, device, row, nowUs);
    }
  }
  appointMulticastSessions(side, device);
}

function openMulticastSession(side: DeviceSide, device: number, row: number, nowUs: number): void {
  const g = side.multicast.mcGroups.column;
  assertSettled(side, device);
  g.sessionState[row] = McSessionState.open;
  if (g.periodicity[row] !== NO_PING_SLOTS) {
    enterClassBSession(side, device, nowUs);
  } else {
    // A class C session takes the radio from unicast class C.
    leaveRxc(side, device, nowUs);
    forgetRadioClaims(side, device, nowUs);
    side.column.openClassCSessions[device]++;
    updateBackground(side, device, nowUs);
  }
  g.cursor[row] = side.multicastAir.end(g.frequencyHz[row], g.dataRate[row]);
  const missed = side.multicastAir.rowsOf(g.mcAddr[row]);
  side.countFragments(g.mcAddr[row], 'notListening', missed);
  reappointCompletionChecks(side, device);
  appointSuddenReboot(side, device, nowUs);
  traceMulticastSessionOpens(side, device, row);
}

/** Whether a device waits for a multicast session that it accepted, or is in one. */
export function hasMulticastSession({ devices, multicast }: DeviceSide, device: number): boolean {
  const g = multicast.mcGroups.column;
  for (let row = devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] !== McSessionState.none && !isStanding(g.mcGroupId[row])) return true;
  }
  return false;
}

/** A class C device cannot serve ping slots (TS005-2.0.0 §4.6): sessions in class B end. */
export function endClassBMulticastSessions(side: DeviceSide, device: number, nowUs: number): void {
  const g = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.periodicity[row] !== NO_PING_SLOTS) endMulticastSession(side, device, row, nowUs);
  }
}

/** Ends every multicast session of a device, open or waiting. */
export function endMulticastSessions(side: DeviceSide, device: number, nowUs: number): void {
  const g = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    endMulticastSession(side, device, row, nowUs);
  }
}

/** Ends a group's session and deletes the group; its row goes back to the pool. */
export function deleteMcGroup(side: DeviceSide, device: number, row: number, nowUs: number): void {
  const g = side.multicast.mcGroups.column;
  endMulticastSession(side, device, row, nowUs);
  removeRow(side.column.mcGroups, device, g.next, row);
  side.multicast.mcGroups.give(row);
  appointMulticastSessions(side, device);
}

/**
 * A device is removed or its battery is empty: its sessions end, and its groups, fragmentation
 * sessions and package messages are dropped.
 */
export function dropReceptionState(side: DeviceSide, device: number, nowUs: number): void {
  const c = side.column;
  dropStandingGroups(side, device, nowUs);
  while (c.mcGroups[device] !== NONE) deleteMcGroup(side, device, c.mcGroups[device], nowUs);
  while (c.fragSessions[device] !== NONE) dropFragSession(side, device, c.fragSessions[device]);
  side.multicast.endedClaims.delete(device);
  side.failures.cancelReboot(device);
  unfollowBeacons(side, device, nowUs);
  side.outgoing.drop(c.outgoing, device, () => true);
  side.outgoing.drop(c.riding, device, () => true);
  if (c.outgoingInHand[device] !== NONE) side.outgoing.give(c.outgoingInHand[device]);
  c.outgoingInHand[device] = NONE;
}
