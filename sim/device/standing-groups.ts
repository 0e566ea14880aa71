/**
 * Standing groups on the device: multicast groups whose address and keys it was given as it was
 * given its own (LoRaWAN 1.0.4 §15.1), so that no command goes over the air (docs/decisions/0058).
 *
 * A member of a class C group listens on the group's channel as long as it is in class C and has a
 * session; one of a class B group in the group's ping slots as long as it is in class B. What it
 * heard is derived from the group's own log of frames, as in sessions (`multicast-settling.ts`).
 */
import { assert } from '../base/assert.ts';
import { MOST_STANDING_GROUPS, type StandingGroup } from '../base/standing-group.ts';
import { removeRow } from '../kernel/chain.ts';
import { NONE } from '../kernel/columns.ts';
import { KEY_BYTES } from '../lorawan/frame-security.ts';
import { ChannelLog } from '../radio/channel-log.ts';
import { updatePingSlotShare } from './class-b/ping-slot-energy.ts';
import { isContinuous, listenContinuously, shutRxc } from './class-c.ts';
import type { DeviceSide } from './device-side.ts';
import { Activation, DeviceClass, NO_COUNTER, Radio } from './device-table.ts';
import { forgetRadioClaims, rememberRadioClaim } from './multicast-radio.ts';
import {
  FIRST_STANDING,
  FOREVER_US,
  foldKeys,
  isStanding,
  McSessionState,
  NO_PING_SLOTS,
  type StandingMembers,
} from './multicast-state.ts';
import { traceMulticastSessionCloses, traceMulticastSessionOpens } from './multicast-trace.ts';
import { assertSettled } from './settling-progress.ts';

/** What a member is given. */
export interface StandingMembership extends StandingGroup {
  /** The first counter that it accepts. */
  readonly minFCount: number;
}

/** A device that is no member of a group is given its address and its keys. */
export function joinStandingGroup(
  side: DeviceSide,
  device: number,
  given: StandingMembership,
  nowUs: number,
): void {
  const { mcGroups: heads, standingGroups } = side.column;
  const { multicast } = side;
  assert(standingGroups[device] < MOST_STANDING_GROUPS, 'a device has keys of a few groups');
  assert(rowOf(side, device, given.mcAddr) === NONE, 'a device joins a group once');
  const row = multicast.mcGroups.take();
  const g = multicast.mcGroups.column;
  g.mcGroupId[row] = freeId(side, device);
  g.next[row] = NONE;
  // Behind those of TS005, whose latest one stands first.
  let last = heads[device];
  while (last !== NONE && g.next[last] !== NONE) last = g.next[last];
  if (last === NONE) heads[device] = row;
  else g.next[last] = row;
  g.device[row] = device;
  g.mcAddr[row] = given.mcAddr;
  g.mcNwkSKey.set(given.mcNwkSKey, row * KEY_BYTES);
  g.mcAppSKey.set(given.mcAppSKey, row * KEY_BYTES);
  g.keyFold[row] = foldKeys(g.mcNwkSKey, g.mcAppSKey, row);
  g.minFCount[row] = given.minFCount;
  g.maxFCount[row] = 0x1_0000_0000;
  g.fCnt[row] = NO_COUNTER;
  g.sessionState[row] = McSessionState.none;
  g.sessionTimeS[row] = g.timeOut[row] = g.opensAtUs[row] = 0;
  g.closesAtUs[row] = FOREVER_US;
  g.periodicity[row] = given.periodicity ?? NO_PING_SLOTS;
  g.frequencyHz[row] = given.frequencyHz;
  g.dataRate[row] = given.dataRate;
  g.checkAtFCnt[row] = NONE;
  const group = multicast.standing.get(given.mcAddr) ?? newStandingGroup();
  multicast.standing.set(given.mcAddr, group);
  group.members.push(device);
  g.cursor[row] = group.log.end;
  standingGroups[device]++;
  reviewStandingGroups(side, device, nowUs);
}

const newStandingGroup = (): StandingMembers => ({
  log: new ChannelLog({ listeners: 1, rows: [], first: 0 }),
  members: [],
  next: 0,
  passFrom: 0,
});

/** The lowest number that no group of the device has. */
function freeId({ devices, multicast }: DeviceSide, device: number): number {
  let id = FIRST_STANDING;
  while (multicast.findMcGroup(devices.column.mcGroups, device, id) !== NONE) id++;
  return id;
}

/** Row of the device's standing group with this address; NONE: it is no member. */
function rowOf({ devices, multicast }: DeviceSide, device: number, mcAddr: number): number {
  const g = multicast.mcGroups.column;
  let row = devices.column.mcGroups[device];
  while (row !== NONE && !(isStanding(g.mcGroupId[row]) && g.mcAddr[row] === mcAddr)) {
    row = g.next[row];
  }
  return row;
}

/** A device forgets a group; one that has none of its keys any more stays as it is. */
export function leaveStandingGroup(
  side: DeviceSide,
  device: number,
  mcAddr: number,
  nowUs: number,
): void {
  const { multicast, devices } = side;
  const row = rowOf(side, device, mcAddr);
  if (row === NONE) return;
  setListening(side, device, nowUs, [row], () => false);
  removeRow(devices.column.mcGroups, device, multicast.mcGroups.column.next, row);
  multicast.mcGroups.give(row);
  devices.column.standingGroups[device]--;
  const group = multicast.standing.get(mcAddr);
  assert(group !== undefined, 'a member has a group');
  const at = group.members.lastIndexOf(device);
  group.members.splice(at, 1);
  if (at < group.next) group.next--;
  if (group.members.length === 0) multicast.standing.delete(mcAddr);
}

/** A device is removed, or its battery is empty. */
export function dropStandingGroups(side: DeviceSide, device: number, nowUs: number): void {
  for (const row of rowsOf(side, device)) {
    leaveStandingGroup(side, device, side.multicast.mcGroups.column.mcAddr[row], nowUs);
  }
}

/** The group's channel is another from now on: members were given it, too. */
export function retuneStandingGroup(
  side: DeviceSide,
  device: number,
  {
    mcAddr,
    frequencyHz,
    dataRate,
  }: Pick<StandingMembership, 'mcAddr' | 'frequencyHz' | 'dataRate'>,
  nowUs: number,
): void {
  const row = rowOf(side, device, mcAddr);
  assert(row !== NONE, 'a member has a group');
  const g = side.multicast.mcGroups.column;
  setListening(side, device, nowUs, [row], () => false);
  g.frequencyHz[row] = frequencyHz;
  g.dataRate[row] = dataRate;
  reviewStandingGroups(side, device, nowUs);
}

// ── when it listens ──────────────────────────────────────────────────────────────────────────────

/** The device's class or its session has changed: it may listen to its groups now, or no longer. */
export function reviewStandingGroups(side: DeviceSide, device: number, nowUs: number): void {
  if (side.column.standingGroups[device] === 0) return;
  setListening(side, device, nowUs, rowsOf(side, device), (row) => listens(side, device, row));
}

function listens({ devices, multicast, types }: DeviceSide, device: number, row: number): boolean {
  const c = devices.column;
  if (c.activation[device] !== Activation.active) return false;
  const inSlots = multicast.mcGroups.column.periodicity[row] !== NO_PING_SLOTS;
  if (inSlots) return types[c.type[device]]!.deviceClass === 'B';
  return c.deviceClass[device] === DeviceClass.c;
}

function rowsOf({ devices, multicast }: DeviceSide, device: number): readonly number[] {
  const g = multicast.mcGroups.column;
  const rows: number[] = [];
  for (let row = devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (isStanding(g.mcGroupId[row])) rows.push(row);
  }
  return rows;
}

/** What it listens to between its windows may change with that. */
function setListening(
  side: DeviceSide,
  device: number,
  nowUs: number,
  rows: readonly number[],
  isOn: (row: number) => boolean,
): void {
  assertSettled(side, device);
  // It may not be switched on yet.
  const atUs = Math.max(nowUs, side.column.startsAtUs[device]);
  const wasContinuous = isContinuous(side, device);
  for (const row of rows) {
    const on = isOn(row);
    const isOpen = side.multicast.mcGroups.column.sessionState[row] === McSessionState.open;
    if (on && !isOpen) beginListening(side, device, row, atUs);
    if (!on && isOpen) endListening(side, device, row, atUs);
  }
  const continuous = isContinuous(side, device);
  const isOnRx2 = side.downlinkAir.listeners.column.rx2ClosesAtUs[device] >= FOREVER_US;
  if (wasContinuous && !continuous && isOnRx2) shutRxc(side, device, atUs);
  const mayListen = side.column.radio[device] !== Radio.sending;
  if (!wasContinuous && continuous && mayListen) listenContinuously(side, device, atUs);
}

function beginListening(side: DeviceSide, device: number, row: number, atUs: number): void {
  const g = side.multicast.mcGroups.column;
  g.sessionState[row] = McSessionState.open;
  g.opensAtUs[row] = atUs;
  if (g.periodicity[row] === NO_PING_SLOTS) forgetRadioClaims(side, device, atUs);
  else updatePingSlotShare(side, device, atUs);
  traceMulticastSessionOpens(side, device, row);
}

function endListening(side: DeviceSide, device: number, row: number, atUs: number): void {
  const g = side.multicast.mcGroups.column;
  g.sessionState[row] = McSessionState.none;
  traceMulticastSessionCloses(side, device, row);
  if (g.periodicity[row] === NO_PING_SLOTS) rememberRadioClaim(side, device, row, atUs);
  else updatePingSlotShare(side, device, atUs);
}
