/**
 * A device's clock runs fast or slow, by a constant rate or one that wanders, and the device
 * measures every wait with it.
 */
import { DrawPurpose, draw, type EntityKey, toUnit } from '../base/random.ts';
import type { ClockCourse, ClockRate } from './clock-course.ts';
import type { DeviceTable } from './device-table.ts';

/** What a clock needs: the devices, and by type the course of those that wander. */
export interface ClockParts {
  readonly column: Pick<DeviceTable['column'], 'type' | 'driftPpb' | 'key0' | 'key1'>;
  readonly clocks: readonly (ClockCourse | undefined)[];
}

/** Rate error of a device, uniform in ±`mostPpb`, whole parts per billion. */
export function drawDriftPpb(key: EntityKey, mostPpb: number): number {
  const unit = toUnit(draw(key.key0, key.key1, DrawPurpose.clockDrift, 0));
  return Math.round((2 * unit - 1) * mostPpb);
}

/** Ageing of a device's crystal, uniform in ±`mostPpb` a year, whole parts per billion. */
export function drawAgeingPpb(key0: number, key1: number, mostPpb: number): number {
  if (mostPpb === 0) return 0;
  return Math.round((2 * toUnit(draw(key0, key1, DrawPurpose.clockAgeing, 0)) - 1) * mostPpb);
}

/** World time at which the device's clock has counted `localUs` since `fromUs`; whole µs. */
export function worldAfter(
  side: ClockParts,
  device: number,
  fromUs: number,
  localUs: number,
): number {
  const c = side.column;
  const course = side.clocks[c.type[device]];
  if (course === undefined) return fromUs + Math.round(localUs / (1 + c.driftPpb[device] / 1e9));
  const rate = rateOf(side, course, device);
  return course.worldUs(rate, course.localUs(rate, fromUs) + localUs);
}

/** By how much the device's clock gets ahead of true time between two instants, whole µs. */
export function gainedUs(
  side: ClockParts,
  device: number,
  fromUs: number,
  untilUs: number,
): number {
  const c = side.column;
  const course = side.clocks[c.type[device]];
  if (course === undefined) return Math.round(((untilUs - fromUs) * c.driftPpb[device]) / 1e9);
  const rate = rateOf(side, course, device);
  return course.localUs(rate, untilUs) - course.localUs(rate, fromUs) - (untilUs - fromUs);
}

function rateOf({ column }: ClockParts, { plan }: ClockCourse, device: number): ClockRate {
  const { driftPpb, key0, key1 } = column;
  const ageingPpb = drawAgeingPpb(key0[device], key1[device], plan.ageingPpb);
  return { driftPpb: driftPpb[device], ageingPpb };
}
