/** `npm run test:times`: what each test file costs, by one worker, so that costs do not mix. */
import { defineConfig } from 'vitest/config';
import { PROGRAM_TESTS } from '../release/release-tests.ts';
import { LONG_FILES } from '../support/long-files.ts';
import usual from '../vitest.config.ts';
import { TimesReporter } from './times-reporter.ts';

export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    exclude: [...LONG_FILES, ...PROGRAM_TESTS],
    setupFiles: [...(usual.test?.setupFiles ?? []), 'test/times/measured-file.ts'],
    reporters: [new TimesReporter()],
    maxWorkers: 1,
  },
});
