/**
 * Runs before each test file of `npm run test:times` and measures what the file costs. The process
 * has one worker, so whatever the process and its children spend meanwhile is the file's.
 */
import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    cost?: FileCost;
  }
}

/** CPU of the process and its ended children, and of the thread of the tests alone, ms. */
export interface FileCost {
  readonly cpu: number;
  readonly thread: number;
}

/** The kernel counts the time of children in ticks of 100 Hz. */
const TICK_MS = 10;

/** CPU time of all children that have ended, ms: fields 16 and 17 of proc(5), `stat`. */
function childrenMs(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

function spent(): FileCost {
  const { user, system } = process.cpuUsage();
  const [thread] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ');
  return { cpu: (user + system) / 1e3 + childrenMs(), thread: Number(thread) / 1e6 };
}

const before = spent();

// Registered before all hooks of the file, so it runs after them.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
afterAll(({}, { file }) => {
  const after = spent();
  file.meta.cost = { cpu: after.cpu - before.cpu, thread: after.thread - before.thread };
});
