/** What reports show of reliable downlink jobs: `reports/stories/jobs/`. */
import { describe, expect, it } from 'vitest';
import { summary } from '../../api/cli/summary.ts';
import type { JobResult } from '../../core/result/result.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { JOBS_SHOWN } from '../../reports/stories/jobs/job-blocks.ts';
import { rowsOf, wordsOf } from './page.ts';
import { sampleInput } from './sample-result.ts';

const VALVES: JobResult = {
  name: 'close-valves',
  subscriber: 'north',
  status: 'finished',
  devices: 10,
  received: 9,
  success: 6,
  pending: 1,
  failures: { 'device removed': 1, 'no answer': 2 },
  tries: 23,
  triesToSuccess: null,
  successSeconds: null,
};

const input = (...reliableDownlinks: readonly JobResult[]) => {
  const sample = sampleInput();
  return { ...sample, result: { ...sample.result, reliableDownlinks } };
};
const HOST = { wallSeconds: 1, cpuSeconds: 1, maxRssBytes: 1, node: '20' };
const onTerminal = ({ result, expectations }: ReturnType<typeof input>) =>
  summary(result, expectations, HOST, ['result.json']);
const JOBS = /what became of their devices/;

describe('a reliable downlink job in a report', () => {
  it('is a row: what radios received, then what the service knows', () => {
    const [row] = rowsOf(renderHtml(input(VALVES)), JOBS);
    expect(row!.slice(0, 4)).toEqual(['close-valves (north) finished', '9 of 10', '6 of 10', '1']);
    expect(row!.slice(4)).toEqual(['No answer: 2 Device removed: 1', '23']);
  });

  it('is the same in Markdown and on the terminal', () => {
    const markdown = renderMarkdown(input(VALVES)).replaceAll('\\', '');
    expect(markdown).toContain('| close-valves (north) | finished | 9 of 10 | 6 of 10 | 1 |');
    expect(onTerminal(input(VALVES))).toMatch(/close-valves \(north\) .* 9 of 10 .* 6 of 10 /);
  });

  it('is among the first of very many, and the others are counted', () => {
    const many = input(...Array.from({ length: JOBS_SHOWN + 3 }, () => VALVES));
    expect(rowsOf(renderHtml(many), JOBS)).toHaveLength(JOBS_SHOWN);
    expect(wordsOf(renderHtml(many))).toContain('3 more are not shown.');
    expect(renderMarkdown(many)).toContain('3 more jobs not shown.');
    expect(onTerminal(many)).toContain('… and 3 more jobs.');
  });

  it('stops at a device in two states', () => {
    const wrong = { ...VALVES, pending: 2 };
    expect(() => renderHtml(input(wrong))).toThrow('each device of a job has one state');
  });
});
