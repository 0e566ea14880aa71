/** The small parts that every section of a report is built from: tables, bars, legends. */
import { assert } from '../../sim/base/assert.ts';
import type { KeyFigure } from '../figures/key-figures.ts';
import { type Content, html, type Markup } from './markup.ts';

export interface Column {
  readonly head: string;
  /** Numbers stand to the right; `full` takes a whole line of a stacked row. */
  readonly kind?: 'number' | 'full' | 'wide-bar' | 'widest-bar';
}

export interface TableShape {
  /** What the table shows, in a few words. */
  readonly name: string;
  readonly columns: readonly Column[];
  /**
   * On narrow screens a row becomes a small card, with that many of its figures side by side; 6
   * begins on tablets and paper already, and has 3 on telephones.
   */
  readonly stack?: 2 | 3 | 6;
}

/** The first cell of each row is its heading. `rows[row][column]`. */
export function table(shape: TableShape, rows: readonly (readonly Content[])[]): Markup {
  const heads = shape.columns.map(
    ({ head, kind }) => html`<th scope="col" class="${kind ?? 'text'}">${head}</th>`,
  );
  const form = shape.stack ? `stack by${shape.stack}` : 'plain';
  return html`<div class="scroll"><table class="${form}">
<caption>${shape.name}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map((cells) => row(shape.columns, cells))}</tbody></table></div>`;
}

function row(columns: readonly Column[], cells: readonly Content[]): Markup {
  assert(cells.length === columns.length, 'a row has a cell for each column');
  const [first, ...rest] = cells;
  const others = rest.map((cell, at) => {
    const { head, kind } = columns[at + 1]!;
    return html`<td class="${kind ?? 'text'}" data-head="${head}">${cell}</td>`;
  });
  return html`<tr><th scope="row">${first ?? ''}</th>${others}</tr>
`;
}

/** A bar filled to `share` 0…1, empty for what is not a number; the figure stands beside it. */
export function bar(share: number, paint: 'accent' | 'bad' = 'accent'): Markup {
  const style = `width:${percentOf(share).toFixed(1)}%`;
  return html`<span class="bar ${paint}" aria-hidden="true"><i style="${style}"></i></span>`;
}

/** A bar filled from share to share, 0…1; a moment is a thin line. */
export function segment(from: number, to: number): Markup {
  const left = Math.min(percentOf(from), 99.4);
  const width = Math.max(percentOf(to) - left, 0.6);
  const style = `margin-left:${left.toFixed(1)}%;width:${width.toFixed(1)}%`;
  return html`<span class="bar" aria-hidden="true"><i style="${style}"></i></span>`;
}

function percentOf(share: number): number {
  return share > 0 ? Math.min(share, 1) * 100 : 0;
}

interface Tile {
  readonly name: string;
  readonly value: string;
  /** Draws a bar. */
  readonly share?: number;
  /** What the value is made of. */
  readonly hint: string;
  /** Shown on pointing at it. */
  readonly explanation: string;
}

/** One figure, large. */
function tile({ name, value, share, hint, explanation }: Tile): Markup {
  const size = value.length > 7 ? 'value long' : 'value';
  return html`<div class="tile" title="${explanation}"><div class="name">${name}</div>
<div class="${size}">${value}</div>
<div>${share === undefined ? '' : bar(share)}</div>
<div class="hint">${hint}</div></div>
`;
}

/** The tile of a key figure; a share has a bar. */
export function figureTile({ figure, value, text, hint }: KeyFigure): Markup {
  const { label: name, meaning: explanation, unit } = figure;
  return tile({ name, value: text, ...(unit === 'share' && { share: value }), hint, explanation });
}

/** Tiles in a row; `name` is for those who cannot see them. */
export function tiles(name: string, all: readonly Markup[]): Markup {
  return html`<section class="tiles" aria-label="${name}">
${all}</section>
`;
}

/** A section on a card. */
export function card(title: string, ...contents: readonly Content[]): Markup {
  return html`<section class="card">
<h2>${title}</h2>
${contents}
</section>
`;
}

/** What the lines of a chart mean: the name of the key's shape in the style sheet, and words. */
export function legend(entries: readonly (readonly [key: string, words: Content])[]): Markup {
  const items = entries.map(
    ([key, words]) => html`<li><span class="key ${key}" aria-hidden="true"></span>${words}</li>`,
  );
  return html`<ul class="legend">${items}</ul>`;
}
