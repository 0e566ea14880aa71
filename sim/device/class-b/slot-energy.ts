/** What ping slots in vain cost: a beacon period at a time, by windows of the shortest form. */
import { MILLION } from '../../base/units.ts';
import { NONE } from '../../kernel/columns.ts';
import { BEACON_PERIOD_S, pingSlotsPerBeacon } from '../../lorawan/class-b.ts';
import type { BeaconRow } from '../../radio/beacon-log.ts';
import type { DeviceRoom } from '../device-room.ts';
import { drawForListening } from '../energy.ts';
import { CLASS_C, Session } from '../groups.ts';
import { PingInfo } from './class-b-table.ts';

/** Shortest window, symbols. */
const WINDOW_SYMBOLS = 6;
const PERIOD_US = BEACON_PERIOD_S * MILLION;

/** The period that a beacon begins, as the device enters it. */
export function drawForSlots(room: DeviceRoom, device: number, { startUs }: BeaconRow): void {
  const b = room.classB.column;
  if (b.lastBeaconUs[device] < 0) return;
  const { pingSlot } = room.plan.region;
  let listenedUs = 0;
  if (b.pingInfo[device] === PingInfo.known) {
    const dataRate = b.pingHz[device] > 0 ? b.pingDataRate[device] : pingSlot.dataRate;
    listenedUs += windowsUs(room, dataRate, b.periodicity[device]);
  }
  const g = room.groups.groups.column;
  if (b.sessions[device] > 0) {
    for (let row = room.devices.column.mcGroups[device]; row !== NONE; row = g.next[row]) {
      const isOpen = g.session[row] === Session.open && g.periodicity[row] !== CLASS_C;
      const lasts = g.opensAtUs[row] <= startUs && startUs + PERIOD_US <= g.closesAtUs[row];
      if (isOpen && lasts) listenedUs += windowsUs(room, g.dataRate[row], g.periodicity[row]);
    }
  }
  if (listenedUs > 0) drawForListening(room, device, 'ping', listenedUs);
}

const windowsUs = ({ plan }: DeviceRoom, dataRate: number, periodicity: number): number =>
  pingSlotsPerBeacon(periodicity) * WINDOW_SYMBOLS * plan.symbolUs[dataRate]!;
