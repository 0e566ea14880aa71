/**
 * Device types that every world has, so that devices can be registered in it that no population
 * has: classes A and C, of LoRaWAN 1.0 and 1.1. They are everybody's. Without devices they are in
 * nobody's way.
 */
import type { DeviceTypePlan } from '../../sim/plan/network-plan.ts';
import { READ_ONCE } from '../language/knob.ts';
import { type DeviceEntry, DevicesSchema } from '../schema/schema.ts';

/** No population can be called so: names have no spaces. */
const USUAL = [
  { name: 'Class A', class: 'A' },
  { name: 'Class C', class: 'C' },
  { name: 'Class A 1.1', class: 'A', lorawan: '1.1' },
  { name: 'Class C 1.1', class: 'C', lorawan: '1.1' },
] as const;

/** What they have besides: as any population, but that they start soon. */
const COMMON = { joinWithin: '10 s', multicastKeys: 'none' } as const;

/** They are entries as a file would have them, but for their names. */
export const USUAL_ENTRIES: readonly DeviceEntry[] = USUAL.map(({ name, ...rest }) => ({
  ...DevicesSchema.parse({ name: 'usual', ...COMMON, ...rest }, READ_ONCE),
  name,
}));

/** A type that radiates no more than something else there does: links stay as they are. */
export const asStrongAs = (
  type: DeviceTypePlan,
  others: readonly { readonly maxEirpCentiDbm: number }[],
): DeviceTypePlan => ({
  ...type,
  maxEirpCentiDbm: Math.min(
    type.maxEirpCentiDbm,
    Math.max(...others.map(({ maxEirpCentiDbm }) => maxEirpCentiDbm)),
  ),
});
