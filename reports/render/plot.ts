/** How every chart is drawn: as SVG by vega-lite, without a DOM; the one door to vega. */
import type { TopLevelSpec } from 'vega-lite';
import { html, type Markup, trusted } from './markup.ts';

export interface Chart {
  /** What it shows with the main figures, for those who cannot see it. */
  readonly alternative: string;
  /** CSS pixels. A chart is drawn once per width, so that letters keep their size; one is shown. */
  readonly widths: readonly [any: number] | readonly [wide: number, narrow: number];
  readonly spec: (width: number) => TopLevelSpec;
}

/** Width of a card's inside on a wide page and on a telephone, CSS pixels. */
export const WIDE = 1030;
export const NARROW = 338;

/** The bytes depend on the chart alone: no width of a letter, no canvas, no counter enters. */
export async function draw({ alternative, widths, spec }: Chart): Promise<Markup> {
  const shownOn = widths.length === 1 ? ['any'] : ['wide', 'narrow'];
  const drawings: Markup[] = [];
  for (const [at, width] of widths.entries()) {
    drawings.push(html`<div class="${shownOn[at]!}">${trusted(await svgOf(spec(width)))}</div>`);
  }
  return html`<div class="chart" role="img" aria-label="${alternative}">${drawings}</div>`;
}

async function svgOf(spec: TopLevelSpec): Promise<string> {
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  (vega as unknown as TextMeasuring).textMetrics.canvas(false);
  const view = new vega.View(vega.parse(compile(spec).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return compact(svg);
}

/** Part of vega that its types leave out: a canvas, where installed, would measure differently. */
interface TextMeasuring {
  readonly textMetrics: { canvas(use: boolean): void };
}

/**
 * Drops what HTML implies and what the chart's own words already say, and keeps hundredths of
 * pixels only: smaller, and no last bit of a float can change a byte.
 */
function compact(svg: string): string {
  return svg
    .replaceAll(/ (xmlns(:xlink)?|version|font-family|aria-\w+|role|class)="[^"]*"/g, '')
    .replaceAll(/ (d|transform|[xy][12]?)="[^"]*"/g, (attribute) =>
      attribute.replaceAll(/\d+\.\d{3,}(e-?\d+)?/g, (long) => String(hundredth(Number(long)))),
    );
}

function hundredth(value: number): number {
  return Math.round(value * 100) / 100;
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly figure: string;
}

/** Lying bars with their names on the left and their figures at the end. */
export function barSpec(
  bars: readonly Bar[],
  width: number,
  labelWidth: number,
  color: string,
): TopLevelSpec {
  const y = { field: 'row', type: 'ordinal', axis: null, sort: null } as const;
  const domainMax = bars.reduce((highest, { value }) => Math.max(highest, value), 1);
  const scale = { domainMin: 0, domainMax };
  const x = { field: 'value', type: 'quantitative', axis: null, stack: null, scale } as const;
  const text = { type: 'text', baseline: 'middle', fontSize: 12, limit: 0 } as const;
  return {
    ...frame(width, bars.length * 28, { left: labelWidth, right: 64, top: 2, bottom: 2 }),
    data: { values: bars.map((bar, row) => ({ ...bar, label: short(bar.label), row })) },
    encoding: { y },
    layer: [
      { mark: { type: 'bar', color, height: 16, cornerRadiusEnd: 2 }, encoding: { x } },
      {
        mark: { ...text, align: 'right', dx: -8, color: 'var(--ink)' },
        encoding: { x: { datum: 0, type: 'quantitative', axis: null }, text: { field: 'label' } },
      },
      {
        mark: { ...text, align: 'left', dx: 6, color: 'var(--muted)' },
        encoding: { x, text: { field: 'figure' } },
      },
    ],
  };
}

export interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What all charts share: a plot of fixed place inside `width` and the page's own colours. */
export function frame(width: number, plotHeight: number, padding: Margins) {
  const text = {
    labelColor: 'var(--muted)',
    titleColor: 'var(--muted)',
    titleFontWeight: 'normal',
  } as const;
  return {
    width: width - padding.left - padding.right,
    height: plotHeight,
    padding,
    autosize: { type: 'none' },
    background: 'transparent',
    config: {
      aria: false,
      view: { stroke: null },
      axis: {
        ...text,
        labelFontSize: 12,
        titleFontSize: 12,
        titlePadding: 8,
        gridColor: 'var(--grid)',
      },
      axisX: { domainColor: 'var(--axis)', tickColor: 'var(--axis)' },
      axisY: { domain: false, ticks: false, labelPadding: 8 },
    },
  } as const;
}

/** From 0 to `domainMax`, which is ≥ 1, so that nothing is drawn as a line at the bottom. */
export function countAxis(domainMax: number) {
  return {
    field: 'value',
    type: 'quantitative',
    scale: { domainMin: 0, domainMax },
    axis: { title: null, tickCount: 4, tickMinStep: 1, labelExpr: "format(datum.value, '~s')" },
  } as const;
}

function short(label: string): string {
  return label.length > 16 ? `${label.slice(0, 15)}…` : label;
}
