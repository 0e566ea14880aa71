/**
 * Vitest in a process of its own that has started once for many faults, `node warm-program.js` in a
 * copy of the project. Each message is a list of test files; they run in a new thread, which loads
 * the product with the fault, in their order and to the first failure. Each file that has ended is
 * one message, and the `WarmRun` is the last.
 */
import { join, relative } from 'node:path';
import { createVitest, type Reporter, type TestCase, type TestModule } from 'vitest/node';

/** What a run has shown. */
export interface WarmRun {
  /** The first file that failed. */
  readonly by?: string | undefined;
  readonly passed: number;
}

const root = process.cwd();

/** Ends a run at its first failure, and notes the file. */
class FirstFailure implements Reporter {
  file: string | undefined;
  passed = 0;

  begin(): void {
    this.file = undefined;
    this.passed = 0;
  }

  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'failed') this.#fail(test.module);
    else this.passed++;
  }

  onTestModuleEnd(module: TestModule): void {
    if (module.state() === 'failed') this.#fail(module);
    process.send!('ended');
  }

  #fail({ moduleId }: TestModule): void {
    this.file ??= relative(root, moduleId);
    void vitest.cancelCurrentRun('test-failure');
  }
}

const reporter = new FirstFailure();
const vitest = await createVitest('test', {
  config: 'test/random-mutants/vitest.config.ts',
  watch: false,
  reporters: [reporter],
});
const project = vitest.getRootProject();

async function run(files: readonly string[]): Promise<WarmRun> {
  reporter.begin();
  const specifications = files.map((file) => project.createSpecification(join(root, file)));
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const { file, passed } = reporter;
  return {
    by: file ?? (unhandledErrors.length > 0 ? 'an error outside tests' : undefined),
    passed,
  };
}

process.on('message', (files: readonly string[]) => {
  void run(files).then((outcome) => process.send!(outcome));
});
process.on('disconnect', () => process.exit());
process.send!('ready');
