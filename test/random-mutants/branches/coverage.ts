/**
 * Which test files reach which branches. One run of all tests (some ten minutes) on a marked copy
 * of the built product records it; it is stored in `dist/` for all later draws.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Workshop } from '../../mutants/workshop.ts';
import { countOf, hasBit } from './bits.ts';
import { type Branch, branchAt, branchesOf, REACHED, withMarks } from './branches.ts';

const STORED = 'dist/.coverage.json';

interface Stored {
  readonly files: Readonly<Record<string, Numbered>>;
  readonly tests: Readonly<Record<string, Reached>>;
  /** Branches that are reached while files are loaded, as bits in Base64. */
  readonly loaded: string;
}

/** The branches of a file have numbers that follow one another. */
interface Numbered {
  readonly first: number;
  /** SHA-256 of the source. */
  readonly hash: string;
}

interface Reached {
  /** SHA-256 of the test file. */
  readonly hash: string;
  /** Branches that it reaches, as bits in Base64. */
  readonly branches: string;
}

/**
 * Reached branches by test file. Test files that are new or have changed are recorded. All are
 * where nothing is stored, or where a tenth of the product has changed. Who reaches a source that
 * has changed since then is not known.
 */
export async function coverageOf(
  root: string,
  sources: readonly string[],
  tests: readonly string[],
): Promise<Coverage> {
  const path = join(root, STORED);
  const hashOf = (file: string): string =>
    createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
  const stored = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Stored) : undefined;
  const changed = sources.filter((file) => stored?.files[file]?.hash !== hashOf(file));
  const isUsable = stored !== undefined && changed.length < sources.length / 10;
  const known = isUsable ? stored.tests : {};
  const left = tests.filter((test) => known[test]?.hash !== hashOf(test));
  const unknown = new Set(changed);
  if (isUsable && left.length === 0) return new Coverage(root, stored, unknown);
  console.log(`recording which branches ${left.length} test files reach`);
  const files = isUsable ? stored.files : numbered(root, sources, hashOf);
  const same = Object.fromEntries(Object.entries(files).filter(([file]) => !unknown.has(file)));
  const marked = isUsable ? same : files;
  const { reached, loaded } = await recorded(root, marked, left);
  const added = left.map((test) => {
    return [test, { hash: hashOf(test), branches: reached.get(test) ?? '' }] as const;
  });
  const all = {
    files,
    loaded: isUsable ? stored.loaded : loaded,
    tests: { ...known, ...Object.fromEntries(added) },
  };
  writeFileSync(path, JSON.stringify(all));
  return new Coverage(root, all, isUsable ? unknown : new Set());
}

function numbered(
  root: string,
  sources: readonly string[],
  hashOf: (file: string) => string,
): Stored['files'] {
  const files: Record<string, Numbered> = {};
  let first = 0;
  for (const file of sources) {
    files[file] = { first, hash: hashOf(file) };
    first += branchesOf(file, readFileSync(join(root, file), 'utf8')).length;
  }
  return files;
}

/** What tests reach in a marked copy, and what is reached as the product is loaded. */
async function recorded(
  root: string,
  files: Stored['files'],
  tests: readonly string[],
): Promise<{ reached: ReadonlyMap<string, string>; loaded: string }> {
  const workshop = new Workshop(root);
  const folder = mkdtempSync(join(tmpdir(), 'fleetwave-coverage-'));
  const records = join(folder, 'branches.jsonl');
  try {
    for (const [file, { first }] of Object.entries(files)) {
      const built = join('dist', file.replace(/ts$/, 'js'));
      const text = readFileSync(join(root, built), 'utf8');
      workshop.overwrite(built, withMarks(built, text, first));
    }
    const loaded = loadedIn(workshop.root, Object.keys(files));
    const words = ['--config', 'test/random-mutants/branches/vitest.config.ts', ...tests];
    const variables = { COVERAGE_FILE: records, FLEETWAVE_BUILT: '1' };
    await workshop.vitest(words, HOUR_MS, variables);
    const lines = readFileSync(records, 'utf8').split('\n').filter(Boolean);
    const reached = lines.map((line) => JSON.parse(line) as { test: string; branches: string });
    return { loaded, reached: new Map(reached.map(({ test, branches }) => [test, branches])) };
  } finally {
    workshop.close();
    rmSync(folder, { recursive: true });
  }
}

/** Branches that are reached as files of a marked copy are loaded, in a process of its own. */
function loadedIn(root: string, files: readonly string[]): string {
  const paths = files.map((file) => join(root, 'dist', file.replace(/ts$/, 'js')));
  const script = `
    for (const path of ${JSON.stringify(paths)}) await import(path).catch(() => {});
    const reached = globalThis.${REACHED};
    const { bitsOf } = await import(${JSON.stringify(BITS)});
    console.log(bitsOf(reached));
    process.exit();`;
  const words = ['--input-type=module', '--eval', script];
  const output = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  return output.trim().split('\n').at(-1)!;
}

const BITS = new URL('bits.js', import.meta.url).href;
const HOUR_MS = 3_600_000;

export class Coverage {
  readonly #root: string;
  readonly #files: Stored['files'];
  readonly #unknown: ReadonlySet<string>;
  readonly #tests: ReadonlyMap<string, Uint8Array>;
  readonly #loaded: Uint8Array;
  readonly #branches = new Map<string, readonly Branch[]>();
  readonly #breadths = new Map<string, number>();

  /** `unknown`: sources whose branches are not recorded as they are now. */
  constructor(root: string, { files, tests, loaded }: Stored, unknown: ReadonlySet<string>) {
    this.#loaded = Buffer.from(loaded, 'base64');
    this.#root = root;
    this.#files = files;
    this.#unknown = unknown;
    const all = Object.entries(tests);
    this.#tests = new Map(
      all.map(([test, { branches }]) => [test, Buffer.from(branches, 'base64')]),
    );
    for (const [test, bits] of this.#tests) this.#breadths.set(test, countOf(bits));
  }

  /** Whether a test reaches the branch around a place; `undefined` where that is not recorded. */
  reaches(test: string, file: string, place: number): boolean | undefined {
    const reached = this.#tests.get(test);
    const numbered = this.#files[file];
    if (reached === undefined || numbered === undefined || this.#unknown.has(file)) {
      return undefined;
    }
    const at = branchAt(this.#branchesOf(file), place);
    if (at < 0) return undefined;
    const number = numbered.first + at;
    return hasBit(reached, number) || (hasBit(this.#loaded, number) ? undefined : false);
  }

  /** How many branches a test reaches: few where it is about one thing. */
  breadth(test: string): number | undefined {
    return this.#breadths.get(test);
  }

  #branchesOf(file: string): readonly Branch[] {
    const known = this.#branches.get(file);
    if (known !== undefined) return known;
    const branches = branchesOf(file, readFileSync(join(this.#root, file), 'utf8'));
    this.#branches.set(file, branches);
    return branches;
  }
}
