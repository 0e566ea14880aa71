/**
 * Which test files call which functions. One run of all tests (some five minutes) on a marked copy
 * of the built product records it; it is stored in `dist/` for all later draws.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Workshop } from '../../mutants/workshop.ts';
import { CALLED, type FunctionBody, functionAt, functionsOf, withMarks } from './functions.ts';

const STORED = 'dist/.coverage.json';

interface Stored {
  /** The number of each file's first function. */
  readonly files: Readonly<Record<string, number>>;
  readonly tests: Readonly<Record<string, Calls>>;
  /** Numbers of the functions that are called while files are loaded. */
  readonly loaded: readonly number[];
}

interface Calls {
  /** SHA-256 of the test file. */
  readonly hash: string;
  /** Numbers of the functions that it calls. */
  readonly functions: readonly number[];
}

/**
 * Called functions by test file. Recorded are all test files where nothing is stored for this
 * product, else those that are new or have changed.
 */
export async function coverageOf(
  root: string,
  sources: readonly string[],
  tests: readonly string[],
): Promise<Coverage> {
  const path = join(root, STORED);
  const files = numbered(root, sources);
  const stored = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Stored) : undefined;
  const isKnown = JSON.stringify(stored?.files) === JSON.stringify(files);
  const known = isKnown ? stored!.tests : {};
  const hashOf = (test: string): string =>
    createHash('sha256')
      .update(readFileSync(join(root, test)))
      .digest('hex');
  const left = tests.filter((test) => known[test]?.hash !== hashOf(test));
  if (isKnown && left.length === 0) return new Coverage(root, stored!);
  console.log(`recording which functions ${left.length} test files call`);
  const { calls, loaded } = await recorded(root, files, left.length === tests.length ? [] : left);
  const none: readonly number[] = [];
  const added = left.map((test) => {
    return [test, { hash: hashOf(test), functions: calls.get(test) ?? none }] as const;
  });
  const all = { files, loaded, tests: { ...known, ...Object.fromEntries(added) } };
  writeFileSync(path, JSON.stringify(all));
  return new Coverage(root, all);
}

/** The number of each file's first function. */
function numbered(root: string, sources: readonly string[]): Record<string, number> {
  const files: Record<string, number> = {};
  let first = 0;
  for (const file of sources) {
    files[file] = first;
    first += functionsOf(file, readFileSync(join(root, file), 'utf8')).length;
  }
  return files;
}

/**
 * Runs tests, all when none is named, on a marked copy. Functions that each test file has called,
 * and those that are called as the product is loaded.
 */
async function recorded(
  root: string,
  files: Stored['files'],
  tests: readonly string[],
): Promise<Recorded> {
  const workshop = new Workshop(root);
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-coverage-'));
  const records = join(folder, 'calls.jsonl');
  try {
    for (const [file, first] of Object.entries(files)) {
      const built = join('dist', file.replace(/ts$/, 'js'));
      const text = readFileSync(join(root, built), 'utf8');
      workshop.overwrite(built, withMarks(built, text, first));
    }
    const loaded = loadedIn(workshop.root, Object.keys(files));
    const words = ['--config', 'test/random-mutants/calls/vitest.config.ts', ...tests];
    const variables = { COVERAGE_FILE: records, FLEETWAVE_BUILT: '1' };
    await workshop.vitest(words, HOUR_MS, variables);
    const lines = readFileSync(records, 'utf8').split('\n').filter(Boolean);
    const calls = lines.map((line) => JSON.parse(line) as { test: string; functions: number[] });
    return { loaded, calls: new Map(calls.map(({ test, functions }) => [test, functions])) };
  } finally {
    workshop.close();
    rmSync(folder, { recursive: true });
  }
}

interface Recorded {
  /** By test file. */
  readonly calls: ReadonlyMap<string, readonly number[]>;
  readonly loaded: readonly number[];
}

/** Functions that are called as files of a marked copy are loaded, in a process of its own. */
function loadedIn(root: string, files: readonly string[]): readonly number[] {
  const paths = files.map((file) => join(root, 'dist', file.replace(/ts$/, 'js')));
  const script = `
    for (const path of ${JSON.stringify(paths)}) await import(path).catch(() => {});
    const called = globalThis.${CALLED};
    console.log(JSON.stringify([...called.keys()].filter((at) => called[at] === 1)));
    process.exit();`;
  const words = ['--input-type=module', '--eval', script];
  const said = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  return JSON.parse(said.trim().split('\n').at(-1)!) as number[];
}

const HOUR_MS = 3_600_000;

export class Coverage {
  readonly #root: string;
  readonly #files: Stored['files'];
  readonly #tests: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #loaded: ReadonlySet<number>;
  readonly #functions = new Map<string, readonly FunctionBody[]>();

  constructor(root: string, { files, tests, loaded }: Stored) {
    this.#loaded = new Set(loaded);
    this.#root = root;
    this.#files = files;
    const calls = Object.entries(tests);
    this.#tests = new Map(calls.map(([test, { functions }]) => [test, new Set(functions)]));
  }

  /** Whether a test calls the function around a place; `undefined` where no run has recorded it. */
  calls(test: string, file: string, place: number): boolean | undefined {
    const called = this.#tests.get(test);
    const first = this.#files[file];
    if (called === undefined || first === undefined) return undefined;
    const at = functionAt(this.#functionsOf(file), place);
    if (at < 0) return undefined;
    return called.has(first + at) || (this.#loaded.has(first + at) ? undefined : false);
  }

  #functionsOf(file: string): readonly FunctionBody[] {
    const known = this.#functions.get(file);
    if (known !== undefined) return known;
    const functions = functionsOf(file, readFileSync(join(this.#root, file), 'utf8'));
    this.#functions.set(file, functions);
    return functions;
  }
}
