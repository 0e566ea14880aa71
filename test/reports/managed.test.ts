/** What reports show of managed campaigns: `reports/stories/campaigns/`. */
import { describe, expect, it } from 'vitest';
import { summary } from '../../api/cli/summary.ts';
import type { ManagedCampaignResult } from '../../core/result/result.ts';
import { figureNamed } from '../../reports/figures/figures.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { SESSIONS_SHOWN } from '../../reports/stories/campaigns/managed-blocks.ts';
import { figuresOf } from '../../scenarios/expectations/figures.ts';
import { rowsOf, wordsOf } from './page.ts';
import { sampleInput } from './sample-result.ts';

const child = { name: 'nightly 2026-01-01 A', stage: 'FINISHED', devices: 30 };

const NIGHTLY: ManagedCampaignResult = {
  name: 'nightly',
  image: 'lamp-1.2.0.bin',
  expectedVersion: '01020000........',
  gateway: 'mast',
  stage: 'GATHERING_DEVICES',
  status: '',
  stages: [{ stage: 'INITIALIZING', atSeconds: 0 }],
  sessions: [
    {
      date: '2026-01-01',
      atSeconds: 5_400,
      scheduled: 40,
      problematic: 0,
      children: [
        { ...child, success: 20, failed: 10 },
        { ...child, devices: 10, success: 5, failed: 2, stage: 'VERIFYING' },
      ],
      refused: [],
      running: 31,
    },
    {
      date: '2026-01-02',
      atSeconds: 91_800,
      scheduled: 3,
      problematic: 2,
      children: [],
      refused: ['nightly 2026-01-02 C: no gateway'],
      running: null,
    },
  ],
  scheduled: 4,
  updated: 25,
  problematic: 2,
};

const input = (...managedCampaigns: readonly ManagedCampaignResult[]) => {
  const sample = sampleInput();
  return { ...sample, result: { ...sample.result, managedCampaigns } };
};

const ROWS = [
  ['2026-01-01', '2 (Finished, Verifying)', '40', '25 of 40', '31', '0'],
  ['2026-01-02', '1 refused', '3', '0 of 3', '–', '2'],
];
const SENTENCE = 'Gathering devices: 25 devices updated, 2 left out, 4 in the next session.';

describe('a managed campaign in a report', () => {
  it('is a table on the page, with a row for each session that found devices', () => {
    const page = renderHtml(input(NIGHTLY));
    expect(rowsOf(page, /Sessions that found devices/)).toEqual(ROWS);
    expect(wordsOf(page)).toContain(SENTENCE);
    expect(wordsOf(page)).toContain('nightly 2026-01-02 C: no gateway');
  });

  it('is the same in Markdown and on the terminal', () => {
    const host = { wallSeconds: 1, cpuSeconds: 1, maxRssBytes: 1, node: '20' };
    const { result, expectations } = input(NIGHTLY);
    for (const text of [
      renderMarkdown(input(NIGHTLY)),
      summary(result, expectations, host, ['result.json']),
    ]) {
      expect(text.replaceAll('\\', '')).toContain(SENTENCE);
      for (const [day, , , updated] of ROWS) {
        const line = text.split('\n').find((each) => each.replaceAll('\\', '').includes(day!));
        expect(line).toContain(updated);
      }
    }
  });

  it('has the first month of its sessions shown', () => {
    const sessions = Array.from({ length: 40 }, () => NIGHTLY.sessions[0]!);
    const page = renderHtml(input({ ...NIGHTLY, sessions }));
    expect(rowsOf(page, /Sessions that found devices/)).toHaveLength(SESSIONS_SHOWN);
    expect(wordsOf(page)).toContain('9 more sessions');
  });

  it('without a session that found a device says so', () => {
    expect(wordsOf(renderHtml(input({ ...NIGHTLY, sessions: [] })))).toContain(
      'No session found a device.',
    );
  });

  it('is nothing where there was none', () => {
    expect(wordsOf(renderHtml(sampleInput()))).not.toMatch(/managed/i);
    expect(renderMarkdown(sampleInput())).not.toMatch(/managed/i);
  });
});

describe('figures of managed campaigns', () => {
  it('are sums over all, and those of one by its name', () => {
    const { result } = input(NIGHTLY, { ...NIGHTLY, name: 'other', updated: 5 });
    const of = (name: string) => figureNamed(name).of(result);
    expect(of('managed.updated')).toBe(30);
    expect(of('managed.scheduled')).toBe(8);
    expect(of('managed.problematic')).toBe(4);
    expect(of('managed.sessions')).toBe(4);
    const names = {
      populations: [],
      gateways: [],
      campaigns: [],
      jobs: [],
      receivers: [],
    };
    const figures = figuresOf({ ...names, followUps: [], managedCampaigns: ['nightly', 'other'] });
    expect(figures.get('managedCampaigns.other.updated')!.of(result)).toBe(5);
    expect(figures.get('managedCampaigns.nightly.problematic')!.of(result)).toBe(2);
  });
});
