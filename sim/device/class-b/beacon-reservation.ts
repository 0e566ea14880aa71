/**
 * A device that listens for beacons sends nothing whose windows could reach into one: it waits, as
 * LoRaMac-node's check for a collision does (LoRaMacClassBIsUplinkCollision; docs/decisions/0107).
 */
import { DrawPurpose, draw, toUnit } from '../../base/random.ts';
import { SECOND_US } from '../../base/units.ts';
import { BEACON_DELAY_US, BEACON_GUARD_US, BEACON_RESERVED_US } from '../../lorawan/class-b.ts';
import { JOIN_ACCEPT_DELAY1_US, RX2_AFTER_RX1_US } from '../../lorawan/region.ts';
import type { DeviceSide } from '../device-side.ts';
import { UplinkPurpose } from '../device-table.ts';

/** Devices that waited for one beacon begin within this, so that they do not all collide. */
const SPREAD_US = 5 * SECOND_US;

/**
 * When an uplink of this air time may begin: now, or after the beacon that it would disturb. The
 * device is settled.
 */
export function clearOfBeaconsUs(
  side: DeviceSide,
  device: number,
  airtimeUs: number,
  nowUs: number,
): number {
  if (!side.classB.follows(device)) return nowUs;
  const next = side.beacons.after(nowUs);
  if (isReserved(side, device, next - 1, airtimeUs, nowUs)) return resume(side, device, next - 1);
  if (isReserved(side, device, next, airtimeUs, nowUs)) return resume(side, device, next);
  return nowUs;
}

/** Whether an uplink that begins now keeps a beacon that the device looks for from being heard. */
function isReserved(
  side: DeviceSide,
  device: number,
  beacon: number,
  airtimeUs: number,
  nowUs: number,
): boolean {
  const startUs = side.beacons.startUs(beacon);
  if (startUs < side.classB.column.looksFromUs[device]) return false;
  const { purpose, rx1DelayS } = side.column;
  const isData = purpose[device] === UplinkPurpose.data;
  const rx1Us = isData ? rx1DelayS[device] * SECOND_US : JOIN_ACCEPT_DELAY1_US;
  const windowsUs = rx1Us + (rx1Us + RX2_AFTER_RX1_US);
  const fromUs = startUs - BEACON_DELAY_US - BEACON_GUARD_US - windowsUs - airtimeUs;
  return nowUs >= fromUs && nowUs < reservedUntilUs(side, beacon);
}

const reservedUntilUs = ({ beacons }: DeviceSide, beacon: number): number =>
  beacons.startUs(beacon) - BEACON_DELAY_US + BEACON_RESERVED_US;

function resume(side: DeviceSide, device: number, beacon: number): number {
  const { key0, key1, frames } = side.column;
  const drawn = draw(key0[device], key1[device], DrawPurpose.afterBeacon, frames[device]);
  return reservedUntilUs(side, beacon) + Math.floor(toUnit(drawn) * SPREAD_US);
}
