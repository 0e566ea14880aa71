/** Renders the blocks of a report as Markdown (GitHub's flavour). */
import { assert } from '../../sim/base/assert.ts';
import { code, fenceFor, listed, plain, table } from '../markup/markdown-parts.ts';
import {
  type Block,
  type ByForm,
  type Cell,
  type Figures,
  inForm,
  isShown,
  type Note,
  rowsShown,
  type Table,
  type Text,
} from './document.ts';

/** Blocks of Markdown, between which a blank line belongs. Strings are escaped. */
export function markdownOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => (isShown(block, 'markdown') ? blockOf(block) : []));
}

function blockOf(block: Block): string[] {
  switch (block.kind) {
    case 'section': {
      const { title, level, blocks } = block;
      if (level === undefined) return markdownOf(blocks);
      return [headed(level, inForm(title, 'markdown') ?? ''), ...markdownOf(blocks)];
    }
    case 'group':
    case 'details':
      return markdownOf(block.blocks);
    case 'split':
      return block.parts.flatMap(markdownOf);
    case 'lead':
      return [`**${textOf(block.text)}**`];
    case 'paragraph':
    case 'hint':
      return [textOf(block.text)];
    case 'heading':
      return [headed(3, block.text)];
    case 'list':
      return [block.items.map((item) => `- ${plain(item)}`).join('\n')];
    case 'facts':
      return [block.facts.flatMap(([term, fact]) => factOf(term, fact)).join(' · ')];
    case 'code': {
      const fence = fenceFor(block.text, 3);
      return [`${fence}${block.language ?? ''}\n${block.text}\n${fence}`];
    }
    case 'note':
      return [noteOf(block)];
    case 'figures':
      return [figureTable(block)];
    case 'table':
      return tableOf(block);
    case 'chart':
    case 'drawing':
      return [];
  }
}

/** A term that is the same in every form begins a column of HTML, but no sentence here. */
function factOf(term: ByForm<string>, fact: Text): string[] {
  const words = typeof term === 'string' ? term.toLowerCase() : inForm(term, 'markdown');
  if (words === undefined) return [];
  return [words === '' ? textOf(fact) : `${words} ${textOf(fact)}`];
}

/** Title and sentence are Fleetwave's own words. */
function noteOf({ title, text, items }: Note): string {
  if (items === undefined) return `> **${title}** ${inForm(text, 'markdown') ?? ''}`;
  return [`**${title}**`, '', ...items.map((item) => `- ${plain(item)}`)].join('\n');
}

const headed = (level: number, title: string): string => `${'#'.repeat(level)} ${plain(title)}`;

/** Labels and figures are Fleetwave's own words. */
function figureTable({ figures, hasCounts, others = [] }: Figures): string {
  if (hasCounts) {
    const rows = figures.map(({ figure, text, hint }) => [figure.label, text, hint]);
    return table(['Figure', 'Value', 'Count'], 'lrr', rows);
  }
  const rows = figures.map(({ figure, text }) => [figure.label, text]);
  return table(['Figure', 'Value'], 'lr', [...rows, ...others]);
}

/** Nothing without rows, and the sentence on those that are not shown below it. */
function tableOf(block: Table): string[] {
  const shown = block.columns.flatMap(({ head, kind }, at) => {
    const words = inForm(head, 'markdown');
    return words === undefined ? [] : [{ at, words, isNumber: kind === 'number' }];
  });
  const rows = rowsShown(block, 'markdown').map((cells) =>
    shown.map(({ at, isNumber }) => cellOf(cells[at]!, isNumber)),
  );
  const aligned = shown.map(({ isNumber }) => (isNumber ? 'r' : 'l')).join('');
  const heads = shown.map(({ words }) => words);
  const rest = inForm(block.omitted, 'markdown') ?? '';
  return [
    ...(rows.length === 0 ? [] : [table(heads, aligned, rows)]),
    ...(rest === '' ? [] : [rest]),
  ];
}

function cellOf(cell: Cell, isNumber: boolean): string {
  if (typeof cell === 'string') return isNumber ? figureOf(cell) : plain(cell);
  if ('own' in cell || 'code' in cell || 'sign' in cell) return textOf(cell);
  if ('list' in cell) return listed(cell.list);
  assert(!('bands' in cell), 'only HTML has columns of bands');
  return cellOf(cell.text ?? '', isNumber);
}

/** Figures such as `968 of 1 000`, `<0.1 %` and `1.25 J` mean the same in Markdown as they are. */
const FIGURE = /^(?:[<>](?=\d))?[\p{L}\d \u202F%.,–−]*$/u;

/** Whatever else has come into a column of figures is escaped. */
const figureOf = (text: string): string => (FIGURE.test(text) ? text : plain(text));

function textOf(text: Text): string {
  if (typeof text === 'string') return plain(text);
  if ('own' in text) return text.own;
  if ('code' in text) return code(text.code);
  if (!('sign' in text)) return text.map(textOf).join('');
  if (text.sign === 'holds') return text.hasWord ? '✓ holds' : '✓';
  return text.hasWord ? '✗ **fails**' : '✗';
}
