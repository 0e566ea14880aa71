/** Two objectives against each other: every point, the front of those that none is better than. */
import type { DesignedStudy, StudyObjective } from '../../../core/result/designed-study.ts';
import {
  axisOver,
  cross,
  type Extent,
  marksBelow,
  outline,
  pathOf,
  textWidth,
  titleAbove,
} from '../../charts/axes.ts';
import { type Chart, type Frame, grid, hundredth, type Point, svg } from '../../charts/plot.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { count, counted } from '../../text/format.ts';
import { extentOf, measured } from './curves.ts';
import { axisNumber, figureWords, type Measure, measureOf, titleOf } from './measure.ts';
import { labelOf, meanAt, type Standing, standingOf, unitOf } from './reading.ts';
import { entry, frameBeside } from './response-chart.ts';

interface Placed {
  readonly point: number;
  readonly x: number;
  readonly y: number;
  readonly standing: Standing;
  readonly hint: string;
}

interface Side {
  readonly objective: StudyObjective;
  readonly measure: Measure;
  /** In the measure's unit. */
  readonly extent: Extent;
}

export interface Front {
  readonly across: Side;
  readonly up: Side;
  readonly points: readonly Placed[];
  /** Whether the front is of these two objectives alone, so that a line can be drawn along it. */
  readonly isWhole: boolean;
}

/** Of points that have both figures; undefined: fewer than two have. */
export function frontOf(
  study: DesignedStudy,
  first: StudyObjective,
  second: StudyObjective,
): Front | undefined {
  const points = study.points.flatMap((point): Placed[] => {
    const [x, y] = [meanAt(point, first.figure), meanAt(point, second.figure)];
    if (x === null || y === null) return [];
    const values = [first, second].map(({ figure }) => {
      return `${figure} ${figureWords(meanAt(point, figure), unitOf(study, figure))}`;
    });
    const hint = `Point ${point.point}: ${values.join(', ')}`;
    // What is on the front may be the runner-up, too, and is drawn as the front.
    const standing = standingOf(study, point);
    const drawn = standing === 'runnerUp' ? (point.onFront ? 'front' : 'allowed') : standing;
    return [{ point: point.point, x, y, standing: drawn, hint }];
  });
  if (points.length < 2) return undefined;
  const side = (objective: StudyObjective, values: readonly number[]): Side => {
    const unit = unitOf(study, objective.figure);
    const measure = measureOf(labelOf(objective.figure), unit, values);
    return { objective, measure, extent: measured(extentOf(values, unit), measure) };
  };
  return {
    across: side(
      first,
      points.map(({ x }) => x),
    ),
    up: side(
      second,
      points.map(({ y }) => y),
    ),
    points,
    isWhole: study.objectives.length === 2,
  };
}

export const isOnFront = ({ standing }: Placed): boolean =>
  standing === 'front' || standing === 'chosen';

export function frontChart(front: Front, widths: Chart['widths'], height: number): Chart {
  const { across, up, points } = front;
  const best = points.filter(isOnFront).length;
  return {
    alternative:
      `Scatter of ${counted(points.length, 'point')}: ${titleOf(up.measure)}, over ` +
      `${titleOf(across.measure)}; ${count(best)} on the front, which the table below lists.`,
    widths,
    drawing: (width) => drawingOf(front, width, height),
  };
}

/** Points are hints and shapes of their own while they are so few. */
const POINTS_APART = 120;

function drawingOf({ across, up, points, isWhole }: Front, width: number, height: number): Markup {
  const upright = axisOver(up.extent, [height, 0], 5);
  const around = frameBeside(upright.ticks, width, height);
  const { plotWidth } = around;
  const ticks = Math.max(3, Math.floor(plotWidth / 90));
  const level = axisOver(across.extent, [6, plotWidth - 6], ticks);
  const placeOf = ({ x, y }: Placed): Point => [
    level.place(x / across.measure.size),
    upright.place(y / up.measure.size),
  ];
  const some = (which: Standing) => points.filter(({ standing }) => standing === which);
  const best = points.filter(isOnFront);
  const marks = level.ticks.map((tick) => ({ at: level.place(tick), text: axisNumber(tick) }));
  return svg(
    around,
    titleAbove(around, `${titleOf(up.measure)} (${WISH[up.objective.goal]})`),
    grid(around, upright.place, upright.ticks, axisNumber),
    marksBelow(around, marks, `${titleOf(across.measure)} (${WISH[across.objective.goal]})`),
    crowd(some('refused'), 'crossed', (place) => cross(place, 3), placeOf),
    crowd(some('allowed'), 'open', (place) => outline(0, place, 3), placeOf),
    isWhole ? frontLine(best, across.objective.goal, placeOf) : '',
    crowd(best, 'dot s0', (place) => outline(0, place, 4.5), placeOf),
    some('chosen').map((point) => {
      const [x, y] = placeOf(point);
      return html`<circle class="ring" cx="${hundredth(x)}" cy="${hundredth(y)}" r="9"/>`;
    }),
    numbersOf(best, placeOf, around),
  );
}

const WISH = { minimise: 'less is better', maximise: 'more is better' } as const;

function crowd(
  points: readonly Placed[],
  form: string,
  shape: (place: Point) => string,
  placeOf: (point: Placed) => Point,
): Content {
  if (points.length > POINTS_APART) {
    const paths = points.map((point) => shape(placeOf(point)));
    return html`<path class="${form}" d="${paths.join('')}"/>`;
  }
  return points.map(
    (point) =>
      html`<g><title>${point.hint}</title><path class="${form}" d="${shape(placeOf(point))}"/></g>`,
  );
}

/** Round what no point reaches: a step from each to the next. */
function frontLine(
  best: readonly Placed[],
  goalAcross: StudyObjective['goal'],
  placeOf: (point: Placed) => Point,
): Content {
  if (best.length < 2) return '';
  const places = best.map(placeOf).sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const path = pathOf(places, goalAcross === 'minimise' ? 'levelFirst' : 'levelLast');
  return html`<path class="front" d="${path}"/>`;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The number of each point on the front, on a side of it where nothing else is written. */
function numbersOf(
  best: readonly Placed[],
  placeOf: (point: Placed) => Point,
  { plotWidth, plotHeight }: Frame,
): Content[] {
  const taken: Box[] = best.map((point) => {
    const [x, y] = placeOf(point);
    return { left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 };
  });
  // Anyone who is recommended is named first, so that it has a place in any crowd.
  const first = best.toSorted(
    (a, b) => Number(b.standing === 'chosen') - Number(a.standing === 'chosen'),
  );
  return first.flatMap((point): Content[] => {
    const words = point.standing === 'chosen' ? `${point.point}, recommended` : String(point.point);
    const [x, y] = placeOf(point);
    const wide = textWidth(words);
    const boxAt = (left: number, base: number): Box => {
      return { left, right: left + wide, top: base - 11, bottom: base + 2 };
    };
    const box = [
      boxAt(x + 10, y - 6),
      boxAt(x + 10, y + 14),
      boxAt(x - 10 - wide, y - 6),
      boxAt(x - 10 - wide, y + 14),
    ].find(
      (each) =>
        each.left >= 0 &&
        each.right <= plotWidth + 14 &&
        each.top >= -8 &&
        each.bottom <= plotHeight &&
        !taken.some((other) => overlap(each, other)),
    );
    if (box === undefined) return [];
    taken.push(box);
    return [
      html`<text class="ink ground" x="${hundredth(box.left)}"
 y="${hundredth(box.bottom - 2)}">${words}</text>`,
    ];
  });
}

/** What the marks say; only of those that there are. */
export function frontLegend({ points, isWhole }: Front): Markup {
  const has = (which: Standing) => points.some(({ standing }) => standing === which);
  const mark = (form: string, path: string) => html`<path class="${form}" d="${path}"/>`;
  const at: Point = [14, 7];
  const line = isWhole ? mark('front', 'M0,7H28') : '';
  const items: Content[] = [
    entry(
      [line, mark('dot s0', outline(0, at, 4.5))],
      'on the front, with the number of the point',
    ),
  ];
  if (has('allowed'))
    items.push(entry(mark('open', outline(0, at, 3)), 'another is as good or better'));
  if (has('refused')) items.push(entry(mark('crossed', cross(at, 3)), 'breaks a constraint'));
  return html`<ul class="legend">${items}</ul>`;
}
