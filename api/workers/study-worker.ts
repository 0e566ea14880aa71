/** The program of a thread of a study: each compiles by itself, so what they compile is kept. */
import { openKept } from '../host/compiled-code.ts';
import type { Task } from './threads.ts';

const kept = openKept<typeof import('./seed-thread.ts')>(new URL('scripts/', import.meta.url), {
  script: 'seed-thread',
  use: 'seed',
});
const thread = kept?.exports ?? (await import('./seed-thread.ts'));

/** What Piscina calls by its name. */
export async function runSeed(task: Task) {
  const done = await thread.runSeed(task);
  kept?.keep();
  return done;
}
