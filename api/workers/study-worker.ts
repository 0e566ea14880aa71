/** The program of a thread of a study: each compiles by itself, so what they compile is kept. */
import { openKept } from '../host/process/compiled-code.ts';
import type { Given } from './threads.ts';

const kept = openKept<typeof import('./study-thread.ts')>(new URL('scripts/', import.meta.url), {
  script: 'study-thread',
  use: 'study',
});
const thread = kept?.exports ?? (await import('./study-thread.ts'));

/** What Piscina calls by its name. */
export async function runTasks(given: Given) {
  const done = await thread.runTasks(given);
  kept?.keep();
  return done;
}
