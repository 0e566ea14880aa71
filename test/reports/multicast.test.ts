/** What reports show of multicast groups: `reports/stories/multicast/`. */
import { describe, expect, it } from 'vitest';
import { summary } from '../../api/cli/summary.ts';
import type { MulticastGroupResult } from '../../core/result/result.ts';
import { figureNamed } from '../../reports/figures/figures.ts';
import { renderHtml } from '../../reports/pages/html.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { GROUPS_SHOWN } from '../../reports/stories/multicast/multicast-blocks.ts';
import { rowsOf, wordsOf } from './page.ts';
import { sampleInput } from './sample-result.ts';

const LAMPS: MulticastGroupResult = {
  name: 'lamps',
  eui: '0A00000000000001',
  frames: 2,
  toHear: 60,
  heard: 45,
  missed: { ownUplink: 2, tooWeak: 9 },
  outOfReach: 4,
};

const input = (...multicastGroups: readonly MulticastGroupResult[]) => {
  const sample = sampleInput();
  return { ...sample, result: { ...sample.result, multicastGroups } };
};

describe('a multicast group in a report', () => {
  it('is a row on the page: what members heard, and missed by cause', () => {
    const [row] = rowsOf(renderHtml(input(LAMPS)), /what their members heard/);
    expect(row!.slice(0, 3)).toEqual(['lamps 0A00000000000001', '2', '45 of 60']);
    expect(row![3]).toMatch(/^Too weak: 9 .*: 2 Out of reach: 4$/);
  });

  it('is the same in Markdown', () => {
    const text = renderMarkdown(input(LAMPS)).replaceAll('\\', '');
    const line = text.split('\n').find((each) => each.includes('0A00000000000001'));
    expect(line).toContain('| 2 | 45 of 60 | Too weak: 9,');
  });

  it('is among the first of very many, and the others are counted', () => {
    const many = Array.from({ length: GROUPS_SHOWN + 3 }, () => LAMPS);
    expect(rowsOf(renderHtml(input(...many)), /what their members heard/)).toHaveLength(
      GROUPS_SHOWN,
    );
    expect(wordsOf(renderHtml(input(...many)))).toContain('3 more are not shown.');
    expect(renderMarkdown(input(...many))).toContain('3 more multicast groups not shown.');
  });

  it('is nothing where there was none', () => {
    expect(wordsOf(renderHtml(sampleInput()))).not.toMatch(/multicast group/i);
    expect(renderMarkdown(sampleInput())).not.toMatch(/multicast group/i);
  });
});

describe('what members of multicast groups heard', () => {
  it('is a figure over all groups, on the terminal, too', () => {
    const { result, expectations } = input(LAMPS, {
      ...LAMPS,
      toHear: 30,
      heard: 30,
      missed: {},
      outOfReach: 0,
    });
    expect(figureNamed('multicastHeard').of(result)).toBe(75 / 90);
    const host = { wallSeconds: 1, cpuSeconds: 1, maxRssBytes: 1, node: '20' };
    expect(summary(result, expectations, host, ['result.json'])).toMatch(
      /Multicast heard .* 75 of 90/,
    );
  });

  it('is no number where no frame was sent', () => {
    expect(figureNamed('multicastHeard').of(input().result)).toBeNaN();
  });
});
