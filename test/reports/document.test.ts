/** The tree of a report and its three renderers: `reports/document/`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Block,
  type Cell,
  EVERY_FORM,
  HTML,
  MARKDOWN,
  omission,
  type Table,
  TERMINAL,
} from '../../reports/document/document.ts';
import { htmlOf } from '../../reports/document/html.ts';
import { markdownOf } from '../../reports/document/markdown.ts';
import { terminalOf } from '../../reports/document/terminal.ts';
import { code } from '../../reports/markup/markdown-parts.ts';
import { html } from '../../reports/markup/markup.ts';
import { readPage, rowsOf, wordsOf } from './page.ts';

const inHtml = (...blocks: Block[]): string => html`${htmlOf(blocks)}`.markup;
const inMarkdown = (...blocks: Block[]): string => markdownOf(blocks).join('\n\n');

const table = (rows: Cell[][], more: Partial<Table> = {}): Table => ({
  kind: 'table',
  name: 'Meters',
  columns: [{ head: 'Name' }, { head: 'Frames', kind: 'number' }, { head: 'Why' }],
  rows,
  ...more,
});

/** A block of each kind that holds this text wherever a scenario could put one. */
const blocksWith = (text: string): Block[] => [
  {
    kind: 'section',
    title: text,
    level: 3,
    blocks: [
      { kind: 'lead', text },
      { kind: 'group', blocks: [{ kind: 'paragraph', text: [text, { code: text }] }] },
      { kind: 'hint', text },
      { kind: 'heading', text },
      { kind: 'list', items: [text] },
      { kind: 'note', title: '1 warning', text: '', items: [text] },
      { kind: 'facts', facts: [['Image', text]] },
      { kind: 'details', summary: text, blocks: [] },
      {
        kind: 'split',
        style: 'beside',
        parts: [
          [{ kind: 'hint', text }],
          [
            table(
              [
                [text, text, { list: [text, text] }],
                [{ code: text }, text, { text, below: [text] }],
              ],
              { name: text },
            ),
          ],
        ],
      },
    ],
  },
];

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '| a | b |\n| --- | --- |',
  '[x](javascript:alert(1)) **b** `c`',
  '# title\n> quote\n- item',
  '\\| \\` &lt;i&gt;',
];

describe('texts of a scenario in a document', () => {
  it.each(HOSTILE)('open no tag of HTML: %j', (text) => {
    const plain = readPage(inHtml(...blocksWith('text')));
    const page = readPage(inHtml(...blocksWith(text)));
    expect(page.skeleton).toEqual(plain.skeleton);
    expect(page.texts.filter((each) => each.includes(text)).length).toBeGreaterThan(10);
  });

  it.each(HOSTILE)('have no meaning in Markdown, not even in a column of figures: %j', (text) => {
    const lines = inMarkdown(...blocksWith(text)).split('\n');
    expect(lines).toHaveLength(inMarkdown(...blocksWith('text')).split('\n').length);
    for (const line of lines.map((each) => each.replaceAll(code(text), ''))) {
      expect(line).not.toMatch(/<[a-z/!]|(?<!\\)[[`]/);
      const cells = line.startsWith('| ') ? line.match(/(?<!\\)\|/g)!.length : 4;
      expect(cells).toBe(4);
    }
  });

  it('stay in their cells, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [heads, rule, row] = inMarkdown(table([[text, text, text]])).split('\n');
        expect(heads).toBe('| Name | Frames | Why |');
        expect(rule).toBe('| --- | ---: | --- |');
        expect(row!.match(/(?<!\\)\|/g)).toHaveLength(4);
        readPage(inHtml(table([[text, text, text]])));
      }),
    );
  });
});

describe('a table of a document', () => {
  it('has its numbers on the right in both forms', () => {
    const numbers = table([['a', '<0.1\u202F%', '–']]);
    expect(inHtml(numbers)).toContain('<th scope="col" class="number">Frames</th>');
    expect(inHtml(numbers)).toContain('<td class="number" data-head="Frames">&lt;0.1\u202F%</td>');
    expect(inMarkdown(numbers)).toBe(
      ['| Name | Frames | Why |', '| --- | ---: | --- |', '| a | <0.1\u202F% | – |'].join('\n'),
    );
  });

  it('has the columns of each form, and in HTML small ones below their neighbours', () => {
    const columns = [
      { head: { html: 'Group', markdown: 'Multicast group' } },
      { head: { markdown: 'EUI' }, isBelow: true as const },
      { head: { html: '' }, kind: 'wide-bar' as const },
      { head: { terminal: 'Heard' } },
    ];
    const groups = table([['lamps', '0A', { bar: { share: 0.5 } }, '3']], {
      forms: EVERY_FORM,
      columns,
    });
    expect(rowsOf(inHtml(groups), /Meters/)).toEqual([['lamps 0A', '']]);
    expect(inMarkdown(groups)).toBe('| Multicast group | EUI |\n| --- | --- |\n| lamps | 0A |');
    expect(terminalOf([groups])).toEqual([{ heads: ['Heard'], rows: [['3']] }]);
  });

  it('shows as many rows as a form has room for, and how many it leaves out', () => {
    const rows = Array.from({ length: 5 }, (_, at): Cell[] => [`m${at}`, '1', '']);
    const long = table(rows, {
      forms: EVERY_FORM,
      most: { html: 3, markdown: 2 },
      omitted: { html: '2 less.', markdown: '3 less.' },
    });
    expect(rowsOf(inHtml(long), /Meters/)).toHaveLength(3);
    expect(inHtml(long)).toMatch(/<p class="hint">2 less\.<\/p>$/);
    expect(inMarkdown(long)).toMatch(/\| m1 \| 1 \| {2}\|\n\n3 less\.$/);
    expect(terminalOf([long])).toMatchObject([{ rows: { length: 5 } }]);
  });

  it('says in words of each form how many rows are left out, of one and of several', () => {
    expect(omission(0, 'job')).toEqual({});
    expect(omission(1, 'job')).toEqual({
      html: '1 more are not shown.',
      markdown: '1 more job not shown.',
      terminal: '… and 1 more job.',
    });
    expect(omission(2, 'job').markdown).toBe('2 more jobs not shown.');
    expect(terminalOf([table([], { forms: TERMINAL, omitted: omission(2, 'job') })])).toEqual([
      '… and 2 more jobs.',
    ]);
  });

  it('without rows is none in Markdown and on a terminal, and in HTML what it says then', () => {
    const empty = table([], { forms: EVERY_FORM });
    expect(inHtml(empty)).toContain('<tbody>\n</tbody>');
    expect(inHtml({ ...empty, empty: '' })).toBe('');
    expect(inHtml({ ...empty, empty: 'No <meter>.' })).toBe('<p>No &lt;meter&gt;.</p>');
    expect(inMarkdown(empty)).toBe('');
    expect(terminalOf([empty])).toEqual([]);
  });

  it('stops at a row that has not a cell for each column', () => {
    const wrong = table([['a', '1']]);
    expect(() => inHtml(wrong)).toThrow('a row has a cell for each column');
    expect(() => inMarkdown(wrong)).toThrow('a row has a cell for each column');
  });

  it('lists the entries of a cell: below each other, with commas, in lines', () => {
    const lists = table([['a', '1', { list: ['Too weak: 2', 'Noise: 1'] }]], { forms: EVERY_FORM });
    const none = table([['a', '1', { list: [] }]], { forms: EVERY_FORM });
    expect(inHtml(lists)).toContain('Too weak: 2<small>Noise: 1</small></td>');
    expect(inMarkdown(lists)).toContain('| Too weak\\: 2, Noise\\: 1 |');
    expect(terminalOf([lists])).toMatchObject([{ rows: [['a', '1', 'Too weak: 2\nNoise: 1']] }]);
    for (const text of [inHtml(none), inMarkdown(none)]) expect(text).toContain('–');
  });
});

describe('a block of a document', () => {
  it('is in the forms that it names, and in HTML and Markdown when it names none', () => {
    const blocks: Block[] = [
      { kind: 'paragraph', text: 'both' },
      { kind: 'paragraph', forms: HTML, text: 'page' },
      { kind: 'paragraph', forms: MARKDOWN, text: 'summary' },
      { kind: 'paragraph', forms: TERMINAL, text: 'terminal' },
    ];
    expect(wordsOf(inHtml(...blocks))).toBe('both page');
    expect(inMarkdown(...blocks)).toBe('both\n\nsummary');
    expect(terminalOf(blocks)).toEqual(['terminal']);
  });

  it('with a level has a heading in Markdown, and none without', () => {
    const section: Block = { kind: 'section', title: 'a_b', blocks: [{ kind: 'lead', text: 'c' }] };
    expect(inMarkdown(section)).toBe('**c**');
    expect(inMarkdown({ ...section, level: 3 })).toBe('### a\\_b\n\n**c**');
    expect(inHtml(section)).toContain('<h2>a_b</h2>');
  });

  it('of lines as they are is closed by nothing inside it', () => {
    const lines: Block = { kind: 'code', text: 'a <b>\n```\nc', language: 'sh' };
    expect(inMarkdown(lines)).toBe('````sh\na <b>\n```\nc\n````');
    expect(inHtml(lines)).toBe('<pre><code>a &lt;b&gt;\n```\nc</code></pre>');
  });

  it('with terms has those of each form', () => {
    const facts: Block = {
      kind: 'facts',
      facts: [
        ['Seed', { code: '42' }],
        [{ html: 'Region' }, 'EU868'],
        [{ markdown: '' }, '3 gateways'],
      ],
    };
    expect(inMarkdown(facts)).toBe('seed `42` · 3 gateways');
    expect(wordsOf(inHtml(facts))).toBe('Seed 42 Region EU868');
  });

  it('of Fleetwave’s own words stays as it is in Markdown, but not in HTML', () => {
    const own: Block = { kind: 'paragraph', text: { own: '<0.1 % were lost.' } };
    expect(inMarkdown(own)).toBe('<0.1 % were lost.');
    expect(inHtml(own)).toBe('<p>&lt;0.1 % were lost.</p>');
  });
});
