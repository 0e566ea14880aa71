/**
 * Class B multicast sessions on the device (TS005-1.0.0 §4.6): ping slots of the group's address
 * from SessionTime on for 128 · 2^TimeOut s. In the air log they are one more reason not to listen.
 *
 * A class C session has the radio to itself. Of slots that begin together the one of the lowest
 * McGroupID is served, where the channels differ.
 */
import { NONE } from '../../kernel/columns.ts';
import { preambleSymbols } from '../../lorawan/airtime.ts';
import { meets } from '../../radio/downlink-air.ts';
import type { AirCopy } from '../../radio/multicast-air.ts';
import type { DeviceRoom } from '../device-room.ts';
import { CLASS_C, Session } from '../groups.ts';
import { isTaken } from '../multicast-radio.ts';
import { follow, unfollow } from './beacon.ts';
import { isLocked } from './lock.ts';
import { isSlotOf, slotWindow } from './ping-slots.ts';
import { sessionSpan } from './session-span.ts';
import { updateSlots } from './slot-energy.ts';

/** Multicast sessions that are open, of either class. */
export const sessionsOf = ({ devices, classB }: DeviceRoom, device: number): number =>
  devices.column.openSessions[device] + classB.column.sessions[device];

export const isInSession = (room: DeviceRoom, device: number): boolean =>
  sessionsOf(room, device) > 0;

/** A class B session opens: the device looks for the beacon, two of them before the start. */
export function enterSlots(room: DeviceRoom, device: number, nowUs: number): void {
  room.classB.column.sessions[device]++;
  follow(room, device, nowUs);
}

/** It has ended; a device of another class follows the beacon no more after its last one. */
export function leaveSlots(room: DeviceRoom, device: number, nowUs: number): void {
  const { sessions } = room.classB.column;
  sessions[device]--;
  const { deviceClass } = room.types[room.devices.column.type[device]]!;
  if (sessions[device] === 0 && deviceClass !== 'B') unfollow(room, device, nowUs);
  updateSlots(room, device, nowUs);
}

/**
 * Whether the copy came in the time of the session to a device that opened no slot, since it had
 * heard no beacon in time. It has been settled up to then.
 */
export function lacksBeacon(
  room: DeviceRoom,
  device: number,
  group: number,
  { startUs }: AirCopy,
): boolean {
  if (room.groups.groups.column.periodicity[group] === CLASS_C) return false;
  const { fromUs, untilUs } = sessionSpan(room, group);
  return startUs >= fromUs && startUs < untilUs && !isLocked(room, device, startUs);
}

/**
 * Whether the device listened in a slot of this group when the copy began. It has been settled up
 * to then.
 */
export function isInSlot(room: DeviceRoom, device: number, group: number, copy: AirCopy): boolean {
  const g = room.groups.groups.column;
  const { fromUs, untilUs } = sessionSpan(room, group);
  const { startUs, endUs } = copy;
  if (startUs < fromUs || startUs >= untilUs || !isLocked(room, device, startUs)) return false;
  if (!isSlotOf(room, g.mcAddr[group], g.periodicity[group], startUs)) return false;
  if (isTaken(room, device, startUs, endUs) || yields(room, device, group, startUs)) return false;
  const dataRate = g.dataRate[group];
  const window = slotWindow(room, device, startUs, dataRate);
  const signal = {
    symbolUs: room.plan.symbolUs[dataRate]!,
    preambleSymbols: preambleSymbols(room.plan.spreadingFactor[dataRate]!),
  };
  return meets(window.opensAtUs, window.closesAtUs, signal, startUs);
}

/** Whether a group that goes first has a slot at the same instant on another channel. */
function yields(room: DeviceRoom, device: number, group: number, atUs: number): boolean {
  if (room.classB.column.sessions[device] <= 1) return false;
  const g = room.groups.groups.column;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] !== Session.open || g.periodicity[row] === CLASS_C) continue;
    if (g.mcGroupId[row] >= g.mcGroupId[group]) continue;
    const isSame =
      g.frequencyHz[row] === g.frequencyHz[group] && g.dataRate[row] === g.dataRate[group];
    if (!isSame && isSlotOf(room, g.mcAddr[row], g.periodicity[row], atUs)) return true;
  }
  return false;
}
