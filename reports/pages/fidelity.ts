/**
 * The page of `fleetwave fidelity`: published figures and ours side by side, as a table and a chart
 * for each source.
 */
import { frame, grid, svg, upwards, WIDE } from '../charts/plot.ts';
import type { Block, Table } from '../document/document.ts';
import { EVERY_FORM } from '../document/document.ts';
import { htmlOf } from '../document/html.ts';
import { markdownOf } from '../document/markdown.ts';
import { html, type Markup, trusted } from '../markup/markup.ts';
import { STYLE } from '../markup/style.ts';
import { counted, NOTHING } from '../text/format.ts';
import { VERSION } from '../version.ts';

/** A claim with ours beside it, as `scenarios/study/fidelity` judges it. */
export interface FidelityRow {
  readonly at: string;
  readonly figure: string;
  readonly published: number;
  readonly ours: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly difference: number;
  readonly tolerance: number;
  readonly holds: boolean;
  /** 0: it needs none. */
  readonly seeds: number;
}

export interface FidelityBlock {
  readonly title: string;
  readonly source: string;
  readonly unit: 'share' | 'count';
  readonly rows: readonly FidelityRow[];
}

type Unit = FidelityBlock['unit'];

const written = (value: number, unit: Unit): string =>
  unit === 'share' ? value.toFixed(4) : `${Math.round(value)}`;

const signed = (value: number, unit: Unit): string =>
  `${value < 0 ? '−' : '+'}${written(Math.abs(value), unit)}`;

const intervalText = ({ interval }: FidelityRow, unit: Unit): string =>
  interval === null ? NOTHING : `${written(interval.low, unit)} – ${written(interval.high, unit)}`;

function tableOf({ title, unit, rows }: FidelityBlock): Table {
  return {
    kind: 'table',
    name: title,
    forms: EVERY_FORM,
    stack: 3,
    columns: [
      { head: 'Of' },
      { head: 'Figure' },
      { head: 'Published', kind: 'number' },
      { head: 'Ours', kind: 'number' },
      { head: '95 % interval', kind: 'number' },
      { head: 'Difference', kind: 'number' },
      { head: 'Tolerance', kind: 'number' },
      { head: 'Seeds', kind: 'number' },
      { head: 'Verdict' },
    ],
    rows: rows.map((row) => [
      row.at,
      row.figure,
      written(row.published, unit),
      written(row.ours, unit),
      intervalText(row, unit),
      signed(row.difference, unit),
      written(row.tolerance, unit),
      row.seeds === 0 ? NOTHING : `${row.seeds}`,
      { sign: row.holds ? 'holds' : 'fails', hasWord: true },
    ]),
  };
}

/** Ours as small squares with their intervals, over the published figures as rings. */
function chartOf({ unit, rows }: FidelityBlock): Block {
  const highest = Math.max(
    ...rows.flatMap((row) => [row.published, row.interval?.high ?? row.ours]),
  );
  const drawing = (width: number): Markup => {
    const around = frame(width, 170);
    const y = upwards(around, highest * 1.05 || 1);
    const step = around.plotWidth / rows.length;
    const points = rows.map((row, place) => {
      const x = Math.round((place + 0.5) * step);
      const [ours, theirs] = [y(row.ours), y(row.published)];
      const paint = row.holds ? 'accent' : 'bad';
      const { low, high } = row.interval ?? { low: row.ours, high: row.ours };
      return html`<path class="axis" d="M${x},${y(low).toFixed(1)}V${y(high).toFixed(1)}"/>
<circle class="line accent" cx="${x}" cy="${theirs.toFixed(1)}" r="7"/>
<rect class="${paint}" x="${x - 3}" y="${(ours - 3).toFixed(1)}" width="6" height="6"/>
<text class="mid" x="${x}" y="${around.plotHeight + 17}">${place + 1}</text>`;
    });
    const marks = grid(around, y, y.ticks(4), (value) => `${value}`);
    const title = html`<text class="mid" x="${around.plotWidth / 2}" y="${
      around.plotHeight + 35
    }">rows of the table, in its order</text>`;
    return svg(around, marks, points, title);
  };
  const held = rows.filter(({ holds }) => holds).length;
  const alternative = `${held} of ${rows.length} ${unit}s lie within their tolerance.`;
  return { kind: 'chart', chart: { alternative, widths: [WIDE, 338], drawing } };
}

const sectionOf = (block: FidelityBlock): Block => ({
  kind: 'section',
  title: block.title,
  level: 2,
  forms: EVERY_FORM,
  blocks: [
    { kind: 'paragraph', text: { own: `Source: ${block.source}.` }, forms: EVERY_FORM },
    chartOf(block),
    {
      kind: 'hint',
      forms: ['html'],
      text: { own: 'Rings are published figures, squares are ours, with their intervals.' },
    },
    tableOf(block),
  ],
});

export const fidelityBlocks = (blocks: readonly FidelityBlock[]): Block[] => blocks.map(sectionOf);

/** One sentence on all of them. */
export function fidelitySentence(blocks: readonly FidelityBlock[]): string {
  const rows = blocks.flatMap((block) => block.rows);
  const held = rows.filter(({ holds }) => holds).length;
  const sources = counted(blocks.length, 'source');
  return held === rows.length
    ? `All ${rows.length} published figures of ${sources} are met.`
    : `${held} of ${rows.length} published figures of ${sources} are met.`;
}

export const fidelityMarkdown = (blocks: readonly FidelityBlock[]): string =>
  `${[fidelitySentence(blocks), ...markdownOf(fidelityBlocks(blocks))].join('\n\n')}\n`;

/** The same blocks give the same bytes. */
export function fidelityHtml(blocks: readonly FidelityBlock[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Fleetwave ${VERSION}">
<title>Fidelity – Fleetwave</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<header>
<p class="brand">Fleetwave fidelity</p>
<h1>What others published, and ours</h1>
<p class="lead">${fidelitySentence(blocks)}</p>
</header>
<main>
${htmlOf(fidelityBlocks(blocks))}</main>
<footer>Made by Fleetwave ${VERSION}. Each row is a scenario of the library under the seeds 1, 2 and
so on.</footer>
</body>
</html>
`.markup;
}
