/** Renders the blocks of a report as HTML. */
import { draw } from '../charts/plot.ts';
import { type Content, html, type Markup } from '../markup/markup.ts';
import { bar, card, figureTile, legend, segment, table, tiles } from '../markup/parts.ts';
import { NOTHING } from '../text/format.ts';
import {
  type Block,
  type ByForm,
  type Cell,
  type Column,
  type DetailedCell,
  inForm,
  isShown,
  type Note,
  rowsShown,
  type Split,
  type Table,
  type Text,
} from './document.ts';

/** Every text is escaped. */
export function htmlOf(blocks: readonly Block[]): Content {
  return shown(blocks).map(blockOf);
}

const shown = (blocks: readonly Block[]): readonly Block[] =>
  blocks.filter((block) => isShown(block, 'html'));

function blockOf(block: Block): Content {
  switch (block.kind) {
    case 'section':
      return card(inForm(block.title, 'html') ?? '', htmlOf(block.blocks));
    case 'group':
      return shown(block.blocks).map((each, at) => [at === 0 ? '' : '\n', blockOf(each)]);
    case 'split':
      return splitOf(block);
    case 'lead':
    case 'hint':
      return html`<p class="${block.kind}">${textOf(block.text)}</p>`;
    case 'paragraph':
      return html`<p>${textOf(block.text)}</p>`;
    case 'heading':
      return html`<h3>${block.text}</h3>`;
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${item}</li>`)}</ul>`;
    case 'facts':
      return html`<dl class="facts">${block.facts.map(([term, fact]) => factOf(term, fact))}</dl>`;
    case 'code':
      return html`<pre><code>${block.text}</code></pre>`;
    case 'note':
      return noteOf(block);
    case 'figures':
      return tiles(block.name, (block.tiles ?? block.figures).map(figureTile));
    case 'table':
      return tableOf(block);
    case 'chart':
      return [block.legend ? legend(block.legend) : '', draw(block.chart)];
    case 'drawing':
      return block.drawing();
    case 'details':
      return html`<details><summary>${block.summary}</summary>
${htmlOf(block.blocks)}</details>`;
  }
}

function factOf(term: ByForm<string>, fact: Text): Content {
  const words = inForm(term, 'html');
  return words === undefined ? '' : html`<div><dt>${words}</dt><dd>${textOf(fact)}</dd></div>`;
}

function noteOf({ title, text, items }: Note): Markup {
  const words = inForm(text, 'html') ?? '';
  const inside =
    items === undefined
      ? html`<p><strong>${title}</strong> ${words}</p>`
      : html`
<p><strong>${title}</strong></p>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
  return html`<div class="note" role="note">${inside}</div>`;
}

/**
 * A part that is one table fills its column without a box around it. More than two parts stand on
 * lines of their own in the source.
 */
function splitOf({ style, parts }: Split): Markup {
  const columns = parts.map((blocks, at) => {
    const inside = htmlOf(blocks);
    const isTable = blocks.length === 1 && blocks[0]!.kind === 'table';
    return [at === 0 ? '' : '\n', isTable ? inside : html`<div>${inside}</div>`];
  });
  const edge = parts.length > 2 ? '\n' : '';
  return html`<div class="split ${style}">${edge}${columns}${edge}</div>`;
}

function tableOf(block: Table): Content {
  const { name, columns, stack, empty, omitted } = block;
  if (block.rows.length === 0 && empty !== undefined) {
    return empty === '' ? '' : html`<p>${empty}</p>`;
  }
  const heads = columns.flatMap(({ head, kind, isBelow }) => {
    const words = isBelow ? undefined : inForm(head, 'html');
    return words === undefined ? [] : [{ head: words, ...(kind && { kind }) }];
  });
  const rows = rowsShown(block, 'html').map((cells) => rowOf(columns, cells));
  const rest = inForm(omitted, 'html') ?? '';
  return [
    table({ name, columns: heads, ...(stack && { stack }) }, rows),
    rest === '' ? '' : html`<p class="hint">${rest}</p>`,
  ];
}

/** A cell for each head: cells of columns that stand below another are part of its cell. */
function rowOf(columns: readonly Column[], cells: readonly Cell[]): Content[] {
  const row: Content[] = [];
  columns.forEach(({ head, isBelow }, at) => {
    const content = cellOf(cells[at]!);
    if (isBelow) row.push(html`${row.pop() ?? ''}<small>${content}</small>`);
    else if (inForm(head, 'html') !== undefined) row.push(content);
  });
  return row;
}

function cellOf(cell: Cell): Content {
  if (typeof cell === 'string') return cell;
  if ('own' in cell || 'code' in cell || 'sign' in cell) return textOf(cell);
  if ('list' in cell) return listOf(cell.list);
  if (!('bands' in cell)) return detailedOf(cell);
  const bands = cell.bands.map(
    ({ name, share, paint, figure }) => html`<span>${name}</span>${bar(share, paint)}
<span>${figure}</span>`,
  );
  return bands.length > 0 ? html`<div class="bands">${bands}</div>` : NOTHING;
}

/** The first entry in full, the others small below it. */
const listOf = ([first = NOTHING, ...others]: readonly string[]): Markup =>
  html`${first}${others.map((other) => html`<small>${other}</small>`)}`;

function detailedOf({ text = '', bar: drawn, segment: part, below = [] }: DetailedCell): Markup {
  const bars = [drawn ? bar(drawn.share, drawn.paint) : '', part ? segment(...part) : ''];
  return html`${text}${bars}${below.map((line) => html`<small>${textOf(line)}</small>`)}`;
}

function textOf(text: Text): Content {
  if (typeof text === 'string') return text;
  if ('own' in text) return text.own;
  if ('code' in text) return html`<code>${text.code}</code>`;
  if (!('sign' in text)) return text.map(textOf);
  const mark = text.sign === 'holds' ? '✓' : '✗';
  const word = text.hasWord ? ` ${text.sign}` : '';
  return html`<span class="sign ${text.sign}">${mark}${word}</span>`;
}
