/** `npm run test:times`: what each test file costs, by one worker, so that costs do not mix. */
import { mergeConfig } from 'vitest/config';
import config from '../vitest.config.ts';
import { TimesReporter } from './times-reporter.ts';

export default mergeConfig(config, {
  test: {
    setupFiles: ['test/times/measured-file.ts'],
    reporters: [new TimesReporter()],
    maxWorkers: 1,
  },
});
