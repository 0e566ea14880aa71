/** How all tests run once while it is recorded which functions each file calls. */
import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

export default mergeConfig(config, {
  test: { setupFiles: ['test/random-mutants/calls/called-functions.ts'] },
});
