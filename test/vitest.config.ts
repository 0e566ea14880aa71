/** How the tests run: from the project's root, on two cores, with a fixed seed of the laws. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BUILT_FILES, builtProduct } from './support/built-product.ts';
import { ClosingLine } from './support/closing-line.ts';
import { countFrom } from './support/property-runs.ts';
import { chooseSeed } from './support/seed.ts';
import { SlowFirst } from './support/slow-first.ts';

const seed = chooseSeed(process.env.FLEETWAVE_SEED);
const times = countFrom('FLEETWAVE_RUNS', process.env.FLEETWAVE_RUNS, 1);

const root = fileURLToPath(new URL('..', import.meta.url));
// `npm test` builds before; a run of single files has the sources as they are now.
const isBuilt = process.env.FLEETWAVE_BUILT === '1';

/** What takes long and seldom fails: `npm run test:long`, and each night. */
const LONG = [
  'test/campaigns/middle-of-steps.test.ts',
  'test/e2e/told-day.test.ts',
  'test/lorawan/fragmentation-overhead.test.ts',
  'test/worlds/gateways-many.test.ts',
  'test/worlds/management-many.test.ts',
  'test/worlds/update-service-many.test.ts',
];

export default defineConfig({
  root,
  plugins: isBuilt ? [builtProduct(root)] : [],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: process.env.FLEETWAVE_LONG === '1' ? [] : LONG,
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/left-as-found.ts'],
    env: { FLEETWAVE_SEED: String(seed) },
    reporters: ['default', new ClosingLine(seed)],
    sequence: { sequencer: SlowFirst },
    server: { deps: { external: [BUILT_FILES] } },
    pool: 'threads',
    maxWorkers: 2,
    // Both workers keep what they have loaded and compiled; no world leaves anything in a module.
    isolate: false,
    // Generous: machines may be busy with other things.
    testTimeout: 240_000 * times,
    hookTimeout: 240_000,
    expect: { poll: { interval: 10, timeout: 60_000 } },
  },
});
