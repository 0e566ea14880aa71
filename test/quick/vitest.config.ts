/**
 * `npm run test:quick`: all test files but the slow ones, within 40 s on two cores. What is slow
 * follows from `test/times.json`.
 */
import { configDefaults, mergeConfig } from 'vitest/config';
import { recordedTimes, slowFiles } from '../times/file-times.ts';
import config from '../vitest.config.ts';

export default mergeConfig(config, {
  test: { exclude: [...configDefaults.exclude, ...slowFiles(recordedTimes())] },
});
