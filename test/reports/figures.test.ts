/** The named figures of a run: reports/figures/figures.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobResult, RunResult } from '../../core/result/result.ts';
import { type Figure, ratio } from '../../reports/figures/figure.ts';
import {
  FIGURES,
  figureNamed,
  figuresOfCampaign,
  figuresOfOutcome,
  figuresOfPopulation,
} from '../../reports/figures/figures.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { COUNTED_SUMS } from '../../sim/base/counts.ts';
import { results } from './arbitrary-result.ts';
import { wordsOf } from './page.ts';
import { sampleCampaign, sampleCampaignResult } from './sample-campaign.ts';
import { sampleResult } from './sample-result.ts';

const figureOf = (name: string, result = sampleResult()) => figureNamed(name).of(result);

describe('a further sum of the network', () => {
  it.each(Object.entries(COUNTED_SUMS))('has a figure with its words: %s', (name, words) => {
    const result = { ...sampleResult(), counted: { [name]: 7 } };
    expect(figureNamed(name)).toMatchObject({ ...words, unit: 'count', group: 'counts' });
    expect(figureOf(name, result)).toBe(7);
    const { counted: _, ...old } = result;
    expect(figureOf(name, old)).toBeNaN();
  });
});

describe('every figure', () => {
  it('is a share in 0…1, a whole count, or a time or energy ≥ 0', () => {
    const isGood = ({ unit }: Figure, value: number): boolean => {
      if (Number.isNaN(value)) return unit !== 'count';
      if (unit === 'share') return value >= 0 && value <= 1;
      return unit === 'count' ? Number.isSafeInteger(value) && value >= 0 : value >= 0;
    };
    fc.assert(
      fc.property(results, (result) => {
        const wrong = FIGURES.filter((figure) => !isGood(figure, figure.of(result)));
        expect(wrong.map(({ name, of }) => [name, of(result)])).toEqual([]);
      }),
    );
  });

  it.each(FIGURES)('$name has a label and sentences that explain it', ({ label, meaning }) => {
    expect(label).toMatch(/^[A-Z\d]/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  });

  it('has a name of its own that an expectation can be written with', () => {
    const names = FIGURES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?$/);
  });

  it('that is made of parts is their quotient', () => {
    fc.assert(
      fc.property(results, (result) => {
        for (const { parts, of } of FIGURES) {
          if (parts !== undefined) expect(of(result)).toBe(ratio(...parts(result)));
        }
      }),
    );
  });
});

describe('figures of a population', () => {
  it('are those of its own devices', () => {
    const [share] = figuresOfPopulation('meter-street').filter(({ name }) =>
      name.endsWith('.joined'),
    );
    expect(share).toMatchObject({ name: 'meter-street.joined', unit: 'share' });
    expect(share!.of(sampleResult())).toBe(498 / 500);
  });

  it('tell how its devices differ: an unlucky one of ten, and the median', () => {
    const ratios = figuresOfPopulation('meter-indoor').filter(({ name }) =>
      name.startsWith('meter-indoor.deliveryRatio.'),
    );
    const reports = ratios.map(({ name, of }) => [name.split('.').at(-1), of(sampleResult())]);
    expect(reports).toEqual([
      ['p10', 0.861],
      ['p50', 0.952],
    ]);
  });

  it('were not measured where the result has no such population', () => {
    for (const { of } of figuresOfPopulation('nobody')) expect(of(sampleResult())).toBeNaN();
  });
});

describe('shares of the air', () => {
  it('received and lost make up all uplinks', () => {
    fc.assert(
      fc.property(results, (result) => {
        fc.pre(result.radio.uplinks > 0);
        expect(figureOf('received', result) + figureOf('lost', result)).toBeCloseTo(1, 12);
      }),
    );
  });

  it('the causes make up what is lost', () => {
    const causes = FIGURES.flatMap(({ name }) => (name.startsWith('lost.') ? [name] : []));
    expect(causes.reduce((total, name) => total + figureOf(name), 0)).toBeCloseTo(
      figureOf('lost'),
      12,
    );
  });

  it('are NaN when nothing was sent', () => {
    const silent = {
      ...sampleResult(),
      radio: { uplinks: 0, received: 0, lost: {}, receptions: {} },
    };
    for (const name of ['received', 'lost', 'lost.interfered', 'lost.noPath']) {
      expect(figureOf(name, silent)).toBeNaN();
    }
  });

  it('count a cause that the run does not name as nothing', () => {
    const radio = { uplinks: 8, received: 6, lost: { tooWeak: 2 }, receptions: {} };
    const result = { ...sampleResult(), radio };
    expect(figureOf('lost.interfered', result)).toBe(0);
    expect(figureOf('lost.tooWeak', result)).toBe(0.25);
  });
});

describe('figures of the sample day', () => {
  it.each([
    ['joined', 1_974 / 2_000],
    ['messagesDelivered', 44_962 / 47_210],
    ['confirmedAcknowledged', 921 / 944],
    ['confirmedFailed', 23 / 944],
    ['downlinksSent', 5_077 / 5_214],
    ['downlinksReceived', 4_893 / 5_214],
    ['downlinksRefused', 137 / 5_214],
    ['downlinksRetried', 61],
    ['gatewayDutyCycle', 0.0485],
    ['joinSeconds.p90', 94.2],
    ['deliveryRatio.p10', 0.875],
    ['devices', 2_000],
    ['gateways', 3],
  ])('%s is %d', (name, value) => {
    expect(figureOf(name)).toBe(value);
  });

  it('has no join time where no device joined over the air', () => {
    const sample = sampleResult();
    const result = { ...sample, devices: { ...sample.devices, joinSeconds: null } };
    expect(figureOf('joinSeconds.p50', result)).toBeNaN();
  });
});

describe('energy for class B', () => {
  const heard = { lookedFor: 40, heard: 35, missed: { tooWeak: 5 }, inClassB: 9 };
  const drawn = {
    meanJoules: 8,
    byCause: { uplink: 4, sleep: 1, beacon: 1, ping: 2 },
    batteryLifeSeconds: null,
    batteryLifeYears: null,
  };
  const valve = {
    name: 'meter-street',
    chip: 'SX1262',
    supplyVolts: 3,
    batteryMilliAmpHours: null,
  };
  const result: RunResult = {
    ...sampleResult(),
    beacons: { sent: 20, ...heard, populations: [{ name: 'meter-street', ...heard }] },
    energy: {
      ...drawn,
      populations: [{ ...valve, ...drawn, devices: 500, meanJoules: 12, joules: null, died: 0 }],
    },
  };

  it('is the share of beacons and ping slots in what devices drew, of populations too', () => {
    expect(figureOf('classBEnergy', result)).toBe(3 / 8);
    const [own] = figuresOfPopulation('meter-street').filter(({ group }) => group === 'class B');
    expect(own!.of(result)).toBe(3 / 12);
  });

  it('is not measured where no device looks for beacons, or no energy is counted', () => {
    const { beacons: _, ...withoutBeacons } = result;
    const { energy: _energy, ...withoutEnergy } = result;
    expect(figureOf('classBEnergy', withoutBeacons)).toBeNaN();
    expect(figureOf('classBEnergy', withoutEnergy)).toBeNaN();
  });

  it('is a key figure of every report where it is measured', () => {
    const input = { result, expectations: [], version: '0.1.0' };
    expect(wordsOf(renderHtml(input))).toMatch(/Energy for class B 37\.5\s%/);
    expect(renderMarkdown(input)).toMatch(/\| Energy for class B \| 37\.5\s% \|/);
    expect(renderMarkdown({ ...input, result: sampleResult() })).not.toContain(
      'Energy for class B',
    );
  });
});

describe('figures of campaigns', () => {
  const spring = sampleCampaign();
  const autumn = {
    ...spring,
    name: 'autumn',
    devices: 500,
    running: 410,
    success: 400,
    inProgress: 10,
    failed: 90,
    rounds: 1,
    sent: 300,
    repairs: 27,
    t50: 9_000,
    t90: null,
    t99: null,
  };
  const figureOfCampaign = (campaign: string, name: string) =>
    figuresOfCampaign(campaign).find((figure) => figure.name === name)!;
  const both = { ...sampleCampaignResult(), campaigns: [spring, autumn] };

  it.each([
    ['campaign.runsIt', 1_380 / 1_500],
    ['campaign.updated', 1_368 / 1_500],
    ['campaign.running', 1_380],
    ['campaign.inProgress', 10],
    ['campaign.rounds', 3],
    ['campaign.success', 1_368],
    ['campaign.failed', 122],
    ['campaign.t50', 9_000],
    ['campaign.t90', Number.NaN],
    ['campaign.sent', 1_086],
    ['campaign.repairs', 1_300],
  ])('%s over two campaigns is %d', (name, value) => expect(figureOf(name, both)).toBe(value));

  it.each([
    ['campaigns.spring-update.updated', 0.968],
    ['campaigns.spring-update.t90', 8_568],
    ['campaigns.spring-update.t99', Number.NaN],
    ['campaigns.spring-update.sent', 786],
  ])('%s is that of the one campaign: %d', (name, value) => {
    expect(figureOfCampaign('spring-update', name).of(both)).toBe(value);
  });

  const part = { devices: 10, running: 8, success: 6, inProgress: 1, failed: 3, failures: {} };
  const populations = [
    { name: 'meter', ...part },
    { name: 'lamp', ...part, running: 10 },
  ];
  const parted = {
    ...both,
    campaigns: [
      { ...spring, populations },
      { ...autumn, populations: populations.slice(0, 1) },
    ],
  };

  it.each([
    ['campaign.meter.runsIt', 0.8],
    ['campaign.meter.updated', 0.6],
    ['campaign.meter.running', 16],
    ['campaign.meter.inProgress', 2],
    ['campaign.lamp.runsIt', 1],
    ['campaign.lamp.failed', 3],
    ['campaign.stranger.updated', Number.NaN],
  ])('%s is that of one population in all campaigns: %d', (name, value) => {
    const [, population = ''] = name.split('.');
    const figure = figuresOfOutcome(population).find((each) => each.name === name)!;
    expect(figure.of(parted)).toBe(value);
  });

  it('are those of one population in one campaign', () => {
    const [figure] = figuresOfOutcome('lamp', autumn.name);
    expect(figure!.name).toBe(`campaigns.${autumn.name}.lamp.runsIt`);
    expect(figure!.of(parted)).toBeNaN();
    expect(figuresOfOutcome('lamp', spring.name)[0]!.of(parted)).toBe(1);
  });

  it('are no share and no time where there is no campaign, and counts of nothing', () => {
    for (const key of ['updated', 't50', 't90', 't99']) {
      expect(figureOf(`campaign.${key}`)).toBeNaN();
      expect(figureOfCampaign('winter', `campaigns.winter.${key}`).of(both)).toBeNaN();
    }
    for (const key of ['success', 'failed', 'sent', 'repairs']) {
      expect(figureOf(`campaign.${key}`)).toBe(0);
    }
  });
});

describe('figures of reliable downlink jobs', () => {
  const job: JobResult = {
    name: 'setting',
    status: 'running',
    devices: 100,
    received: 97,
    pending: 5,
    success: 90,
    failures: { 'no answer': 3, stopped: 2 },
    tries: 210,
    triesToSuccess: null,
    successSeconds: null,
  };
  const both = { ...sampleResult(), reliableDownlinks: [job, { ...job, name: 'other' }] };

  it.each([
    ['jobs.success', 0.9],
    ['jobs.received', 0.97],
    ['jobs.pending', 10],
    ['jobs.failed', 10],
    ['jobs.tries', 420],
  ])('%s over two jobs is %d', (name, value) => expect(figureOf(name, both)).toBe(value));

  it('are no share where there is no job, and counts of nothing', () => {
    for (const key of ['success', 'received']) expect(figureOf(`jobs.${key}`)).toBeNaN();
    for (const key of ['pending', 'failed', 'tries']) expect(figureOf(`jobs.${key}`)).toBe(0);
  });

  it('stand in every form of report, with the reasons of those that failed', () => {
    const input = { result: both, expectations: [], version: '0.0.0' };
    const markdown = renderMarkdown(input);
    expect(markdown).toContain(
      '| setting | running | 97 of 100 | 90 of 100 | 5 | No answer\\: 3, Stopped\\: 2 | 210 |',
    );
    const page = renderHtml(input);
    for (const text of ['Reliable downlinks', '97 of 100', 'No answer: 3', 'Stopped: 2']) {
      expect(page).toContain(text);
    }
  });
});
