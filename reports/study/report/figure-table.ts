/** The figures behind the charts of one figure: a row a point. */
import type { DesignedStudy } from '../../../core/result/designed-study.ts';
import { type Content, html } from '../../markup/markup.ts';
import { table } from '../../markup/parts.ts';
import { count, counted, NOTHING } from '../../text/format.ts';
import { figureWords } from './measure.ts';
import { figureAt, labelOf, levelAt, tellingDimensions } from './reading.ts';

/** Rows of a table behind a chart; the table of all points has the others. */
const ROWS_SHOWN = 200;

export function figureTable(study: DesignedStudy, name: string): Content {
  const dimensions = tellingDimensions(study);
  const shown = study.points.slice(0, ROWS_SHOWN);
  const shape = {
    name: `${labelOf(name)} at each point`,
    stack: 3,
    columns: [
      { head: 'Point' },
      ...dimensions.map(({ parameter: { name: head }, isNumeric }) => {
        return isNumeric ? ({ head, kind: 'number' } as const) : { head };
      }),
      { head: 'Mean', kind: 'number' },
      { head: '95 % interval', kind: 'number' },
      { head: 'Deviation', kind: 'number' },
      { head: 'Least … greatest', kind: 'number' },
      { head: 'Seeds', kind: 'number' },
    ],
  } as const;
  const rows = shown.map((point) => {
    const figure = figureAt(point, name);
    const ends = (pair: readonly (number | null)[] | null | undefined) =>
      pair === null || pair === undefined || pair.includes(null)
        ? NOTHING
        : pair.map((end) => figureWords(end, figure?.unit ?? null)).join(' … ');
    return [
      point.point,
      ...dimensions.map((dimension) => levelAt(point, dimension).label),
      figureWords(figure?.mean ?? null, figure?.unit ?? null),
      ends(figure?.meanInterval),
      figureWords(figure?.standardDeviation ?? null, figure?.unit ?? null),
      ends(figure && [figure.least, figure.greatest]),
      count(figure?.measured ?? 0),
    ];
  });
  const rest = study.points.length - shown.length;
  return html`<details><summary>Figures of the charts</summary>${table(shape, rows)}
${rest > 0 ? html`<p class="hint">${counted(rest, 'more point')} in the table of all.</p>` : ''}
</details>`;
}
