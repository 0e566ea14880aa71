/** Values of a scenario, in its base units, as the firmware update service takes them. */
import { formatInstant } from '../../core/kit/instant.ts';
import { MILLISECOND_US, SECOND_US } from '../../sim/base/units.ts';
import type { CampaignEntry } from '../language/update-schema.ts';

/** Base units of the scenario in one unit of the service's; 1 for a field that is absent here. */
const UNITS: Readonly<Partial<Record<keyof CampaignEntry, number>>> = {
  multicast_setup_time: SECOND_US,
  mcast_freq: 1e6,
  mcast_session_timeout: SECOND_US,
  redundancy: 1e6,
  frag_send_delay: SECOND_US,
  acceptable_time_drift: SECOND_US,
  sleep_after_frag_sent: SECOND_US,
  min_downlink_delay: SECOND_US,
  min_timeout_delay: SECOND_US,
  automatic_retry_interval: SECOND_US,
  downlink_delay_rand_s: SECOND_US,
};

/** The fields that have a value, in the service's units. */
export function inServiceUnits(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([key, value]) => [
      key,
      typeof value === 'number' ? value / (UNITS[key as keyof CampaignEntry] ?? 1) : value,
    ]),
  );
}

/** The field `scheduled_start_at` of a virtual time, µs; no field when that is absent. */
export function scheduledStart(atUs: number | undefined, startUnixMs: number) {
  if (atUs === undefined) return {};
  return { scheduled_start_at: formatInstant(startUnixMs + Math.ceil(atUs / MILLISECOND_US)) };
}
