/** What a file gives to fields of the firmware update service, as the service takes it. */
import { formatInstant } from '../../core/base/instant.ts';
import { MILLISECOND_US } from '../../sim/base/units.ts';

/** The fields that have a value. */
export const givenOf = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The field `scheduled_start_at` of a virtual time, µs; no field when that is absent. */
export function scheduledStart(atUs: number | undefined, startUnixMs: number) {
  if (atUs === undefined) return {};
  return { scheduled_start_at: instantAt(atUs, startUnixMs) };
}

/** The instant of a virtual time, µs, or up to 1 ms later. */
export const instantAt = (atUs: number, startUnixMs: number): string =>
  formatInstant(startUnixMs + Math.ceil(atUs / MILLISECOND_US));
