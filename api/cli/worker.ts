/** `fleetwave worker`: the threads of this machine, for studies that others begin. */
import { ChunkQueue } from '../engine/chunk-queue.ts';
import { ChunkWorker } from '../engine/chunk-worker.ts';
import { buildId } from '../host/studies/build.ts';
import { mathHash } from '../host/studies/math-hash.ts';
import { ExitCode, InputError } from './exit.ts';
import { exitCodeOf, interruptible } from './interrupt.ts';
import { workersOf } from './seed-options.ts';
import { connected } from './study-engine.ts';
import { whole } from './words.ts';

export interface WorkerWords {
  readonly engine: string;
  readonly workers?: string | undefined;
  readonly lostAfter: string;
}

const LOST_AFTER_MAX_S = 3600;

export async function worker(words: WorkerWords): Promise<ExitCode> {
  const faults: string[] = [];
  const lostAfterS = whole('--lost-after', words.lostAfter, 1, LOST_AFTER_MAX_S, faults);
  if (faults.length > 0) throw new InputError(faults.map((fault) => `fleetwave worker: ${fault}`));
  const threads = workersOf(words);
  const say = (line: string) => process.stderr.write(`fleetwave worker: ${line}\n`);
  const queue = await connected('worker', () => ChunkQueue.at(words.engine, buildId(), say));
  let isReported = false;
  const signal = await interruptible(async (stops) => {
    const reportsOnce = () => {
      if (stops() && !isReported)
        say('ends when what it has begun is handed back; once more: at once');
      isReported ||= stops();
      return stops();
    };
    const own = { threads, mathHash: mathHash(), lostAfterMs: 1000 * lostAfterS, say };
    const taking = new ChunkWorker(queue, { ...own, stops: reportsOnce });
    const on = threads === 1 ? 'one thread' : `${threads} threads`;
    say(`takes chunks of build ${queue.buildId} from ${queue.said} on ${on}`);
    const end = await taking.run();
    await queue.close();
    return end === 'refused';
  });
  return signal === undefined ? ExitCode.badInput : exitCodeOf(signal);
}
