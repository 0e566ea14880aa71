/** The small parts that every section of a report is built from: tables, bars, legends. */
import { type Content, html, type Markup } from './markup.ts';

export interface Column {
  readonly head: string;
  /** Numbers stand to the right; `full` takes a whole line of a stacked row. */
  readonly kind?: 'number' | 'full' | 'wide-bar';
}

export interface TableShape {
  /** What the table tells, in a few words. */
  readonly name: string;
  readonly columns: readonly Column[];
  /**
   * On narrow screens a row becomes a small card, with so many of its figures side by side; 6
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
  const [first, ...rest] = cells;
  const others = rest.map((cell, at) => {
    const { head, kind } = columns[at + 1] ?? { head: '' };
    return html`<td class="${kind ?? 'text'}" data-head="${head}">${cell}</td>`;
  });
  return html`<tr><th scope="row">${first ?? ''}</th>${others}</tr>
`;
}

/** A bar filled to `share` 0…1, empty for what is not a number; the figure stands beside it. */
export function bar(share: number): Markup {
  const filled = share > 0 ? Math.min(share, 1) * 100 : 0;
  const style = `width:${filled.toFixed(1)}%`;
  return html`<span class="bar" aria-hidden="true"><i style="${style}"></i></span>`;
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
