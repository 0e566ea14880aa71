/** The data rate that a device has by itself: with which its sessions begin. */
import { gainOf } from '../radio/links.ts';
import { nearestUsable } from './channels.ts';
import type { DeviceSide } from './device-side.ts';

/** Data rate with which a session begins. */
export function startDataRate(side: DeviceSide, device: number): number {
  const { devices, types, plan, links } = side;
  const c = devices.column;
  const type = types[c.type[device]]!;
  const dwell = c.uplinkDwell[device] === 1;
  if (type.dataRate.from === 'fixed') return nearestUsable(side, device, type.dataRate.dataRate);
  if (type.dataRate.from === 'join') {
    const slowest = plan.slowest(dwell);
    return c.personalised[device] === 0 ? Math.max(c.uplinkDataRate[device], slowest) : slowest;
  }
  const best = links.counts[device] === 0 ? -Infinity : gainOf(links.all[links.starts[device]]);
  return plan.fastestAbove(type.maxEirpCentiDbm + best - type.dataRate.marginCentiDb, dwell);
}

/**
 * The network lifts the uplink dwell time limit, or sets it again. A device whose data rate was
 * chosen for it, and is still its own, takes the one that it has under the new limit.
 */
export function setUplinkDwell(side: DeviceSide, device: number, dwell: boolean): void {
  const { devices, plan, types } = side;
  const c = devices.column;
  const { from } = types[c.type[device]]!.dataRate;
  const hasItsOwn = from !== 'join' && c.dataRate[device] === startDataRate(side, device);
  c.uplinkDwell[device] = dwell ? 1 : 0;
  if (hasItsOwn) c.dataRate[device] = startDataRate(side, device);
  c.dataRate[device] = Math.max(c.dataRate[device], plan.slowest(dwell));
}
