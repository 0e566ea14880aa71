/**
 * Runs before each test file: files share the modules of their worker. So each leaves them as it
 * has found them, whatever its tests have spied on and whichever of them has failed.
 */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
