/** Runs the seeds of a study, on this thread or on several: the rows are the same. */
import type { Manifest } from '../../core/result/manifest.ts';
import { type Hearing, Runner } from './task.ts';

/** Resolves to false when it was stopped before its end. `threads` ≥ 1. */
export async function runSeeds(
  manifest: Manifest,
  seeds: readonly string[],
  threads: number,
  hearing: Hearing,
): Promise<boolean> {
  if (threads > 1 && seeds.length > 1) {
    const { runOnThreads } = await import('./threads.ts');
    return runOnThreads(manifest, seeds, Math.min(threads, seeds.length), hearing);
  }
  const runner = new Runner(manifest);
  for (const [at, seed] of seeds.entries()) {
    const { stops } = hearing;
    // A world may be over sooner than anybody looks.
    if (stops()) return false;
    const done = await runner.run(seed, { onPace: (pace) => hearing.onPace(at, pace), stops });
    if (done === undefined) return false;
    hearing.onDone(at, done);
  }
  return true;
}
