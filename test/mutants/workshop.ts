/** A copy of the project in which one mutant at a time is planted, and tests that notice run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Mutant, planted } from './mutant.ts';

/** Made by machines, so not copied. */
const LEFT_OUT = /^(\.git|node_modules|dist|out|coverage)$/;
/** A test that takes so much longer than without the mutant hangs, but none before this. */
const LEAST_TIME_OUT_MS = 60_000;
const TIMES_AS_LONG = 5;

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
  readonly #root: string;

  /** Copies the project at `root`; its packages are shared. */
  constructor(root: string) {
    this.#root = mkdtempSync(join(tmpdir(), 'fleetwave-mutants-'));
    cpSync(root, this.#root, {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(relative(root, path)),
    });
    symlinkSync(join(root, 'node_modules'), join(this.#root, 'node_modules'));
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Runs the mutant's test with its fault planted, which is taken back afterwards. */
  async tryOut(mutant: Mutant, limitMs: number): Promise<Verdict> {
    const path = join(this.#root, mutant.file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, planted(mutant, text));
    try {
      return await this.run(mutant, limitMs);
    } finally {
      writeFileSync(path, text);
    }
  }

  /** Runs a test in the copy as it is. */
  async run({ test, title }: Pick<Mutant, 'test' | 'title'>, limitMs: number): Promise<Verdict> {
    const chosen = title === undefined ? [] : ['-t', literally(title)];
    const config = ['--config', 'test/mutants/vitest.config.ts'];
    const words = ['node_modules/vitest/vitest.mjs', 'run', ...config, test, ...chosen];
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, words, {
      cwd: this.#root,
      env: environment(),
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

/** A pattern of names that matches this text. */
const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Without what a test runner around this one has set. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|FLEETWAVE)/.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
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
