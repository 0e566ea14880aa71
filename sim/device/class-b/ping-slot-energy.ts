/**
 * Cost of empty ping slots: the share of time for which a device has their windows open. Slots come
 * at a steady pace and their windows are of one length from beacon to beacon. So their cost is a
 * current, and parts of a time add up (docs/decisions/0028).
 */
import { MILLION } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import { BEACON_PERIOD_S, pingSlotsPerBeacon } from '../../lorawan/class-b.ts';
import type { DeviceSide } from '../device-side.ts';
import { Activation } from '../device-table.ts';
import { energyPlan, setPingSlotShare } from '../energy.ts';
import { isStanding, McSessionState, NO_PING_SLOTS } from '../multicast-state.ts';
import { hasRecentBeacon } from './beacon-age.ts';
import { classBSessionSpan } from './class-b-session.ts';
import { PingInfo } from './class-b-table.ts';
import { knowsPingSlots, pingSlotWindow } from './ping-slots.ts';

const PERIOD_US = BEACON_PERIOD_S * MILLION;

/** Something that ping slots depend on may have changed now: beacon, settings, sessions. */
export function updatePingSlotShare(side: DeviceSide, device: number, atUs: number): void {
  if (energyPlan(side, device) === undefined) return;
  const isInTime = hasRecentBeacon(side, device, atUs);
  const groups = isInTime ? groupsUs(side, device, atUs) : NO_GROUPS;
  const steadyUs = isInTime ? ownUs(side, device, atUs) + groups.standingUs : 0;
  const all = ppbOf(steadyUs + groups.sessionsUs);
  setPingSlotShare(side, device, all, all - ppbOf(steadyUs), atUs);
}

const NO_GROUPS = { standingUs: 0, sessionsUs: 0 } as const;

/** Share of the period, parts per billion. */
const ppbOf = (us: number): number => Math.round((Math.min(us, PERIOD_US) / PERIOD_US) * 1e9);

/** Windows in a beacon period at slots of the device's own address, which the server knows. */
function ownUs(side: DeviceSide, device: number, atUs: number): number {
  const b = side.classB.column;
  if (side.column.activation[device] !== Activation.active) return 0;
  if (b.pingInfo[device] !== PingInfo.known) return 0;
  const dataRate =
    b.pingHz[device] > 0 ? b.pingDataRate[device] : side.plan.region.pingSlot.dataRate;
  return windowsUs(side, device, b.periodicity[device], dataRate, atUs);
}

/** The same of standing groups, and of sessions that have begun. */
function groupsUs(side: DeviceSide, device: number, atUs: number) {
  const { standingGroups, mcGroups } = side.column;
  if (side.classB.openSessions(device) + standingGroups[device] === 0) return NO_GROUPS;
  const g = side.multicast.mcGroups.column;
  let [standingUs, sessionsUs] = [0, 0];
  for (let row = mcGroups[device]; row !== NONE; row = g.next[row]) {
    if (g.sessionState[row] !== McSessionState.open || g.periodicity[row] === NO_PING_SLOTS)
      continue;
    const stands = isStanding(g.mcGroupId[row]);
    if (stands && !knowsPingSlots(side, device)) continue;
    const { fromUs, untilUs } = classBSessionSpan(side, row);
    if (fromUs > atUs || atUs >= untilUs) continue;
    const us = windowsUs(side, device, g.periodicity[row], g.dataRate[row], atUs);
    if (stands) standingUs += us;
    else sessionsUs += us;
  }
  return { standingUs, sessionsUs };
}

/** Windows as long as the one in the middle of the period, one for each slot in the period. */
function windowsUs(
  side: DeviceSide,
  device: number,
  periodicity: number,
  dataRate: number,
  atUs: number,
): number {
  const { opensAtUs, closesAtUs } = pingSlotWindow(side, device, atUs + PERIOD_US / 2, dataRate);
  return Math.min(PERIOD_US, pingSlotsPerBeacon(periodicity) * (closesAtUs - opensAtUs));
}
