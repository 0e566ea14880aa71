/** The section on one figure: its charts, as the points lie, and the figures that they are of. */
import type { DesignedStudy, StudyPoint } from '../../../core/result/designed-study.ts';
import type { FigureUnit } from '../../../core/result/study.ts';
import type { Extent, Range } from '../../charts/axes.ts';
import { draw, NARROW, WIDE } from '../../charts/plot.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { card } from '../../markup/parts.ts';
import { meanInterval } from '../../statistics/intervals.ts';
import { mean } from '../../statistics.ts';
import { count, counted } from '../../text/format.ts';
import { type Bound, boundsOf } from './bounds.ts';
import { cloudChart, cloudLegend } from './cloud-chart.ts';
import { type Curve, curveOf, extentOf } from './curves.ts';
import { figureTable } from './figure-table.ts';
import { type HeatMap, heatLegend, heatMap } from './heat-map.ts';
import { alongside, type Layout, type Panel, panelsOf } from './layout.ts';
import { figureWords, type Measure, measureOf } from './measure.ts';
import {
  type Dimension,
  figureAt,
  labelOf,
  levelAt,
  meanAt,
  type Standing,
  settingText,
  standingOf,
  unitOf,
} from './reading.ts';
import { curveLegend, HALF, responseChart, THIRD } from './response-chart.ts';
import { type Row, type RowMark, rowChart } from './row-chart.ts';
import { swingTable } from './swing-table.ts';
import { tornadoChart } from './tornado-chart.ts';

/** A figure with all that its charts share. */
interface Drawn {
  readonly study: DesignedStudy;
  readonly name: string;
  readonly unit: FigureUnit | null;
  readonly measure: Measure;
  readonly bounds: readonly Bound[];
  /** From the least end of an interval to the greatest, and to bounds that are near. */
  readonly extent: Extent;
  readonly standing: (point: StudyPoint) => Standing;
}

export function figureSection(study: DesignedStudy, layout: Layout, name: string): Markup {
  const label = labelOf(name);
  const written = label === name ? '' : html`<p class="hint"><code>${name}</code></p>`;
  const measured = study.points.filter((point) => meanAt(point, name) !== null);
  if (measured.length === 0) {
    return card(label, written, html`<p>It was measured in no seed of any point.</p>`);
  }
  const drawn = drawnOf(study, name, measured);
  return card(label, written, chartsOf(drawn, layout), figureTable(study, name));
}

function drawnOf(study: DesignedStudy, name: string, measured: readonly StudyPoint[]): Drawn {
  const unit = unitOf(study, name);
  const isCrowd = measured.length > CROWD;
  const values = measured.flatMap((point) => {
    const { mean: middle, meanInterval: ends } = figureAt(point, name)!;
    return isCrowd || ends === null ? [middle!] : [middle!, ...ends];
  });
  const bounds = boundsOf(study.constraints).filter(({ figure }) => figure === name);
  const { low, high } = extentOf(values, unit);
  const near = bounds
    .map(({ value }) => value)
    .filter((value) => {
      return value > low - (high - low) && value < high + (high - low);
    });
  return {
    study,
    name,
    unit,
    measure: measureOf(labelOf(name), unit, values),
    bounds,
    extent: extentOf([...values, ...near], unit),
    standing: (point) => standingOf(study, point),
  };
}

/** Clouds of more points are drawn without intervals. */
const CROWD = 60;

function chartsOf(drawn: Drawn, layout: Layout): Content {
  switch (layout.kind) {
    case 'curves':
      return curveCharts(drawn, layout);
    case 'rows':
      return rowCharts(drawn, layout.dimensions);
    case 'cloud':
      return cloudCharts(drawn, layout.dimensions);
    case 'oneAtATime':
      return aroundBase(drawn, layout);
  }
}

/** Panels that are drawn; more are read in the tables. */
const PANELS_SHOWN = 12;

type Curves = Extract<Layout, { kind: 'curves' }>;

function curveCharts(drawn: Drawn, layout: Curves): Content {
  const { across, lines, panels, up } = layout;
  const { measure, bounds, study, extent } = drawn;
  const shown = panels.slice(0, PANELS_SHOWN).map((panel) => {
    return { panel, curves: curvesOf(drawn, across, lines, panel.points) };
  });
  const all = shown.flatMap(({ curves }) => curves);
  const legend = curveLegend(
    shown.reduce(
      (most, { curves }) => (curves.length > most.length ? curves : most),
      shown[0]!.curves,
    ),
    lines?.parameter.name ?? '',
    all,
  );
  const charts = shown.map(({ panel, curves }) =>
    responseChart({ panel: panel.label, across, measure, curves, bounds, extent }),
  );
  const more = panels.length - shown.length;
  if (panels.length === 1 && up === undefined) {
    return [legend, draw(charts[0]!([WIDE, NARROW], 250))];
  }
  if (panels.length === 1 && up !== undefined) {
    const map = mapOf(drawn, across, up, { label: '', points: study.points });
    return html`<div class="pair"><div>${legend}${draw(charts[0]!([HALF, NARROW], 250))}</div>
<div>${heatLegend(map)}${draw(heatMap(map, [HALF, NARROW]))}</div></div>`;
  }
  const panelled = shown.map(
    ({ panel }, at) => html`<div><h3>${panel.label}</h3>${draw(charts[at]!([THIRD], 150))}</div>`,
  );
  return [
    legend,
    html`<div class="panels">${panelled}</div>`,
    more > 0 ? html`<p class="hint">${counted(more, 'more panel')} in the tables.</p>` : '',
    up === undefined ? '' : mapsOf(drawn, layout, up),
  ];
}

/** A map a panel, with the same colours; one of all where the panels are its rows. */
function mapsOf(drawn: Drawn, { across, lines, panels }: Curves, up: Dimension): Content {
  if (lines === undefined) {
    const map = mapOf(drawn, across, up, { label: '', points: drawn.study.points });
    return [heatLegend(map), draw(heatMap(map, [WIDE, NARROW]))];
  }
  const maps = panels.slice(0, PANELS_SHOWN).map((panel) => mapOf(drawn, across, up, panel));
  const whole = mapOf(drawn, across, up, { label: '', points: drawn.study.points });
  return [
    heatLegend(whole),
    html`<div class="panels">${maps.map(
      (map) => html`<div><h3>${map.panel}</h3>${draw(heatMap(map, [THIRD]))}</div>`,
    )}</div>`,
  ];
}

function curvesOf(
  drawn: Drawn,
  across: Dimension,
  lines: Dimension | undefined,
  points: readonly StudyPoint[],
): Curve[] {
  const { name: figure, standing } = drawn;
  if (lines === undefined) {
    return [curveOf(points, { across, figure, label: '', series: 0 }, standing)];
  }
  return lines.levels.map(({ label }, series) => {
    const own = points.filter((point) => levelAt(point, lines).label === label);
    return curveOf(own, { across, figure, label, series }, standing);
  });
}

function mapOf(drawn: Drawn, across: Dimension, up: Dimension, panel: Panel): HeatMap {
  const { name: figure, measure, standing, study, extent } = drawn;
  const means = study.points.flatMap((point) => meanAt(point, figure) ?? []);
  const range: Range = [Math.min(...means), Math.max(...means)];
  const { isLogarithmic } = extent;
  const { label, points } = panel;
  return { figure, panel: label, points, across, up, measure, range, isLogarithmic, standing };
}

/** Rows that are drawn; more are read in the tables. */
const ROWS_SHOWN = 40;

function rowCharts(drawn: Drawn, dimensions: readonly Dimension[]): Content {
  const { study, measure, bounds, extent } = drawn;
  const rows = study.points.slice(0, ROWS_SHOWN).map((point): Row => {
    const [only, second] = dimensions;
    const setting =
      only !== undefined && second === undefined
        ? levelAt(point, only).label
        : settingText(dimensions, point);
    return { label: setting === '' ? 'The one point' : setting, marks: markOf(drawn, point) };
  });
  const more = study.points.length - rows.length;
  const chart = draw(rowChart({ measure, rows, bounds, extent }, [WIDE, NARROW]));
  const rest = more > 0 ? html`<p class="hint">${count(more)} more points in the tables.</p>` : '';
  const [across, up] = dimensions;
  if (across === undefined || up === undefined || study.design === 'list') return [chart, rest];
  if (dimensions.length > 2) return [chart, rest];
  const map = mapOf(drawn, across, up, { label: '', points: study.points });
  return [chart, rest, heatLegend(map), draw(heatMap(map, [WIDE, NARROW]))];
}

function markOf({ name, standing }: Drawn, point: StudyPoint): RowMark[] {
  const spread = figureAt(point, name);
  if (spread === undefined || spread.mean === null) return [];
  const hint = `Point ${point.point}: ${figureWords(spread.mean, spread.unit)}`;
  const interval = spread.meanInterval;
  return [{ mean: spread.mean, interval, series: 0, standing: standing(point), hint }];
}

function cloudCharts(drawn: Drawn, dimensions: readonly Dimension[]): Content {
  const { study, name: figure, measure, extent, bounds } = drawn;
  const numeric = dimensions.filter(({ isNumeric }) => isNumeric);
  const charts = numeric.map((dimension) => {
    const cloud = { figure, dimension, points: study.points, measure, extent, bounds };
    return html`<div>${draw(cloudChart(cloud, [THIRD], 170))}</div>`;
  });
  const named = dimensions.filter(({ isNumeric }) => !isNumeric);
  return [
    cloudLegend(study.points),
    html`<div class="panels">${charts}</div>`,
    named.map((dimension) => overLevels(drawn, dimension)),
  ];
}

/** Means over the points of each level of a parameter of names. */
function overLevels(drawn: Drawn, dimension: Dimension): Content {
  const { study, name, unit, measure, extent, bounds } = drawn;
  const rows = panelsOf(study.points, [dimension]).map(({ points }): Row => {
    const { label } = levelAt(points[0]!, dimension);
    const values = points.flatMap((point) => meanAt(point, name) ?? []);
    if (values.length === 0) return { label, marks: [] };
    const middle = mean(values);
    const around = meanInterval(values);
    const interval: Range | null = around === undefined ? null : [around.low, around.high];
    const hint = `${label}: ${figureWords(middle, unit)} over ${counted(values.length, 'point')}`;
    return { label, marks: [{ mean: middle, interval, series: 0, standing: 'allowed', hint }] };
  });
  return [
    html`<h3>${dimension.parameter.name}</h3>`,
    draw(rowChart({ measure, rows, bounds, extent }, [WIDE, NARROW])),
  ];
}

function aroundBase(drawn: Drawn, layout: Extract<Layout, { kind: 'oneAtATime' }>): Content {
  const { base, dimensions } = layout;
  const { study, name, unit, measure, bounds, extent } = drawn;
  const middle = meanAt(base, name);
  const swings = study.swings.filter(({ figure }) => figure === name);
  const tornado =
    middle === null || swings.length === 0
      ? html`<p>It was not measured at the base.</p>`
      : [draw(tornadoChart(swings, middle, measure, [WIDE, NARROW])), swingTable(swings, unit)];
  const panels = dimensions.map((dimension) => {
    const points = alongside(study.points, base, dimension);
    if (dimension.isNumeric) {
      const curves = curvesOf(drawn, dimension, undefined, points);
      const response = { panel: '', across: dimension, measure, curves, bounds, extent };
      return html`<div>${draw(responseChart(response)([THIRD], 150))}</div>`;
    }
    const rows = points.map((point): Row => {
      return { label: levelAt(point, dimension).label, marks: markOf(drawn, point) };
    });
    return html`<div><h3>${dimension.parameter.name}</h3>
${draw(rowChart({ measure, rows, bounds, extent }, [THIRD]))}</div>`;
  });
  const words = html`<p class="hint">The base is point ${base.point}:
${settingText(dimensions, base)}. Each parameter was turned alone;
lines have the other ones as at the base.</p>`;
  return [words, tornado, html`<div class="panels">${panels}</div>`];
}
