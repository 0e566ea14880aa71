/** The end of a study over many points on a terminal: a row a point, and which one to take. */
import Table from 'cli-table3';
import type { DesignedStudy, StudyPoint } from '../../core/result/designed-study.ts';
import { isEstablished, unsureVerdicts } from '../../reports/study/report/established.ts';
import { spreadText } from '../../reports/study/spread-text.ts';
import { counted, duration, NOTHING } from '../../reports/text/format.ts';
import type { Painter } from './colour.ts';

interface Took {
  readonly runs: number;
  readonly seconds: number;
  /** None: earlier runs are summarised again. */
  readonly threads: number;
}

/** Most points shown; points.csv has all of them. */
const POINTS_SHOWN = 40;

/** Ends in a line feed. */
export function designedSummary(
  study: DesignedStudy,
  took: Took,
  files: readonly string[],
  paint: Painter,
): string {
  const { points, warnings, digest } = study;
  const shown = shownOf(study);
  const hidden = points.length - shown.length;
  const blocks = [
    paint.heading(headline(study, took)),
    tableOf(study, shown, paint),
    ...(hidden > 0 ? [`${counted(hidden, 'point')} more in points.csv.`] : []),
    ...warnings.map((warning) => paint.warning(`Warning: ${warning}`)),
    ...choiceSentences(study, paint),
    `Digest of all runs ${digest}`,
    `Results: ${files.join(', ')}`,
  ];
  return `${blocks.join('\n')}\n`;
}

function headline({ study, points, runs, complete, runsAsked }: DesignedStudy, took: Took): string {
  const partial = complete ? '' : ` PARTIAL: ${runsAsked} were asked for.`;
  const of = `${counted(points.length, 'point')}, ${counted(runs, 'run')}`;
  if (took.threads === 0) return `${study}: ${of}, none of them now.${partial}`;
  const on = counted(took.threads, 'thread');
  const now = took.runs === runs ? '' : ` (${took.runs} of them now)`;
  return `${study}: ${of}${now} on ${on} in ${duration(took.seconds)}.${partial}`;
}

/** The best are shown where there is not room for all. */
function shownOf({ points, choice }: DesignedStudy): readonly StudyPoint[] {
  if (points.length <= POINTS_SHOWN) return points;
  const first = points.filter((each) => each.point === choice?.point || each.onFront);
  const rest = points.filter((each) => !first.includes(each));
  const stored = [...first, ...rest].slice(0, POINTS_SHOWN);
  return stored.sort((a, b) => a.point - b.point);
}

/** Figures shown for a study that names none. */
const USUAL = ['messagesDelivered', 'campaign.updated', 'received'];

export function reportedFigures({ figures, objectives, points }: DesignedStudy): readonly string[] {
  const named = [...new Set([...figures, ...objectives.map(({ figure }) => figure)])];
  if (named.length > 0) return named;
  return USUAL.filter((name) =>
    points.some((point) => point.figures.some((each) => each.name === name && each.measured > 0)),
  );
}

function tableOf(study: DesignedStudy, shown: readonly StudyPoint[], paint: Painter): string {
  const { parameters, constraints, choice } = study;
  const figures = reportedFigures(study);
  const heads = ['', '#', ...parameters.map(({ name }) => name), 'Runs', ...figures];
  const table = new Table({
    head: [...heads, ...(constraints.length > 0 ? ['Allowed'] : [])].map((head) =>
      paint.heading(head),
    ),
    style: { head: [], border: [], compact: true },
    colAligns: heads.map((_, at) => (at > 0 ? 'right' : 'left')),
  });
  const arrow = isEstablished(study) ? paint.good('→') : '→';
  for (const point of shown) {
    const mark = point.point === choice?.point ? arrow : point.onFront ? '·' : '';
    const allowed = point.allowed ? paint.good('✓') : paint.bad(`✗ ${failedOf(study, point)}`);
    table.push([
      mark,
      String(point.point),
      ...point.levels.map(({ label }) => label),
      String(point.runs),
      ...figures.map((name) => figureCell(point, name)),
      ...(constraints.length > 0 ? [allowed] : []),
    ]);
  }
  return table.toString();
}

/** `98.2 % ± 0.4 %`. */
export function figureCell({ figures }: StudyPoint, name: string): string {
  const figure = figures.find((each) => each.name === name);
  if (figure === undefined || figure.mean === null) return NOTHING;
  const mean = spreadText(figure.mean, figure.unit);
  if (figure.meanInterval === null) return mean;
  const [low, high] = figure.meanInterval;
  return low === high ? mean : `${mean} ± ${spreadText((high - low) / 2, figure.unit)}`;
}

/** The first constraint that does not hold, and in how many seeds it does. */
function failedOf({ constraints }: DesignedStudy, { verdicts }: StudyPoint): string {
  const failed = verdicts.slice(verdicts.length - constraints.length).find(({ holds }) => !holds);
  return failed === undefined ? '' : `in ${failed.held} of ${failed.seeds}`;
}

function choiceSentences(study: DesignedStudy, paint: Painter): string[] {
  const { choice, points, objectives, constraints, parameters } = study;
  const allowed = points.filter((point) => point.allowed).length;
  if (constraints.length > 0 && allowed === 0) {
    return [paint.bad('No point meets all constraints in enough seeds.')];
  }
  const [objective] = objectives;
  if (objective === undefined) return [];
  if (choice === null) {
    return [paint.bad(`No allowed point has a value of ${objective.figure}, so none is best.`)];
  }
  const named = (number: number) => {
    const { levels } = points[number - 1]!;
    const words = levels.map(({ label }, i) => `${parameters[i]!.name} ${label}`);
    return `point ${number} (${words.join(', ')})`;
  };
  const report = (number: number) => figureCell(points[number - 1]!, objective.figure);
  const isSure = isEstablished(study);
  const painted = (sentence: string) => (isSure ? paint.good(sentence) : sentence);
  const head = isSure ? 'Best' : 'Best so far';
  const best = `${head}: ${named(choice.point)}, ${objective.figure} ${report(choice.point)}`;
  const unsure = unsureVerdicts(study, points[choice.point - 1]!).length > 0;
  const end = `${unsure ? FEW_SEEDS : ''}.`;
  if (choice.runnerUp === null) return [painted(`${best}; no other point is allowed${end}`)];
  const { margin } = choice;
  const next = `next ${named(choice.runnerUp)}, ${report(choice.runnerUp)}`;
  return [painted(`${best}; ${next}${chanceOf(margin?.interval ?? null)}${end}`)];
}

const FEW_SEEDS = '; these seeds do not establish that it meets every constraint: more tell';

/** What more seeds would tell of a difference, by its interval. */
function chanceOf(interval: readonly [number, number] | null): string {
  if (interval === null) return '';
  const [low, high] = interval;
  if (low === 0 && high === 0) return '; the same in every seed';
  return low <= 0 && high >= 0 ? '; the difference may be chance: more seeds tell' : '';
}
