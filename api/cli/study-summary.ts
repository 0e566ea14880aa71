/** The end of a study on a terminal: one table of all figures, and of what was expected. */
import Table from 'cli-table3';
import type { HostResult } from '../../core/result/result.ts';
import type {
  FigureSpread,
  FigureUnit,
  Spread,
  StudyResult,
  StudyVerdict,
} from '../../core/result/study.ts';
import { spreadText } from '../../reports/study/spread-text.ts';
import { counted, duration, NOTHING, percent } from '../../reports/text/format.ts';
import type { Painter } from './colour.ts';

export interface StudyHost extends HostResult {
  readonly workers: number;
}

/** Ends in a line feed. */
export function studySummary(
  result: StudyResult,
  host: StudyHost,
  files: readonly string[],
  paint: Painter,
): string {
  const { shown, sentences } = figuresShown(result.figures);
  const blocks = [
    paint.heading(headline(result, host)),
    tableOf(result, shown, paint),
    ...sentences,
    ...result.warnings.map((warning) => paint.warning(`Warning: ${warning}`)),
    verdictSentence(result, paint),
    ...seedsSentence(result),
    `Results: ${files.join(', ')}`,
  ];
  return `${blocks.join('\n')}\n`;
}

function headline({ scenario, rows, seeds, complete }: StudyResult, host: StudyHost): string {
  const on = counted(host.workers, 'thread');
  const took = `${counted(rows.length, 'seed')} on ${on} in ${duration(host.wallSeconds)}`;
  return `${scenario}: ${took}.${complete ? '' : ` PARTIAL: ${seeds} were asked for.`}`;
}

/** Figures that never were anything else but 0 say little, and there are many of them. */
function figuresShown(figures: readonly FigureSpread[]) {
  const isZero = ({ measured, greatest }: FigureSpread) => measured > 0 && greatest === 0;
  const zeros = figures.filter(isZero).length;
  const never = figures.filter(({ measured }) => measured === 0).length;
  const sentences = [
    ...(zeros > 0 ? [`${counted(zeros, 'figure')} of 0 in every seed`] : []),
    ...(never > 0 ? [`${counted(never, 'figure')} of nothing that happened`] : []),
  ];
  const shown = figures.filter((figure) => figure.measured > 0 && !isZero(figure));
  const rest = sentences.length === 0 ? [] : [`Not in the table: ${sentences.join(', ')}.`];
  return { shown, sentences: rest };
}

function tableOf(result: StudyResult, shown: readonly FigureSpread[], paint: Painter): string {
  const heads = ['Over seeds', 'Mean', '95 % interval', 'Deviation', 'Least … greatest'];
  const table = new Table({
    head: heads.map((head) => paint.heading(head)),
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  });
  const all = result.rows.length;
  for (const figure of shown) {
    const { name, unit, measured } = figure;
    const label = measured < all ? `${name}, in ${measured} of ${all}` : name;
    table.push([label, ...cellsOf(figure, unit)]);
  }
  for (const verdict of result.expectations) {
    const mark = verdict.holds ? paint.good('✓') : paint.bad('✗');
    const label = `${mark} ${verdict.expectation}\n  ${heldIn(verdict)}`;
    table.push([label, ...cellsOf(verdict.actual, verdict.unit)]);
  }
  return table.toString();
}

/** `in 19 of 20 seeds (of all seeds 76.4 % … 99.1 %)`. */
function heldIn({ held, seeds, shareInterval }: StudyVerdict): string {
  const counts = `in ${held} of ${counted(seeds, 'seed')}`;
  if (shareInterval === null) return counts;
  const [low, high] = shareInterval;
  return `${counts} (of all seeds ${percent(low)} … ${percent(high)})`;
}

function cellsOf(spread: Spread, unit: FigureUnit | null): string[] {
  const { mean, meanInterval, standardDeviation, least, greatest, measured } = spread;
  const text = (value: number | null) => spreadText(value, unit);
  if (measured > 1 && least === greatest) return [text(mean), 'the same in each', '', ''];
  const [low, high] = meanInterval ?? [null, null];
  return [
    text(mean),
    low === null ? NOTHING : `${text(low)} … ${text(high)}`,
    text(standardDeviation),
    `${text(least)} … ${text(greatest)}`,
  ];
}

function verdictSentence(
  { expectations, rows }: StudyResult,
  { good, bad, heading }: Painter,
): string {
  const all = expectations.length;
  const failed = expectations.filter(({ holds }) => !holds).length;
  if (rows.length === 0) return heading('No seed came to its end.');
  if (all === 0) return heading('The scenario states no expectations.');
  if (failed > 0) {
    const verb = failed === 1 ? 'holds' : 'hold';
    return bad(`${failed} of ${counted(all, 'expectation')} ${verb} in too few seeds.`);
  }
  return good(
    all === 1 ? 'The expectation holds in enough seeds.' : `All ${all} hold in enough seeds.`,
  );
}

/** The first ones, as `--seed` takes them. */
const SEEDS_NAMED = 3;

function seedsSentence({ rows, digest }: StudyResult): string[] {
  if (rows.length === 0) return [];
  const named = rows.slice(0, SEEDS_NAMED).map(({ seed }) => seed);
  const more = rows.length > SEEDS_NAMED ? ` … ${rows.at(-1)?.seed}` : '';
  const noun = rows.length === 1 ? 'Seed' : 'Seeds';
  return [`${noun} ${named.join(', ')}${more}; digest of all ${digest}`];
}
