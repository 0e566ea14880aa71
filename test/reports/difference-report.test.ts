/** Pages of `fleetwave diff`, and how many seeds would decide. */
import { describe, expect, it } from 'vitest';
import {
  type DifferencePage,
  differenceHtml,
  differenceMarkdown,
  seedsForTwoPercent,
  seedsText,
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
    expect(seedsText(FIGURE)).toBe('about 40');
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
    expect(seedsText({ ...FIGURE, ...change })).toBe(text);
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
