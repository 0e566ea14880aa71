/** How the tests of a drawn fault run: in the order given, in one thread of `warm-program.ts`. */
import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../mutants/vitest.config.ts';

class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

export default mergeConfig(config, {
  test: {
    env: { FLEETWAVE_RELEASE: '' },
    setupFiles: ['test/support/restore-globals.ts'],
    sequence: { sequencer: AsGiven },
    isolate: false,
    // It would count failures of earlier runs.
    bail: 0,
  },
});
