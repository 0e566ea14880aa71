/**
 * What continuous integration reads of a run, a study or a command: each expectation with what was
 * measured, what was wanted, the seed and the command that repeats it.
 */
import type { DesignedStudy, StudyPoint } from '../../core/result/designed-study.ts';
import type { ExpectationResult, RunResult } from '../../core/result/result.ts';
import type { SeedRow, StudyResult, StudyVerdict } from '../../core/result/study.ts';
import { figureFinder } from '../figures/verdict.ts';
import { shellWord } from '../stories/run/reproduction.ts';
import { spreadText } from '../study/spread-text.ts';
import { actual } from '../text/format.ts';

export interface Check {
  readonly name: string;
  readonly actual: string;
  readonly wanted: string;
  /** broken: what should have been judged came to no result; skipped: it decides nothing. */
  readonly state: 'holds' | 'fails' | 'broken' | 'skipped';
  readonly seed: string;
  /** One line for a POSIX shell. */
  readonly command: string;
}

export interface CheckReport {
  /** The scenario, the study or the command. */
  readonly suite: string;
  readonly checks: readonly Check[];
  /** Seconds that it took. */
  readonly seconds: number;
  /** What holds of all, such as the digest and the version. */
  readonly properties: Readonly<Record<string, string>>;
}

/** What stands behind the figure: `>= 99 %`. */
const wantedOf = (expectation: string): string =>
  /(?:[<>=≥≤]|\bwithin\b).*$/s.exec(expectation)?.[0].trim() ?? expectation;

/** The same with the share of seeds in which it has to hold, which it may say itself. */
const wantedOfSeeds = ({ expectation, needed }: StudyVerdict): string =>
  `${wantedOf(expectation.replace(OF_SEEDS, ''))} in ${percentOf(needed)} of seeds`;

const OF_SEEDS = /\s+in\s+\S[^<>=]*\s+of\s+seeds\s*$/;

/** Of one world; `command` repeats it. */
export function checksOfRun(
  result: RunResult,
  expectations: readonly ExpectationResult[],
  command: string,
): readonly Check[] {
  const figureOf = figureFinder(result);
  return expectations.map((one) => ({
    name: one.expectation,
    actual: actual(one.actual, figureOf(one)?.unit),
    wanted: wantedOf(one.expectation),
    state: one.holds ? 'holds' : 'fails',
    seed: result.seed,
    command,
  }));
}

/** A world that came to no end, or to a fault of Fleetwave’s own. */
export const brokenCheck = (name: string, why: string, seed: string, command: string): Check => ({
  name,
  actual: why,
  wanted: 'a result',
  state: 'broken',
  seed,
  command,
});

const isBroken = (row: SeedRow): row is Extract<SeedRow, { error: string }> => 'error' in row;

/** Of many seeds: an expectation names the first seed in which it fails, to be repeated. */
export function checksOfSeeds(
  { rows, expectations }: StudyResult,
  commandOf: (seed: string) => string,
): readonly Check[] {
  const judged = expectations.map((verdict, at): Check => {
    const failing = rows.flatMap((row) =>
      isBroken(row) || row.expectations[at]?.holds !== true ? [row.seed] : [],
    );
    const seed = failing[0] ?? rows[0]?.seed ?? '';
    const { expectation, holds } = verdict;
    return {
      name: expectation,
      actual: spreadOf(verdict),
      wanted: wantedOfSeeds(verdict),
      state: holds ? 'holds' : 'fails',
      seed,
      command: commandOf(seed),
    };
  });
  const broken = rows
    .filter(isBroken)
    .map(({ seed, error }) => brokenCheck(`seed ${seed}`, error, seed, commandOf(seed)));
  return [...judged, ...broken];
}

function spreadOf({ actual: { mean, least, greatest }, unit, held, seeds }: StudyVerdict): string {
  const [low, middle, high] = [least, mean, greatest].map((value) => spreadText(value, unit));
  return `holds in ${held} of ${seeds} seeds; ${low} to ${high}, mean ${middle}`;
}

const percentOf = (share: number): string => `${Number((100 * share).toPrecision(6))} %`;

/**
 * Of many points: what a point is judged by decides only where no point is allowed, as the exit
 * code of the study does; else a point that is not allowed is skipped.
 */
export function checksOfStudy(study: DesignedStudy): readonly Check[] {
  const { points, constraints, parameters } = study;
  const isOpen = constraints.length === 0 || points.some(({ allowed }) => allowed);
  return points.flatMap((point) => {
    const levels = point.levels.map(({ label }, at) => `${parameters[at]?.name ?? ''} ${label}`);
    const at = `point ${point.point} (${levels.join(', ')})`;
    const judged = point.verdicts.map((verdict): Check => {
      const fails = isOpen ? 'skipped' : 'fails';
      return {
        name: `${at}: ${verdict.expectation}`,
        actual: spreadOf(verdict),
        wanted: wantedOfSeeds(verdict),
        state: verdict.holds ? 'holds' : fails,
        ...repeated(point),
      };
    });
    if (point.faults === 0) return judged;
    const { seed, command } = repeated(point);
    return [...judged, brokenCheck(at, `${point.faults} worlds broke`, seed, command)];
  });
}

/** The first seed of a point. */
function repeated({ command }: StudyPoint): { readonly seed: string; readonly command: string } {
  const [, quoted, plain] = /--seed[= ](?:'([^']*)'|(\S+))/.exec(command) ?? [];
  return { seed: quoted ?? plain ?? '', command };
}

/** A command of Fleetwave on one line of a POSIX shell. */
export const commandLine = (words: readonly string[]): string =>
  ['fleetwave', ...words].map(optionWord).join(' ');

/** Of an option its value alone is quoted, where it must be. */
function optionWord(word: string): string {
  const [, option = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? [];
  return option + (/^[\w./-]+$/.test(value) ? value : shellWord(value));
}
