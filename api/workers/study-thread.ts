/** What a thread of a study does: tasks come one by one, rows go back. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Job, type Pace, Runner } from './task.ts';
import type { Given, Said } from './threads.ts';

/** Wall time between two words on how far a world is, ms. */
const SAY_EVERY_MS = 200;

const runner = new Runner(workerData as Job);

export async function runTasks({ first, tasks }: Given) {
  const done = [];
  let nextMs = performance.now() + SAY_EVERY_MS;
  for (const [i, task] of tasks.entries()) {
    const onPace = (pace: Pace) => {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + SAY_EVERY_MS;
      parentPort?.postMessage({ at: first + i, ...pace } satisfies Said);
    };
    done.push(await runner.run(task, { onPace, stops: () => false }));
  }
  return done;
}
