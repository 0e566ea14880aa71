/** The report of a study over many points as Markdown: what it says, its points, where from. */
import type { DesignedStudy, StudyPoint } from '../../../core/result/designed-study.ts';
import { code, fenceFor, table } from '../../markup/markdown-parts.ts';
import { count, counted, NOTHING, percent } from '../../text/format.ts';
import { VERSION } from '../../version.ts';
import { layoutOf } from './layout.ts';
import { cellNumber, decimalsFor, figureWords, measureOf, titleOf } from './measure.ts';
import { STANDING_WORDS } from './points-section.ts';
import { gently, proseMarkdown } from './prose.ts';
import {
  constraintsAt,
  type Dimension,
  figureAt,
  figuresOf,
  labelOf,
  levelAt,
  meanAt,
  pointOf,
  standingOf,
  tellingDimensions,
  unitOf,
} from './reading.ts';
import { studyWords } from './words.ts';

/** The same study gives the same bytes; ends in a line feed. */
export function studyMarkdown(study: DesignedStudy): string {
  const { heading, question, answer } = studyWords(study);
  const blocks = [
    `# ${gently(study.study)}`,
    ...(study.description === '' ? [] : [gently(study.description)]),
    ...cautions(study),
    `**${gently(heading)}.**`,
    proseMarkdown([...question, ...answer]),
    ...matrices(study),
    ...(study.points.length === 0 ? [] : pointsTable(study)),
    ...alone(study),
    grounds(study),
  ];
  return blocks.filter((block) => block !== '').join('\n\n') + '\n';
}

function cautions(study: DesignedStudy): string[] {
  const all = [
    ...studyWords(study).cautions.map((each) => proseMarkdown([each])),
    ...study.warnings.map(gently),
  ];
  if (all.length === 0) return [];
  const title = study.complete ? counted(all.length, 'caution') : 'Partial study';
  return [[`> **${title}**`, '>', ...all.map((each) => `> - ${each}`)].join('\n')];
}

/** A table a figure over two parameters, the levels of one across. */
function matrices(study: DesignedStudy): string[] {
  const layout = layoutOf(study);
  if (layout.kind !== 'curves' || layout.up === undefined) return [];
  const { across, up } = layout;
  if (tellingDimensions(study).length !== 2) return [];
  const tables = figuresOf(study).flatMap((name) => matrix(study, name, across, up));
  const isRefused = study.points.some(({ allowed }) => !allowed);
  const words = [
    ...(isRefused ? ['~~struck out~~: breaks a constraint'] : []),
    ...(study.choice === null ? [] : ['**bold**: recommended']),
  ];
  return words.length === 0 ? tables : [`Means; ${words.join(', ')}.`, ...tables];
}

function matrix(study: DesignedStudy, name: string, across: Dimension, up: Dimension): string[] {
  const means = study.points.flatMap((point) => meanAt(point, name) ?? []);
  if (means.length === 0) return [];
  const measure = measureOf(labelOf(name), unitOf(study, name), means);
  const decimals = decimalsFor((Math.max(...means) - Math.min(...means)) / measure.size);
  const rows = up.levels.map(({ label }) => [
    `**${gently(label)}**`,
    ...across.levels.map((level) => {
      const point = study.points.find(
        (each) => levelAt(each, up).label === label && levelAt(each, across).label === level.label,
      );
      const mean = point && meanAt(point, name);
      if (point === undefined || mean === null || mean === undefined) return NOTHING;
      return marked(cellNumber(mean, measure, decimals), standingOf(study, point));
    }),
  ]);
  const heads = [
    `${gently(up.parameter.name)} ↓ ${gently(across.parameter.name)} →`,
    ...across.levels.map(({ label }) => gently(label)),
  ];
  return [
    `${gently(titleOf(measure))}:`,
    table(heads, `l${'r'.repeat(across.levels.length)}`, rows),
  ];
}

function marked(text: string, standing: string): string {
  if (standing === 'chosen') return `**${text}**`;
  return standing === 'refused' ? `~~${text}~~` : text;
}

/** Rows of the table; points.csv has all. */
const ROWS_SHOWN = 100;

function pointsTable(study: DesignedStudy): string[] {
  const { constraints, points, objectives } = study;
  const figures = figuresOf(study);
  const dimensions = tellingDimensions(study);
  const isJudged = constraints.length > 0 || objectives.length > 0;
  const heads = [
    'Point',
    ...dimensions.map(({ parameter }) => gently(parameter.name)),
    ...(isJudged ? ['Verdict'] : []),
    'Seeds',
    ...figures.map((name) => gently(labelOf(name))),
    ...constraints.map(code),
  ];
  const aligned = [
    'r',
    ...dimensions.map(({ isNumeric }) => (isNumeric ? 'r' : 'l')),
    ...(isJudged ? ['l'] : []),
    'r',
    ...figures.map(() => 'r'),
    ...constraints.map(() => 'l'),
  ].join('');
  const rows = points
    .slice(0, ROWS_SHOWN)
    .map((point) => [
      String(point.point),
      ...dimensions.map((dimension) => gently(levelAt(point, dimension).label)),
      ...(isJudged ? [verdictText(study, point)] : []),
      seedsText(point),
      ...figures.map((name) => meanCell(point, name)),
      ...constraintCells(study, point),
    ]);
  const more = points.length - rows.length;
  return [
    table(heads, aligned, rows),
    more > 0 ? `${counted(more, 'more point')} in points.csv.` : '',
  ];
}

function seedsText({ runs, faults }: StudyPoint): string {
  return faults === 0 ? count(runs) : `${count(runs - faults)}, ${count(faults)} broke`;
}

function verdictText(study: DesignedStudy, point: StudyPoint): string {
  const standing = standingOf(study, point);
  return standing === 'chosen' ? '**recommended**' : STANDING_WORDS[standing];
}

function meanCell(point: StudyPoint, name: string): string {
  const figure = figureAt(point, name);
  if (figure === undefined || figure.mean === null) return NOTHING;
  const { mean, meanInterval, unit } = figure;
  const ends = meanInterval?.map((end) => figureWords(end, unit)).join(' … ');
  return `${figureWords(mean, unit)}${ends === undefined ? '' : ` (${ends})`}`;
}

function constraintCells(study: DesignedStudy, point: StudyPoint): string[] {
  const verdicts = constraintsAt(study, point);
  return study.constraints.map((_, at) => {
    const verdict = verdicts[at];
    if (verdict === undefined) return NOTHING;
    const { holds, held, seeds, shareInterval } = verdict;
    const ends = shareInterval?.map((share) => percent(share)).join(' … ');
    const all = ends === undefined ? '' : ` (${ends})`;
    return `${holds ? '✓' : '✗'} holds in ${count(held)} of ${count(seeds)}${all}`;
  });
}

/** The recommended point’s command, or that of the first one as an example. */
function alone(study: DesignedStudy): string[] {
  const { choice, points } = study;
  const shown = (choice === null ? undefined : pointOf(study, choice.point)) ?? points[0];
  if (shown === undefined) return [];
  const fence = fenceFor(shown.command, 3);
  return [
    `Point ${shown.point} alone, with its first seed, from the folder of the study file:`,
    `${fence}sh\n${shown.command}\n${fence}`,
  ];
}

function grounds({ manifest, digest, plan, runs, scenario }: DesignedStudy): string {
  return [
    `Scenario ${code(scenario)}`,
    counted(runs, 'run'),
    `root seed ${code(manifest.seed)}`,
    `plan ${code(plan)}`,
    `digest ${code(digest)}`,
    `Fleetwave ${gently(VERSION)}`,
  ].join(' · ');
}
