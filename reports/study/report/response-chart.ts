/** Response charts: a figure over a parameter of numbers, a line for each level of another. */
import {
  type Axis,
  axisOver,
  bandPath,
  type Extent,
  marksBelow,
  miniature,
  outline,
  pathOf,
  type Range,
  type Span,
  textWidth,
  titleAbove,
} from '../../charts/axes.ts';
import { type Chart, type Frame, grid, hundredth, type Point, svg } from '../../charts/plot.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { counted } from '../../text/format.ts';
import type { Bound } from './bounds.ts';
import { type Curve, type CurvePoint, measured, type Response } from './curves.ts';
import { axisNumber, titleOf } from './measure.ts';
import type { Dimension, Standing } from './reading.ts';

/** Widths of a chart that has a half of a card, or a third: on a wide page and on a telephone. */
export const HALF = 500;
export const THIRD = 322;

/** Of the widths and the height that it is given. */
export function responseChart(
  response: Response,
): (widths: Chart['widths'], height: number) => Chart {
  return (widths, height) => ({
    alternative: alternativeOf(response),
    widths,
    drawing: (width) => drawingOf(response, width, height),
  });
}

function alternativeOf({ curves, measure, across, panel }: Response): string {
  const { name } = across.parameter;
  const lines = curves.flatMap(({ label, points }) => {
    const there = points.flatMap((point) => point ?? []);
    const [first, last] = [there[0], there.at(-1)];
    if (first === undefined || last === undefined) return [];
    const value = ({ mean }: CurvePoint) =>
      axisNumber(Number((mean / measure.size).toPrecision(4)));
    const end = (point: CurvePoint) => `${value(point)} at ${axisNumber(point.x)}`;
    const ends = `${end(first)} to ${end(last)}`;
    return [label === '' ? ends : `${label}: ${ends}`];
  });
  const where = panel === '' ? '' : ` (${panel})`;
  return (
    `${counted(curves.length, 'line')} with bands: ${titleOf(measure)}, over ${name}${where}. ` +
    `${lines.join('; ')}.`
  );
}

function drawingOf(response: Response, width: number, height: number): Markup {
  const { across, measure, curves, bounds, extent } = response;
  const upright = axisOver(measured(extent, measure), [height, 0], height < 160 ? 4 : 5);
  const around = frameBeside(upright.ticks, width, height);
  const y = (value: number) => upright.place(value / measure.size);
  const { place: x, ticks } = axisAcross(across, curves, around);
  const placed = curves.map((curve) => ({ curve, runs: runsOf(curve, x, y) }));
  const marks = ticks.map((value) => ({ at: x(value), text: axisNumber(value) }));
  const { name, unit } = across.parameter;
  return svg(
    around,
    titleAbove(around, titleOf(measure)),
    placed.map(({ curve, runs }) => runs.map((run) => bandOf(curve, run))),
    grid(around, upright.place, upright.ticks, axisNumber),
    bounds.flatMap((bound) => boundLine(bound, around, y, extent)),
    marksBelow(around, marks, titleOf({ label: name, unit: unit ?? '' })),
    placed.map(({ curve, runs }) => runs.map((run) => lineOf(curve, run))),
    placed.map(({ curve, runs }) => runs.flat().map((place) => markOf(curve, place))),
  );
}

/** With as much room on the left as the figures of the axis take. */
export function frameBeside(ticks: readonly number[], width: number, plotHeight: number): Frame {
  const letters = ticks.map((tick) => textWidth(axisNumber(tick)));
  const left = Math.ceil(letters.reduce((most, each) => Math.max(most, each), 16) + 14);
  return { plotWidth: width - left - 16, plotHeight, left, right: 16, top: 28, bottom: 42 };
}

/** The levels themselves are marked while they are few. */
const LEVELS_MARKED = 16;

function axisAcross(
  { parameter, levels }: Dimension,
  curves: readonly Curve[],
  around: Frame,
): Axis {
  const own = levels.flatMap(({ number }) => number ?? []);
  const drawn = curves.flatMap(({ points }) => points.flatMap((point) => point?.x ?? []));
  const all = own.length > 0 ? own : drawn;
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const inset: Range = [8, around.plotWidth - 8];
  const ends: Range = low < high ? [low, high] : [low - 1, high + 1];
  const axis = axisOver(
    { low: ends[0], high: ends[1], isLogarithmic: parameter.logarithmic && low > 0 && low < high },
    inset,
    Math.max(2, Math.floor(around.plotWidth / 70)),
  );
  return own.length > LEVELS_MARKED ? axis : { ...axis, ticks: own };
}

interface Place {
  readonly at: Point;
  readonly span: Span | null;
  readonly point: CurvePoint;
}

/** Stretches without a gap. */
function runsOf(
  { points }: Curve,
  x: (value: number) => number,
  y: (value: number) => number,
): Place[][] {
  const runs: Place[][] = [[]];
  for (const point of points) {
    if (point === null) {
      runs.push([]);
      continue;
    }
    const { interval, mean } = point;
    const left = x(point.x);
    const span = interval && { at: left, from: y(interval[0]), to: y(interval[1]) };
    runs.at(-1)!.push({ at: [left, y(mean)], span, point });
  }
  return runs.filter(({ length }) => length > 0);
}

const bandOf = ({ series }: Curve, run: readonly Place[]): Content => {
  const spans = run.flatMap(({ span }) => span ?? []);
  if (spans.length < 2 || spans.length < run.length) return '';
  return html`<path class="band s${series}" d="${bandPath(spans)}"/>`;
};

const lineOf = ({ series }: Curve, run: readonly Place[]): Content => {
  if (run.length < 2) return '';
  return html`<path class="line s${series}" d="${pathOf(run.map(({ at }) => at))}"/>`;
};

/** Ends of an interval, so that bands which lie on each other can be distinguished. */
const whisker = ({ at, from, to }: Span): string =>
  `M${hundredth(at - 3)},${hundredth(from)}h6m-3,0V${hundredth(to)}m-3,0h6`;

function markOf({ series }: Curve, { at, span, point }: Place): Markup {
  const { standing, hint } = point;
  const [x, y] = [hundredth(at[0]), hundredth(at[1])];
  const form = standing === 'refused' ? 'dot refused' : 'dot';
  const ring = html`<circle class="ring" cx="${x}" cy="${y}" r="9"/>`;
  return html`<g><title>${hint}</title>${standing === 'chosen' ? ring : ''}
${span === null ? '' : html`<path class="whisker s${series}" d="${whisker(span)}"/>`}
<path class="${form} s${series}" d="${outline(series, at, 3.5)}"/></g>`;
}

/** A level line at a constraint’s bound; its words are on the side where no figure is to be. */
export function boundLine(
  { value, text, isFloor }: Bound,
  { plotWidth }: Frame,
  y: (value: number) => number,
  { low, high }: Extent,
): Content[] {
  if (value < low || value > high) return [];
  const at = hundredth(y(value));
  return [
    html`<path class="bound" d="M0,${at}h${plotWidth}"/>
<text class="end bound-words" x="${plotWidth}" y="${at + (isFloor ? 14 : -5)}">${text}</text>`,
  ];
}

/** Line, mark and name of each curve, and what the marks say; nothing where that is clear. */
export function curveLegend(
  curves: readonly Curve[],
  parameter: string,
  drawn: readonly Curve[],
): Content {
  const points = drawn.flatMap((curve) => curve.points.flatMap((point) => point ?? []));
  const has = (standing: Standing) => points.some((point) => point.standing === standing);
  const named = curves.filter(({ label }) => label !== '');
  const items: Content[] = named.map(({ label, series }) =>
    entry(
      html`<path class="line s${series}" d="M0,7H28"/>
<path class="dot s${series}" d="${outline(series, [14, 7], 3.5)}"/>`,
      `${parameter} ${label}`,
    ),
  );
  const only = named[0]?.series ?? curves[0]?.series ?? 0;
  const mark = (form: string) => html`<path class="${form}" d="${outline(only, [14, 7], 3.5)}"/>`;
  items.push(
    entry(html`<path class="band s${only}" d="M0,1H28V13H0z"/>`, '95 % interval of the mean'),
  );
  if (has('chosen')) {
    const ring = html`<circle class="ring" cx="14" cy="7" r="6"/>`;
    items.push(
      entry([ring, html`<circle class="dot s${only}" cx="14" cy="7" r="2.5"/>`], 'recommended'),
    );
  }
  if (has('refused')) {
    items.push(entry(mark(`dot refused s${only}`), 'breaks a constraint'));
  }
  return html`<ul class="legend">${items}</ul>`;
}

export const entry = (drawing: Content, words: string): Markup =>
  html`<li>${miniature(drawing)}${words}</li>`;
