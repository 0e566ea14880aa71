/** A figure of points that are distinguished by names: a row each, its mean and interval. */
import {
  axisOver,
  type Extent,
  fitted,
  marksBelow,
  outline,
  type Range,
  textWidth,
} from '../../charts/axes.ts';
import { type Chart, type Frame, hundredth, type Point, svg } from '../../charts/plot.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { counted } from '../../text/format.ts';
import type { Bound } from './bounds.ts';
import { measured } from './curves.ts';
import { axisNumber, type Measure, titleOf } from './measure.ts';
import type { Standing } from './reading.ts';

/** What stands in one row: one mean, or several that are compared. */
export interface Row {
  readonly label: string;
  readonly marks: readonly RowMark[];
}

export interface RowMark {
  readonly mean: number;
  readonly interval: Range | null;
  readonly series: number;
  readonly standing: Standing;
  readonly hint: string;
}

export interface RowChart {
  readonly measure: Measure;
  readonly rows: readonly Row[];
  readonly bounds: readonly Bound[];
  readonly extent: Extent;
}

/** Names stand beside their rows where they have room, else over them. */
const NAME_WIDTH_MAX = 330;

export function rowChart(chart: RowChart, widths: Chart['widths']): Chart {
  const { measure, rows } = chart;
  const lines = rows.slice(0, ROWS_LISTED).map(({ label, marks }) => {
    const values = marks.map(({ mean }) =>
      axisNumber(Number((mean / measure.size).toPrecision(4))),
    );
    return `${label}: ${values.length === 0 ? 'not measured' : values.join(', ')}`;
  });
  return {
    alternative:
      `${counted(rows.length, 'row')} of means with 95 % intervals: ${titleOf(measure)}. ` +
      `${lines.join('; ')}.`,
    widths,
    drawing: (width) => drawingOf(chart, width),
  };
}

const ROWS_LISTED = 20;

function drawingOf({ measure, rows, bounds, extent }: RowChart, width: number): Markup {
  const longest = rows.reduce((most, { label }) => Math.max(most, textWidth(label)), 0);
  const beside = Math.min(longest + 16, NAME_WIDTH_MAX);
  const isBeside = beside < width * 0.42;
  const height = isBeside ? 28 : 44;
  const left = isBeside ? Math.ceil(beside) : 10;
  const around: Frame = {
    plotWidth: width - left - 16,
    plotHeight: rows.length * height,
    left,
    right: 16,
    top: bounds.length > 0 ? 18 : 6,
    bottom: 42,
  };
  const { plotWidth, plotHeight } = around;
  const ticks = Math.max(3, Math.floor(plotWidth / 90));
  const axis = axisOver(measured(extent, measure), [6, plotWidth - 6], ticks);
  const x = (value: number) => axis.place(value / measure.size);
  const upright = axis.ticks.map((tick) => `M${hundredth(axis.place(tick))},0V${plotHeight}`);
  const marks = axis.ticks.map((tick) => ({ at: axis.place(tick), text: axisNumber(tick) }));
  const limits = bounds.filter(({ value }) => value >= extent.low && value <= extent.high);
  return svg(
    around,
    html`<path class="grid" d="${upright.join('')}"/>`,
    limits.map(({ value, text }) => {
      const at = hundredth(x(value));
      const side = at > plotWidth - 60 ? ' end' : '';
      return html`<path class="bound" d="M${at},-4V${plotHeight}"/>
<text class="bound-words${side}" x="${at + (side === '' ? 4 : -4)}" y="-6">${text}</text>`;
    }),
    rows.map(({ label, marks: own }, at) => {
      const middle = at * height + (isBeside ? height / 2 : height - 14);
      const name = isBeside
        ? html`<text class="end ink" x="-10" y="${middle + 4}">${fitted(label, left - 14)}</text>`
        : html`<text class="ink" x="0" y="${middle - 14}">${fitted(label, plotWidth)}</text>`;
      return html`${name}${own.map((mark, nth) => {
        const apart = (nth - (own.length - 1) / 2) * 9;
        return markOf(mark, x, middle + apart);
      })}`;
    }),
    marksBelow(around, marks, titleOf(measure)),
  );
}

function markOf(
  { mean, interval, series, standing, hint }: RowMark,
  x: (value: number) => number,
  y: number,
): Markup {
  const at: Point = [x(mean), y];
  const ends = interval?.map((end) => hundredth(x(end)));
  const line = ends === undefined ? '' : `M${ends[0]},${y - 4}v8m0,-4H${ends[1]}m0,-4v8`;
  const ring = html`<circle class="ring" cx="${hundredth(at[0])}" cy="${y}" r="9"/>`;
  return html`<g><title>${hint}</title>${standing === 'chosen' ? ring : ''}
<path class="whisker strong s${series}" d="${line}"/>
<path class="${standing === 'refused' ? 'dot refused' : 'dot'} s${series}"
 d="${outline(series, at, 4)}"/></g>`;
}
