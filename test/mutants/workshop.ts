/**
 * A copy of the built project in which one mutant at a time is planted, and the tests that notice
 * it run. The tests load the built product, as `npm test` does, so the fault is planted twice: in
 * the source, which the command line is bundled from, and in the file that was built of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { IN_BROWSER } from '../support/built-product.ts';
import { type Fault, type Mutant, planted } from './mutant.ts';

/** What no test of a mutant reads. */
const LEFT_OUT = /^(\.git|node_modules|dist\/test|out|coverage)$/;
/** A test that takes so much longer than without the mutant hangs, but none before this. */
const LEAST_TIME_OUT_MS = 60_000;
const TIMES_AS_LONG = 5;

/** What a run needs to know of a mutant. */
type Tried = Pick<Mutant, 'test' | 'title' | 'law'>;

/** What a run of a test says. */
export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  /** Neither: the process was ended after its time, or ended itself without a count. */
  readonly end: 'counted' | 'time-out' | 'crash';
  readonly tookMs: number;
  readonly output: string;
}

/** How long a test may take with a mutant, when it takes `usualMs` without. */
export const timeOutMs = (usualMs: number): number =>
  Math.max(LEAST_TIME_OUT_MS, TIMES_AS_LONG * usualMs);

export class Workshop {
  readonly root: string;

  /** Copies the project at `root`; its packages are shared. */
  constructor(root: string) {
    this.root = mkdtempSync(join(tmpdir(), 'fleetwave-mutants-'));
    cpSync(root, this.root, {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(relative(root, path)),
    });
    symlinkSync(join(root, 'node_modules'), join(this.root, 'node_modules'));
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Runs the mutant's test with its fault planted, which is taken back afterwards. */
  async tryOut(mutant: Mutant, limitMs: number, long = false): Promise<Verdict> {
    return await this.withFault(mutant, () => this.run(mutant, limitMs, long));
  }

  /** Plants the fault, takes it back when the act has ended. */
  async withFault<Result>(mutant: Fault, act: () => Promise<Result>): Promise<Result> {
    const restores = this.#plant(mutant);
    try {
      return await act();
    } finally {
      for (const restore of restores) restore();
    }
  }

  /** Plants the fault in the source and in the built file. Returns what restores each. */
  #plant(mutant: Fault): (() => void)[] {
    const source = planted(mutant, readFileSync(join(this.root, mutant.file), 'utf8'));
    const restores = [this.overwrite(mutant.file, source)];
    const built = join('dist', mutant.file.replace(/ts$/, 'js'));
    // What runs in a browser is bundled from its sources.
    if (/\.ts$/.test(mutant.file) && !IN_BROWSER.test(mutant.file)) {
      restores.push(this.overwrite(built, withoutTypes(mutant.file, source)));
    }
    return restores;
  }

  /** Replaces a file of the copy. Returns what restores it. */
  overwrite(file: string, text: string): () => void {
    const path = join(this.root, file);
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, text);
    return () => writeFileSync(path, before);
  }

  /** Runs a test in the copy as it is; `long`: with all that it tries in the long run. */
  async run({ test, title, law }: Tried, limitMs: number, long = false): Promise<Verdict> {
    const chosen = title === undefined ? [] : ['-t', literally(title)];
    const config = ['--config', 'test/mutants/vitest.config.ts'];
    // A law is broken in few of the generated worlds: all of the long run are tried.
    const isLong = long || law !== undefined;
    const variables: Record<string, string> = isLong ? { FLEETWAVE_LONG: '1' } : {};
    return await this.vitest([...config, test, ...chosen], limitMs, variables);
  }

  /** Runs Vitest in the copy with these words and variables. */
  async vitest(
    words: readonly string[],
    limitMs: number,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Verdict> {
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...words], {
      cwd: this.root,
      env: { ...environment(), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that a time-out ends whatever the test began.
      detached: true,
    });
    const { output, isLate } = await ended(child, limitMs);
    const tookMs = performance.now() - startedAtMs;
    const counts = [...output.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1);
    const [passed = 0, failed = 0] = (counts ?? []).slice(1).map(Number);
    const end = isLate ? 'time-out' : counts === undefined ? 'crash' : 'counted';
    return { passed, failed, end, tookMs, output };
  }
}

/** JavaScript of a source, as `tsc -b` emits it. Throws when the text cannot be parsed. */
function withoutTypes(file: string, source: string): string {
  const { code, errors } = transformSync(file, source, {
    target: 'es2022',
    typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
  });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return code;
}

/** A pattern of names that matches this text. */
const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Variables without what a test runner around this one has set. */
export function environment(): NodeJS.ProcessEnv {
  const stored = Object.entries(process.env).filter(([name]) => !/^(VITEST|FLEETWAVE)/.test(name));
  return { ...Object.fromEntries(stored), NO_COLOR: '1' };
}

async function ended(
  child: ChildProcess,
  limitMs: number,
): Promise<{ output: string; isLate: boolean }> {
  let output = '';
  let isLate = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => {
      output += text;
    });
  }
  const endGroup = () => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(endGroup, limitMs);
  await new Promise((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  clearTimeout(timer);
  return { output, isLate };
}
