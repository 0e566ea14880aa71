/** What `fleetwave diff` says on a terminal. */
import Table from 'cli-table3';
import {
  type DifferencePage,
  seedsForTwoPercent,
  seedsText,
  seedsToDecide,
} from '../../reports/study/difference-report.ts';
import type {
  FigureDifference,
  PairedFigure,
  SeriesDifference,
} from '../../reports/study/differences.ts';
import { spreadText } from '../../reports/study/spread-text.ts';
import { counted, duration, NOTHING } from '../../reports/text/format.ts';
import type { LineDifference } from '../host/files/line-diff.ts';
import { type Painter, PLAIN } from './colour.ts';

interface Head {
  readonly path: string;
  readonly version: string;
  readonly digest: string;
  readonly seed: string;
}

/** Of two runs. */
export interface RunsDiffer {
  readonly a: Head;
  readonly b: Head;
  readonly isSame: boolean;
  /** What they were made of that is not the same; empty: they should be equal. */
  readonly madeOtherwise: readonly string[];
  readonly figures: readonly FigureDifference[];
  readonly figuresSame: number;
  readonly firstSlice: SeriesDifference | null;
  /** Where their traces begin to differ. */
  readonly firstEvent: LineDifference | null;
  /** Whether there are two traces. */
  readonly isTraced: boolean;
}

/** Of two studies. */
export interface StudiesDiffer {
  readonly a: Head & { readonly seeds: number };
  readonly b: Head & { readonly seeds: number };
  readonly isSame: boolean;
  readonly madeOtherwise: readonly string[];
  readonly pairs: number;
  /** Pairs whose worlds are the same. */
  readonly pairsSame: number;
  /** Results of seeds that the other study does not have. */
  readonly alone: number;
  readonly figures: readonly PairedFigure[];
  /** Seeds of both whose worlds broke in one of them, or by something else; null: in none. */
  readonly broken: readonly {
    readonly seed: string;
    readonly inA: string | null;
    readonly inB: string | null;
  }[];
  /** Of worlds that should be equal: some that are not. */
  readonly unequal: readonly { readonly seed: string; readonly figure: FigureDifference | null }[];
}

/** Ends in a line feed. */
export function runsText(found: RunsDiffer, paint: Painter): string {
  const { a, b, isSame, figures } = found;
  const lines = [...headLines(a, b), ...versionLines(a, b), originLine(found.madeOtherwise, paint)];
  if (isSame) return ended([...lines, paint.good(`The worlds are the same: digest ${a.digest}.`)]);
  if (figures.length > 0) lines.push(runTable(figures, paint));
  lines.push(
    ...(figures.length === 0 ? [] : [ONE_SEED]),
    figures.length === 0
      ? 'All figures are the same, and the digests are not: the worlds differ in single events.'
      : `The same: ${counted(found.figuresSame, 'figure')} more.`,
    ...sliceLines(found.firstSlice),
    ...eventLines(found),
  );
  return ended(lines);
}

/** Of one seed nobody knows what is chance. */
const ONE_SEED =
  'One seed each says nothing of chance: run both with --seeds 20, and compare the studies.';

/** The same as a page for HTML and Markdown. */
export function runsPage(found: RunsDiffer): DifferencePage {
  const { a, b, figures } = found;
  const before = [
    ...headLines(a, b),
    ...versionLines(a, b),
    originLine(found.madeOtherwise, PLAIN),
  ];
  const same = found.isSame ? [`The worlds are the same: digest ${a.digest}.`] : [];
  const rest = found.isSame
    ? []
    : [...sliceLines(found.firstSlice), ...eventLines(found), ONE_SEED];
  return { before: [...before, ...same], after: rest, figures: { of: 'runs', rows: figures } };
}

export function studiesPage(found: StudiesDiffer): DifferencePage {
  const { a, b, figures } = found;
  const before = [
    ...headLines(a, b),
    ...versionLines(a, b),
    originLine(found.madeOtherwise, PLAIN),
    ...pairLines(found),
  ];
  const after = figures.length === 0 ? [] : beyondLines(found, PLAIN);
  return { before, after, figures: { of: 'studies', rows: figures } };
}

/** What a branch has otherwise than the run that it left. */
export function branchText(
  run: string,
  folder: string,
  figures: readonly FigureDifference[],
  slice: SeriesDifference | null,
  paint: Painter,
): string {
  if (figures.length === 0) return ended([`No figure differs from ${run}.`]);
  const head = [`A: ${run}, the run`, `B: ${folder}, the branch`];
  return ended([...head, runTable(figures, paint), ...sliceLines(slice)]);
}

const ended = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

const headLines = (a: Head, b: Head): string[] => [
  `A: ${a.path}, seed ${a.seed}, digest ${a.digest}`,
  `B: ${b.path}, seed ${b.seed}, digest ${b.digest}`,
];

/** Another version may have another world. */
const versionLines = (a: Head, b: Head): string[] =>
  a.version === b.version ? [] : [`A is of Fleetwave ${a.version}, B of ${b.version}.`];

function originLine(otherwise: readonly string[], { warning }: Painter): string {
  return otherwise.length === 0
    ? warning('Both are made of the same: their worlds should be equal.')
    : `They differ by ${otherwise.join(', ')}.`;
}

function runTable(figures: readonly FigureDifference[], paint: Painter): string {
  const table = tableOf(paint, ['Figure', 'A', 'B', 'B − A']);
  for (const { name, unit, a, b } of figures) {
    const text = (value: number | null) => spreadText(value, unit);
    const more = a === null || b === null ? NOTHING : signed(b - a, text);
    table.push([name, text(a), text(b), more]);
  }
  return table.toString();
}

const tableOf = ({ heading }: Painter, heads: readonly string[]): Table.Table =>
  new Table({
    head: heads.map((head) => heading(head)),
    style: { head: [], border: [], compact: true },
    colAligns: heads.map((_, at) => (at === 0 ? 'left' : 'right')),
  });

const signed = (value: number, text: (value: number) => string): string =>
  value > 0 ? `+${text(value)}` : text(value);

function sliceLines(slice: SeriesDifference | null): string[] {
  if (slice === null) return [];
  const { fromSeconds, untilSeconds, series } = slice;
  const from = fromSeconds === 0 ? 'the start' : duration(fromSeconds);
  return [`First by time: between ${from} and ${duration(untilSeconds)} (${series.join(', ')}).`];
}

function eventLines({ firstEvent, isTraced }: RunsDiffer): string[] {
  if (!isTraced) {
    return ['With --trace both runs write a trace, and diff reports the first event that differs.'];
  }
  if (firstEvent === null) return ['Their traces are the same.'];
  const { line, a, b } = firstEvent;
  const head = `First event that differs, line ${line} of the traces`;
  const keys = keysThatDiffer(a, b);
  if (keys === undefined) return [`${head}:`, `A ${rowText(a)}`, `B ${rowText(b)}`];
  const { kind, atUs, others } = keys;
  return [`${head}: ${kind} at ${duration(atUs / 1e6)}, by`, ...others];
}

/** As much of a row as a terminal has room for, and as many of its keys. */
const ROW_LETTERS = 160;
const KEYS_NAMED = 5;

function rowText(row: string | undefined): string {
  if (row === undefined) return 'has ended';
  return row.length > ROW_LETTERS ? `${row.slice(0, ROW_LETTERS)}…` : row;
}

/** Of two rows of one kind and instant; undefined: they are not. */
function keysThatDiffer(a: string | undefined, b: string | undefined) {
  const [rowA, rowB] = [fieldsOf(a), fieldsOf(b)];
  const { kind, atUs } = rowA;
  if (kind !== rowB.kind || atUs !== rowB.atUs || typeof atUs !== 'number') return undefined;
  const names = [...new Set([...Object.keys(rowA), ...Object.keys(rowB)])];
  const written = (value: unknown) => rowText(JSON.stringify(value) ?? 'nothing');
  const others = names
    .map((name) => [name, written(rowA[name]), written(rowB[name])] as const)
    .filter(([, inA, inB]) => inA !== inB)
    .slice(0, KEYS_NAMED)
    .map(([name, inA, inB]) => `  ${name}: ${inA} in A, ${inB} in B`);
  return others.length === 0 ? undefined : { kind: String(kind), atUs, others };
}

/** Nothing of a line that is no row of a trace, such as the last one of a run that was killed. */
function fieldsOf(line: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** Ends in a line feed. */
export function studiesText(found: StudiesDiffer, paint: Painter): string {
  const { a, b, pairs, pairsSame, figures } = found;
  const lines = [
    ...headLines(a, b),
    ...versionLines(a, b),
    originLine(found.madeOtherwise, paint),
    ...pairLines(found),
  ];
  if (figures.length > 0) lines.push(studyTable(figures, paint));
  if (pairs !== pairsSame) lines.push(...beyondLines(found, paint));
  else if (pairs > 0) lines.push(paint.good('All worlds of the pairs are the same.'));
  for (const { seed, inA, inB } of found.broken) {
    const broke = [...(inA === null ? [] : [`A: ${inA}`]), ...(inB === null ? [] : [`B: ${inB}`])];
    lines.push(paint.bad(`The world of seed ${seed} broke in ${broke.join('; in ')}`));
  }
  for (const { seed, figure } of found.unequal) {
    const by = figure === null ? 'in single events' : `in ${figure.name} first`;
    lines.push(paint.bad(`The world of seed ${seed} should be the same, and differs ${by}.`));
  }
  return ended(lines);
}

/** A mean of fewer has no interval. */
const PAIRS_LEAST = 2;

function pairLines({ pairs, pairsSame, alone }: StudiesDiffer): string[] {
  const rest = alone === 0 ? '' : `; ${counted(alone, 'result')} without the other`;
  const few = pairs < PAIRS_LEAST ? ['One pair says nothing of chance: run more seeds.'] : [];
  return [`${counted(pairs, 'pair')} by seed, ${pairsSame} of them the same world${rest}.`, ...few];
}

function studyTable(figures: readonly PairedFigure[], paint: Painter): string {
  const counts = ['Seeds to decide', 'Seeds for ±2 %'];
  const heads = ['Means over pairs', 'A', 'B', 'B − A', '95 % interval', '', ...counts];
  const table = tableOf(paint, heads);
  for (const figure of figures) {
    const { name, unit, a, b, mean, interval, isBeyondChance } = figure;
    const text = (value: number) => spreadText(value, unit);
    const more = (value: number) => signed(value, text);
    const around =
      interval === undefined ? NOTHING : `${more(interval.low)} … ${more(interval.high)}`;
    const verdict = isBeyondChance ? paint.heading('differs') : 'may be chance';
    const seeds = [seedsToDecide(figure, figures.length), seedsForTwoPercent(figure)];
    const texts = seeds.map((each) => seedsText(figure, each));
    table.push([name, text(a), text(b), more(mean), around, verdict, ...texts]);
  }
  return table.toString();
}

/** What the columns of seeds say. */
const SEEDS_LINES = [
  'Seeds to decide: how many in all put such a difference beyond chance, all figures together.',
  'Seeds for ±2 %: how many in all make the interval that narrow, 2 points of a share or 2 % of A.',
];

export function beyondLines(
  { figures }: Pick<StudiesDiffer, 'figures'>,
  { heading }: Painter,
): string[] {
  const beyond = figures.filter(({ isBeyondChance }) => isBeyondChance).map(({ name }) => name);
  if (beyond.length === 0) return [...SEEDS_LINES, heading('No figure differs beyond chance.')];
  const verb = beyond.length === 1 ? 'differs' : 'differ';
  return [
    ...SEEDS_LINES,
    heading(`${counted(beyond.length, 'figure')} ${verb} beyond chance: ${beyond.join(', ')}.`),
  ];
}
