/** Reliable downlink jobs in Markdown, a line each. */
import type { RunResult } from '../../../core/result/result.ts';
import { plain, table } from '../../markup/markdown-parts.ts';
import { counted, NOTHING } from '../../text/format.ts';
import { JOBS_SHOWN, jobRow } from './job-facts.ts';

/** The first reliable downlink jobs, a line each. */
export function jobTable({ reliableDownlinks: jobs = [] }: RunResult): string[] {
  if (jobs.length === 0) return [];
  const rows = jobs.slice(0, JOBS_SHOWN).map((job) => {
    const { name, status, received, success, pending, failed, tries } = jobRow(job);
    const reasons = failed.length === 0 ? NOTHING : plain(failed.join(', '));
    return [plain(name), plain(status), received, success, pending, reasons, tries];
  });
  const heads = ['Job', 'Status', 'Received it', 'Answered', 'Pending', 'Failed', 'Tries'];
  const omitted = jobs.length - JOBS_SHOWN;
  const more = omitted > 0 ? [`${counted(omitted, 'more job')} not shown.`] : [];
  return [table(heads, 'llrrrlr', rows), ...more];
}
