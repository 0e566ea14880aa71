/** A device's clock runs fast or slow by a constant rate; it measures every wait with it. */
import { draw, type EntityKey, Purpose, toUnit } from '../base/random.ts';

/** Rate error of a device, uniform in ±`mostPpb`, whole parts per billion. */
export function drawDriftPpb(key: EntityKey, mostPpb: number): number {
  const unit = toUnit(draw(key.key0, key.key1, Purpose.clockDrift, 0));
  return Math.round((2 * unit - 1) * mostPpb);
}

/** World time that passes while the device's clock counts `localUs`; both whole µs. */
export function trueUs(localUs: number, driftPpb: number): number {
  return Math.round(localUs / (1 + driftPpb / 1e9));
}
