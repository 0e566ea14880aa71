/** How the tests run: from the project's root, on two cores, with a fixed seed of the laws. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PROGRAM_TESTS, RELEASE_TESTS } from './release/release-tests.ts';
import { BUILT_FILES, builtProduct, PRODUCT } from './support/built-product.ts';
import { ClosingLine } from './support/closing-line.ts';
import { LONG_FILES } from './support/long-files.ts';
import { countFrom } from './support/property-runs.ts';
import { chooseSeed } from './support/seed.ts';
import { GrownFiles } from './times/grown-files.ts';
import { LongestFirst } from './times/longest-first.ts';

const seed = chooseSeed(process.env.FLEETWAVE_SEED);
const times = countFrom('FLEETWAVE_RUNS', process.env.FLEETWAVE_RUNS, 1);

/** Examples of answers come from thorough tests, too. */
const { FLEETWAVE_EXAMPLES: examples, FLEETWAVE_LONG: long } = process.env;
const leftOut = [...LONG_FILES, ...(examples === undefined ? RELEASE_TESTS : PROGRAM_TESTS)];

const root = fileURLToPath(new URL('..', import.meta.url));
export default defineConfig({
  root,
  plugins: [builtProduct(root)],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: long === '1' ? [] : leftOut,
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
