/** Two results or two studies side by side: reports/study/differences.ts. */

import { describe, expect, it } from 'vitest';
import type { SeedResult } from '../../../core/result/study.ts';
import {
  figureDifferences,
  firstSlice,
  madeOtherwise,
  studyDifference,
} from '../../../reports/study/differences.ts';
import { duration } from '../../../reports/text/format.ts';
import { sampleResult } from '../sample-result.ts';

const row = (seed: number, figures: SeedResult['figures'], digest = String(seed)): SeedResult => ({
  seed: String(seed),
  digest,
  figures,
  expectations: [],
  unfinished: [],
});
const SEEDS = Array.from({ length: 12 }, (_, at) => at + 1);

describe('two results', () => {
  it('differ in figures that are not the same, or measured in one alone', () => {
    const a = { joined: 1, uplinks: 370, 'campaign.t90': null };
    expect(figureDifferences(a, { ...a, uplinks: 376, 'campaign.t90': 5 })).toEqual([
      { name: 'campaign.t90', unit: 'seconds', a: null, b: 5 },
      { name: 'uplinks', unit: 'count', a: 370, b: 376 },
    ]);
    expect(figureDifferences(a, a)).toEqual([]);
  });

  it('differ from the first slice of time on in which something else was counted', () => {
    const a = sampleResult();
    const received = a.series.received.map((count, at) => count + (at >= 5 ? 1 : 0));
    const b = { ...a, series: { ...a.series, received } };
    const { sliceSeconds } = a.series;
    expect(firstSlice(a, b)).toEqual({
      fromSeconds: 5 * sliceSeconds,
      untilSeconds: 6 * sliceSeconds,
      series: ['received'],
    });
    expect(firstSlice(a, a)).toBeUndefined();
    const longer = { ...a, series: { ...a.series, sliceSeconds: 1 } };
    expect(firstSlice(a, longer)).toBeUndefined();
  });

  it('are made otherwise by what their manifests differ in, and else should be equal', () => {
    const a = { scenario: 'x', files: [], set: [], seed: 'a' };
    expect(madeOtherwise(a, { ...a })).toEqual([]);
    const b = { ...a, scenario: 'y', variant: 'far', set: ['duration=1 h'], seed: 'b' };
    expect(madeOtherwise(a, b)).toEqual([
      'the scenario file',
      'the variant (none, far)',
      'overrides (none; duration=1 h)',
      'the seed (a, b)',
    ]);
  });

  it('are made otherwise by branches that only one of them has', () => {
    const a = { scenario: 'x', files: [], set: [], seed: 'a' };
    const branch = { atSeconds: 5_400, set: ['server.adr=false'] };
    const later = { ...a, branch, laterBranches: [{ atSeconds: 7_200, set: ['area=x'] }] };
    expect(madeOtherwise(a, { ...a, branch })).toEqual([
      `branches (none; from ${duration(5_400)} on server.adr=false)`,
    ]);
    expect(madeOtherwise({ ...a, branch }, later)).toEqual([
      `branches (from ${duration(5_400)} on server.adr=false; ` +
        `from ${duration(5_400)} on server.adr=false, from ${duration(7_200)} on area=x)`,
    ]);
    expect(madeOtherwise(later, { ...later })).toEqual([]);
  });
});

describe('two studies', () => {
  /** Luck that the seed alone decides, much greater than what differs. */
  const random = (seed: number) => (seed * 7919) % 1000;

  it('are paired by seed, so that a small difference stands out of the luck of seeds', () => {
    const a = SEEDS.map((seed) => row(seed, { uplinks: random(seed) }));
    const b = SEEDS.map((seed) => row(seed, { uplinks: random(seed) + 2 + (seed % 2) }, 'other'));
    const { seeds, same, figures } = studyDifference(a, b.toReversed());
    expect([seeds.length, same]).toEqual([12, 0]);
    expect(figures).toEqual([
      expect.objectContaining({ name: 'uplinks', pairs: 12, mean: 2.5, isBeyondChance: true }),
    ]);
    expect(figures[0]!.interval!.low).toBeCloseTo(2.168, 3);
  });

  it('that differ by luck alone are not reported to differ', () => {
    const a = SEEDS.map((seed) => row(seed, { uplinks: random(seed), joined: 1 }));
    const b = SEEDS.map((seed) => row(seed, { uplinks: random(seed + 40), joined: 1 }));
    const { figures } = studyDifference(a, b);
    expect(figures.map(({ name, isBeyondChance }) => [name, isBeyondChance])).toEqual([
      ['uplinks', false],
    ]);
  });

  it('count worlds that are the same, and leave out what has no other half', () => {
    const a = SEEDS.map((seed) => row(seed, { uplinks: 5, 'campaign.t90': seed > 3 ? 60 : null }));
    const b = [...a.slice(2), { seed: '1', error: 'it broke' }, row(77, { uplinks: 9 })];
    const found = studyDifference(a, b);
    expect([found.seeds.length, found.same, found.figures]).toEqual([10, 10, []]);
  });

  it('of one pair say what differs, and nothing of chance', () => {
    const { figures } = studyDifference([row(1, { uplinks: 1 })], [row(1, { uplinks: 4 })]);
    expect(figures).toEqual([
      expect.objectContaining({ mean: 3, interval: undefined, isBeyondChance: false }),
    ]);
  });
});
