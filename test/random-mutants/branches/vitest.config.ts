/** How all tests run once while it is recorded which branches each file reaches. */
import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

export default mergeConfig(config, {
  test: { setupFiles: ['test/random-mutants/branches/reached-branches.ts'] },
});
