/** Pages of `fleetwave diff`, and how many seeds would decide. */
import { describe, expect, it } from 'vitest';
import { studentT } from '../../reports/statistics/distributions.ts';
import {
  type DifferencePage,
  differenceHtml,
  differenceMarkdown,
  seedsForTwoPercent,
  seedsText,
  seedsToDecide,
} from '../../reports/study/difference-report.ts';
import type { PairedFigure } from '../../reports/study/differences.ts';

const FIGURE: PairedFigure = {
  name: 'campaign.runsIt',
  unit: 'share',
  pairs: 10,
  a: 0.9,
  b: 0.8,
  mean: -0.1,
  interval: { low: -0.14, high: -0.06 },
  isBeyondChance: true,
};

describe('how many seeds make an interval ± 2 %', () => {
  it('is four times as many where it is twice as wide', () => {
    expect(seedsForTwoPercent(FIGURE)).toBe(40);
    expect(seedsText(FIGURE, 40)).toBe('about 40');
  });

  it('is of anything but a share 2 % of the mean of A', () => {
    const figure: PairedFigure = {
      ...FIGURE,
      unit: 'count',
      a: 100,
      interval: { low: -8, high: 0 },
    };
    expect(seedsForTwoPercent(figure)).toBe(40);
  });

  it.each([
    [{ interval: { low: -0.11, high: -0.09 } }, 'enough'],
    [{ interval: undefined }, '–'],
    [{ unit: 'count', a: 0 } as const, '–'],
    [{ interval: { low: -0.9, high: 0.9 } }, 'more than 10\u202F000'],
  ])('%o: %s', (change, text) => {
    const figure = { ...FIGURE, ...change };
    expect(seedsText(figure, seedsForTwoPercent(figure))).toBe(text);
  });
});

describe('how many seeds decide', () => {
  const open = (mean: number, half: number, pairs = 10): PairedFigure => {
    const interval = { low: mean - half, high: mean + half };
    return { ...FIGURE, pairs, mean, interval, isBeyondChance: false };
  };
  /** The deviation of one pair, by the interval. */
  const spread = (half: number, pairs: number) => (half * Math.sqrt(pairs)) / studentT(pairs - 1);

  it.each([
    [open(0.02, 0.03), 1],
    [open(-0.02, 0.03), 30],
    [open(0.11, 0.05, 3), 30],
  ])('is the first number whose interval of all figures together leaves 0 out', (figure, all) => {
    const seeds = seedsToDecide(figure, all)!;
    const half = (figure.interval!.high - figure.interval!.low) / 2;
    const halfAt = (count: number) =>
      (studentT(count - 1, 1 - 0.05 / all) * spread(half, figure.pairs)) / Math.sqrt(count);
    expect(seeds).toBeGreaterThan(figure.pairs);
    expect(halfAt(seeds)).toBeLessThanOrEqual(Math.abs(figure.mean));
    if (seeds > figure.pairs + 1) expect(halfAt(seeds - 1)).toBeGreaterThan(Math.abs(figure.mean));
  });

  it('is none where it is decided, and unknown where nothing differs or was measured twice', () => {
    expect(seedsToDecide(FIGURE, 5)).toBe(10);
    expect(seedsText(FIGURE, seedsToDecide(FIGURE, 5))).toBe('enough');
    expect(seedsToDecide(open(0, 0.1), 5)).toBeUndefined();
    expect(seedsToDecide({ ...open(1, 1), interval: undefined }, 5)).toBeUndefined();
    expect(seedsToDecide(open(1e-6, 1), 5)).toBe(10_001);
  });
});

describe('a page of differences', () => {
  const page: DifferencePage = {
    before: ['A: <one>, seed 1'],
    after: ['No figure differs beyond chance.'],
    figures: { of: 'studies', rows: [FIGURE] },
  };

  it('is one file of HTML without scripts, in which names are escaped', () => {
    const text = differenceHtml(page, '0.1.0');
    expect(text.startsWith('<!doctype html>')).toBe(true);
    expect(text).toContain('A: &lt;one&gt;, seed 1');
    expect(text).not.toContain('<script');
    expect(text).toContain('about 40');
  });

  it('is Markdown with a row for each figure', () => {
    const text = differenceMarkdown(page, '0.1.0');
    expect(text).toMatch(/^## What differs\n/);
    expect(text).toMatch(/\| campaign\\\.runsIt \| 90\.00.% \| 80\.00.% \|.*\| about 40 \|\n/);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('has figures of two runs without chance', () => {
    const rows = [{ name: 'joined', unit: 'share', a: 1, b: null }] as const;
    const text = differenceMarkdown({ ...page, figures: { of: 'runs', rows } }, '0.1.0');
    expect(text).toMatch(/\| joined \| 100.% \| – \| – \|/);
    expect(text).not.toContain('Seeds');
  });
});
