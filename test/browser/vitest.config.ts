/** Reports in a real browser: `npm run test:browser`, apart from the other tests. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/browser/*.browser.ts'],
    pool: 'threads',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // What a page shows follows a click by a frame or more, on a busy machine much later.
    expect: { poll: { interval: 10, timeout: 60_000 } },
  },
});
