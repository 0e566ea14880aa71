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

/** What a thread is given: worlds that it runs one after the other, and the place of the first. */
export interface Given {
  readonly first: number;
  readonly tasks: readonly Task[];
}

/** Between two looks at whether it is to stop, ms. */
const LOOK_EVERY_MS = 50;

/** Tasks queued per thread, so that no thread waits for its next one. */
const AHEAD = 2;

/** Resolves to false when it was stopped: worlds that were running then are left. */
export async function runOnThreads(
  job: Job,
  tasks: readonly Task[],
  threads: number,
  { onDone, onPace, onLost, stops }: Hearing,
): Promise<boolean> {
  const pool = poolOf(job, threads);
  pool.on('message', ({ at, share, events }: Said) => onPace(at, { share, events }));
  let left = false;
  const groups = groupsOf(job, tasks);
  const feed = async () => {
    for (let group = groups.shift(); group !== undefined && !left; group = groups.shift()) {
      const { first } = group;
      try {
        const done = (await pool.run(group)) as readonly Done[];
        for (const [i, each] of done.entries()) onDone(first + i, each);
      } catch (error) {
        for (const i of group.tasks.keys()) if (!left) onLost(first + i, error);
      }
    }
  };
  const feeds = Array.from({ length: AHEAD * threads }, feed);
  const all = Promise.all(feeds).then(() => true);
  for (;;) {
    const isOver = await Promise.race([all, setTimeout(LOOK_EVERY_MS, false)]);
    if (!isOver && !stops()) continue;
    left = !isOver;
    await pool.destroy();
    return isOver;
  }
}

/** Threads that stay, for who is handed worlds of one study over a longer time. */
export class Threads {
  readonly #pool: Piscina;

  constructor(job: Job, threads: number) {
    this.#pool = poolOf(job, threads);
  }

  /** One after the other, on whichever thread is free. */
  run(tasks: readonly Task[]): Promise<readonly Done[]> {
    return this.#pool.run({ first: 0, tasks } satisfies Given);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

const poolOf = (workerData: Job, threads: number) =>
  new Piscina({
    filename: studyProgram(),
    name: 'runTasks',
    workerData,
    minThreads: threads,
    maxThreads: threads,
  });

/** Worlds that branch off one trunk stay together; all others go one by one. */
function groupsOf({ branchAtUs }: Job, tasks: readonly Task[]): Given[] {
  const groups: { first: number; tasks: Task[] }[] = [];
  for (const [at, task] of tasks.entries()) {
    const group = groups.at(-1);
    const isSame = branchAtUs !== null && group?.tasks[0]?.seed === task.seed;
    if (isSame) group?.tasks.push(task);
    else groups.push({ first: at, tasks: [task] });
  }
  return groups;
}
