/** The long run over random worlds, half of them in each of two threads. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from '../support/closing-line.ts';
import { chooseSeed } from '../support/seed.ts';

const seed = chooseSeed(process.env.FLEETWAVE_SEED);

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/soak/*.soak.ts'],
    env: { FLEETWAVE_SEED: String(seed) },
    reporters: ['default', new ClosingLine(seed)],
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 6 * 3_600_000,
  },
});
