/** Worlds of a study on several threads: each thread takes the next one when it is free. */
import { setTimeout } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { studyProgram } from '../host/studies/build.ts';
import type { Done, Hearing, Job, Pace, Task } from './task.ts';

/** What a thread says while it runs a world. */
export interface Said extends Pace {
  /** Its place in the list. */
  readonly at: number;
}

/** What a thread is given. */
export interface Given extends Task {
  readonly at: number;
}

/** Between two looks at whether it is to stop, ms. */
const LOOK_EVERY_MS = 50;

/** So many tasks a thread are under way, so that none waits for the next one. */
const AHEAD = 2;

/** Resolves to false when it was stopped: worlds that were running then are left. */
export async function runOnThreads(
  job: Job,
  tasks: readonly Task[],
  threads: number,
  { onDone, onPace, onLost, stops }: Hearing,
): Promise<boolean> {
  const pool = new Piscina({
    filename: studyProgram(),
    name: 'runTask',
    workerData: job,
    minThreads: threads,
    maxThreads: threads,
  });
  pool.on('message', ({ at, share, events }: Said) => onPace(at, { share, events }));
  let left = false;
  let next = 0;
  const feed = async () => {
    while (!left && next < tasks.length) {
      const at = next++;
      try {
        onDone(at, (await pool.run({ ...tasks[at]!, at } satisfies Given)) as Done);
      } catch (error) {
        if (!left) onLost(at, error);
      }
    }
  };
  const feeds = Array.from({ length: Math.min(tasks.length, AHEAD * threads) }, feed);
  const all = Promise.all(feeds).then(() => true);
  for (;;) {
    const isOver = await Promise.race([all, setTimeout(LOOK_EVERY_MS, false)]);
    if (!isOver && !stops()) continue;
    left = !isOver;
    await pool.destroy();
    return isOver;
  }
}
