/** The summary as Markdown: reports/pages/markdown.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code, plain } from '../../reports/markup/markdown-parts.ts';
import { renderMarkdown } from '../../reports/pages/markdown.ts';
import { inputs } from './arbitrary-result.ts';
import { sampleInput, sampleResult } from './sample-result.ts';

const sample = () => renderMarkdown(sampleInput()).replaceAll('\u202F', ' ');

describe('the summary', () => {
  it('opens with the name and the verdict', () => {
    expect(sample().split('\n').slice(0, 3)).toEqual([
      '## ✗ City water meters',
      '',
      '**1 of 4 expectations fails.**',
    ]);
  });

  it('shows expectations, figures, causes and gateways in tables', () => {
    const lines = sample().split('\n');
    expect(lines).toContain('| `lost.interfered <= 3 %` | 5.39 % | ✗ **fails** |');
    expect(lines).toContain('| Messages delivered | 95.2 % | 44 962 of 47 210 |');
    expect(lines).toContain('| Uplink lost | No free path | 1 904 | 3.2 % |');
    expect(lines).toContain('| Uplink lost | Stated loss | 0 | 0 % |');
    expect(lines).toContain('| Downlink not sent | No airtime left | 96 | 1.8 % |');
    expect(lines).toContain('| town\\-hall | 31 204 | 3 140 | 1 h 18 min | 4.85 % |');
  });

  it('says when the run is partial', () => {
    const partial = { ...sampleInput(), result: { ...sampleResult(), complete: false } };
    expect(renderMarkdown(partial)).toContain('> **Partial run.** It was interrupted after');
    expect(sample()).not.toContain('Partial');
  });

  it('shows ten gateways and counts the others', () => {
    const [gateway] = sampleResult().gateways;
    const gateways = Array.from({ length: 14 }, () => gateway);
    const text = renderMarkdown({ ...sampleInput(), result: { ...sampleResult(), gateways } });
    expect(text.match(/^\| town\\-hall/gm)).toHaveLength(10);
    expect(text).toContain('4 less busy gateways are not shown.');
  });

  it('has the same bytes twice and holds no HTML, whatever the texts are', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const text = renderMarkdown(input);
        expect(renderMarkdown(input)).toBe(text);
        const fenced = text.replace(/(`{3,})sh\n[\s\S]*?\n\1/g, '').replace(/`[^\n]*`/g, '');
        expect(fenced).not.toMatch(/<[^0]/);
      }),
    );
  });

  it('gives every row of a table as many cells as it has heads', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        let heads = 0;
        for (const line of renderMarkdown(input).split('\n')) {
          const cells = line.startsWith('| ') ? line.match(/(?<!\\)\|/g)!.length : 0;
          if (cells > 0 && heads > 0) expect(cells).toBe(heads);
          heads = cells;
        }
      }),
    );
  });
});

describe('text from outside', () => {
  it('keeps its letters and loses its power', () => {
    expect(plain('**b** <i> [x](y) a|b `c` # d')).toBe(
      '\\*\\*b\\*\\* &#60;i&#62; \\[x\\]\\(y\\) a\\|b \\`c\\` \\# d',
    );
    expect(plain('two\nlines\u0000')).toBe('two lines ');
  });

  it('as code is closed by nothing inside it', () => {
    expect(code('joined >= 1')).toBe('`joined >= 1`');
    expect(code('a ` b')).toBe('`` a ` b ``');
    expect(code('a | b')).toBe('`a \\| b`');
    expect(code(' ')).toBe('–');
  });
});
