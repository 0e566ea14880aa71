/**
 * How long a device is silent at most between two messages, as a rule, µs: what its profile
 * declares. 0: it sends nothing by itself.
 */
import { MILLION } from '../base/units.ts';
import type { TrafficPlan } from './network-plan.ts';

/** 95 % of random pauses are no longer than this multiple of the mean. */
const EXPONENTIAL_SILENCES = 3;

export function declaredPauseUs(
  { process, meanUs, jitterPpm, listed }: TrafficPlan,
  name: string,
): number {
  if (listed !== undefined) return longestUs(listed[name]?.atUs ?? []) ?? meanUs;
  if (process === 'none') return 0;
  if (process === 'exponential') return EXPONENTIAL_SILENCES * meanUs;
  return meanUs * (1 + jitterPpm / MILLION);
}

/** Between messages of a list; undefined of fewer than two. */
function longestUs(atUs: readonly number[]): number | undefined {
  const pauses = atUs.slice(1).map((at, i) => at - atUs[i]!);
  return pauses.length === 0 ? undefined : pauses.reduce((most, one) => Math.max(most, one));
}
