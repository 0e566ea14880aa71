/**
 * Program of a study's worker thread; uses the code cache, since each thread compiles by itself.
 */
import { runStored } from '../host/process/compiled-code.ts';
import { scriptBeside } from '../host/process/scripts.ts';
import type { Given } from './threads.ts';

type Thread = typeof import('./study-thread.ts');

const script = scriptBeside(import.meta.url, 'study-thread');
const stored = script === undefined ? undefined : runStored<Thread>(script, 'study');
const thread = stored?.exports ?? (await import('./study-thread.ts'));

/** What Piscina calls by its name. */
export async function runTasks(given: Given) {
  const done = await thread.runTasks(given);
  stored?.keep();
  return done;
}
