/**
 * `npm run test:plain`: worlds whose code is as a bundle has it (api/plain-code.mjs) have the
 * outcomes, answers, traces and snapshots of the sources.
 */
import { defineConfig } from 'vitest/config';
import usual from '../vitest.config.ts';

const url = new URL('../../api/plain-code.mjs', import.meta.url).href;
const { plainCode } = (await import(url)) as { readonly plainCode: { readonly name: string } };

/** Worlds over all knobs, and what a world is saved to. */
const FILES = [
  'test/plain/plain.check.ts',
  'test/worlds/random-goldens.test.ts',
  'test/worlds/determinism.test.ts',
  'test/core/snapshots.test.ts',
  'test/core/store.test.ts',
];

// Not what is built: the product's own sources, each changed on its way.
export default defineConfig({
  root: usual.root ?? '.',
  plugins: [{ ...plainCode, enforce: 'pre' as const }],
  test: {
    include: FILES,
    setupFiles: usual.test?.setupFiles ?? [],
    env: usual.test?.env ?? {},
    pool: 'threads',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
