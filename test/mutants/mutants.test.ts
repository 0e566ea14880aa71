/** The table of mutants fits the project as it is, and a few of them are tried. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { afterAll, describe, expect, it } from 'vitest';
import { LAWS } from '../../scenarios/testing/laws/laws.ts';
import { PROGRAM_TESTS } from '../release/release-tests.ts';
import { sampled } from '../support/long.ts';
import { CONTRACT_LINES, type Mutant, planted } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { timeOutMs, Workshop } from './workshop.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8');

const FLOORS = ['sim', 'core', 'scenarios', 'reports', 'api'];
/** What is generated, makers of worlds, which tests only use, events and the public face. */
const FOLDERS_WITHOUT = [
  'api/client/generated',
  'api/http/generated',
  'scenarios/testing',
  'scenarios/testing/generators',
  'sim',
];

const sourcesOf = (floor: string): string[] =>
  readdirSync(`${ROOT}/${floor}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${floor}/${path}`);

/** Why a row of the table cannot be tried. */
function faultsOf(mutant: Mutant): string[] {
  const { what, file, test, title } = mutant;
  const faults: string[] = [];
  try {
    parseAst(planted(mutant, read(file)), { lang: 'ts' });
  } catch (error) {
    faults.push(`${what} ${error}`);
  }
  if (!existsSync(`${ROOT}/${test}`)) faults.push(`${what} There is no ${test}`);
  else if (title !== undefined && !read(test).includes(title)) {
    faults.push(`${what} ${test} has no "${title}"`);
  }
  return faults;
}

describe('the mutants', () => {
  it('fit their files and their tests', () => {
    expect(MUTANTS.flatMap(faultsOf)).toEqual([]);
  });

  it('are caught by no test of whole programs', () => {
    expect(MUTANTS.filter(({ test }) => PROGRAM_TESTS.includes(test))).toEqual([]);
  });

  it('differ by their sentences', () => {
    const sentences = MUTANTS.map(({ what }) => what);
    expect(sentences.filter((one, i) => sentences.indexOf(one) !== i)).toEqual([]);
    expect(sentences.filter((one) => !/^[A-Z“].*\.$/.test(one))).toEqual([]);
  });

  const missing = <T>(all: readonly T[], of: (mutant: Mutant) => T | undefined): T[] => {
    const covered = new Set(MUTANTS.map(of));
    return all.filter((one) => !covered.has(one));
  };

  it('are in every folder of the product', () => {
    const folders = new Set(FLOORS.flatMap((floor) => sourcesOf(floor)).map(dirname));
    const left = missing([...folders], ({ file }) => dirname(file));
    expect(left.sort()).toEqual(FOLDERS_WITHOUT);
  });

  it('break every law', () => {
    const names = Object.keys(LAWS) as (keyof typeof LAWS)[];
    expect(missing(names, ({ law }) => law)).toEqual([]);
  });

  it('break every line of the determinism contract', () => {
    expect(missing(CONTRACT_LINES, ({ contract }) => contract)).toEqual([]);
    const lines = [...read('ARCHITECTURE.md').matchAll(/^\| (\d+) \|/gm)].map(([, n]) => Number(n));
    expect(lines).toEqual(CONTRACT_LINES);
  });
});

describe('a row that fits no more', () => {
  const row: Mutant = { ...MUTANTS[0]!, file: 'a.ts', find: 'b', replace: 'c' };

  it.each([
    ['stands nowhere', row, 'a'],
    ['stands twice', row, 'b b'],
    ['changes nothing', { ...row, replace: 'b' }, 'b'],
  ])('is an error: it %s', (_, mutant, text) => {
    expect(() => planted(mutant, text)).toThrow('a.ts');
  });
});

describe('of the mutants a sample', () => {
  const workshop = new Workshop(ROOT);
  afterAll(() => workshop.close());

  const marked = MUTANTS.filter(({ sample }) => sample);
  const tried = sampled(marked, (mutant) => marked.indexOf(mutant) % 5 === 0);

  it.each(tried)('is caught: $what', async (mutant) => {
    const { failed, end } = await workshop.tryOut(mutant, timeOutMs(0));
    expect([end, failed > 0]).toEqual(['counted', true]);
  });

  it('and what is no fault is not', async () => {
    const [first] = marked;
    const { passed, failed, end } = await workshop.run(first!, timeOutMs(0));
    expect([end, passed > 0, failed]).toEqual(['counted', true, 0]);
  });
});
