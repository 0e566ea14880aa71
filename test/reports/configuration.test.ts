/** What reports show of configurations: `reports/stories/configuration/`. */
import { describe, expect, it } from 'vitest';
import { summary } from '../../api/cli/summary.ts';
import type {
  ConfigurationPopulation,
  ConfigurationResult,
} from '../../core/result/configuration.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { CONFIGURED_SHOWN } from '../../reports/stories/configuration/configuration-blocks.ts';
import { rowsOf, wordsOf } from './page.ts';
import { sampleInput } from './sample-result.ts';

const METERS: ConfigurationPopulation = {
  name: 'meter',
  devices: 100,
  set: 91,
  status: { applied: 90, failed: 6, in_progress: 4 },
  failures: { 'not reported': 4, 'not sent': 2 },
  suspended: 3,
  fragments: 200,
  fragmentsConfirmed: 185,
  appliedSeconds: { p10: 60, p50: 3_600, p90: 7_200, max: 9_000 },
};
const FOREIGN: ConfigurationPopulation = {
  name: 'foreign',
  devices: 5,
  set: null,
  status: { pending: 5 },
  failures: {},
  suspended: 0,
  fragments: 5,
  fragmentsConfirmed: 0,
  appliedSeconds: null,
};
const CONFIGURATIONS: ConfigurationResult = {
  populations: [METERS, FOREIGN],
  rollouts: {
    made: 110,
    active: 9,
    applied: 90,
    failed: { 'not reported': 4, 'not sent': 2 },
    cancelled: { replaced: 5 },
  },
  tries: 240,
  suspensions: 12,
  appliedAtSeconds: [100, 200, 300],
  setAtSeconds: [50, 150, 250, 350],
};

const input = (configurations: ConfigurationResult) => {
  const sample = sampleInput();
  return { ...sample, result: { ...sample.result, configurations } };
};
const HOST = { wallSeconds: 1, cpuSeconds: 1, maxRssBytes: 1, node: '20' };
const GIVEN = input(CONFIGURATIONS);
const page = renderHtml(GIVEN);
const markdown = renderMarkdown(GIVEN).replaceAll('\\', '');
const terminal = summary(GIVEN.result, GIVEN.expectations, HOST, ['result.json']);
const POPULATIONS = /what devices are really set to/;

describe('configurations in a report', () => {
  const sentence =
    '110 rollouts: 90 applied, 9 underway, failed: not reported: 4, failed: not sent: 2, ' +
    'replaced: 5; 240 tries, suspended 12 times.';

  it('are one sentence whose parts make up all rollouts', () => {
    expect(wordsOf(page)).toContain(sentence);
    expect(markdown).toContain(sentence);
  });

  it('have a row a population: what devices are set to, then what is believed', () => {
    expect(rowsOf(page, POPULATIONS)).toEqual([
      [
        'meter',
        '91 of 100',
        '90 of 100',
        'In progress: 4 Of those suspended: 3 Not reported: 4 Not sent: 2',
        '1 h',
        '2 h 30 min',
      ],
      ['foreign', '–', '0 of 5', 'Pending: 5', '–', '–'],
    ]);
  });

  it('are the same in Markdown and on the terminal', () => {
    for (const text of [markdown, terminal]) {
      expect(text).toMatch(/meter .* 91 of 100 .* 90 of 100 .*In progress: 4/);
      expect(text).toMatch(/foreign .* – .* 0 of 5 .*Pending: 5/);
    }
  });

  it('are drawn over virtual time: what is set, and what is believed to be', () => {
    const spaced = page.replaceAll(/[\u202F\u2009\u00A0]/g, ' ');
    expect(spaced).toContain('4 devices set as desired, half of them by 2 min 30 s');
    expect(spaced).toContain('3 rollouts applied, half of them by 3 min 20 s.');
    const none = { ...CONFIGURATIONS, appliedAtSeconds: [], setAtSeconds: [] };
    expect(renderHtml(input(none))).not.toContain('rollouts applied');
  });

  it('of very many populations show the first, and count the others', () => {
    const populations = Array.from({ length: CONFIGURED_SHOWN + 3 }, () => METERS);
    const many = input({ ...CONFIGURATIONS, populations });
    expect(rowsOf(renderHtml(many), POPULATIONS)).toHaveLength(CONFIGURED_SHOWN);
    expect(wordsOf(renderHtml(many))).toContain('3 more are not shown.');
    expect(renderMarkdown(many)).toContain('3 more populations not shown.');
    expect(summary(many.result, [], HOST, [])).toContain('… and 3 more populations.');
  });

  it('stop at a sum that does not come out', () => {
    const wrong = { ...METERS, devices: 101 };
    const report = () => renderHtml(input({ ...CONFIGURATIONS, populations: [wrong] }));
    expect(report).toThrow('each configured device has one latest rollout');
    const rollouts = { ...CONFIGURATIONS.rollouts, made: 111 };
    expect(() => renderHtml(input({ ...CONFIGURATIONS, rollouts }))).toThrow('one state');
  });

  it('are nothing where none was desired', () => {
    expect(renderHtml(sampleInput())).not.toContain('Configurations');
  });
});
