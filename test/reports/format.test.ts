/** How a report writes numbers: reports/text/format.ts, and what it calls things. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figureFinder, verdict } from '../../reports/figures/verdict.ts';
import { shellWord } from '../../reports/stories/run/reproduction.ts';
import {
  actual,
  brief,
  count,
  counted,
  duration,
  meters,
  percent,
} from '../../reports/text/format.ts';
import {
  BEACON_WORDS,
  byAmount,
  CANCELLATION_WORDS,
  CONFIGURATION_WORDS,
  DOWNLINK_WORDS,
  ENERGY_WORDS,
  FAILURE_WORDS,
  FRAGMENT_WORDS,
  ROLLOUT_WORDS,
  UPLINK_WORDS,
} from '../../reports/text/words.ts';
import { sampleCampaignResult } from './sample-campaign.ts';

const spaced = (text: string) => text.replaceAll('\u202F', ' ');

describe('a count', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1 000'],
    [1_234_567, '1 234 567'],
    [-1_234, '−1 234'],
    [Number.NaN, '–'],
  ])('%d is written %s', (value, text) => {
    expect(spaced(count(value))).toBe(text);
  });

  it('keeps every digit', () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        (value) => Number(count(value).replaceAll('\u202F', '')) === value,
      ),
    );
  });

  it('agrees with its noun', () => {
    expect(spaced(`${counted(1, 'device')} ${counted(0, 'device')}`)).toBe('1 device 0 devices');
  });
});

describe('a figure on an axis', () => {
  it.each([
    [0, '0'],
    [800, '800'],
    [1_000, '1k'],
    [1_500, '1.5k'],
    [20_000, '20k'],
    [2_500_000, '2.5M'],
  ])('%d is written %s', (value, text) => expect(brief(value)).toBe(text));
});

describe('a percentage', () => {
  it.each([
    [0, '0 %'],
    [1, '100 %'],
    [0.5, '50.0 %'],
    [0.97345, '97.3 %'],
    [0.9996, '>99.9 %'],
    [0.0004, '<0.1 %'],
    [1.25, '125.0 %'],
    [Number.NaN, '–'],
  ])('of %d is written %s', (share, text) => {
    expect(spaced(percent(share))).toBe(text);
  });

  it('says 100 % of all only and 0 % of nothing only', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(1, 2),
        (share, to) => {
          const text = spaced(percent(share, to));
          expect(/^100(\.0+)? %$/.test(text)).toBe(share === 1);
          expect(/^0(\.0+)? %$/.test(text)).toBe(share === 0);
        },
      ),
    );
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [0.0214, '0.02 s'],
    [7.4, '7.4 s'],
    [59.96, '60 s'],
    [60, '1 min'],
    [94.2, '1 min 34 s'],
    [3_600, '1 h'],
    [3_605, '1 h'],
    [86_400, '1 d'],
    [129_600, '1 d 12 h'],
    [7 * 86_400, '7 d'],
    [1_500 * 86_400, '1 500 d'],
    [Number.NaN, '–'],
  ])('of %d seconds is written %s', (seconds, text) => {
    expect(spaced(duration(seconds))).toBe(text);
  });
});

describe('a length', () => {
  it.each([
    [850, '850 m'],
    [1_000, '1 km'],
    [2_449, '2.4 km'],
  ])('of %d m is written %s', (value, text) => expect(spaced(meters(value))).toBe(text));
});

describe('a cause', () => {
  it.each(
    Object.entries({
      UPLINK_WORDS,
      DOWNLINK_WORDS,
      BEACON_WORDS,
      FRAGMENT_WORDS,
      FAILURE_WORDS,
      ENERGY_WORDS,
      ROLLOUT_WORDS,
      CONFIGURATION_WORDS,
      CANCELLATION_WORDS,
    }).flatMap(([table, words]) =>
      Object.entries(words).map(([cause, each]) => [table, cause, each] as const),
    ),
  )('in %s has words of its own: %s', (_table, _cause, { label, meaning }) => {
    expect(label).toMatch(/^[A-Z]/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  });

  it('stands before those that are rarer, equal ones by name', () => {
    expect(byAmount({ b: 1, a: 1, c: 2 })).toEqual([
      ['c', 2],
      ['a', 1],
      ['b', 1],
    ]);
  });
});

describe('an expectation', () => {
  const sample = sampleCampaignResult();
  const [spring] = sample.campaigns;
  const [meter] = sample.devices.populations;
  const figureOf = figureFinder({
    ...sample,
    devices: { ...sample.devices, populations: [{ ...meter!, name: 'meter' }] },
    campaigns: [
      { ...spring!, name: 'spring' },
      { ...spring!, name: 'spring-2.4' },
    ],
  });
  const one = (expectation: string, actualValue = 0) => ({
    expectation,
    actual: actualValue,
    holds: true,
  });

  it.each([
    ['joined >= 99 %', 'Devices joined'],
    ['lost.interfered<=3 %', 'Uplinks lost: interfered'],
    ['received within 0.83 ± 0.01', 'Uplinks received'],
    ['received / uplinks > 0.8', undefined],
    ['campaign.t90 <= 3 h', '90 % confirmed after'],
    ['campaigns.spring-2.4.updated >= 95 %', 'spring-2.4: Updates confirmed'],
    ['meter.messagesDelivered >= 95 %', 'meter: Messages delivered'],
    ['campaign.meter.runsIt >= 95 %', 'meter: Devices that run it'],
    ['spring.meter.updated >= 95 %', 'spring, meter: Updates confirmed'],
    ['campaigns.spring-2.4.meter.failed = 0', 'spring-2.4, meter: Failed devices'],
    ['campaigns.spring.gateways = 3', undefined],
    ['devices.joined >= 3', undefined],
    ['devices.populations.meter.joined >= 3', undefined],
    ['meter.constructor >= 3', undefined],
    ['radio.lost.noPath = 0', undefined],
    ['constructor = 0', undefined],
    ['', undefined],
  ])('%j is about %s', (text, label) => {
    expect(figureOf(one(text))?.label).toBe(label);
  });

  it('shows its value in the unit of its figure', () => {
    const shown = (text: string, value: number) => spaced(actual(value, figureOf(one(text))?.unit));
    expect(shown('joined >= 99 %', 0.98999)).toBe('99.00 %');
    expect(shown('joinSeconds.p90 < 10', 94)).toBe('1 min 34 s');
    expect(shown('radio.uplinks > 1', 123_456)).toBe('123456');
    expect(shown('received / uplinks > 1', 0.83312345)).toBe('0.833123');
    expect(shown('joined >= 99 %', Number.NaN)).toBe('–');
  });

  it('counts with the others towards one verdict', () => {
    const holds = one('joined > 0');
    const fails = { ...holds, holds: false };
    expect(verdict([])).toEqual({ state: 'open', sentence: 'The scenario states no expectations' });
    expect(verdict([holds]).sentence).toBe('The expectation holds');
    expect(verdict([fails]).sentence).toBe('The expectation fails');
    expect(verdict([holds, holds]).sentence).toBe('All 2 expectations hold');
    expect(verdict([holds, fails, fails]).sentence).toBe('2 of 3 expectations fail');
    expect(verdict([holds, fails]).state).toBe('fails');
  });
});

describe('a seed on a command line', () => {
  it('is quoted only where a shell would read it otherwise', () => {
    expect(shellWord('spring-42')).toBe('spring-42');
    expect(shellWord('two words')).toBe(`'two words'`);
    expect(shellWord(`it's $HOME`)).toBe(`'it'\\''s $HOME'`);
    expect(shellWord('')).toBe(`''`);
  });
});
