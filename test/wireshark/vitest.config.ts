/** Captures under Wireshark's eyes: `npm run test:wireshark`, apart from the other tests. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/wireshark/*.wireshark.ts'],
    pool: 'threads',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
