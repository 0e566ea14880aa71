/** The section on reliable downlink jobs: a line for each, with what air and service say. */
import type { RunResult } from '../../../core/result/result.ts';
import { type Content, html } from '../../markup/markup.ts';
import { card, table } from '../../markup/parts.ts';
import { count, NOTHING } from '../../text/format.ts';
import { JOBS_SHOWN, jobRow } from './job-facts.ts';

/** Nothing when there is no job. */
export function jobSection({ reliableDownlinks: jobs = [] }: RunResult): Content {
  if (jobs.length === 0) return '';
  const rows = jobs.slice(0, JOBS_SHOWN).map((job) => {
    const { name, status, received, success, pending, failed, tries } = jobRow(job);
    const [first, ...others] = failed;
    const reasons = others.map((reason) => html`<small>${reason}</small>`);
    return [
      html`${name}<small>${status}</small>`,
      received,
      success,
      pending,
      html`${first ?? NOTHING}${reasons}`,
      tries,
    ];
  });
  const shape = {
    name: 'Reliable downlink jobs, and what became of their devices',
    stack: 6,
    columns: [
      { head: 'Job' },
      { head: 'Received it', kind: 'number' },
      { head: 'Answered', kind: 'number' },
      { head: 'Pending', kind: 'number' },
      { head: 'Failed' },
      { head: 'Tries', kind: 'number' },
    ],
  } as const;
  const more = jobs.length - JOBS_SHOWN;
  const rest = more > 0 ? `${count(more)} more are not shown.` : '';
  return card(
    'Reliable downlinks',
    table(shape, rows),
    html`<p class="hint">Received: devices whose radio took the downlink in. All else is what the
service knows: an answer may be lost on its way. ${rest}</p>`,
  );
}
