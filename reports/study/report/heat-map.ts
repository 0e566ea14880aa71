/** A figure over two parameters: a cell for each pair of levels, its mean written in. */
import type { StudyPoint } from '../../../core/result/designed-study.ts';
import { log10 } from '../../../sim/base/math.ts';
import {
  type Bands,
  bandsAlong,
  fitted,
  type Range,
  textWidth,
  withCapacity,
} from '../../charts/axes.ts';
import { type Chart, type Frame, hundredth, svg } from '../../charts/plot.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { cellNumber, decimalsFor, type Measure, titleOf } from './measure.ts';
import { type Dimension, figureAt, levelAt, meanAt, type Standing } from './reading.ts';
import { entry } from './response-chart.ts';

export interface HeatMap {
  readonly figure: string;
  /** What all its points have in common; empty: nothing. */
  readonly panel: string;
  readonly points: readonly StudyPoint[];
  readonly across: Dimension;
  readonly up: Dimension;
  readonly measure: Measure;
  /** Least and greatest mean of all panels: the ends of the colours. */
  readonly range: Range;
  /** Whether colours stand for ratios. */
  readonly isLogarithmic: boolean;
  readonly standing: (point: StudyPoint) => Standing;
}

/** Steps of colour, from the least value to the greatest. */
const SHADES = 7;

/** A map without a spread has one colour, the middle one. */
export function shadeOf(
  value: number,
  { range: [least, most], isLogarithmic }: Pick<HeatMap, 'range' | 'isLogarithmic'>,
): number {
  if (most <= least) return Math.floor(SHADES / 2);
  const part = isLogarithmic
    ? log10(value / least) / log10(most / least)
    : (value - least) / (most - least);
  return Math.min(SHADES - 1, Math.floor(part * SHADES));
}

/** Pixels of a cell: as high as makes the map as high as the chart beside it, within reason. */
const HEIGHT = 250;
const cellHeightOf = (rows: number): number =>
  Math.min(56, Math.max(30, Math.floor(HEIGHT / rows)));
const CELL_WIDTH_MAX = 110;

export function heatMap(map: HeatMap, widths: Chart['widths']): Chart {
  const { panel, across, up, measure } = map;
  const where = panel === '' ? '' : ` (${panel})`;
  return {
    alternative:
      `Heat map: ${titleOf(measure)}, by ${across.parameter.name} and ${up.parameter.name}` +
      `${where}; its figures are in the table below.`,
    widths,
    drawing: (width) => drawingOf(map, width),
  };
}

function drawingOf(map: HeatMap, width: number): Markup {
  const { across, up, points } = map;
  // Numbers grow upwards, names are read downwards.
  const rows = up.isNumeric ? up.levels.toReversed() : up.levels;
  const longest = rows.reduce((most, { label }) => Math.max(most, textWidth(label)), 0);
  const left = Math.ceil(Math.min(longest + 12, width * 0.34));
  const cellWidth = Math.min(CELL_WIDTH_MAX, Math.floor((width - left - 8) / across.levels.length));
  const plotWidth = cellWidth * across.levels.length;
  const plotHeight = cellHeightOf(rows.length) * rows.length;
  const right = width - left - plotWidth;
  const around: Frame = { plotWidth, plotHeight, left, right, top: 26, bottom: 42 };
  const x = bandsAlong(across.levels.length, [0, plotWidth]);
  const y = bandsAlong(rows.length, [0, plotHeight]);
  const placeOf = (point: StudyPoint) => {
    const column = across.levels.findIndex(({ label }) => label === levelAt(point, across).label);
    const row = rows.findIndex(({ label }) => label === levelAt(point, up).label);
    return { left: x.middle(column) - x.width / 2, top: y.middle(row) - y.width / 2 };
  };
  const cells = points.map((point) => ({
    point,
    ...placeOf(point),
    width: x.width,
    height: y.width,
  }));
  return svg(
    around,
    html`<text x="${-left}" y="-11">${fitted(up.parameter.name, width)}</text>`,
    cells.map((cell) => cellOf(map, cell)),
    hatched(map, cells),
    cells.map((cell) => figureOf(map, cell)),
    rows.map(({ label }, at) => {
      const words = fitted(label, left - 10);
      return html`<text class="end" x="-8" y="${hundredth(y.middle(at) + 4)}">${words}</text>`;
    }),
    namesBelow(across, x, around),
  );
}

interface Cell {
  readonly point: StudyPoint;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const boxOf = ({ left, top, width, height }: Cell) => ({
  x: hundredth(left + 1),
  y: hundredth(top + 1),
  w: hundredth(width - 2),
  h: hundredth(height - 2),
});

function cellOf(map: HeatMap, cell: Cell): Markup {
  const mean = meanAt(cell.point, map.figure);
  const { x, y, w, h } = boxOf(cell);
  const shade = mean === null ? 'none' : `h${shadeOf(mean, map)}`;
  return html`<rect class="${shade}" x="${x}" y="${y}" width="${w}" height="${h}"/>`;
}

/** Slanting lines over the cells that break a constraint, cut at their edges. */
function hatched({ standing }: HeatMap, cells: readonly Cell[]): Content {
  const lines = cells
    .filter(({ point }) => standing(point) === 'refused')
    .map((cell) => hatching(boxOf(cell)));
  return lines.length === 0 ? '' : html`<path class="hatch" d="${lines.join('')}"/>`;
}

const HATCH_STEP = 8;

function hatching({ x, y, w, h }: ReturnType<typeof boxOf>): string {
  let path = '';
  for (let sum = HATCH_STEP; sum < w + h; sum += HATCH_STEP) {
    const from = Math.max(0, sum - h);
    const to = Math.min(w, sum);
    path += `M${hundredth(x + from)},${hundredth(y + sum - from)}`;
    path += `L${hundredth(x + to)},${hundredth(y + sum - to)}`;
  }
  return path;
}

/** The mean, where the cell has room for it, and a frame around what is recommended. */
function figureOf(map: HeatMap, cell: Cell): Markup {
  const { figure, range, measure, standing } = map;
  const { x, y, w, h } = boxOf(cell);
  const mean = figureAt(cell.point, figure)?.mean ?? null;
  const decimals = decimalsFor((range[1] - range[0]) / measure.size);
  const text = mean === null ? '–' : cellNumber(mean, measure, decimals);
  const shade = mean === null ? 'none' : `h${shadeOf(mean, map)}`;
  const words = html`<text class="mid ${shade}" x="${hundredth(x + w / 2)}"
 y="${hundredth(y + h / 2 + 4)}">${text}</text>`;
  const frame = html`<rect class="chosen" x="${x}" y="${y}" width="${w}" height="${h}"/>`;
  const isChosen = standing(cell.point) === 'chosen';
  return html`${textWidth(text) * 0.92 > w ? '' : words}${isChosen ? frame : ''}`;
}

function namesBelow({ levels, parameter }: Dimension, x: Bands, around: Frame): Markup {
  const { plotHeight, plotWidth } = around;
  const whole = levels.map(({ label }, at) => ({ at: x.middle(at), text: label }));
  const marks = whole.some(({ text }) => textWidth(text) > x.width)
    ? whole.map(({ at, text }) => ({ at, text: fitted(text, Math.max(x.width - 6, 42)) }))
    : whole;
  const labels = withCapacity(marks).map(
    ({ at, text }) =>
      html`<text class="mid" x="${hundredth(at)}" y="${plotHeight + 16}">${text}</text>`,
  );
  return html`${labels}<text class="mid" x="${hundredth(plotWidth / 2)}"
 y="${plotHeight + 35}">${parameter.name}</text>`;
}

/** The colours from least to most, and what hatching and frame say. */
export function heatLegend(map: HeatMap): Markup {
  const { measure, range, points, standing, isLogarithmic } = map;
  const decimals = decimalsFor((range[1] - range[0]) / measure.size);
  const [least, most] = range.map((end) => cellNumber(end, measure, decimals));
  const swatches = Array.from(
    { length: SHADES },
    (_, shade) => html`<span class="swatch h${shade}"></span>`,
  );
  const has = (which: Standing) => points.some((point) => standing(point) === which);
  const box = html`<rect class="h1" x="1" y="0.5" width="26" height="13"/>`;
  const lines = html`<path class="hatch" d="${hatching({ x: 1, y: 0.5, w: 26, h: 13 })}"/>`;
  const frame = html`<rect class="chosen" x="3" y="1.5" width="22" height="11"/>`;
  const unit = measure.unit === '' ? '' : ` ${measure.unit}`;
  return html`<ul class="legend heat"><li>${least!}<span class="swatches" aria-hidden="true">
${swatches}</span>${most!}${unit}${isLogarithmic ? ', in equal ratios' : ''}</li>
${has('refused') ? entry([box, lines], 'breaks a constraint') : ''}
${has('chosen') ? entry([box, frame], 'recommended') : ''}</ul>`;
}
