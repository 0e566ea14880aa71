/** Seeds of a study on several threads: each thread takes the next one when it is free. */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Manifest } from '../../core/result/manifest.ts';
import { assert } from '../../sim/base/assert.ts';
import { type Done, faultOf, type Hearing, type Pace } from './task.ts';

/** What a thread says while it runs a seed. */
export interface Said extends Pace {
  /** Its place in the list. */
  readonly at: number;
}

/** What a thread is given. */
export interface Task {
  readonly seed: string;
  readonly at: number;
}

/** Between two looks at whether it is to stop, ms. */
const LOOK_EVERY_MS = 50;

/** Resolves to false when it was stopped: seeds that were running then are left. */
export async function runOnThreads(
  manifest: Manifest,
  seeds: readonly string[],
  threads: number,
  { onDone, onPace, stops }: Hearing,
): Promise<boolean> {
  const pool = new Piscina({
    filename: workerFile(),
    name: 'runSeed',
    workerData: manifest,
    minThreads: threads,
    maxThreads: threads,
  });
  pool.on('message', ({ at, share, events }: Said) => onPace(at, { share, events }));
  let left = false;
  const one = async (seed: string, at: number) => {
    try {
      onDone(at, (await pool.run({ seed, at } satisfies Task)) as Done);
    } catch (error) {
      // The thread itself is gone: out of memory, as a rule.
      if (!left) onDone(at, { row: faultOf(seed, error) });
    }
  };
  const all = Promise.all(seeds.map(one)).then(() => true);
  for (;;) {
    const isOver = await Promise.race([all, setTimeout(LOOK_EVERY_MS, false)]);
    if (!isOver && !stops()) continue;
    left = !isOver;
    await pool.destroy();
    return isOver;
  }
}

/** Beside the bundle, beside its chunks, or beside this module as it was compiled. */
function workerFile(): string {
  const candidates = ['./study-worker.js', '../study-worker.js', '../../dist/study-worker.js'];
  const files = candidates.map((each) => fileURLToPath(new URL(each, import.meta.url)));
  const file = files.find((each) => existsSync(each));
  assert(file !== undefined, 'the program of the threads lies beside that of the command line');
  return file;
}
