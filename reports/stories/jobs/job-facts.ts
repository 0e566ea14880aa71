/** What a reliable downlink job came to, in words that every form of report shares. */
import type { JobResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { count, partOf } from '../../text/format.ts';
import { byAmount, JOB_WORDS } from '../../text/words.ts';

/** Jobs that a report shows; a run may have many. */
export const JOBS_SHOWN = 20;

/** A line of a table; `failed` has an entry for each reason, the most frequent first. */
export function jobRow({ name, status, devices, received, ...job }: JobResult) {
  const { success, pending, failures, tries, subscriber } = job;
  assert(success + pending + sumOf(failures) === devices, 'each device of a job has one state');
  return {
    name: subscriber === undefined ? name : `${name} (${subscriber})`,
    status,
    received: partOf(received, devices),
    success: partOf(success, devices),
    pending: count(pending),
    failed: byAmount(failures).map(([reason, failed]) => {
      return `${JOB_WORDS[reason].label}: ${count(failed)}`;
    }),
    tries: count(tries),
  };
}
