/** A small study on an engine, with workers that answer without simulating anything. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { type ChunkJob, ChunkQueue, queueOf } from '../../api/engine/chunk-queue.ts';
import { Coordinator, type EngineEnd, type OnEngine } from '../../api/engine/coordinator.ts';
import type { EngineWorker, TakingOptions } from '../../api/engine/engine.ts';
import { packed } from '../../api/engine/handed-back.ts';
import { keyOf } from '../../api/host/studies/keys.ts';
import { planFromDisk } from '../../api/host/studies/study-files.ts';
import { type LandedRow, StudyFolder } from '../../api/host/studies/study-folder.ts';
import { StudyRows } from '../../api/host/studies/study-rows.ts';
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import { numbersIn } from '../../scenarios/study/ranges.ts';
import { runAt } from '../../scenarios/study/rounds.ts';

export const TOWN = `scenario: town
duration: 1 h
area: { radius: 3 km }
devices: [{ name: meter, count: 3, joinWithin: 5 min, traffic: { every: 10 min } }]
`;

export const STUDY = `study: hills
scenario: town.yaml
parameters: { hills: { set: radio.shadowing, values: [0 dB, 10 dB] } }
replicates: 6
`;

export const BUILD = 'test-build';
export const MATH = 'the same everywhere';

/** In a folder of its own, with that many runs a chunk. */
export class EngineStudy {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetwave-engine-'));
  plan!: StudyPlan;

  static async of(text = STUDY, chunkRuns = 2, build = BUILD): Promise<EngineStudy> {
    const study = new EngineStudy(build);
    writeFileSync(join(study.folder, 'town.yaml'), TOWN);
    writeFileSync(join(study.folder, 'study.yaml'), text);
    const planned = await planFromDisk(join(study.folder, 'study.yaml'));
    if (planned.outcome === 'problems') throw new Error(JSON.stringify(planned.problems));
    study.plan = { ...planned.plan, chunkRuns };
    return study;
  }

  readonly build: string;

  private constructor(build: string) {
    this.build = build;
  }

  /** Where rows land, and what has landed so far. */
  landing(name = 'out'): { sink: StudyFolder; rows: StudyRows } {
    const sink = new StudyFolder(join(this.folder, name));
    sink.make();
    return { sink, rows: new StudyRows(this.plan, this.build, sink.readRows()) };
  }

  async coordinate(
    queue: ChunkQueue,
    { sink, rows } = this.landing(),
    on: Partial<OnEngine> = {},
  ): Promise<{ end: EngineEnd; rows: StudyRows; said: string[] }> {
    const said: string[] = [];
    const end = await new Coordinator(rows, sink, queue, {
      mathHash: MATH,
      stops: () => false,
      onRound: () => undefined,
      onDone: () => undefined,
      say: (line) => said.push(line),
      lookEveryMs: 300,
      ...on,
    }).run();
    return { end, rows, said };
  }

  /** A run as all workers of the test have it, who do as the simulator does: always the same. */
  rowAt(place: number, mark = ''): LandedRow {
    const run = runAt(this.plan, place);
    const key = keyOf(this.build, this.plan, run);
    const digest = createHash('sha256').update(`${key}${mark}`).digest('hex').slice(0, 16);
    const figures = Object.fromEntries(this.plan.kept.map(({ name }) => [name, place]));
    return { key, seed: run.seed, digest, figures, unfinished: [] };
  }

  packed({ chunk, rows }: ChunkJob, mark = '') {
    return packed(
      chunk,
      numbersIn(rows).map((place) => this.rowAt(place, mark)),
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const queueAt = (url: string, build = BUILD): Promise<ChunkQueue> =>
  ChunkQueue.at(url, build, () => undefined);

/** Takes chunks as a worker does, and does with each what the test says. */
export function answering(
  queue: ChunkQueue,
  act: (job: Job<ChunkJob>) => Promise<void>,
  options: TakingOptions = {},
): EngineWorker<ChunkJob> {
  const worker = queue.engine.worker<ChunkJob>(queueOf(queue.buildId), act, options);
  worker.on('error', () => undefined);
  return worker;
}

/** Asks again until there is an answer. */
export async function until<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(20);
  }
}
