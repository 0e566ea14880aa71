/** `npm run test:release`: what `npm test` leaves out, since it takes long. */
import { defineConfig } from 'vitest/config';
import usual from '../vitest.config.ts';
import { RELEASE_TESTS, SAMPLED_TESTS } from './release-tests.ts';

export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: ['test/engine/*.test.ts', ...RELEASE_TESTS, ...SAMPLED_TESTS],
    exclude: [],
  },
});
