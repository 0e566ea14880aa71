/** How far each parameter alone moves a figure, and whether that is more than chance. */
import type { StudySwing } from '../../../core/result/designed-study.ts';
import type { FigureUnit } from '../../../core/result/study.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { table } from '../../markup/parts.ts';
import { NOTHING } from '../../text/format.ts';
import { differenceEnds, differenceText, figureWords } from './measure.ts';

/** Whether the figure differs between the two levels by more than chance; null: one seed. */
const isMoved = ({ interval }: StudySwing): boolean | null =>
  interval === null ? null : interval[0] > 0;

export function swingTable(swings: readonly StudySwing[], unit: FigureUnit | null): Markup {
  const shape = {
    name: 'Over pairs of seeds, for all pairs of levels of a parameter together',
    stack: 2,
    columns: [
      { head: 'Parameter' },
      { head: 'Least at', kind: 'number' },
      { head: 'Greatest at', kind: 'number' },
      { head: 'Difference', kind: 'number' },
      { head: '' },
    ],
  } as const;
  const end = ({ label, mean }: StudySwing['least']) =>
    html`${label}<small>${figureWords(mean, unit)}</small>`;
  const rows = swings.map((swing) => {
    const { parameter, least, greatest, interval } = swing;
    const ends = interval === null ? NOTHING : differenceEnds(interval, unit);
    const moved = isMoved(swing);
    return [
      parameter,
      end(least),
      end(greatest),
      html`${differenceText(greatest.mean - least.mean, unit)}<small>${ends}</small>`,
      moved === null ? NOTHING : moved ? 'matters' : 'may be chance',
    ];
  });
  return table(shape, rows);
}
