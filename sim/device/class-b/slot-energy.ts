/**
 * What ping slots in vain cost: the share of its time for which a device has their windows open.
 * Slots come at a steady pace and their windows are of one length from beacon to beacon, so their
 * cost is a current, and parts of a time add up (docs/decisions/0028).
 */
import { MILLION } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import { BEACON_PERIOD_S, pingSlotsPerBeacon } from '../../lorawan/class-b.ts';
import type { DeviceSide } from '../device-side.ts';
import { Activation } from '../device-table.ts';
import { energyPlan, setSlotShare } from '../energy.ts';
import { CLASS_C, Session } from '../groups.ts';
import { PingInfo } from './class-b-table.ts';
import { isLocked } from './lock.ts';
import { slotWindow } from './ping-slots.ts';
import { sessionSpan } from './session-span.ts';

const PERIOD_US = BEACON_PERIOD_S * MILLION;

/** Something that slots depend on may have changed at this instant: beacon, settings, sessions. */
export function updateSlots(side: DeviceSide, device: number, atUs: number): void {
  if (energyPlan(side, device) === undefined) return;
  const windowsUs = isLocked(side, device, atUs)
    ? ownUs(side, device, atUs) + groupsUs(side, device, atUs)
    : 0;
  const ppb = Math.round((Math.min(windowsUs, PERIOD_US) / PERIOD_US) * 1e9);
  setSlotShare(side, device, ppb, atUs);
}

/** Windows in a beacon period at slots of the device's own address, which the server knows. */
function ownUs(side: DeviceSide, device: number, atUs: number): number {
  const b = side.classB.column;
  if (side.devices.column.activation[device] !== Activation.active) return 0;
  if (b.pingInfo[device] !== PingInfo.known) return 0;
  const dataRate =
    b.pingHz[device] > 0 ? b.pingDataRate[device] : side.plan.region.pingSlot.dataRate;
  return windowsUs(side, device, b.periodicity[device], dataRate, atUs);
}

/** The same of groups whose session has begun. */
function groupsUs(side: DeviceSide, device: number, atUs: number): number {
  if (side.classB.column.sessions[device] === 0) return 0;
  const g = side.groups.groups.column;
  let sumUs = 0;
  for (let row = side.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.session[row] !== Session.open || g.periodicity[row] === CLASS_C) continue;
    const { fromUs, untilUs } = sessionSpan(side, row);
    if (fromUs > atUs || atUs >= untilUs) continue;
    sumUs += windowsUs(side, device, g.periodicity[row], g.dataRate[row], atUs);
  }
  return sumUs;
}

/** Windows as long as the one in the middle of the period, for as many slots as have room. */
function windowsUs(
  side: DeviceSide,
  device: number,
  periodicity: number,
  dataRate: number,
  atUs: number,
): number {
  const { opensAtUs, closesAtUs } = slotWindow(side, device, atUs + PERIOD_US / 2, dataRate);
  return Math.min(PERIOD_US, pingSlotsPerBeacon(periodicity) * (closesAtUs - opensAtUs));
}
