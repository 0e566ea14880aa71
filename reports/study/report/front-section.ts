/** The section on objectives that compete: each pair of them, and the points on the front. */
import type { DesignedStudy, StudyObjective } from '../../../core/result/designed-study.ts';
import { draw, NARROW, WIDE } from '../../charts/plot.ts';
import { type Content, html } from '../../markup/markup.ts';
import { type Column, card, table } from '../../markup/parts.ts';
import { count } from '../../text/format.ts';
import { meanCell } from './answer-section.ts';
import { type Front, frontChart, frontLegend, frontOf } from './front-chart.ts';
import { labelOf, levelAt, standingOf, tellingDimensions } from './reading.ts';
import { THIRD } from './response-chart.ts';
import { listed } from './sentences.ts';

const WISH = { minimise: 'the least', maximise: 'the greatest' } as const;

const PAIRS = ' Each chart has two of them, so that the front is no line.';

/** Nothing where there are fewer than two objectives. */
export function frontSection(study: DesignedStudy): Content {
  const { objectives } = study;
  const pairs = objectives.flatMap((first, at) =>
    objectives.slice(at + 1).map((second) => [first, second] as const),
  );
  const fronts = pairs.flatMap(([first, second]) => frontOf(study, first, second) ?? []);
  if (fronts.length === 0) return '';
  const names = objectives.map(({ figure, goal }) => `${WISH[goal]} ${labelOf(figure)}`);
  return card(
    'What is bought with what',
    html`<p class="hint">Asked for: ${listed(names)}. No allowed point is better in all of them than
one on the front.${fronts.length > 1 ? PAIRS : ''}</p>`,
    frontLegend(fronts[0]!),
    chartsOf(fronts),
    frontTable(study, objectives),
  );
}

function chartsOf(fronts: readonly Front[]): Content {
  const [only, second] = fronts;
  if (only !== undefined && second === undefined)
    return draw(frontChart(only, [WIDE, NARROW], 320));
  const charts = fronts.map((front) => html`<div>${draw(frontChart(front, [THIRD], 220))}</div>`);
  return html`<div class="panels">${charts}</div>`;
}

/** Rows of the table; more are in that of all points. */
const ROWS_SHOWN = 30;

function frontTable(study: DesignedStudy, objectives: readonly StudyObjective[]): Content {
  const dimensions = tellingDimensions(study);
  const front = study.points.filter(({ onFront }) => onFront);
  if (front.length === 0) return html`<p>No allowed point has all of them.</p>`;
  const columns: Column[] = [
    { head: 'Point on the front' },
    ...dimensions.map(({ parameter: { name: head }, isNumeric }): Column => {
      return isNumeric ? { head, kind: 'number' } : { head };
    }),
    ...objectives.map(({ figure }): Column => ({ head: labelOf(figure), kind: 'number' })),
  ];
  const rows = front
    .slice(0, ROWS_SHOWN)
    .map((point): Content[] => [
      standingOf(study, point) === 'chosen' ? `★ ${point.point}` : String(point.point),
      ...dimensions.map((dimension) => levelAt(point, dimension).label),
      ...objectives.map(({ figure }) => meanCell(point, figure)),
    ]);
  const more = front.length - rows.length;
  return [
    table({ name: 'The front, with 95 % intervals', columns, stack: 3 }, rows),
    more > 0 ? html`<p class="hint">${count(more)} more in the table of all points.</p>` : '',
  ];
}
