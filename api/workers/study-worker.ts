/**
 * Program of a study's worker thread; uses the code cache, since each thread compiles by itself.
 */
import { openCached } from '../host/process/compiled-code.ts';
import type { Given } from './threads.ts';

const stored = openCached<typeof import('./study-thread.ts')>(
  new URL('scripts/', import.meta.url),
  {
    script: 'study-thread',
    use: 'study',
  },
);
const thread = stored?.exports ?? (await import('./study-thread.ts'));

/** What Piscina calls by its name. */
export async function runTasks(given: Given) {
  const done = await thread.runTasks(given);
  stored?.keep();
  return done;
}
