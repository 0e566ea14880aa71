/** The first sections: what to distrust, the answer in words, the recommended point in figures. */
import type { DesignedStudy, StudyPoint } from '../../../core/result/designed-study.ts';
import type { StudyVerdict } from '../../../core/result/study.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { type Column, table } from '../../markup/parts.ts';
import { count, counted, NOTHING, percent } from '../../text/format.ts';
import { isEstablished } from './established.ts';
import { figureWords } from './measure.ts';
import { proseHtml } from './prose.ts';
import {
  constraintsAt,
  figureAt,
  figuresOf,
  labelOf,
  levelAt,
  pointOf,
  tellingDimensions,
} from './reading.ts';
import { sign } from './verdict-cell.ts';
import { studyWords } from './words.ts';

/** Warnings that are shown at once; the others unfold. */
const WARNINGS_SHOWN = 8;

export function cautionSection(study: DesignedStudy): Content {
  const { cautions } = studyWords(study);
  const all: Content[] = [...cautions.map((each) => proseHtml([each])), ...study.warnings];
  if (all.length === 0) return '';
  const items = (some: readonly Content[]) =>
    html`<ul>${some.map((one) => html`<li>${one}</li>`)}</ul>`;
  const rest = all.slice(WARNINGS_SHOWN);
  const title = study.complete ? counted(all.length, 'caution') : 'Partial study';
  return html`<div class="note" role="note"><p><strong>${title}</strong></p>
${items(all.slice(0, WARNINGS_SHOWN))}
${rest.length === 0 ? '' : unfolded(`${count(rest.length)} more`, items(rest))}
</div>`;
}

const unfolded = (summary: string, contents: Content): Markup =>
  html`<details><summary>${summary}</summary>${contents}</details>`;

export function answerSection(study: DesignedStudy): Markup {
  const { heading, question, answer } = studyWords(study);
  const state = stateOf(study);
  const mark = { holds: '✓ ', fails: '✗ ', open: '' }[state];
  const words = html`<p class="question">${proseHtml(question)}</p>
<p class="answer">${proseHtml(answer)}</p>`;
  const { choice } = study;
  const chosen = choice === null ? undefined : pointOf(study, choice.point);
  const second = choice?.runnerUp ? pointOf(study, choice.runnerUp) : undefined;
  return html`<section class="card verdict ${state}">
<h2>${mark === '' ? '' : html`<span class="sign ${state}">${mark}</span>`}${heading}</h2>
${words}
${chosen === undefined ? '' : comparison(study, chosen, second)}
${study.constraints.length === 0 ? '' : constraintTable(study, chosen)}
${chosen === undefined ? '' : alone(chosen)}</section>`;
}

/** A recommendation that the seeds do not establish is shown without a sign. */
function stateOf(study: DesignedStudy): 'holds' | 'fails' | 'open' {
  const { choice, constraints, points } = study;
  if (choice !== null) return isEstablished(study) ? 'holds' : 'open';
  const isBarred = constraints.length > 0 && !points.some(({ allowed }) => allowed);
  return isBarred ? 'fails' : 'open';
}

/** Figures of the study at the recommended point, and at the one that comes next. */
function comparison(
  study: DesignedStudy,
  chosen: StudyPoint,
  second: StudyPoint | undefined,
): Markup {
  const dimensions = tellingDimensions(study);
  const goals = new Map(study.objectives.map(({ figure, goal }) => [figure, goal]));
  const names = [...new Set([...goals.keys(), ...figuresOf(study)])];
  const points = second === undefined ? [chosen] : [chosen, second];
  const heads = ['Recommended', 'Runner-up'];
  const columns: Column[] = [
    { head: 'Parameter or figure' },
    ...points.map((point, at): Column => {
      return { head: `${heads[at]}, point ${point.point}`, kind: 'number' };
    }),
  ];
  const settings = dimensions.map((dimension): Content[] => [
    dimension.parameter.name,
    ...points.map((point) => levelAt(point, dimension).label),
  ]);
  const figures = names.map((name): Content[] => {
    const goal = goals.get(name);
    const note = goal === undefined ? '' : html`<small>${goal}d</small>`;
    return [html`${labelOf(name)}${note}`, ...points.map((point) => meanCell(point, name))];
  });
  return table({ name: 'The recommended point, and the one after it', columns, stack: 2 }, [
    ...settings,
    ...figures,
  ]);
}

/** The mean, and below it its interval. */
export function meanCell(point: StudyPoint, name: string): Content {
  const figure = figureAt(point, name);
  if (figure === undefined || figure.mean === null) return NOTHING;
  const { mean, meanInterval, unit } = figure;
  if (meanInterval === null) return figureWords(mean, unit);
  const ends = meanInterval.map((end) => figureWords(end, unit)).join(' … ');
  return html`${figureWords(mean, unit)}<small>${ends}</small>`;
}

function constraintTable(study: DesignedStudy, chosen: StudyPoint | undefined): Markup {
  const { points, constraints } = study;
  const columns: Column[] = [
    { head: 'Constraint' },
    ...(chosen === undefined ? [] : [{ head: 'At the recommended point' }]),
    { head: 'Points that meet it', kind: 'number' },
  ];
  const rows = constraints.map((constraint, at): Content[] => {
    const met = points.filter((point) => constraintsAt(study, point)[at]?.holds === true).length;
    const there = chosen && constraintsAt(study, chosen)[at];
    return [
      html`<code>${constraint}</code>`,
      ...(chosen === undefined ? [] : [there === undefined ? NOTHING : heldCell(there)]),
      `${count(met)} of ${count(points.length)}`,
    ];
  });
  return table({ name: 'Where the constraints are met', columns, stack: 2 }, rows);
}

/** The verdict, its seeds, and in how many of all there are it may hold. */
export function heldCell({ holds, held, seeds, shareInterval }: StudyVerdict): Markup {
  const ends = shareInterval?.map((share) => percent(share)).join(' … ');
  const seedsText = `${holds ? 'in' : '– holds in'} ${count(held)} of ${counted(seeds, 'seed')}`;
  return html`${sign(holds)} ${seedsText}
${ends === undefined ? '' : html`<small>of all seeds ${ends}</small>`}`;
}

const alone = ({ command, point }: StudyPoint): Markup => html`<p class="hint">Point ${point} alone,
with its first seed, from the folder of the study file:</p><pre><code>${command}</code></pre>`;
