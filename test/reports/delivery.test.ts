/** What reports show of deliveries and alerts: `reports/stories/delivery/`. */
import { describe, expect, it } from 'vitest';
import { summary } from '../../api/cli/summary.ts';
import type { AlertsResult, DeliveriesResult, TargetResult } from '../../core/result/delivery.ts';
import { figureNamed } from '../../reports/figures/figures.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { TARGETS_SHOWN } from '../../reports/stories/delivery/delivery-blocks.ts';
import { figuresOf } from '../../scenarios/expectations/figures.ts';
import { rowsOf, wordsOf } from './page.ts';
import { sampleInput } from './sample-result.ts';

const UPLINKS: TargetResult = {
  matter: 'uplink',
  kind: 'webhook',
  address: 'https://town.example/uplinks',
  emitted: 100,
  fates: { delivered: 90, waiting: 7, failed: 3 },
  attempts: 140,
};
const EVENTS: TargetResult = {
  subscriber: 'north',
  matter: 'gateway_connectivity',
  kind: 'mqtt',
  address: 'broker.example:1883',
  emitted: 3,
  fates: { delivered: 2, paused: 1 },
  attempts: 2,
};

const DELIVERIES: DeliveriesResult = {
  emitted: 110,
  fates: { delivered: 93, waiting: 7, failed: 3, paused: 1, removed: 6 },
  attempts: 143,
  targets: [UPLINKS, EVENTS],
  removedTargets: { emitted: 7, fates: { delivered: 1, removed: 6 }, attempts: 1 },
  receivers: [
    {
      name: 'town',
      at: 'https://town.example/*',
      requests: 140,
      received: 95,
      distinct: 91,
      duplicates: 4,
    },
  ],
};

const ALERTS: AlertsResult = {
  changes: 12,
  fates: { told: 4, notTold: 7, waiting: 1 },
  alerts: [{ name: 'hills', subscriber: 'north', gateways: 2, destinations: 3 }],
  gateways: [
    { name: 'port', eui: '00000000000000B2', changes: 2, fates: { told: 1, notTold: 1 } },
    {
      name: 'hill',
      eui: '00000000000000A1',
      changes: 10,
      fates: { told: 3, notTold: 6, waiting: 1 },
    },
  ],
};

const input = (given: {
  readonly deliveries?: DeliveriesResult;
  readonly alerts?: AlertsResult;
}) => {
  const sample = sampleInput();
  return { ...sample, result: { ...sample.result, ...given } };
};
const BOTH = input({ deliveries: DELIVERIES, alerts: ALERTS });
const HOST = { wallSeconds: 1, cpuSeconds: 1, maxRssBytes: 1, node: '20' };
const terminal = ({ result, expectations }: typeof BOTH) =>
  summary(result, expectations, HOST, ['result.json']);
const inMarkdown = (given: typeof BOTH) => renderMarkdown(given).replaceAll('\\', '');

const SENTENCE = '93 of 110 deliveries accepted, waiting: 7, removed: 6, failed: 3, paused: 1.';
const TARGETS = /what the service knows of its deliveries/;

describe('deliveries in a report', () => {
  const page = renderHtml(BOTH);

  it('are one sentence, and a row a target whose fates make up what was emitted', () => {
    expect(wordsOf(page).replaceAll('\u202F', ' ')).toContain(SENTENCE);
    expect(rowsOf(page, TARGETS)).toEqual([
      [
        'webhook https://town.example/uplinks',
        'Uplinks',
        '90 of 100',
        'Waiting: 7 Failed: 3',
        '140',
      ],
      ['mqtt broker.example:1883 (north)', 'Alerts', '2 of 3', 'Paused: 1', '2'],
      ['Removed targets', '–', '1 of 7', 'Removed: 6', '1'],
    ]);
  });

  it('have the truth of the receivers beside what the service believes', () => {
    expect(rowsOf(page, /what they really have/)).toEqual([
      ['town https://town.example/*', '140', '91', '4'],
    ]);
  });

  it('are the same in Markdown and on the terminal', () => {
    expect(inMarkdown(BOTH)).toContain(SENTENCE);
    for (const text of [inMarkdown(BOTH), terminal(BOTH)]) {
      const [line] = text.split('\n').filter((each) => each.includes('town.example/uplinks'));
      expect(line).toMatch(/Uplinks .*90 of 100 .*Waiting: 7/);
      expect(text).toMatch(/Removed targets .* 1 of 7 .*Removed: 6/);
    }
    expect(terminal(BOTH)).toMatch(/Deliveries accepted .* 93 of 110/);
  });

  it('show how many waited over time where a run has counted it', () => {
    const { series } = BOTH.result;
    const waiting = [0, 12, 7];
    const counted = { ...BOTH, result: { ...BOTH.result, series: { ...series, waiting } } };
    expect(renderHtml(counted)).toContain('at most 12 deliveries waited, 7 at the end.');
    expect(page).not.toContain('Deliveries that wait');
  });

  it('to very many targets show the first, and count the others', () => {
    const extra = 3;
    const targets = Array.from({ length: TARGETS_SHOWN + extra }, () => UPLINKS);
    const many = input({
      deliveries: {
        targets,
        removedTargets: { emitted: 0, fates: {}, attempts: 0 },
        receivers: [],
        emitted: 100 * targets.length,
        fates: { delivered: 100 * targets.length },
        attempts: 0,
      },
    });
    expect(rowsOf(renderHtml(many), TARGETS)).toHaveLength(TARGETS_SHOWN);
    expect(wordsOf(renderHtml(many))).toContain('3 more are not shown.');
    expect(inMarkdown(many)).toContain('3 more targets not shown.');
    expect(terminal(many)).toContain('… and 3 more targets.');
  });

  it('stop at a sum that does not come out', () => {
    const wrong = { ...UPLINKS, emitted: 101 };
    const deliveries = { ...DELIVERIES, targets: [wrong] };
    expect(() => renderHtml(input({ deliveries }))).toThrow('each delivery has one fate');
  });
});

describe('alerts in a report', () => {
  it('have a row a monitored gateway, the most changing first; fates make up its changes', () => {
    const page = renderHtml(BOTH);
    expect(wordsOf(page)).toContain(
      '12 changes of connectivity; not notified: 7, notified: 4, waiting: 1.',
    );
    expect(rowsOf(page, /what became of their changes/)).toEqual([
      ['hill', '10', '3', 'Not notified: 6 Waiting: 1'],
      ['port', '2', '1', 'Not notified: 1'],
    ]);
    expect(rowsOf(page, /what they are on/)).toEqual([['hills (north)', '2', '3']]);
    for (const text of [inMarkdown(BOTH), terminal(BOTH)]) {
      expect(text).toMatch(/hill .* 10 .* 3 .*Not notified: 6/);
    }
  });

  it('stop at a change with two fates', () => {
    const [port, hill] = ALERTS.gateways;
    const alerts = { ...ALERTS, gateways: [port!, { ...hill!, changes: 9 }] };
    expect(() => renderHtml(input({ alerts }))).toThrow('each change of connectivity has one fate');
  });
});

it('says nothing of deliveries and alerts where there were none', () => {
  for (const text of [wordsOf(renderHtml(input({}))), inMarkdown(input({})), terminal(input({}))]) {
    expect(text).not.toMatch(/deliveries|alert/i);
  }
});

describe('figures of deliveries and alerts', () => {
  const of = (name: string) => figureNamed(name).of(BOTH.result);

  it('are sums over all targets, receivers and alerts', () => {
    expect(of('deliveries.accepted')).toBe(93 / 110);
    expect(of('deliveries.emitted')).toBe(110);
    expect(of('deliveries.failed')).toBe(3);
    expect(of('deliveries.refused')).toBe(0);
    expect(of('deliveries.attempts')).toBe(143);
    expect(of('deliveries.duplicates')).toBe(4);
    expect(of('alerts.changes')).toBe(12);
    expect(of('alerts.told')).toBe(4);
    expect(of('alerts.notTold')).toBe(7);
  });

  it('are no share where nothing was due', () => {
    expect(figureNamed('deliveries.accepted').of(input({}).result)).toBeNaN();
    expect(figureNamed('deliveries.emitted').of(input({}).result)).toBe(0);
  });

  it('are those of one receiver or gateway by its name', () => {
    const none = { populations: [], campaigns: [], jobs: [], followUps: [], managedCampaigns: [] };
    const figures = figuresOf({ ...none, receivers: ['town'], gateways: ['hill'] });
    const named = (name: string) => figures.get(name)!.of(BOTH.result);
    expect(named('deliveries.receivers.town.distinct')).toBe(91);
    expect(named('deliveries.receivers.town.duplicates')).toBe(4);
    expect(named('alerts.gateways.hill.changes')).toBe(10);
    expect(named('alerts.gateways.hill.fates.told')).toBe(3);
    expect(named('alerts.gateways.hill.fates.notTold')).toBe(6);
  });
});
