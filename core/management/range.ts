/** The time that a query is about. */
import { fail, ok, type Result } from '../../sim/base/result.ts';
import { MILLISECOND_US } from '../../sim/base/units.ts';
import type { NetworkFacts } from '../../sim/contract/view.ts';
import { instantOf, microsecondsOf } from '../base/instant.ts';

/** Virtual time, µs, both included. */
export interface Range {
  readonly fromUs: number;
  readonly untilUs: number;
}

/**
 * The instants that a query is about, both included. Instants are reported in whole milliseconds of
 * UTC, and what was reported can be asked for: a thing counts by the millisecond that it is in.
 */
export function rangeOf<const Code extends string>(
  { StartTime, EndTime }: { readonly StartTime?: string; readonly EndTime?: string },
  { unixMs, worldUsOfUnixMs }: Pick<NetworkFacts, 'unixMs' | 'worldUsOfUnixMs'>,
  code: Code,
): Result<Range, Code> {
  const usOf = (instant: string) => worldUsOfUnixMs(instantOf(instant)) + microsecondsOf(instant);
  const fromUs = StartTime === undefined ? Number.NEGATIVE_INFINITY : usOf(StartTime);
  const untilUs = EndTime === undefined ? Number.POSITIVE_INFINITY : usOf(EndTime);
  if (fromUs > untilUs)
    return fail(code, 'EndTime has to be no earlier than StartTime.', '/EndTime');
  const reportedUsOf = (atUs: number): number => worldUsOfUnixMs(unixMs(atUs));
  return ok({
    fromUs: StartTime === undefined ? fromUs : firstReportedFrom(fromUs, reportedUsOf),
    untilUs: EndTime === undefined ? untilUs : firstReportedFrom(untilUs + 1, reportedUsOf) - 1,
  });
}

/** The first instant, whole µs, that is reported as no earlier. */
function firstReportedFrom(us: number, reportedUsOf: (atUs: number) => number): number {
  const count = reportedUsOf(us);
  return count >= us ? count : count + MILLISECOND_US;
}
