/** How the tests run: from the project's root, on two cores, with a fixed seed of the laws. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from './support/closing-line.ts';
import { countFrom } from './support/property-runs.ts';
import { chooseSeed } from './support/seed.ts';

const seed = chooseSeed(process.env.FLEETWAVE_SEED);
const times = countFrom('FLEETWAVE_RUNS', process.env.FLEETWAVE_RUNS, 1);

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/left-as-found.ts'],
    env: { FLEETWAVE_SEED: String(seed) },
    reporters: ['default', new ClosingLine(seed)],
    pool: 'threads',
    maxWorkers: 2,
    // Both workers keep what they have loaded and compiled; no world leaves anything in a module.
    isolate: false,
    // Generous: machines may be busy with other things.
    testTimeout: 240_000 * times,
    hookTimeout: 240_000,
  },
});
