/** `fleetwave diff`: two results side by side, or two studies paired by seed. */
import { writeFileSync } from 'node:fs';
import type { SeedRow } from '../../core/result/study.ts';
import {
  type DifferencePage,
  differenceHtml,
  differenceMarkdown,
  seedsForTwoPercent,
  seedsToDecide,
} from '../../reports/study/difference-report.ts';
import {
  figureDifferences,
  firstSlice,
  madeOtherwise,
  studyDifference,
} from '../../reports/study/differences.ts';
import { isFault, isResult } from '../../reports/study/rows.ts';
import { VERSION } from '../../reports/version.ts';
import {
  type DiffInput,
  type RunInput,
  readDiffInput,
  type StudyInput,
} from '../host/files/diff-inputs.ts';
import { firstDifference } from '../host/files/line-diff.ts';
import { painterOf } from './colour.ts';
import {
  type RunsDiffer,
  runsPage,
  runsText,
  type StudiesDiffer,
  studiesPage,
  studiesText,
} from './diff-text.ts';
import { ExitCode, InputError, writing } from './exit.ts';

export interface DiffOptions {
  readonly a: string;
  readonly b: string;
  readonly json?: boolean | undefined;
  /** Files that the same is written to as a page. */
  readonly html?: string | undefined;
  readonly markdown?: string | undefined;
}

export async function diff(options: DiffOptions): Promise<ExitCode> {
  const { a, b, json = false } = options;
  const read = [readDiffInput(a), readDiffInput(b)];
  const faults = read.flatMap((each) => ('faults' in each ? each.faults : []));
  if (faults.length > 0) throw new InputError(faults);
  const [first, second] = read as [DiffInput, DiffInput];
  if (first.kind === 'run' && second.kind === 'run') {
    const found = ofRuns(first, second);
    writePages(options, runsPage(found));
    return report(found, () => runsText(found, painterOf(process.stdout)), found.isSame, json);
  }
  if (first.kind === 'study' && second.kind === 'study') {
    const found = ofStudies(first, second);
    writePages(options, studiesPage(found));
    return report(found, () => studiesText(found, painterOf(process.stdout)), found.isSame, json);
  }
  const one = first.kind === 'run' ? first : second;
  throw new InputError([
    `fleetwave diff: ${one.path} is of one seed, and the other of several; ` +
      'allowed: two results of runs, or two of studies',
  ]);
}

/** Nothing is written where a path is not right. */
function writePages({ html, markdown }: DiffOptions, page: DifferencePage): void {
  const empty = Object.entries({ html, markdown }).filter(([, path]) => path === '');
  if (empty.length > 0) {
    throw new InputError(
      empty.map(([name]) => `fleetwave diff: --${name} is empty; allowed: a path`),
    );
  }
  const write = (path: string, text: string) => writing(path, () => writeFileSync(path, text));
  if (html !== undefined) write(html, differenceHtml(page, VERSION));
  if (markdown !== undefined) write(markdown, differenceMarkdown(page, VERSION));
}

/** As JSON has it: each figure of studies with the seeds that would decide it. */
const documentOf = (found: RunsDiffer | StudiesDiffer): object =>
  'pairs' in found
    ? {
        ...found,
        figures: found.figures.map((figure) => {
          return {
            ...figure,
            seedsForTwoPercent: seedsForTwoPercent(figure) ?? null,
            seedsToDecide: seedsToDecide(figure, found.figures.length) ?? null,
          };
        }),
      }
    : found;

function report(
  found: RunsDiffer | StudiesDiffer,
  text: () => string,
  isSame: boolean,
  json: boolean,
): ExitCode {
  process.stdout.write(json ? `${JSON.stringify(documentOf(found))}\n` : text());
  return isSame ? ExitCode.good : ExitCode.expectationFails;
}

function ofRuns(a: RunInput, b: RunInput): RunsDiffer {
  const otherwise = madeOtherwise(a.run.manifest, b.run.manifest);
  const figures = figureDifferences(a.figures, b.figures);
  const isSame = a.run.digest === b.run.digest && figures.length === 0;
  const traced = a.trace !== undefined && b.trace !== undefined && !isSame;
  return {
    a: headOf(a.path, a.run),
    b: headOf(b.path, b.run),
    isSame,
    madeOtherwise: otherwise,
    figures,
    figuresSame: Object.keys(a.figures).length - figures.length,
    firstSlice: isSame ? null : (firstSlice(a.result, b.result) ?? null),
    firstEvent: (traced ? firstDifference(a.trace, b.trace) : undefined) ?? null,
    isTraced: traced,
  };
}

const headOf = (
  path: string,
  { version, digest, manifest }: { version: string; digest: string; manifest: { seed: string } },
) => ({ path, version, digest, seed: manifest.seed });

/** As many seeds as are named whose worlds should be equal, and are not. */
const UNEQUAL_NAMED = 3;

export function ofStudies(a: StudyInput, b: StudyInput): StudiesDiffer {
  const { seeds, same, figures } = studyDifference(a.study.rows, b.study.rows);
  const both = seedsOfBoth(a, b);
  if (both.length === 0) {
    throw new InputError([
      `fleetwave diff: ${a.path} and ${b.path} have no seed in common; ` +
        'allowed: studies with the same --seeds',
    ]);
  }
  const { seed: _, ...ofA } = a.study.manifest;
  const { seed: __, ...ofB } = b.study.manifest;
  const otherwise = madeOtherwise({ ...ofA, seed: '' }, { ...ofB, seed: '' });
  const unequal = otherwise.length === 0 ? unequalSeeds(a, b) : [];
  const broken = both.filter(({ inA, inB }) => inA !== inB);
  const differ = figures.some(({ isBeyondChance }) => isBeyondChance);
  return {
    a: { ...headOf(a.path, a.study), seeds: a.study.rows.length },
    b: { ...headOf(b.path, b.study), seeds: b.study.rows.length },
    isSame: !differ && unequal.length === 0 && broken.length === 0,
    madeOtherwise: otherwise,
    pairs: seeds.length,
    pairsSame: same,
    alone: a.study.rows.length + b.study.rows.length - 2 * both.length,
    figures,
    broken,
    unequal: unequal.slice(0, UNEQUAL_NAMED),
  };
}

/** Seeds that both studies have, and what broke in each. */
function seedsOfBoth(a: StudyInput, b: StudyInput): StudiesDiffer['broken'] {
  const errorOf = (row: SeedRow) => (isFault(row) ? row.error : null);
  const ofB = new Map(b.study.rows.map((row) => [row.seed, row]));
  return a.study.rows.flatMap((row) => {
    const other = ofB.get(row.seed);
    return other === undefined ? [] : [{ seed: row.seed, inA: errorOf(row), inB: errorOf(other) }];
  });
}

/** Of worlds that should be equal: which seeds are not, and by which figure first. */
function unequalSeeds(a: StudyInput, b: StudyInput): StudiesDiffer['unequal'] {
  const ofB = new Map(b.study.rows.filter(isResult).map((row) => [row.seed, row]));
  return a.study.rows.filter(isResult).flatMap((row) => {
    const other = ofB.get(row.seed);
    if (other === undefined || other.digest === row.digest) return [];
    return [{ seed: row.seed, figure: figureDifferences(row.figures, other.figures)[0] ?? null }];
  });
}
