/** How the tests of a drawn fault run: in the order given, in one process, to the first failure. */
import { relative } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../mutants/vitest.config.ts';

const order = process.argv.filter((word) => word.endsWith('.test.ts'));

class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      order.indexOf(relative(project.config.root, moduleId));
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default mergeConfig(config, {
  test: {
    setupFiles: ['test/support/restore-globals.ts'],
    sequence: { sequencer: AsGiven },
    isolate: false,
  },
});
