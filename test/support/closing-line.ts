/** A reporter whose last line, after all others, is the count: `N passed, N failed`. */
import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export class ClosingLine implements Reporter {
  readonly #seed: number;
  #line = '0 passed, 0 failed';

  constructor(seed: number) {
    this.#seed = seed;
  }

  onInit(): void {
    console.log(`seed of the law tests: ${this.#seed} (FLEETWAVE_SEED)`);
    // At the exit of the process all other reporters have written.
    process.once('exit', () => writeSync(1, `${this.#line}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    this.#line = closingLine(modules, unhandledErrors.length);
  }
}

/** A file or suite that fails by itself, and an error outside all tests, is one failure each. */
export function closingLine(modules: readonly TestModule[], unhandledErrors: number): string {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 };
  for (const module of modules) {
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'failed' : state]++;
    }
  }
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`;
}
