/** A figure of points that are strewn over a parameter's range, and the mean along it. */
import type { StudyPoint } from '../../../core/result/designed-study.ts';
import {
  axisOver,
  bandPath,
  cross,
  type Extent,
  marksBelow,
  outline,
  pathOf,
  type Range,
  titleAbove,
} from '../../charts/axes.ts';
import { type Chart, grid, type Point, svg } from '../../charts/plot.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { meanInterval } from '../../statistics/intervals.ts';
import { mean } from '../../statistics.ts';
import { counted } from '../../text/format.ts';
import type { Bound } from './bounds.ts';
import { measured } from './curves.ts';
import { axisNumber, type Measure, titleOf } from './measure.ts';
import { type Dimension, levelAt, meanAt } from './reading.ts';
import { boundLine, entry, frameBeside } from './response-chart.ts';

export interface Cloud {
  readonly figure: string;
  readonly dimension: Dimension;
  readonly points: readonly StudyPoint[];
  readonly measure: Measure;
  readonly extent: Extent;
  readonly bounds: readonly Bound[];
}

interface Slice {
  readonly x: number;
  readonly mean: number;
  readonly interval: Range;
}

/** Points in a slice, at least: an interval of fewer is wider than it helps. */
const IN_A_SLICE = 7;
const SLICES_MAX = 10;

/** Along the parameter in slices of as many points each. */
export function slicesOf({ figure, dimension, points }: Cloud): Slice[] {
  const places = points
    .flatMap((point): Point[] => {
      const [x, y] = [levelAt(point, dimension).number, meanAt(point, figure)];
      return x === null || y === null ? [] : [[x, y]];
    })
    .sort((a, b) => a[0] - b[0]);
  const slices = Math.min(SLICES_MAX, Math.floor(places.length / IN_A_SLICE));
  return Array.from({ length: slices }, (_, at): Slice => {
    const from = Math.floor((at * places.length) / slices);
    const own = places.slice(from, Math.floor(((at + 1) * places.length) / slices));
    const values = own.map(([, y]) => y);
    const middle = mean(values);
    const { low, high } = meanInterval(values) ?? { low: middle, high: middle };
    return { x: mean(own.map(([x]) => x)), mean: middle, interval: [low, high] };
  });
}

export function cloudChart(cloud: Cloud, widths: Chart['widths'], height: number): Chart {
  const { measure, dimension, points } = cloud;
  const slices = slicesOf(cloud);
  const value = ({ x, mean: middle }: Slice) =>
    `${axisNumber(Number((middle / measure.size).toPrecision(4)))} around ` +
    axisNumber(Number(x.toPrecision(3)));
  const [first, last] = [slices[0], slices.at(-1)];
  const along = first && last && first !== last ? `: from ${value(first)} to ${value(last)}` : '';
  return {
    alternative:
      `Scatter of ${counted(points.length, 'point')}: ${titleOf(measure)}, over ` +
      `${dimension.parameter.name}, with the mean along it${along}.`,
    widths,
    drawing: (width) => drawingOf(cloud, slices, width, height),
  };
}

function drawingOf(cloud: Cloud, slices: readonly Slice[], width: number, height: number): Markup {
  const { figure, dimension, points, measure, extent, bounds } = cloud;
  const upright = axisOver(measured(extent, measure), [height, 0], 4);
  const around = frameBeside(upright.ticks, width, height);
  const { name, unit, logarithmic } = dimension.parameter;
  const numbers = dimension.levels.flatMap(({ number }) => number ?? []);
  const [low, high] = [numbers[0]!, numbers.at(-1)!];
  const level = axisOver(
    { low, high, isLogarithmic: logarithmic && low > 0 },
    [6, around.plotWidth - 6],
    Math.floor(around.plotWidth / 60),
  );
  // What is not sure where points are few goes beyond all of them.
  const inside = (value: number) => Math.min(Math.max(value, extent.low), extent.high);
  const y = (value: number) => upright.place(value / measure.size);
  const placesOf = (some: readonly StudyPoint[]) =>
    some.flatMap((point): Point[] => {
      const [x, value] = [levelAt(point, dimension).number, meanAt(point, figure)];
      return x === null || value === null ? [] : [[level.place(x), y(value)]];
    });
  const radius = points.length > 200 ? 1.6 : 2.8;
  const allowed = placesOf(points.filter((point) => point.allowed));
  const refused = placesOf(points.filter((point) => !point.allowed));
  const spans = slices.map(({ x, interval }) => {
    return { at: level.place(x), from: y(inside(interval[0])), to: y(inside(interval[1])) };
  });
  const line = slices.map(({ x, mean: middle }): Point => [level.place(x), y(middle)]);
  return svg(
    around,
    titleAbove(around, titleOf(measure)),
    grid(around, upright.place, upright.ticks, axisNumber),
    marksBelow(
      around,
      level.ticks.map((tick) => ({ at: level.place(tick), text: axisNumber(tick) })),
      titleOf({ label: name, unit: unit ?? '' }),
    ),
    path(
      'crossed',
      refused.map((place) => cross(place, radius)),
    ),
    path(
      'speck',
      allowed.map((place) => outline(0, place, radius)),
    ),
    slices.length < 2 ? '' : html`<path class="band mean" d="${bandPath(spans)}"/>`,
    slices.length < 2 ? '' : html`<path class="line mean" d="${pathOf(line)}"/>`,
    bounds.flatMap((bound) => boundLine(bound, around, y, extent)),
  );
}

const path = (form: string, shapes: readonly string[]): Content =>
  shapes.length === 0 ? '' : html`<path class="${form}" d="${shapes.join('')}"/>`;

export function cloudLegend(points: readonly StudyPoint[]): Markup {
  const at: Point = [14, 7];
  const refused = html`<path class="crossed" d="${cross(at, 3)}"/>`;
  const line = html`<path class="band mean" d="M0,1H28V13H0z"/>
<path class="line mean" d="M0,7H28"/>`;
  return html`<ul class="legend">
${entry(html`<path class="speck" d="${outline(0, at, 3)}"/>`, 'mean of a point')}
${points.some(({ allowed }) => !allowed) ? entry(refused, 'breaks a constraint') : ''}
${entry(line, 'mean of the points of a slice, and its 95 % interval')}</ul>`;
}
