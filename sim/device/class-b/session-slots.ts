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
import type { DeviceSide } from '../device-side.ts';
import { CLASS_C, Session } from '../groups.ts';
import { isTaken } from '../multicast-radio.ts';
import { follow, unfollow } from './beacon.ts';
import { isLocked } from './lock.ts';
import { isSlotOf, slotWindow } from './ping-slots.ts';
import { sessionSpan } from './session-span.ts';
import { updateSlots } from './slot-energy.ts';

/** Multicast sessions that are open, of either class. */
export const sessionsOf = ({ devices, classB }: DeviceSide, device: number): number =>
  devices.column.openSessions[device] + classB.column.sessions[device];

export const isInSession = (side: DeviceSide, device: number): boolean =>
  sessionsOf(side, device) > 0;

/** A class B session opens: the device looks for the beacon, two of them before the start. */
export function enterSlots(side: DeviceSide, device: number, nowUs: number): void {
  side.classB.column.sessions[device]++;
  follow(side, device, nowUs);
}

/** It has ended; a device of another class follows the beacon no more after its last one. */
export function leaveSlots(side: DeviceSide, device: number, nowUs: number): void {
  const { sessions } = side.classB.column;
  sessions[device]--;
  const { deviceClass } = side.types[side.devices.column.type[device]]!;
  if (sessions[device] === 0 && deviceClass !== 'B') unfollow(side, device, nowUs);
  updateSlots(side, device, nowUs);
}

/**
 * Whether the copy came in the time of the session to a device that opened no slot, since it had
 * heard no beacon in time. It has been settled up to then.
 */
export function lacksBeacon(
  side: DeviceSide,
  device: number,
  group: number,
  { startUs }: AirCopy,
): boolean {
  if (side.groups.groups.column.periodicity[group] === CLASS_C) return false;
  const { fromUs, untilUs } = sessionSpan(side, group);
  return startUs >= fromUs && startUs < untilUs && !isLocked(side, device, startUs);
}

/**
 * Whether the device listened in a slot of this group when the copy began. It has been settled up
 * to then.
 */
export function isInSlot(side: DeviceSide, device: number, group: number, copy: AirCopy): boolean {
  const g = side.groups.groups.column;
  const { fromUs, untilUs } = sessionSpan(side, group);
  const { startUs, endUs } = copy;
  if (startUs < fromUs || startUs >= untilUs || !isLocked(side, device, startUs)) return false;
  if (!isSlotOf(side, g.mcAddr[group], g.periodicity[group], startUs)) return false;
  if (isTaken(side, device, startUs, endUs) || yields(side, device, group, startUs)) return false;
  const dataRate = g.dataRate[group];
  const window = slotWindow(side, device, startUs, dataRate);
  const signal = {
    symbolUs: side.plan.symbolUs[dataRate]!,
    preambleSymbols: preambleSymbols(side.plan.spreadingFactor[dataRate]!),
  };
  return meets(window.opensAtUs, window.closesAtUs, signal, startUs);
}

/** Whether a group that goes first has a slot at the same instant on another channel. */
function yields(side: DeviceSide, device: number, group: number, atUs: number): boolean {
  if (side.classB.column.sessions[device] <= 1) return false;
  const g = side.groups.groups.column;
  for (let row = side.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] !== Session.open || g.periodicity[row] === CLASS_C) continue;
    if (g.mcGroupId[row] >= g.mcGroupId[group]) continue;
    const isSame =
      g.frequencyHz[row] === g.frequencyHz[group] && g.dataRate[row] === g.dataRate[group];
    if (!isSame && isSlotOf(side, g.mcAddr[row], g.periodicity[row], atUs)) return true;
  }
  return false;
}
