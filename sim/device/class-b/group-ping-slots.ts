/**
 * Class B multicast sessions on the device (TS005-1.0.0 §4.6): ping slots of the group's address
 * from SessionTime on for 128 · 2^TimeOut s. In the air log they are one more reason not to listen.
 *
 * A class C session has the radio to itself. Of slots that begin together the one of the lowest
 * McGroupID is served, where the channels differ.
 */
import { assert } from '../../base/assert.ts';
import { NONE } from '../../kernel/columns.ts';
import { preambleSymbols } from '../../lorawan/airtime.ts';
import type { AirCopy } from '../../radio/air-row.ts';
import { meets } from '../../radio/downlink-air.ts';
import type { DeviceSide } from '../device-side.ts';
import { isRadioClaimed } from '../multicast-radio.ts';
import { isStanding, McSessionState, NO_PING_SLOTS } from '../multicast-state.ts';
import { followBeacons, unfollowBeacons } from './beacon.ts';
import { hasRecentBeacon } from './beacon-age.ts';
import { classBSessionSpan } from './class-b-session.ts';
import { updatePingSlotShare } from './ping-slot-energy.ts';
import { beginsPingSlot, knowsPingSlots, pingSlotWindow } from './ping-slots.ts';

/** How many multicast sessions of a device are open, of either class. */
export const openMulticastSessionCount = (
  { devices, classB }: DeviceSide,
  device: number,
): number => devices.column.openClassCSessions[device] + classB.openSessions(device);

/** The same, or the device has a standing group. */
export const isInMulticastSession = (side: DeviceSide, device: number): boolean =>
  openMulticastSessionCount(side, device) > 0 || side.column.standingGroups[device] > 0;

/** A class B session opens: the device looks for the beacon, two of them before the start. */
export function enterClassBSession(side: DeviceSide, device: number, nowUs: number): void {
  side.classB.addDevice(device);
  side.classB.column.openClassBSessions[device]++;
  followBeacons(side, device, nowUs);
}

/** A class B session has ended. After the last one only a class B device follows the beacon. */
export function leaveClassBSession(side: DeviceSide, device: number, nowUs: number): void {
  const { openClassBSessions } = side.classB.column;
  assert(openClassBSessions[device] > 0, 'a session that ends was counted as open');
  openClassBSessions[device]--;
  const { deviceClass } = side.types[side.column.type[device]]!;
  if (openClassBSessions[device] === 0 && deviceClass !== 'B') unfollowBeacons(side, device, nowUs);
  updatePingSlotShare(side, device, nowUs);
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
  const g = side.multicast.mcGroups.column;
  if (g.periodicity[group] === NO_PING_SLOTS) return false;
  if (g.sessionState[group] !== McSessionState.open) return false;
  const { fromUs, untilUs } = classBSessionSpan(side, group);
  return startUs >= fromUs && startUs < untilUs && !hasRecentBeacon(side, device, startUs);
}

/**
 * Whether the device listened in a slot of this group when the copy began. It has been settled up
 * to then.
 */
export function isInGroupPingSlot(
  side: DeviceSide,
  device: number,
  group: number,
  copy: AirCopy,
): boolean {
  const g = side.multicast.mcGroups.column;
  const { fromUs, untilUs } = classBSessionSpan(side, group);
  const { startUs, endUs } = copy;
  if (isStanding(g.mcGroupId[group]) && !knowsPingSlots(side, device)) return false;
  if (startUs < fromUs || startUs >= untilUs || !hasRecentBeacon(side, device, startUs))
    return false;
  if (!beginsPingSlot(side, g.mcAddr[group], g.periodicity[group], startUs)) return false;
  if (isRadioClaimed(side, device, startUs, endUs) || yieldsPingSlot(side, device, group, startUs))
    return false;
  const dataRate = g.dataRate[group];
  const window = pingSlotWindow(side, device, startUs, dataRate);
  const signal = {
    symbolUs: side.plan.symbolUs[dataRate]!,
    preambleSymbols: preambleSymbols(side.plan.spreadingFactor[dataRate]!),
  };
  return meets(window.opensAtUs, window.closesAtUs, signal, startUs);
}

/** Whether a group that goes first has a slot at the same instant on another channel. */
function yieldsPingSlot(side: DeviceSide, device: number, group: number, atUs: number): boolean {
  if (side.classB.openSessions(device) + side.column.standingGroups[device] <= 1) return false;
  const g = side.multicast.mcGroups.column;
  for (let row = side.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] !== McSessionState.open || g.periodicity[row] === NO_PING_SLOTS)
      continue;
    if (g.mcGroupId[row] >= g.mcGroupId[group]) continue;
    const isSame =
      g.frequencyHz[row] === g.frequencyHz[group] && g.dataRate[row] === g.dataRate[group];
    if (!isSame && beginsPingSlot(side, g.mcAddr[row], g.periodicity[row], atUs)) return true;
  }
  return false;
}
