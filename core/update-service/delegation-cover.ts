/** Which devices delegations cover, by their patterns; in each of them exclusion comes first. */
import { matching } from '../base/firmware-versions.ts';

/** What a delegation says of devices: patterns of 16 characters (versions.ts). */
export interface Cover {
  readonly include_devices: readonly string[];
  readonly exclude_devices: readonly string[];
}

/** Whether some of these includes a device and does not exclude it. */
export function coverOf(all: readonly Cover[]): (devEui: string) => boolean {
  if (all.length === 0) return () => false;
  const having = (patterns: keyof Cover) =>
    matching(all.flatMap((each) => each[patterns].map((one) => [one, each] as const)));
  const [including, excluding] = [having('include_devices'), having('exclude_devices')];
  return (devEui) => {
    const included = including(devEui);
    if (included.length === 0) return false;
    const excluded = new Set(excluding(devEui));
    return included.some((each) => !excluded.has(each));
  };
}

/** Whether it is plain by their patterns that the wider one covers whatever the narrower does. */
export function isWithin(narrower: Cover, wider: Cover): boolean {
  const includes = new Set(wider.include_devices);
  const excludes = new Set(narrower.exclude_devices);
  return (
    narrower.include_devices.every((each) => includes.has(each)) &&
    wider.exclude_devices.every((each) => excludes.has(each))
  );
}
