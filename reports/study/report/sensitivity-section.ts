/** The section on Sobol’ indices: what part of a figure’s variance each parameter makes. */

import type {
  DesignedStudy,
  StudyIndex,
  StudyParameter,
  StudySensitivity,
} from '../../../core/result/designed-study.ts';
import { outline, type Range } from '../../charts/axes.ts';
import { draw, NARROW, WIDE } from '../../charts/plot.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { card, table } from '../../markup/parts.ts';
import { counted, figureText, NOTHING } from '../../text/format.ts';
import { labelOf } from './reading.ts';
import { entry } from './response-chart.ts';
import { type Row, type RowMark, rowChart } from './row-chart.ts';

interface NamedIndex extends StudyIndex {
  readonly parameter: string;
}

/** Nothing of other designs. */
export function sensitivitySection(study: DesignedStudy): Content {
  const { sensitivity, parameters } = study;
  if (sensitivity.length === 0) return '';
  return card(
    'What matters',
    html`<p class="hint">Sobol’ indices: of the variance of a figure over the whole ranges, the part
that a parameter makes alone (first order), and with all that it does together with others
(total). Where the two differ, parameters act on each other.</p>`,
    html`<ul class="legend">
${entry(html`<path class="dot s0" d="${outline(0, [14, 7], 4)}"/>`, 'first order')}
${entry(html`<path class="dot s1" d="${outline(1, [14, 7], 4)}"/>`, 'total')}</ul>`,
    sensitivity.map((each) => figureOf(each, parameters)),
  );
}

/** The parameter that makes most comes first. */
function namedIndices(
  { indices }: StudySensitivity,
  parameters: readonly StudyParameter[],
): NamedIndex[] {
  return indices
    .map((index, at) => ({ ...index, parameter: parameters[at]!.name }))
    .sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
}

function figureOf(sensitivity: StudySensitivity, parameters: readonly StudyParameter[]): Markup {
  const { figure, rows } = sensitivity;
  const sorted = namedIndices(sensitivity, parameters);
  if (sorted.every(({ first, total }) => first === null && total === null)) {
    return html`<h3>${labelOf(figure)}</h3><p>It does not vary, or was not measured.</p>`;
  }
  return html`<h3>${labelOf(figure)}</h3>${draw(sobolChart(figure, sorted))}
<details><summary>Figures of the indices, from ${counted(rows, 'row')} of the design</summary>
${indexTable(figure, sorted)}</details>`;
}

/** Two marks a parameter, with their intervals. */
export function sobolChart(figure: string, indices: readonly NamedIndex[]) {
  const rows = indices.map((each): Row => {
    const mark = (series: number, value: number | null, interval: Range | null): RowMark[] => {
      if (value === null) return [];
      const what = series === 0 ? 'first order' : 'total';
      const hint = `${each.parameter}, ${what}: ${figureText(value, 'share')}`;
      return [{ mean: value, interval, series, standing: 'allowed', hint }];
    };
    return {
      label: each.parameter,
      marks: [
        ...mark(0, each.first, each.firstInterval),
        ...mark(1, each.total, each.totalInterval),
      ],
    };
  });
  const ends = indices.flatMap(({ first, total, firstInterval, totalInterval }) => {
    return [first ?? 0, total ?? 0, ...(firstInterval ?? []), ...(totalInterval ?? [])];
  });
  const extent = { low: Math.min(0, ...ends), high: Math.max(1, ...ends), isLogarithmic: false };
  const label = `share of the variance of ${labelOf(figure)}`;
  const measure = { label, unit: '%', size: 0.01 };
  return rowChart({ measure, rows, bounds: [], extent }, [WIDE, NARROW]);
}

function indexTable(figure: string, indices: readonly NamedIndex[]): Markup {
  const shape = {
    name: `Shares of the variance of ${labelOf(figure)}`,
    stack: 2,
    columns: [
      { head: 'Parameter' },
      { head: 'First order', kind: 'number' },
      { head: 'Total', kind: 'number' },
    ],
  } as const;
  const cell = (value: number | null, interval: Range | null) => {
    const ends = interval?.map(written).join(' … ') ?? NOTHING;
    return html`${written(value)}<small>${ends}</small>`;
  };
  const rows = indices.map(({ parameter, first, firstInterval, total, totalInterval }) => [
    parameter,
    cell(first, firstInterval),
    cell(total, totalInterval),
  ]);
  return table(shape, rows);
}

const written = (value: number | null): string =>
  value === null
    ? NOTHING
    : value < 0
      ? `−${figureText(-value, 'share')}`
      : figureText(value, 'share');
