/** How every chart is drawn: as SVG text, with places by d3-scale and outlines by d3-shape. */
import { type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { assert } from '../../sim/base/assert.ts';
import { type Content, html, type Markup } from '../markup/markup.ts';
import { brief } from '../text/format.ts';

export interface Chart {
  /** What it shows with the main figures, for those who cannot see it. */
  readonly alternative: string;
  /** CSS pixels. A chart is drawn once per width, so that letters keep their size; one is shown. */
  readonly widths: readonly [any: number] | readonly [wide: number, narrow: number];
  /** The `<svg>` of a size in CSS pixels. */
  readonly drawing: (width: number) => Markup;
}

/** Width of a card's inside on a wide page and on a telephone, CSS pixels. */
export const WIDE = 1030;
export const NARROW = 338;

/** The bytes depend on the chart alone: no width of a letter, no canvas, no counter enters. */
export function draw({ alternative, widths, drawing }: Chart): Markup {
  const shownOn = widths.length === 1 ? ['any'] : ['wide', 'narrow'];
  const drawings = widths.map(
    (width, at) => html`<div class="${shownOn[at]!}">${drawing(width)}</div>`,
  );
  return html`<div class="chart" role="img" aria-label="${alternative}">${drawings}</div>`;
}

/** Place of a plot inside a drawing: its own size and the margins around it, CSS pixels. */
export interface Frame {
  readonly plotWidth: number;
  readonly plotHeight: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The frame of a chart with axes on the left and below. */
export function frame(width: number, plotHeight: number, left = 48, right = 14): Frame {
  return { plotWidth: width - left - right, plotHeight, left, right, top: 10, bottom: 40 };
}

/** Contents are placed from the plot's upper left corner. */
export function svg(around: Frame, ...contents: readonly Content[]): Markup {
  const width = around.left + around.plotWidth + around.right;
  const height = around.top + around.plotHeight + around.bottom;
  return html`<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<g transform="translate(${around.left},${around.top})">${contents}</g></svg>`;
}

export type Scale = ScaleLinear<number, number>;

/** From 0 on the left to `domainMax`, which is > 0, on the right. */
export function across({ plotWidth }: Frame, domainMax: number): Scale {
  assert(domainMax > 0, 'an axis has a length');
  return scaleLinear([0, domainMax], [0, plotWidth]);
}

/** From 0 at the bottom to `domainMax`, which is > 0, on top. */
export function upwards({ plotHeight }: Frame, domainMax: number): Scale {
  assert(domainMax > 0, 'an axis has a length');
  return scaleLinear([0, domainMax], [plotHeight, 0]);
}

/** Axis below the plot, with round figures and the words of what it measures. */
export function axisBelow({ plotWidth, plotHeight }: Frame, x: Scale, title: string): Markup {
  const marks = x.ticks(Math.floor(plotWidth / 80)).map((value) => ({ value, at: x(value) }));
  const ticks = marks.map(({ at }) => `M${hundredth(at)},${plotHeight}v5`).join('');
  const labels = marks.map(({ value, at }) => figureBelow(hundredth(at), plotHeight, value));
  return html`<path class="axis" d="M0,${plotHeight}h${plotWidth}${ticks}"/>${labels}
<text class="mid" x="${plotWidth / 2}" y="${plotHeight + 35}">${title}</text>`;
}

function figureBelow(x: number, plotHeight: number, figure: string | number): Markup {
  return html`<text class="mid" x="${x}" y="${plotHeight + 17}">${figure}</text>`;
}

/** Level lines at these values of `y`, with their figures on the left. */
export function grid(
  { plotWidth }: Frame,
  y: (value: number) => number,
  values: readonly number[],
  written: (value: number) => string,
): Markup {
  const lines = values.map((value) => `M0,${hundredth(y(value))}h${plotWidth}`).join('');
  const labels = values.map(
    (value) =>
      html`<text class="end" x="-8" y="${hundredth(y(value) + 4)}">${written(value)}</text>`,
  );
  return html`<path class="grid" d="${lines}"/>${labels}`;
}

/** Level lines at round counts. */
export function countGrid(around: Frame, y: Scale): Markup {
  return grid(around, y, y.ticks(4).filter(Number.isInteger), brief);
}

export type Point = readonly [x: number, y: number];

/** Class of the style sheet that a line or an area is painted by. */
type Paint = 'area' | 'accent' | 'received' | 'interfered';

/** A line through the points, CSS pixels; level until the next point when it is stepped. */
export function lineOf(points: readonly Point[], paint: Paint, stepped: boolean): Markup {
  const path = line<Point>().digits(2);
  if (stepped) path.curve(curveStepAfter);
  return html`<path class="line ${paint}" d="${path(points as Point[]) ?? ''}"/>`;
}

/** The area between the points and the bottom of the plot. */
export function areaOf({ plotHeight }: Frame, points: readonly Point[], stepped: boolean): Markup {
  const path = area<Point>()
    .y0(plotHeight)
    .y1(([, y]) => y)
    .digits(2);
  if (stepped) path.curve(curveStepAfter);
  return html`<path class="area" d="${path(points as Point[]) ?? ''}"/>`;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly figure: string;
}

const ROW_HEIGHT = 28;
const BAR_HEIGHT = 16;

/** Lying bars with their names on the left and their figures at the end. */
export function bars(
  all: readonly Bar[],
  width: number,
  labelWidth: number,
  paint: 'accent' | 'bad',
): Markup {
  const plotWidth = width - labelWidth - 64;
  const plotHeight = all.length * ROW_HEIGHT;
  const around = { plotWidth, plotHeight, left: labelWidth, right: 64, top: 2, bottom: 2 };
  const x = across(
    around,
    all.reduce((highest, { value }) => Math.max(highest, value), 1),
  );
  const rows = all.map(({ label, value, figure }, row) => {
    const middle = row * ROW_HEIGHT + ROW_HEIGHT / 2;
    const end = hundredth(x(value));
    return html`<text class="end ink" x="-8" y="${middle + 4}">${short(label)}</text>
<rect class="${paint}" y="${middle - BAR_HEIGHT / 2}" width="${end}" height="${BAR_HEIGHT}"/>
<text x="${hundredth(end + 6)}" y="${middle + 4}">${figure}</text>`;
  });
  return svg(around, rows);
}

/** Standing columns, each with its name below; `title` says what the names are. */
export function columns(all: readonly Bar[], width: number, title: string): Markup {
  const around = frame(width, 170, 44, 4);
  const { plotWidth, plotHeight } = around;
  const y = upwards(
    around,
    all.reduce((highest, { value }) => Math.max(highest, value), 1),
  );
  const x = scaleBand(
    all.map(({ label }) => label),
    [0, plotWidth],
  )
    .paddingInner(0.12)
    .paddingOuter(0.06);
  const wide = hundredth(x.bandwidth());
  const stands = all.map(({ label, value }) => {
    const left = x(label) ?? 0;
    const top = hundredth(y(value));
    return html`<rect class="accent" x="${hundredth(left)}" y="${top}" width="${wide}"
 height="${hundredth(plotHeight - top)}"/>
${figureBelow(hundredth(left + wide / 2), plotHeight, label)}`;
  });
  return svg(
    around,
    countGrid(around, y),
    stands,
    html`<path class="axis" d="M0,${plotHeight}h${plotWidth}"/>
<text class="mid" x="${plotWidth / 2}" y="${plotHeight + 35}">${title}</text>`,
  );
}

/** Hundredths of a pixel are enough: smaller, and no last bit of a float can change a byte. */
export function hundredth(value: number): number {
  return Math.round(value * 100) / 100;
}

function short(label: string): string {
  return label.length > 16 ? `${label.slice(0, 15)}…` : label;
}
