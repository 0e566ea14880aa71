/** The report on reliable downlink jobs: a row for each, with what air and service say. */
import type { JobResult, RunResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { sumOf } from '../../../sim/base/counts.ts';
import { type Block, type Cell, EVERY_FORM, HTML, omission } from '../../document/document.ts';
import { count, partOf } from '../../text/format.ts';
import { byAmount, JOB_WORDS } from '../../text/words.ts';

/** Jobs that a report shows; a run may have many. */
export const JOBS_SHOWN = 20;

/** Nothing when there is no job. */
export function jobBlocks({ reliableDownlinks: jobs = [] }: RunResult): Block[] {
  if (jobs.length === 0) return [];
  const { html = '', ...omitted } = omission(jobs.length - JOBS_SHOWN, 'job');
  const received = 'Received: devices whose radio took the downlink in. All else is what the\n';
  return [
    {
      kind: 'section',
      title: 'Reliable downlinks',
      blocks: [
        {
          kind: 'table',
          forms: EVERY_FORM,
          name: 'Reliable downlink jobs, and what became of their devices',
          stack: 6,
          columns: [
            { head: 'Job' },
            { head: { markdown: 'Status' }, isBelow: true },
            { head: 'Received it', kind: 'number' },
            { head: 'Answered', kind: 'number' },
            { head: 'Pending', kind: 'number' },
            { head: 'Failed' },
            { head: 'Tries', kind: 'number' },
          ],
          rows: jobs.slice(0, JOBS_SHOWN).map(jobRow),
          omitted,
        },
        {
          kind: 'hint',
          forms: HTML,
          text: `${received}service knows: an answer may be lost on its way. ${html}`,
        },
      ],
    },
  ];
}

/** The reasons of failures stand by their number, the most frequent first. */
function jobRow({ name, status, devices, received, ...job }: JobResult): Cell[] {
  const { success, pending, failures, tries, subscriber } = job;
  assert(success + pending + sumOf(failures) === devices, 'each device of a job has one state');
  return [
    subscriber === undefined ? name : `${name} (${subscriber})`,
    status,
    partOf(received, devices),
    partOf(success, devices),
    count(pending),
    {
      list: byAmount(failures).map(([reason, failed]) => {
        return `${JOB_WORDS[reason].label}: ${count(failed)}`;
      }),
    },
    count(tries),
  ];
}
