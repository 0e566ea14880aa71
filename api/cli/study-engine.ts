/** `fleetwave study run --engine`: the coordinator, and what of an engine is bad input. */
import { EngineRefused } from '../engine/address.ts';
import { ChunkQueue } from '../engine/chunk-queue.ts';
import { Coordinator, type EngineEnd, type OnEngine } from '../engine/coordinator.ts';
import { buildId } from '../host/studies/build.ts';
import { mathHash } from '../host/studies/math-hash.ts';
import type { StudyFolder } from '../host/studies/study-folder.ts';
import type { StudyRows } from '../host/studies/study-rows.ts';
import { InputError } from './exit.ts';

export interface EngineAtHand {
  /** Of all workers of this build that are there now. */
  readonly threads: () => Promise<number>;
  readonly run: (
    rows: StudyRows,
    folder: StudyFolder,
    hearing: Pick<OnEngine, 'stops' | 'onRound' | 'onDone'>,
  ) => Promise<EngineEnd>;
  readonly close: () => Promise<void>;
}

const say = (line: string) => process.stderr.write(`fleetwave study: ${line}\n`);

export async function engineAt(word: string): Promise<EngineAtHand> {
  const queue = await connected('study', () => ChunkQueue.at(word, buildId(), say));
  return {
    threads: async () => (await queue.workers()).threads,
    run: async (rows, folder, { stops, onRound, onDone }) => {
      const on = { mathHash: mathHash(), say, stops, onRound, onDone };
      const end = await new Coordinator(rows, folder, queue, on).run();
      if (end.kind === 'whole' && end.again > 0) {
        say(`${end.again} chunks were run more than once, and came to the same`);
      }
      return end;
    },
    close: () => queue.close(),
  };
}

export async function connected<Value>(
  command: string,
  connects: () => Promise<Value>,
): Promise<Value> {
  try {
    return await connects();
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    throw new InputError([`fleetwave ${command}: ${error.message}`]);
  }
}
