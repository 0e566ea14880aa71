/** Runs before each test file: hands the run's seed to fast-check, and watches its properties. */
import fc from 'fast-check';
import { vi } from 'vitest';
import { chooseSeed } from './seed.ts';

vi.mock('fast-check', async (importOriginal) => {
  const { assertWith } = await import('./property-runs.ts');
  const { PROPERTY_SAMPLE } = await import('./long.ts');
  const { explainStored, storeFailure } = await import('../corpus/storing.ts');
  const store = (values: unknown) => {
    const path = storeFailure(values);
    const text = path === undefined ? undefined : explainStored(path);
    return text === undefined ? path : `${path}, explained in ${text}`;
  };
  const original = await importOriginal<typeof import('fast-check')>();
  const { FLEETWAVE_RUNS: runs, FLEETWAVE_SHRINK_MS: shrinkMs } = process.env;
  const assert = assertWith(original, { runs, shrinkMs, sample: PROPERTY_SAMPLE, store });
  return { ...original, assert, default: { ...original.default, assert } };
});

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: chooseSeed(process.env.FLEETWAVE_SEED) });
