/** Runs the worlds of a study, on this thread or on several: the rows are the same. */
import { type Hearing, type Job, Runner, type Task } from './task.ts';

/** Resolves to false when it was stopped before its end. `threads` ≥ 1. */
export async function runTasks(
  job: Job,
  tasks: readonly Task[],
  threads: number,
  hearing: Hearing,
): Promise<boolean> {
  if (threads > 1 && tasks.length > 1) {
    const { runOnThreads } = await import('./threads.ts');
    return runOnThreads(job, tasks, Math.min(threads, tasks.length), hearing);
  }
  const runner = new Runner(job);
  for (const [at, task] of tasks.entries()) {
    const { stops } = hearing;
    // A world may be over sooner than anybody looks.
    if (stops()) return false;
    const done = await runner.run(task, { onPace: (pace) => hearing.onPace(at, pace), stops });
    if (done === undefined) return false;
    hearing.onDone(at, done);
  }
  return true;
}
