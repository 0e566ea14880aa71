/** `fleetwave fidelity`: published figures against ours, each with its source and its tolerance. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../../core/result/result.ts';
import { World } from '../../core/world/world.ts';
import {
  type FidelityBlock,
  fidelityBlocks,
  fidelityHtml,
  fidelityMarkdown,
  fidelitySentence,
} from '../../reports/pages/fidelity.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { nearest, sentence } from '../../scenarios/language/complaint.ts';
import { format } from '../../scenarios/language/problem.ts';
import type { Claims, Setting } from '../../scenarios/study/fidelity/claim.ts';
import { CLAIMS } from '../../scenarios/study/fidelity/claims.ts';
import {
  type Dependence,
  dependencesOf,
  type Varied,
} from '../../scenarios/study/fidelity/sensitivity.ts';
import {
  isAsExpected,
  seedsOf,
  verdictOfCode,
  verdictsOf,
} from '../../scenarios/study/fidelity/verdicts.ts';
import { drive } from '../host/clock/run-in-slices.ts';
import { packageFile } from '../host/files/package-root.ts';
import { loadFromDisk } from '../host/files/scenario-files.ts';
import { makeFolder } from '../host/process/make-folder.ts';
import { blocksText } from './blocks-text.ts';
import { painterOf } from './colour.ts';
import { ExitCode, InputError, writing } from './exit.ts';
import { exitCodeOf, interruptible } from './interrupt.ts';
import { whole } from './words.ts';

export interface FidelityOptions {
  readonly blocks: readonly string[];
  readonly seeds?: string | undefined;
  readonly out?: string | undefined;
  readonly sensitivity?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const MOST_SEEDS = 1_000;

export async function fidelity(options: FidelityOptions) {
  const { blocks: names, seeds, out, sensitivity = false, json = false } = options;
  const chosen = chosenClaims(names);
  const asked = seeds === undefined ? undefined : seedCount(seeds);
  const blocks: FidelityBlock[] = [];
  const stopped = await interruptible(async (stops) => {
    for (const claims of chosen) {
      const block = await judged(claims, { asked, sensitivity }, stops);
      if (block === undefined) return false;
      blocks.push(block);
      if (!json) process.stdout.write(`${shown([block])}\n`);
    }
    return true;
  });
  if (stopped !== undefined) return exitCodeOf(stopped);
  const holds = blocks.every(({ rows }) => rows.every(isAsExpected));
  const files = out === undefined ? [] : written(out, blocks);
  const { good, bad } = painterOf(process.stdout);
  process.stdout.write(
    json
      ? `${JSON.stringify({ holds, blocks })}\n`
      : `${(holds ? good : bad)(fidelitySentence(blocks))}\n` +
          (files.length === 0 ? '' : `Results: ${files.join(', ')}\n`),
  );
  return holds ? ExitCode.good : ExitCode.expectationFails;
}

function chosenClaims(names: readonly string[]): readonly Claims[] {
  const known = CLAIMS.map(({ name }) => name);
  const faults = names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      const what = `"${name}" is no source`;
      const hint = meant === undefined ? {} : { meant };
      return `fleetwave fidelity: ${sentence({ what, allowed: known.join(', '), ...hint })}`;
    });
  if (faults.length > 0) throw new InputError(faults);
  return names.length === 0 ? CLAIMS : CLAIMS.filter(({ name }) => names.includes(name));
}

function seedCount(word: string): number {
  const faults: string[] = [];
  const count = whole('--seeds', word, 1, MOST_SEEDS, faults);
  if (faults.length > 0) throw new InputError(faults);
  return count;
}

/** Undefined: it was stopped. */
async function judged(
  claims: Claims,
  { asked, sensitivity }: { readonly asked: number | undefined; readonly sensitivity: boolean },
  stops: () => boolean,
): Promise<FidelityBlock | undefined> {
  const { title, source } = claims;
  const rows = claims.code.map(verdictOfCode);
  for (const setting of claims.settings) {
    const results = await resultsOf(setting, seedsOf(setting, asked), stops);
    if (results === undefined) return undefined;
    rows.push(...verdictsOf(setting, results));
  }
  const dependences = sensitivity ? await dependencesIn(claims, stops) : [];
  return dependences && { title, source, rows, dependences };
}

/** Under the first seed; undefined: it was stopped. */
async function dependencesIn(
  { settings, variation }: Claims,
  stops: () => boolean,
): Promise<readonly Dependence[] | undefined> {
  const setting = variation && settings[variation.setting];
  if (variation === undefined || setting === undefined) return [];
  const [seed] = seedsOf(setting, 1);
  const varied: Varied[] = [];
  for (const { name, lower, higher } of variation.parameters) {
    const results: RunResult[] = [];
    for (const set of [lower, higher]) {
      const other = { ...setting, set: [...setting.set, ...set] };
      const [result] = (await resultsOf(other, [seed!], stops)) ?? [];
      if (result === undefined) return undefined;
      results.push(result);
    }
    varied.push({ name, lower: results[0]!, higher: results[1]! });
  }
  return dependencesOf(setting.claims, varied);
}

async function resultsOf(
  { file, set }: Setting,
  seeds: readonly string[],
  stops: () => boolean,
): Promise<readonly RunResult[] | undefined> {
  const loaded = loadFromDisk(packageFile(`scenarios/library/${file}`), [...set]);
  if (loaded.outcome === 'problems') throw new InputError(loaded.problems.map(format));
  const results: RunResult[] = [];
  for (const seed of seeds) {
    const world = World.create(populate(loaded.scenario, seed), seed);
    const whole = await drive(world, stops, () => undefined);
    if (!whole) return undefined;
    results.push(world.result());
  }
  return results;
}

function shown(blocks: readonly FidelityBlock[]): string {
  const paint = painterOf(process.stdout);
  const titles = blocks.map(({ title }) => paint.heading(title));
  return [...titles, ...blocksText(fidelityBlocks(blocks), paint)].join('\n');
}

function written(out: string, blocks: readonly FidelityBlock[]): string[] {
  writing(out, () => makeFolder(out));
  const texts = {
    'fidelity.html': fidelityHtml(blocks),
    'fidelity.md': fidelityMarkdown(blocks),
    'fidelity.json': `${JSON.stringify(blocks, null, 2)}\n`,
  };
  return Object.entries(texts).map(([name, text]) => {
    const path = join(out, name);
    writing(path, () => writeFileSync(path, text));
    return path;
  });
}
