/** Which faults a seed plants, and which tests look at them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { DrawPurpose, draw, entityKey, expandSeed } from '../../sim/base/random.ts';
import { RELEASE_TESTS } from '../release/release-tests.ts';
import { KINDS, type Site, sitesOf } from './sites.ts';

/** Where faults are planted. */
export const FOLDERS = ['sim', 'core', 'scenarios/checks', 'api/host', 'api/http'] as const;

/** Written by a program, or without anything that runs. */
const NOT_OURS = /\/generated\/|\.d\.ts$/;

export interface Choice extends Site {
  readonly file: string;
}

/** Tests of one fault: no more than that many, and no longer than so long when all pass. */
const MOST_TESTS = 16;
const MOST_MS = 120_000;

const filesBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.ts$/.test(path) && !NOT_OURS.test(path))
    .sort();

/**
 * All sites in the order of the seed: kinds in turns, so that each has its share. Their ranks are
 * draws of any purpose; no world is there to share it with.
 */
export function chosen(root: string, seed: string, count: number): readonly Choice[] {
  const { key0, key1 } = entityKey(expandSeed(seed), 'random mutants');
  const all = FOLDERS.flatMap((folder) => filesBelow(root, folder)).flatMap((file) =>
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
    if (isProgram(root, one)) found.push(one);
  }
  return found;
}

/** Whether the source can still be read with the fault in it. */
function isProgram(root: string, { file, start, end, replace }: Choice): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const { errors } = parseSync(file, `${text.slice(0, start)}${replace}${text.slice(end)}`);
  return errors.length === 0;
}

/** An import of more than types, which no run sees. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?'(\.[^']+\.ts)'/gm;

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

/** Tests that load the file, those that are nearest to it and shortest first. */
export function testsOf(
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
  times: Times,
): readonly string[] {
  const seen = new Set([file]);
  const tests: string[] = [];
  let shell = [file];
  let leftMs = MOST_MS;
  while (shell.length > 0 && tests.length < MOST_TESTS) {
    const next = shell.flatMap((one) => importers.get(one) ?? []).filter((one) => !seen.has(one));
    for (const one of next) seen.add(one);
    const near = [...new Set(next)]
      .filter((one) => /\.test\.ts$/.test(one) && !RELEASE_TESTS.includes(one))
      .map((test) => ({ test, ms: times[test]?.wall ?? 1_000 }))
      .sort((a, b) => a.ms - b.ms || (a.test < b.test ? -1 : 1));
    for (const { test, ms } of near) {
      if (tests.length === MOST_TESTS || ms > leftMs) break;
      tests.push(test);
      leftMs -= ms;
    }
    shell = [...new Set(next)];
  }
  return tests;
}
