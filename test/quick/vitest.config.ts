/** `npm run test:quick`: all tests but those in `SLOW_TESTS`, within a minute on two cores. */
import { configDefaults, mergeConfig } from 'vitest/config';
import config from '../vitest.config.ts';
import { SlowFiles } from './slow-files.ts';
import { SLOW_TESTS } from './slow-tests.ts';

export default mergeConfig(config, {
  test: {
    exclude: [
      ...configDefaults.exclude,
      ...SLOW_TESTS.map((path) => (path.endsWith('/') ? `${path}**` : path)),
    ],
    reporters: [new SlowFiles()],
  },
});
