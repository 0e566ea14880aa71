/** How the tests run: from the project's root, on two cores, with a fixed seed of the laws. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { RELEASE_TESTS } from './release/release-tests.ts';
import { BUILT_FILES, builtProduct, PRODUCT } from './support/built-product.ts';
import { ClosingLine } from './support/closing-line.ts';
import { countFrom } from './support/property-runs.ts';
import { chooseSeed } from './support/seed.ts';
import { GrownFiles } from './times/grown-files.ts';
import { LongestFirst } from './times/longest-first.ts';

const seed = chooseSeed(process.env.FLEETWAVE_SEED);
const times = countFrom('FLEETWAVE_RUNS', process.env.FLEETWAVE_RUNS, 1);

const root = fileURLToPath(new URL('..', import.meta.url));
/** What takes long and seldom fails: `npm run test:long`, and each night. */
const LONG = [
  'test/campaigns/middle-of-steps.test.ts',
  'test/e2e/reported-day.test.ts',
  'test/lorawan/fragmentation-overhead.test.ts',
  'test/worlds/gateways-many.test.ts',
  'test/worlds/management-many.test.ts',
  'test/worlds/update-service-many.test.ts',
];

export default defineConfig({
  root,
  plugins: [builtProduct(root)],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: process.env.FLEETWAVE_LONG === '1' ? [] : [...LONG, ...RELEASE_TESTS],
    globalSetup: ['test/support/build-product.ts'],
    // Of a change in watch mode: the product's files are no modules of Vite.
    forceRerunTriggers: PRODUCT.map((floor) => `**/${floor}/**/*.ts`),
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/restore-globals.ts'],
    env: { FLEETWAVE_SEED: String(seed) },
    reporters: ['default', new GrownFiles(), new ClosingLine(seed)],
    sequence: { sequencer: LongestFirst },
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
