/** What a thread of a study does: seeds come one by one, rows go back. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Manifest } from '../../core/result/manifest.ts';
import { type Pace, Runner } from './task.ts';
import type { Said, Task } from './threads.ts';

/** Wall time between two words on how far a seed is, ms. */
const SAY_EVERY_MS = 200;

const runner = new Runner(workerData as Manifest);

/** What Piscina calls by its name. */
export async function runSeed({ seed, at }: Task) {
  let nextMs = 0;
  const onPace = (pace: Pace) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + SAY_EVERY_MS;
    parentPort?.postMessage({ at, ...pace } satisfies Said);
  };
  return runner.run(seed, { onPace, stops: () => false });
}
