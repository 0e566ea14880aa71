/** Rows of seeds to one table: reports/study. */
import { describe, expect, it } from 'vitest';
import type { SeedResult, SeedRow } from '../../../core/result/study.ts';
import { rowOf } from '../../../reports/study/rows.ts';
import { spreadText } from '../../../reports/study/spread-text.ts';
import { type Needed, spreadOf, studyOf } from '../../../reports/study/study.ts';
import { sampleCampaign } from '../sample-campaign.ts';
import { sampleResult } from '../sample-result.ts';

const manifest = { scenario: 'scenario: town', files: [], set: [], seed: 'a' };

/** A seed in which so much joined, and what was expected held or did not. */
const row = (seed: number, joined: number | null, holds = true): SeedResult => ({
  seed: String(seed),
  digest: '0123456789abcdef',
  figures: { joined, 'campaign.t90': joined === null ? null : 3600 * joined },
  expectations: [{ expectation: 'joined >= 99 %', actual: joined, holds }],
  unfinished: [],
});

const needs = (seedsPpm: number): Needed[] => [
  { expectation: 'joined >= 99 %', seedsPpm, unit: 'share' },
];

const study = (rows: readonly SeedRow[], seedsPpm = 1_000_000) =>
  studyOf({
    scenario: 'town',
    manifest,
    seeds: rows.length,
    rows,
    digest: 'fedcba9876543210',
    expectations: needs(seedsPpm),
    warnings: [],
  });

describe('a row', () => {
  it('has every named figure of a run, null where it was not measured', () => {
    const result = { ...sampleResult(), campaigns: [] };
    const created = rowOf(result, [{ expectation: 'x = 1', actual: Number.NaN, holds: false }]);
    expect(created).toMatchObject({ seed: '42', digest: '9f3c61d20be7a845', unfinished: [] });
    expect(created.figures.uplinks).toBe(result.radio.uplinks);
    expect(created.figures['campaign.updated']).toBeNull();
    expect(created.expectations[0]).toEqual({ expectation: 'x = 1', actual: null, holds: false });
    expect(JSON.parse(JSON.stringify(created))).toEqual(created);
  });

  it('names campaigns that had devices in progress at the end', () => {
    const spring = { ...sampleCampaign(), name: 'spring', inProgress: 1 };
    const autumn = { ...sampleCampaign(), name: 'autumn', inProgress: 0 };
    const { unfinished } = rowOf({ ...sampleResult(), campaigns: [spring, autumn] }, []);
    expect(unfinished).toEqual(['spring']);
  });
});

describe('a figure over seeds', () => {
  it('has mean, intervals and spread of the seeds in which it was measured', () => {
    expect(spreadOf([9, null, 9, 10, 11, 11, 10], 'count')).toEqual({
      measured: 6,
      mean: 10,
      meanInterval: [expect.closeTo(9.06137, 4), expect.closeTo(10.93863, 4)],
      standardDeviation: expect.closeTo(0.894427, 5),
      least: 9,
      median: 10,
      medianInterval: [9, 11],
      greatest: 11,
    });
  });

  it('has no interval outside of what it can be', () => {
    expect(spreadOf([0.9, 1, 1], 'share').meanInterval![1]).toBe(1);
    expect(spreadOf([0, 0, 9], 'count').meanInterval![0]).toBe(0);
    expect(spreadOf([0, 0, 9], null).meanInterval![0]).toBeLessThan(0);
  });

  it('has no interval of one seed, and nothing where it was measured in none', () => {
    expect(spreadOf([3], 'count')).toMatchObject({
      mean: 3,
      meanInterval: null,
      standardDeviation: null,
      medianInterval: null,
    });
    expect(spreadOf([null, null], 'count')).toMatchObject({ measured: 0, mean: null, least: null });
  });
});

describe('an expectation over seeds', () => {
  const held = (many: number, seedsPpm?: number) => {
    const rows = Array.from({ length: 20 }, (_, at) => row(at, 1, at < many));
    const [verdict] = study(rows, seedsPpm).expectations;
    return verdict!;
  };

  it('holds in all seeds when it says nothing of them', () => {
    expect([held(20).holds, held(19).holds]).toEqual([true, false]);
    expect(held(20)).toMatchObject({ held: 20, seeds: 20, needed: 1 });
  });

  it('holds at the boundary of its share, to the last bit', () => {
    expect([held(19, 950_000).holds, held(18, 950_000).holds]).toEqual([true, false]);
    expect([held(14, 700_000).holds, held(13, 700_000).holds]).toEqual([true, false]);
  });

  it('holds in none of them when 0 % are enough', () => {
    expect(held(0, 0).holds).toBe(true);
    expect(held(0, 1).holds).toBe(false);
  });

  it('has Wilson’s interval of the share', () => {
    const [low, high] = held(0).shareInterval!;
    expect([low, high]).toEqual([0, expect.closeTo(0.1611, 4)]);
  });

  it('does not hold in a seed that broke, nor in a study that ran none', () => {
    const broken = { seed: '2', error: 'AssertionFailed: x' };
    const { expectations, warnings } = study([row(1, 1), broken]);
    expect(expectations[0]).toMatchObject({ held: 1, seeds: 2, holds: false });
    expect(warnings).toContain('Seed 2 broke, and no figure has it: AssertionFailed: x');
    expect(study([], 0).expectations[0]!.holds).toBe(false);
  });
});

describe('a study', () => {
  it('is whole when all seeds that were asked for are there', () => {
    const input = { scenario: 'town', manifest, digest: '', expectations: [], warnings: [] };
    expect(studyOf({ ...input, seeds: 1, rows: [row(1, 1)] }).complete).toBe(true);
    expect(studyOf({ ...input, seeds: 2, rows: [row(1, 1)] }).complete).toBe(false);
  });

  it('warns of seeds that are too few for an interval', () => {
    expect(study([row(1, 1)]).warnings[0]).toMatch(/^1 seed: there is no interval of fewer than 2/);
    const five = [1, 2, 3, 4, 5].map((seed) => row(seed, 1));
    expect(study(five).warnings).toEqual([
      '5 seeds: those of a median need 6, and intervals of means are wide.',
    ]);
    expect(study([...five, row(6, 1)]).warnings).toEqual([]);
  });

  it('warns of times that were not reached in every seed, and of campaigns that went on', () => {
    const six = [1, 2, 3, 4, 5, 6].map((seed) => row(seed, 1));
    const late = { ...row(7, null), unfinished: ['spring'] };
    expect(study([...six, late]).warnings).toEqual([
      'Campaign spring had devices in progress at the end in 1 of 7 seeds: a longer duration ' +
        'would change its figures.',
      '90 % confirmed after (campaign.t90): never in 1 of 7 seeds; mean and spread are of the ' +
        'others, so they are too low.',
    ]);
  });
});

describe('a number between counts', () => {
  it.each([
    [1.25, 'count', '1.25'],
    [38851.3, 'count', '38\u202f851'],
    [0.99891, 'share', '99.89\u202f%'],
    [-0.02, 'share', '−2.00\u202f%'],
    [45.61, 'seconds', '45.6\u202fs'],
    [0.00936, 'joules', '9.36\u202fmJ'],
    [0.833123, null, '0.83312'],
    [null, 'count', '–'],
  ] as const)('%d of unit %s is reported as %s', (value, unit, text) => {
    expect(spreadText(value, unit)).toBe(text);
  });
});
