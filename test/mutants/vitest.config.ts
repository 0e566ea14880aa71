/** How a mutant's test runs: alone, with the usual seed, and no further than its first failure. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BUILT_FILES, builtProduct } from '../support/built-product.ts';
import { ClosingLine } from '../support/closing-line.ts';
import { chooseSeed } from '../support/seed.ts';

const seed = chooseSeed('');
const root = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  root,
  plugins: [builtProduct(root)],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts', 'test/mutants/first-failure.ts'],
    env: { FLEETWAVE_SEED: String(seed), FLEETWAVE_RELEASE: '1' },
    reporters: ['default', new ClosingLine(seed)],
    server: { deps: { external: [BUILT_FILES] } },
    pool: 'threads',
    maxWorkers: 1,
    bail: 1,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
