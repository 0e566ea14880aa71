/** Axes along which a chart lays numbers or names, with figures beside them that have room. */
import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveStepAfter, curveStepBefore, line } from 'd3-shape';
import { assert } from '../../sim/base/assert.ts';
import { log10 } from '../../sim/base/math.ts';
import { type Content, html, type Markup } from '../markup/markup.ts';
import { type Frame, hundredth, type Point } from './plot.ts';

export type Range = readonly [low: number, high: number];

export interface Axis {
  /** CSS pixels from the plot's upper left corner. */
  readonly place: (value: number) => number;
  /** Round values inside the range. */
  readonly ticks: readonly number[];
}

/** What an axis reaches over. */
export interface Extent {
  readonly low: number;
  readonly high: number;
  /** Equal steps stand for equal ratios; both ends are > 0, and so is what is placed. */
  readonly isLogarithmic: boolean;
}

/** From `low` at `from` to `high` at `to`; `ticks` is about how many. */
export function axisOver({ low, high, isLogarithmic }: Extent, ends: Range, ticks: number): Axis {
  assert(low < high, 'an axis has a length');
  if (!isLogarithmic) {
    const scale = scaleLinear([low, high], ends);
    return { place: (value) => scale(value), ticks: scale.ticks(ticks) };
  }
  assert(low > 0, 'a logarithmic axis begins above 0');
  const scale = scaleLinear([log10(low), log10(high)], ends);
  return { place: (value) => scale(log10(value)), ticks: decades(low, high, ticks) };
}

/** 1, 2 and 5 of each power of ten between the ends, or the powers alone where those are many. */
function decades(low: number, high: number, most: number): number[] {
  const digits = log10(high / low) * 3 > 2 * most ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  let ten = 1;
  while (ten > low) ten /= 10;
  while (ten * 10 <= low) ten *= 10;
  for (; ten <= high; ten *= 10) {
    const round = digits.map((digit) => Number((digit * ten).toPrecision(3)));
    ticks.push(...round.filter((tick) => tick >= low && tick <= high));
  }
  return ticks;
}

export interface Bands {
  /** Middle of the band of this number, from 0. */
  readonly middle: (at: number) => number;
  readonly width: number;
}

/** The number of bands of the same width, without gaps. */
export function bandsAlong(many: number, [from, to]: Range): Bands {
  const scale = scaleBand(
    Array.from({ length: many }, (_, at) => at),
    [from, to],
  );
  const width = scale.bandwidth();
  return { width, middle: (at) => (scale(at) ?? from) + width / 2 };
}

/** Letters of the charts are 12 pixels high; their widths differ, and this is more than most. */
export const textWidth = (text: string): number => text.length * 6.6;

/** Text that is cut to a width in pixels. */
export function fitted(text: string, width: number): string {
  const letters = Math.max(1, Math.floor(width / 6.6));
  return text.length <= letters ? text : `${text.slice(0, letters - 1).trimEnd()}…`;
}

export interface Mark {
  readonly at: number;
  readonly text: string;
}

/** Marks from left to right without those whose words would touch the ones before. */
export function withCapacity(marks: readonly Mark[]): Mark[] {
  const stored: Mark[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    const half = textWidth(mark.text) / 2;
    if (mark.at - half < end + 6) continue;
    stored.push(mark);
    end = mark.at + half;
  }
  return stored;
}

/** Axis below the plot: a tick for each mark, words where there is room, and what it measures. */
export function marksBelow(
  { plotWidth, plotHeight, left, right }: Frame,
  marks: readonly Mark[],
  title: string,
): Markup {
  const ticks = marks.map(({ at }) => `M${hundredth(at)},${plotHeight}v5`).join('');
  const labels = withCapacity(marks).map(
    ({ at, text }) =>
      html`<text class="mid" x="${hundredth(at)}" y="${plotHeight + 18}">${text}</text>`,
  );
  const middle = hundredth((plotWidth + right - left) / 2);
  const words = fitted(title, plotWidth + left + right);
  return html`<path class="axis" d="M0,${plotHeight}h${plotWidth}${ticks}"/>${labels}
<text class="mid" x="${plotWidth + left + right > 500 ? plotWidth / 2 : middle}"
 y="${plotHeight + 35}">${words}</text>`;
}

/** What the axis on the left measures, over its upper end. */
export function titleAbove({ left, plotWidth, right }: Frame, title: string): Markup {
  const words = fitted(title, left + plotWidth + right);
  return html`<text x="${-left}" y="-13">${words}</text>`;
}

/** A line through the points; `stepped` says whether its steps begin with their level part. */
export function pathOf(points: readonly Point[], stepped?: 'levelFirst' | 'levelLast'): string {
  const path = line<Point>().digits(2);
  if (stepped !== undefined) {
    path.curve(stepped === 'levelFirst' ? curveStepAfter : curveStepBefore);
  }
  return path(points as Point[]) ?? '';
}

/** From below to above each place: the band of an interval. */
export interface Span {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export function bandPath(spans: readonly Span[]): string {
  const band = area<Span>()
    .x(({ at }) => at)
    .y0(({ from }) => from)
    .y1(({ to }) => to)
    .digits(2);
  return band(spans as Span[]) ?? '';
}

/** Outlines of marks around a place, distinguished without colour. */
const OUTLINES: readonly ((x: number, y: number, r: number) => string)[] = [
  (x, y, r) => `M${n(x - r)},${n(y)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0z`,
  (x, y, r) => `M${n(x - r)},${n(y - r)}h${2 * r}v${2 * r}h${-2 * r}z`,
  (x, y, r) => `M${n(x)},${n(y - 1.3 * r)}l${n(1.3 * r)},${n(2.3 * r)}h${n(-2.6 * r)}z`,
  (x, y, r) => {
    const d = n(1.4 * r);
    return `M${n(x)},${n(y - d)}l${d},${d}l${-d},${d}l${-d},${-d}z`;
  },
  (x, y, r) => `M${n(x)},${n(y + 1.3 * r)}l${n(1.3 * r)},${n(-2.3 * r)}h${n(-2.6 * r)}z`,
  (x, y, r) => `M${n(x - r)},${n(y - r)}l${2 * r},${2 * r}m0,${-2 * r}l${-2 * r},${2 * r}`,
];

const n = hundredth;

/** The shape that stands for a curve of this number. */
export const outline = (shape: number, [x, y]: Point, radius: number): string =>
  OUTLINES[shape % OUTLINES.length]!(x, y, radius);

/** A cross, for what is not allowed. */
export const cross = ([x, y]: Point, radius: number): string => OUTLINES[5]!(x, y, radius);

/** A small drawing in a legend. */
export const miniature = (...contents: readonly Content[]): Markup =>
  html`<svg class="mini" width="28" height="14" viewBox="0 0 28 14"
 aria-hidden="true">${contents}</svg>`;
