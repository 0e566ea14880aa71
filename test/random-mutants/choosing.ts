/** Which faults a seed plants, and which tests look at them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { DrawPurpose, draw, entityKey, expandSeed } from '../../sim/base/random.ts';
import { PROGRAM_TESTS } from '../release/release-tests.ts';
import { LONG_FILES } from '../support/long-files.ts';
import type { Coverage } from './branches/coverage.ts';
import { KINDS, type Site, sitesOf } from './sites.ts';

/** Where faults are planted. */
export const FOLDERS = ['sim', 'core', 'scenarios/checks', 'api/host', 'api/http'] as const;

/** Written by a program, or without anything that runs. */
const NOT_OURS = /\/generated\/|\.d\.ts$/;

export interface Choice extends Site {
  readonly file: string;
}

/** The tests of one fault but goldens take no longer than this when all pass, ms. */
const MOST_MS = 15_000;
/** And those that run the command line in other processes. */
const MOST_PROGRAMS_MS = 12_000;
/** What a file takes that `test/times.json` does not have yet, ms. */
const UNKNOWN_MS = 300;
/** Branches that a test reaches, where that is not recorded. */
const UNKNOWN_BREADTH = 1000;
/** Compare digests of whole worlds, so they notice a change without knowing what is right. */
export const GOLDENS: readonly string[] = [
  'test/worlds/random-goldens.test.ts',
  'test/worlds/goldens.test.ts',
];

/** They take too long for one fault. */
const LEFT_OUT = new Set([...PROGRAM_TESTS, ...LONG_FILES]);

const filesBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.ts$/.test(path) && !NOT_OURS.test(path))
    .sort();

/** All files in which faults are planted. */
export const filesIn = (root: string): readonly string[] =>
  FOLDERS.flatMap((folder) => filesBelow(root, folder));

/** All test files that look at a fault. */
export const usualTests = (root: string): readonly string[] =>
  filesBelow(root, 'test').filter((path) => /\.test\.ts$/.test(path) && !LEFT_OUT.has(path));

/**
 * All sites in the order of the seed: kinds in turns, so that each has its share. Their ranks are
 * draws of any purpose; no world is there to share it with.
 */
export function chosen(root: string, seed: string, count: number, within = ''): readonly Choice[] {
  const { key0, key1 } = entityKey(expandSeed(seed), 'random mutants');
  const files = filesIn(root).filter((file) => file.startsWith(within));
  const all = files.flatMap((file) =>
    sitesOf(file, readFileSync(join(root, file), 'utf8')).map((site) => ({ ...site, file })),
  );
  const ranked = all
    .map((site, at) => ({ site, rank: draw(key0, key1, DrawPurpose.genAppKey, at) >>> 0, at }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ site }) => site);
  const byKind = KINDS.map((kind) => ranked.filter((site) => site.kind === kind));
  const longest = Math.max(...byKind.map(({ length }) => length));
  const inTurns = Array.from({ length: longest }, (_, turn) =>
    byKind.flatMap((sites) => sites.slice(turn, turn + 1)),
  );
  const found: Choice[] = [];
  for (const one of inTurns.flat()) {
    if (found.length === count) break;
    if (isFault(root, one)) found.push(one);
  }
  return found;
}

/** Whether the source can still be read with the fault in it, and may do something else then. */
function isFault(root: string, { file, start, end, replace, kind }: Choice): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  if (kind === 'swapped arguments' && /\bMath\.(max|min)\($/.test(text.slice(0, start)))
    return false;
  const { errors } = parseSync(file, `${text.slice(0, start)}${replace}${text.slice(end)}`);
  return errors.length === 0;
}

/** An import of more than types, which no run sees, or one at run time. */
const IMPORT = /(?:^(?:import|export) (?!type )[^;]*?|import\()'(\.[^']+\.ts)'/gm;

/** Who imports a file, by the file. */
export function importersOf(root: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const folder of ['sim', 'core', 'scenarios', 'reports', 'api', 'test']) {
    for (const file of filesBelow(root, folder)) {
      for (const [, path] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
        const target = normalize(join(dirname(file), path!));
        found.set(target, [...(found.get(target) ?? []), file]);
      }
    }
  }
  return found;
}

interface Times {
  readonly [test: string]: { readonly wall: number };
}

/** Test files that load a file, and by how many imports they are away from it. */
function distancesOf(
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const seen = new Set([file]);
  const distances = new Map<string, number>();
  let shell = [file];
  for (let distance = 1; shell.length > 0; distance++) {
    const next = shell.flatMap((one) => importers.get(one) ?? []).filter((one) => !seen.has(one));
    for (const one of next) {
      seen.add(one);
      if (/\.test\.ts$/.test(one)) distances.set(one, distance);
    }
    shell = [...new Set(next)];
  }
  return distances;
}

/** Test files in the order in which they run. */
export interface Tests {
  /** `ms`: what a file takes when it passes. */
  readonly each: readonly { readonly test: string; readonly ms: number }[];
  readonly ms: number;
}

/** Which tests look at faults. */
export interface Selection {
  readonly importers: ReadonlyMap<string, readonly string[]>;
  readonly times: Times;
  readonly coverage: Coverage;
}

/** Tests that import it run the command line in processes of its own. */
const PROGRAM = 'test/support/bundled.ts';

/** Compare tables of the product with pages, whole; they notice what no request does. */
const OF_TABLES: readonly string[] = ['test/docs/parts.test.ts', 'test/http/documents.test.ts'];

const wordsOf = (path: string): readonly string[] => path.replace(/(\.test)?\.ts$/, '').split(/\W/);

/** How many words of a file's path a test has in its own: most have the name of what they test. */
function affinity(file: string, test: string): number {
  const own = new Set(wordsOf(test));
  return new Set(wordsOf(file).filter((word) => own.has(word))).size;
}

/**
 * The tests of a fault: those that load the file and reach the branch around the fault. First are
 * short ones about little, near ones and those of its name; goldens are last.
 */
export function testsOf({ file, start }: Choice, { importers, times, coverage }: Selection): Tests {
  const weightOf = (test: string, distance: number, ms: number): number => {
    const isOfTables =
      OF_TABLES.includes(test) &&
      !file.startsWith('sim/') &&
      coverage.reaches(test, file, start) === undefined;
    if (isOfTables) return 0;
    const breadth = Math.sqrt(coverage.breadth(test) ?? UNKNOWN_BREADTH);
    return (ms + 100) * breadth * 2 ** (distance / 2) * 4 ** -affinity(file, test);
  };
  const ranked = (tests: Iterable<readonly [test: string, distance: number]>) =>
    [...tests]
      .map(([test, distance]) => {
        const ms = times[test]?.wall ?? UNKNOWN_MS;
        return { test, ms, weight: weightOf(test, distance, ms) };
      })
      .sort((a, b) => a.weight - b.weight || (a.test < b.test ? -1 : 1));
  const loading = [...distancesOf(file, importers)].filter(
    ([test]) => coverage.reaches(test, file, start) !== false,
  );
  const usual = loading.filter(([test]) => !LEFT_OUT.has(test));
  const inPrograms = [...distancesOf(PROGRAM, importers)];
  // What no test reaches in its own process may be reached in the release run, or in a process
  // that a test starts; so is much of `api/`.
  const near = ranked(usual.length > 0 ? usual : loading);
  const isElsewhere = usual.length === 0 || file.startsWith('api/');
  const far = isElsewhere ? ranked(inPrograms.filter(([test]) => !LEFT_OUT.has(test))) : [];
  const isGolden = ({ test }: Ranked) => GOLDENS.includes(test);
  const first = within(
    near.filter((one) => !isGolden(one)),
    MOST_MS,
  );
  const known = new Set(first.map(({ test }) => test));
  const programs = within(
    far.filter(({ test }) => !known.has(test)),
    MOST_PROGRAMS_MS,
  );
  const all = [...first, ...programs, ...near.filter(isGolden)];
  return { each: all, ms: all.reduce((sum, { ms }) => sum + ms, 0) };
}

interface Ranked {
  readonly test: string;
  readonly ms: number;
}

/** Those that together take no longer than `mostMs`; the first one whatever it takes. */
function within(ranked: readonly Ranked[], mostMs: number): readonly Ranked[] {
  const chosen: Ranked[] = [];
  let leftMs = mostMs;
  for (const one of ranked) {
    if (one.ms > leftMs && chosen.length > 0) continue;
    chosen.push(one);
    leftMs -= one.ms;
  }
  return chosen;
}
