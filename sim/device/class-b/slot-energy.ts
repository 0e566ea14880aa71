/**
 * What ping slots in vain cost: the share of its time for which a device has their windows open.
 * Slots come at a steady pace and their windows are of one length from beacon to beacon, so their
 * cost is a current, and parts of a time add up (docs/decisions/0028).
 */
import { MILLION } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import { BEACON_PERIOD_S, pingSlotsPerBeacon } from '../../lorawan/class-b.ts';
import type { DeviceRoom } from '../device-room.ts';
import { Activation } from '../device-table.ts';
import { energyPlan, setSlotShare } from '../energy.ts';
import { CLASS_C, Session } from '../groups.ts';
import { PingInfo } from './class-b-table.ts';
import { isLocked } from './lock.ts';
import { slotWindow } from './ping-slots.ts';
import { sessionSpan } from './session-span.ts';

const PERIOD_US = BEACON_PERIOD_S * MILLION;

/** Something that slots depend on may have changed at this instant: beacon, settings, sessions. */
export function updateSlots(room: DeviceRoom, device: number, atUs: number): void {
  if (energyPlan(room, device) === undefined) return;
  const windowsUs = isLocked(room, device, atUs)
    ? ownUs(room, device, atUs) + groupsUs(room, device, atUs)
    : 0;
  const ppb = Math.round((Math.min(windowsUs, PERIOD_US) / PERIOD_US) * 1e9);
  setSlotShare(room, device, ppb, atUs);
}

/** Windows in a beacon period at slots of the device's own address, which the server knows. */
function ownUs(room: DeviceRoom, device: number, atUs: number): number {
  const b = room.classB.column;
  if (room.devices.column.activation[device] !== Activation.active) return 0;
  if (b.pingInfo[device] !== PingInfo.known) return 0;
  const dataRate =
    b.pingHz[device] > 0 ? b.pingDataRate[device] : room.plan.region.pingSlot.dataRate;
  return windowsUs(room, device, b.periodicity[device], dataRate, atUs);
}

/** The same of groups whose session has begun. */
function groupsUs(room: DeviceRoom, device: number, atUs: number): number {
  if (room.classB.column.sessions[device] === 0) return 0;
  const g = room.groups.groups.column;
  let sumUs = 0;
  for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] !== Session.open || g.periodicity[row] === CLASS_C) continue;
    const { fromUs, untilUs } = sessionSpan(room, row);
    if (fromUs > atUs || atUs >= untilUs) continue;
    sumUs += windowsUs(room, device, g.periodicity[row], g.dataRate[row], atUs);
  }
  return sumUs;
}

/** Windows as long as the one in the middle of the period, for as many slots as have room. */
function windowsUs(
  room: DeviceRoom,
  device: number,
  periodicity: number,
  dataRate: number,
  atUs: number,
): number {
  const { opensAtUs, closesAtUs } = slotWindow(room, device, atUs + PERIOD_US / 2, dataRate);
  return Math.min(PERIOD_US, pingSlotsPerBeacon(periodicity) * (closesAtUs - opensAtUs));
}
