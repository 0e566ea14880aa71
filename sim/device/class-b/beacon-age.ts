/** Whether a device knows by a beacon when its ping slots are (LoRaWAN 1.0.4 §10.1). */
import { MINUTE_US } from '../../base/units.ts';
import type { DeviceSide } from '../device-side.ts';
import { NEVER } from '../device-table.ts';

/** Longest time in class B without a beacon. */
export const BEACONLESS_US = 120 * MINUTE_US;

/** Whether the latest beacon is near enough in the past that ping slots can be met. */
export function hasRecentBeacon(side: DeviceSide, device: number, atUs: number): boolean {
  const lastUs = side.classB.lastBeaconUs(device);
  return lastUs !== NEVER && isRecentBeacon(lastUs, atUs);
}

/** Whether a beacon of that time may still set the clock of ping slots. */
export const isRecentBeacon = (beaconUs: number, atUs: number): boolean =>
  atUs - beaconUs <= BEACONLESS_US;
