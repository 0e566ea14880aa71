/** How the property that fails is run: as all tests are, by itself. */
import { defineConfig } from 'vitest/config';
import usual from '../vitest.config.ts';

export default defineConfig({
  ...usual,
  test: { ...usual.test, include: ['test/failing/*.failing.ts'] },
});
