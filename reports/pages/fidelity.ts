/**
 * The page of `fleetwave fidelity`: published figures and ours side by side, as a table and a chart
 * for each source.
 */
import { frame, grid, lineOf, svg, upwards, WIDE } from '../charts/plot.ts';
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
  readonly unit: 'share' | 'count' | 'seconds' | 'hours' | 'joules';
  readonly published: number;
  readonly ours: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly difference: number;
  readonly tolerance: number;
  readonly holds: boolean;
  /** 0: it needs none. */
  readonly seeds: number;
  /** Why ours lies outside the tolerance, where that is known. */
  readonly reason?: string;
}

/** A figure and what moves it, the strongest first, as a share of the published figure. */
export interface FidelityDependence {
  readonly figure: string;
  readonly parameters: readonly { readonly name: string; readonly change: number }[];
}

export interface FidelityBlock {
  readonly title: string;
  readonly source: string;
  readonly rows: readonly FidelityRow[];
  readonly dependences: readonly FidelityDependence[];
}

type Unit = FidelityRow['unit'];

/** Four significant digits, without an exponent. */
function significant(value: number): string {
  let decimals = 3;
  for (let size = Math.abs(value); size >= 10 && decimals > 0; size /= 10) decimals--;
  for (let size = Math.abs(value); size > 0 && size < 1 && decimals < 7; size *= 10) decimals++;
  return value.toFixed(decimals);
}

const written = (value: number, unit: Unit): string =>
  unit === 'share' && Math.abs(value) >= 0.001
    ? value.toFixed(4)
    : unit === 'count'
      ? `${Math.round(value)}`
      : `${significant(value)}${UNIT_WORDS[unit]}`;

const UNIT_WORDS = { share: '', count: '', seconds: ' s', hours: ' h', joules: ' J' } as const;

const signed = (value: number, unit: Unit): string =>
  `${value < 0 ? '−' : '+'}${written(Math.abs(value), unit)}`;

const intervalText = ({ interval, unit }: FidelityRow): string =>
  interval === null ? NOTHING : `${written(interval.low, unit)} – ${written(interval.high, unit)}`;

function tableOf({ title, rows }: FidelityBlock): Table {
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
      written(row.published, row.unit),
      written(row.ours, row.unit),
      intervalText(row),
      signed(row.difference, row.unit),
      written(row.tolerance, row.unit),
      row.seeds === 0 ? NOTHING : `${row.seeds}`,
      { sign: row.holds ? 'holds' : 'fails', hasWord: true },
    ]),
  };
}

/** Rows by their figure, in the order of the block. */
function byFigure(rows: readonly FidelityRow[]): ReadonlyMap<string, readonly FidelityRow[]> {
  const found = new Map<string, FidelityRow[]>();
  for (const row of rows) found.set(row.figure, [...(found.get(row.figure) ?? []), row]);
  return found;
}

const CHART_HEIGHT = 170;
/** Names below the points fit side by side in so much of the width each. */
const NAME_WIDTH = 76;

/** One figure at all its points: ours as a curve with intervals, the published ones as rings. */
function chartOf(figure: string, rows: readonly FidelityRow[]): Block {
  const highest = Math.max(
    ...rows.flatMap((row) => [row.published, row.interval?.high ?? row.ours]),
  );
  const drawing = (width: number): Markup => {
    const around = frame(width, CHART_HEIGHT, 60);
    const y = upwards(around, highest * 1.05 || 1);
    const step = around.plotWidth / rows.length;
    const places = rows.map((row, place) => ({ row, place, x: (place + 0.5) * step }));
    const points = places.map(({ row, place, x }) => {
      const [ours, theirs] = [y(row.ours), y(row.published)];
      const paint = row.holds ? 'accent' : 'bad';
      const { low, high } = row.interval ?? { low: row.ours, high: row.ours };
      const name = step < NAME_WIDTH ? `${place + 1}` : row.at;
      const span = `M${x.toFixed(1)},${y(low).toFixed(1)}V${y(high).toFixed(1)}`;
      return html`<path class="axis" d="${span}"/>
<circle class="line accent" cx="${x.toFixed(1)}" cy="${theirs.toFixed(1)}" r="7"/>
<rect class="${paint}" x="${(x - 3).toFixed(1)}" y="${(ours - 3).toFixed(1)}" width="6" height="6"/>
<text class="mid" x="${x.toFixed(1)}" y="${around.plotHeight + 17}">${name}</text>`;
    });
    const marks = grid(around, y, y.ticks(4), (value) => `${value}`);
    const curve = lineOf(
      places.map(({ row, x }) => [x, y(row.ours)] as const),
      'accent',
      false,
    );
    const unit = UNIT_WORDS[rows[0]!.unit].trim();
    const words = `${figure}${unit === '' ? '' : `, ${unit}`}`;
    const title = html`<text class="mid" x="${around.plotWidth / 2}" y="${
      around.plotHeight + 35
    }">${words}</text>`;
    return svg(around, marks, curve, points, title);
  };
  const held = rows.filter(({ holds }) => holds).length;
  const alternative = `${figure}: ${held} of ${rows.length} points lie within their tolerance.`;
  return { kind: 'chart', chart: { alternative, widths: [WIDE, 338], drawing } };
}

const changeText = (change: number): string =>
  `${change < 0 ? '−' : '+'}${(100 * Math.abs(change)).toFixed(1)} %`;

/** What moves each figure, or nothing where nobody asked: a row a parameter. */
function dependencesOf({ title, dependences }: FidelityBlock): Block[] {
  const [first] = dependences;
  if (first === undefined) return [];
  const table: Table = {
    kind: 'table',
    name: `${title}: what the figures depend on`,
    forms: EVERY_FORM,
    stack: 3,
    columns: [
      { head: 'Parameter' },
      ...dependences.map(({ figure }) => ({ head: figure, kind: 'number' }) as const),
    ],
    rows: first.parameters.map(({ name }) => [
      name,
      ...dependences.map(({ parameters }) => {
        const found = parameters.find((one) => one.name === name);
        return found === undefined ? NOTHING : changeText(found.change);
      }),
    ]),
  };
  const strongest = dependences.map(
    ({ figure, parameters }) => `${figure} on ${parameters[0]!.name}`,
  );
  const own =
    'Change of each figure from a parameter’s value less 10 % to its value plus 10 %, one at a ' +
    `time. What depends most on what: ${strongest.join('; ')}.`;
  return [{ kind: 'paragraph', text: { own }, forms: EVERY_FORM }, table];
}

/** What is known of the figures that are not met, a sentence each. */
const reasonsOf = ({ rows }: FidelityBlock): Block[] =>
  rows.flatMap(({ at, figure, reason }) =>
    reason === undefined
      ? []
      : [
          {
            kind: 'paragraph' as const,
            text: { own: `Not met: ${at}, ${figure}, since ${reason}.` },
            forms: EVERY_FORM,
          },
        ],
  );

const HINT = 'Rings are published figures; the curve and its squares are ours, with intervals.';

const sectionOf = (block: FidelityBlock): Block => ({
  kind: 'section',
  title: block.title,
  level: 2,
  forms: EVERY_FORM,
  blocks: [
    { kind: 'paragraph', text: { own: `Source: ${block.source}.` }, forms: EVERY_FORM },
    ...[...byFigure(block.rows)].map(([figure, rows]) => chartOf(figure, rows)),
    { kind: 'hint', forms: ['html'], text: { own: HINT } },
    tableOf(block),
    ...reasonsOf(block),
    ...dependencesOf(block),
  ],
});

export const fidelityBlocks = (blocks: readonly FidelityBlock[]): Block[] => blocks.map(sectionOf);

/** One sentence on all of them. */
export function fidelitySentence(blocks: readonly FidelityBlock[]): string {
  const rows = blocks.flatMap((block) => block.rows);
  const held = rows.filter(({ holds }) => holds).length;
  const known = rows.filter(({ reason }) => reason !== undefined).length;
  const sources = counted(blocks.length, 'source');
  if (held === rows.length) return `All ${rows.length} published figures of ${sources} are met.`;
  const met = `${held} of ${rows.length} published figures of ${sources} are met`;
  return known === 0 ? `${met}.` : `${met}; ${known} missed for a known reason.`;
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
