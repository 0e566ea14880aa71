/** The language of expectations, and how a result is judged by them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CampaignResult, RunResult } from '../../core/result/result.ts';
import {
  complaintAbout,
  judge,
  readExpectation,
} from '../../scenarios/expectations/expectations.ts';
import { figuresOf } from '../../scenarios/expectations/figures.ts';
import { sentence } from '../../scenarios/language/complaint.ts';
import { sampleCampaign } from '../reports/sample-campaign.ts';
import { sampleResult } from '../reports/sample-result.ts';

const percentiles = { p10: 1, p50: 2, p90: 300, max: 900 };

const SPRING: CampaignResult = {
  ...sampleCampaign(),
  name: 'spring',
  devices: 100,
  running: 98,
  success: 96,
  inProgress: 0,
  failed: 4,
  t50: 3600,
  t90: 7200,
  t99: null,
  sent: 240,
  nbFrag: 100,
  repairs: 7,
  failures: { 'missing fragments': 1, 'answer lost': 2, 'clock drift': 1 },
  populations: [
    {
      name: 'meter',
      devices: 80,
      running: 79,
      success: 78,
      inProgress: 0,
      failed: 2,
      failures: { 'missing fragments': 1, 'answer lost': 1 },
    },
  ],
};

const BEACONS = { lookedFor: 40, heard: 35, missed: { tooWeak: 3, ownUplink: 2 }, inClassB: 9 };

const SAMPLE = sampleResult();

const RESULT: RunResult = {
  ...SAMPLE,
  virtualSeconds: 3600,
  events: 5000,
  radio: {
    ...SAMPLE.radio,
    uplinks: 1000,
    received: 835,
    lost: { interfered: 160, noPath: 5 },
  },
  downlinks: {
    ...SAMPLE.downlinks,
    requested: 10,
    sent: 8,
    received: 6,
    refused: { dutyCycle: 2 },
    retried: {},
    lost: { interfered: 2 },
  },
  beacons: { sent: 20, ...BEACONS, populations: [{ name: 'meter', ...BEACONS }] },
  gateways: [
    {
      ...SAMPLE.gateways[0]!,
      name: 'roof-1',
      uplinksReceived: 835,
      dutyCycle: { '868-868.6': 0.001, '869.4-869.65': 0.03 },
    },
  ],
  devices: {
    ...SAMPLE.devices,
    total: 200,
    joined: 199,
    joinSeconds: percentiles,
    messages: 900,
    messagesDelivered: 800,
    confirmed: { sent: 0, acknowledged: 0, failed: 0 },
    deliveryRatio: null,
    byDataRate: { DR5: 150 },
    populations: [
      {
        name: 'meter',
        devices: 100,
        joined: 99,
        messages: 400,
        messagesDelivered: 380,
        messagesDropped: 12,
        deliveryRatio: percentiles,
      },
    ],
  },
  campaigns: [
    SPRING,
    { ...SPRING, name: 'autumn', success: 50, inProgress: 46, t90: null, populations: [] },
  ],
  configurations: {
    populations: [
      {
        name: 'meter',
        devices: 90,
        set: 80,
        status: { applied: 85, failed: 5 },
        failures: { 'not sent': 2, 'not echoed': 3 },
        suspended: 0,
        fragments: 90,
        fragmentsConfirmed: 85,
        appliedSeconds: percentiles,
      },
    ],
    rollouts: { made: 95, active: 0, applied: 85, failed: { 'not sent': 2 }, cancelled: {} },
    tries: 120,
    suspensions: 7,
    appliedAtSeconds: [],
    setAtSeconds: [],
  },
  deliveries: {
    emitted: 10,
    fates: { delivered: 10 },
    attempts: 12,
    targets: [],
    removedTargets: { emitted: 0, fates: {}, attempts: 0 },
    receivers: [{ name: 'desk', at: '*', requests: 12, received: 11, distinct: 10, duplicates: 1 }],
  },
};

const NAMES = {
  populations: ['meter'],
  gateways: ['roof-1'],
  campaigns: ['spring', 'autumn'],
  jobs: [],
  followUps: [],
  managedCampaigns: [],
  receivers: ['desk'],
};

function judged(text: string): readonly [actual: number, holds: boolean] {
  const wish = readExpectation(text);
  if (!wish.ok) throw new Error(sentence(wish.complaint));
  const complaint = complaintAbout(wish.value, figuresOf(NAMES));
  if (complaint !== undefined) throw new Error(sentence(complaint));
  const [verdict] = judge([wish.value], RESULT);
  expect(verdict!.expectation).toBe(text.trim());
  return [verdict!.actual, verdict!.holds];
}

function complaintOn(text: unknown): string {
  const wish = readExpectation(text);
  const complaint = wish.ok ? complaintAbout(wish.value, figuresOf(NAMES)) : wish.complaint;
  return complaint === undefined ? 'none' : sentence(complaint);
}

describe('a figure that the result does not have', () => {
  it.each(['>= 0', '<= 0', '= 0', 'within 0 ± 1'])('holds nothing: %s', (comparison) => {
    const wish = readExpectation(`nobody.joined ${comparison}`);
    if (!wish.ok) throw new Error(sentence(wish.complaint));
    const [verdict] = judge([wish.value], RESULT);
    expect(verdict).toMatchObject({ actual: Number.NaN, holds: false });
  });
});

describe('an expectation', () => {
  it.each([
    ['joined >= 99 %', 0.995, true],
    ['joined >= 0.999', 0.995, false],
    ['devices.joined >= 199', 199, true],
    ['devices.joined > 199', 199, false],
    ['devices.joined / devices.total >= 99.5 %', 0.995, true],
    ['messagesDelivered >= 95 %', 8 / 9, false],
    ['lost.interfered <= 16 %', 0.16, true],
    ['lost.interfered < 16 %', 0.16, false],
    ['lost.tooWeak = 0', 0, true],
    ['radio.lost.noPath = 5', 5, true],
    ['radio.lost.noPath / radio.uplinks<=0.5%', 0.005, true],
    ['radio.received / radio.uplinks within 0.8331 ± 0.015', 0.835, true],
    ['radio.received / radio.uplinks within 0.9 ± 1 %', 0.835, false],
    ['received within 83 % +- 1 %', 0.835, true],
    ['received within 83% +/- 0.004', 0.835, false],
    ['joinSeconds.p90 <= 5 min', 300, true],
    ['joinSeconds.p90 <= 299', 300, false],
    ['joinSeconds.max ≤ 15 min', 900, true],
    ['events ≥ 5e3', 5000, true],
    ['meter.joined >= 99 %', 0.99, true],
    ['meter.messagesDelivered >= 95 %', 0.95, true],
    ['devices.populations.meter.joined = 99', 99, true],
    ['gateways.roof-1.dutyCycle <= 3 %', 0.03, true],
    ['gateways.roof-1.uplinksReceived / radio.uplinks > 0.8', 0.835, true],
    ['gatewayDutyCycle <= 10 %', 0.03, true],
    ['devices.byDataRate.DR5 / devices.total = 0.75', 0.75, true],
    ['devices.byDataRate.DR0 = 0', 0, true],
    ['campaign.updated >= 74 %', 0.73, false],
    ['campaign.sent = 480', 480, true],
    ['spring.updated >= 96 %', 0.96, true],
    ['campaigns.spring.updated < 96 %', 0.96, false],
    ['spring.t90 <= 2 h', 7200, true],
    ['spring.t90 <= 119 min', 7200, false],
    ['spring.failed = 4', 4, true],
    ['spring.repairs < 8', 7, true],
    ['campaigns.spring.nbFrag = 100', 100, true],
    ['campaigns.spring.sent / campaigns.spring.nbFrag <= 2.4', 2.4, true],
    ['campaigns.spring.failures.missing-fragments = 1', 1, true],
    ['campaigns.spring.failures.answer-lost = 2', 2, true],
    ['campaigns.spring.failures.session-missed = 0', 0, true],
    ['campaigns.spring.fragmentLosses.ownUplink = 1204', 1204, true],
    ['campaigns.spring.fragmentLosses.noise = 0', 0, true],
  ])('%s was %d: %s', (text, actual, holds) => {
    expect(judged(text)).toEqual([actual, holds]);
  });

  it.each([
    'confirmedAcknowledged >= 0 %',
    'deliveryRatio.p50 >= 0 %',
    'devices.deliveryRatio.max <= 1',
    'spring.t99 <= 365 d',
    'campaign.t90 <= 365 d',
  ])('on a figure that was not measured does not hold: %s', (text) => {
    expect(judged(text)).toEqual([Number.NaN, false]);
  });

  it.each([
    [
      'joined',
      '"joined" is not an expectation; allowed: figure [/ figure], then one of >= <= > < = and a ' +
        'number, percentage, duration or energy, or "within 0.9 ± 0.01"; ' +
        'then, if need be, "in 95 % of seeds"',
    ],
    [
      12,
      '12 is not an expectation; allowed: figure [/ figure], then one of >= <= > < = and a ' +
        'number, percentage, duration or energy, or "within 0.9 ± 0.01"; ' +
        'then, if need be, "in 95 % of seeds"',
    ],
    [
      'joined >= many',
      '"many" is not a number, percentage, duration or energy; allowed: figure [/ figure], ' +
        'then one of >= <= > < = and a number, percentage, duration or energy, or ' +
        '"within 0.9 ± 0.01"; then, if need be, "in 95 % of seeds"',
    ],
    [
      'joined within 90 %',
      '"joined within 90 %" has no tolerance; allowed: within, a number, ± and a number',
    ],
    [
      'events >= 99 %',
      '"events" is not a share that a percentage could be compared with; ' +
        'allowed: a number, or a ratio such as "events / radio.uplinks"',
    ],
    [
      'joined >= 199',
      '"joined" is a share, and 199 is more than the whole; allowed: 0 % to 100 %, or 0 to 1',
    ],
    ['joined >= 5 min', '"joined" is not a time; allowed: a number or a percentage'],
    [
      'received / uplinks >= 90 %',
      '"received" is a share already; ' +
        'allowed: a ratio of counts, such as radio.received / radio.uplinks',
    ],
    [
      'joined >= 99 % in 101 % of seeds',
      '"101 %" is not a share of seeds; allowed: 0 % to 100 %, as in "in 95 % of seeds"',
    ],
    [
      'joined >= 99 % in 19 of seeds',
      '"19" is not a share of seeds; allowed: 0 % to 100 %, as in "in 95 % of seeds"',
    ],
  ])('%s is refused', (text, complaint) => {
    expect(complaintOn(text)).toBe(complaint);
  });

  it.each([
    ['joined >= 99 % in 95 % of seeds', 950_000],
    ['joined >= 99 % in 0 % of seeds', 0],
    ['radio.received / radio.uplinks within 0.8 ± 0.1  in 99.9% of seeds ', 999_000],
    ['joinSeconds.p90 <= 10 min in 100 % of seeds', 1_000_000],
    ['joined >= 99 %', undefined],
  ])('may say in which share of seeds it has to hold: %s', (text, ppm) => {
    const read = readExpectation(text);
    expect(read.ok && [read.value.seedsPpm, read.value.text]).toEqual([ppm, text.trim()]);
  });

  it('is judged of one run as it is, whatever it says of seeds', () => {
    expect(judged('spring.updated >= 96 % in 5 % of seeds')).toEqual([0.96, true]);
    expect(judged('spring.updated >= 97 % in 5 % of seeds')).toEqual([0.96, false]);
  });

  it.each([
    ['joind >= 99 %', 'joined'],
    ['radio.lost.nopath = 0', 'radio.lost.noPath'],
    ['metre.joined >= 99 %', 'meter.joined'],
    ['gateways.roof-2.downlinksSent > 1', 'gateways.roof-1.downlinksSent'],
    ['spirng.updated >= 90 %', 'spring.updated'],
    ['campaigns.spring.failures.clock-drfit = 0', 'campaigns.spring.failures.clock-drift'],
  ])('%s meant %s', (text, meant) => {
    expect(complaintOn(text)).toMatch(
      / is not a figure of the result; allowed: campaign\.runsIt, /,
    );
    expect(complaintOn(text)).toContain(`did you mean "${meant}"?`);
  });

  it.each([
    ['downlinks.refused.dutyCycle = 2', 2, true],
    ['downlinks.retried.collisionBeacon = 0', 0, true],
    ['downlinks.lost.interfered < 2', 2, false],
    ['beacons.missed.tooWeak <= 3', 3, true],
    ['beacons.heard / beacons.lookedFor >= 90 %', 0.875, false],
    ['beacons.populations.meter.inClassB >= 9', 9, true],
  ])('counts downlinks and beacons by their paths: %s', (text, actual, holds) => {
    expect(judged(text)).toEqual([actual, holds]);
  });

  it.each([
    ['spring.runsIt >= 98 %', 0.98, true],
    ['campaign.inProgress = 46', 46, true],
    ['campaign.meter.updated >= 95 %', 0.975, true],
    ['campaign.meter.runsIt >= 99 %', 79 / 80, false],
    ['spring.meter.updated >= 95 %', 0.975, true],
    ['campaigns.spring.meter.failed <= 2', 2, true],
    ['campaigns.spring.populations.meter.running = 79', 79, true],
    ['campaigns.spring.populations.meter.failures.answer-lost = 1', 1, true],
    ['campaigns.spring.populations.meter.failures.no-uplink = 0', 0, true],
    ['campaigns.spring.failures.answer-lost <= 1', 2, false],
    ['autumn.meter.updated <= 100 %', Number.NaN, false],
  ])('counts devices of a population in campaigns: %s', (text, actual, holds) => {
    expect(judged(text)).toEqual([actual, holds]);
  });

  it.each([
    'spring.meter.t90 <= 1 h',
    'spring.metre.updated >= 1 %',
    'campaigns.spring.populations.meter.updated >= 1 %',
    'campaigns.spring.populations.meter.failures.rain = 0',
  ])('refuses what is no figure of a population in a campaign: %s', (text) => {
    expect(complaintOn(text)).toMatch(/ is not a figure of the result; /);
  });

  it.each([
    ['configurations.populations.meter.set = 80', 80, true],
    [
      'configurations.populations.meter.set / configurations.populations.meter.devices >= 90 %',
      8 / 9,
      false,
    ],
    ['configurations.populations.meter.status.applied = 85', 85, true],
    ['configurations.populations.meter.status.cancelled = 0', 0, true],
    ['configurations.populations.meter.failures.not-echoed <= 2', 3, false],
    ['configurations.populations.meter.appliedSeconds.p90 <= 5 min', 300, true],
    ['configurations.rollouts.made = 95', 95, true],
    ['configurations.suspensions > 7', 7, false],
    ['deliveries.receivers.desk.duplicates = 1', 1, true],
    ['deliveries.receivers.desk.distinct / deliveries.emitted >= 100 %', 1, true],
  ])('counts configurations and what receivers have by their paths: %s', (text, actual, holds) => {
    expect(judged(text)).toEqual([actual, holds]);
  });

  it('about any figure of the result is found, measured and judged', () => {
    const figures = [...figuresOf(NAMES)];
    fc.assert(
      fc.property(
        fc.constantFrom(...figures),
        fc.double({ noNaN: true }),
        ([name, figure], bound) => {
          const value = figure.of(RESULT);
          const atLeast = judge(
            [{ text: '', figure: name, comparison: '>=', bound: plain(bound) }],
            RESULT,
          );
          const below = judge(
            [{ text: '', figure: name, comparison: '<', bound: plain(bound) }],
            RESULT,
          );
          expect(atLeast[0]!.actual).toBe(value);
          expect(atLeast[0]!.holds || below[0]!.holds).toBe(!Number.isNaN(value));
          expect(atLeast[0]!.holds && below[0]!.holds).toBe(false);
        },
      ),
    );
  });

  it('of no kind of input throws', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        expect(typeof readExpectation(input).ok).toBe('boolean');
      }),
    );
  });
});

function plain(value: number) {
  return { value, kind: 'plain' } as const;
}
