/** All points: what each sets, what came of it, and the command that runs it alone. */
import type { DesignedStudy, StudyPoint } from '../../../core/result/designed-study.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { type Column, card, table } from '../../markup/parts.ts';
import { count, counted } from '../../text/format.ts';
import { heldCell, meanCell } from './answer-section.ts';
import {
  constraintsAt,
  type Dimension,
  figuresOf,
  labelOf,
  levelAt,
  type Standing,
  standingOf,
  tellingDimensions,
} from './reading.ts';

export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  chosen: 'recommended',
  runnerUp: 'runner-up',
  front: 'on the front',
  allowed: 'allowed',
  refused: 'not allowed',
  notRun: 'no run yet',
};

export function pointsSection(study: DesignedStudy): Markup {
  const { points } = study;
  const commands = {
    name: 'Each runs the first seed of its point; digest and figures are those of the study',
    columns: [{ head: 'Point' }, { head: 'Command' }],
  } as const;
  const rows = points.map(({ point, command }) => [point, html`<code>${command}</code>`]);
  return card(
    counted(points.length, 'point'),
    pointsTable(study),
    html`<details><summary>Command to run each point alone</summary>${table(commands, rows)}
</details>`,
  );
}

function pointsTable(study: DesignedStudy): Markup {
  const { constraints, points } = study;
  const figures = figuresOf(study);
  const dimensions = tellingDimensions(study);
  const isJudged = constraints.length > 0 || study.objectives.length > 0;
  const columns: Column[] = [
    { head: 'Point' },
    ...dimensions.map(({ parameter: { name: head }, isNumeric }): Column => {
      return isNumeric ? { head, kind: 'number' } : { head };
    }),
    ...(isJudged ? [{ head: 'Verdict' }] : []),
    { head: 'Seeds', kind: 'number' },
    ...figures.map((name): Column => ({ head: labelOf(name), kind: 'number' })),
    ...constraints.map((head): Column => ({ head, kind: 'full' })),
  ];
  const rows = points.map((point): Content[] => [
    point.point,
    ...levelCells(dimensions, point),
    ...(isJudged ? [standingCell(standingOf(study, point))] : []),
    seedsCell(point),
    ...figures.map((name) => meanCell(point, name)),
    ...constraintCells(study, point),
  ]);
  const name = 'Means over the seeds of each point, with their 95 % intervals';
  return table({ name, columns, stack: 3 }, rows);
}

const levelCells = (dimensions: readonly Dimension[], point: StudyPoint): string[] =>
  dimensions.map((dimension) => levelAt(point, dimension).label);

function constraintCells(study: DesignedStudy, point: StudyPoint): Content[] {
  const verdicts = constraintsAt(study, point);
  return study.constraints.map((_, at) => {
    const verdict = verdicts[at];
    return verdict === undefined ? '–' : heldCell(verdict);
  });
}

function seedsCell({ runs, faults, settled }: StudyPoint): Content {
  const broke = faults === 0 ? '' : html`<small>${count(faults)} broke</small>`;
  const open = settled === false ? html`<small>not settled</small>` : '';
  return html`${count(runs - faults)}${broke}${open}`;
}

const standingCell = (standing: Standing): Content =>
  standing === 'chosen'
    ? html`<strong class="sign">★ recommended</strong>`
    : STANDING_WORDS[standing];
