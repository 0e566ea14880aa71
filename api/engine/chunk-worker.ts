/**
 * Takes chunks of any study of its build and hands their rows back. Worlds are simulated on
 * threads of their own: the one that holds the locks has to answer in time (decision 0089).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Job, WaitingError } from 'bullmq';
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import { numbersIn } from '../../scenarios/study/ranges.ts';
import { runAt } from '../../scenarios/study/rounds.ts';
import { keyOf } from '../host/studies/keys.ts';
import { landed } from '../host/studies/study-folder.ts';
import { jobOf } from '../workers/designed-run.ts';
import { Threads } from '../workers/threads.ts';
import { type ChunkJob, type ChunkQueue, queueOf, SAID_EVERY_MS } from './chunk-queue.ts';
import type { EngineWorker, Say } from './engine.ts';
import { packed } from './handed-back.ts';
import { Watchdog } from './watchdog.ts';

export interface WorkerOptions {
  readonly threads: number;
  readonly mathHash: string;
  /** A worker that has not been heard of for so long has lost what it had. */
  readonly lostAfterMs: number;
  readonly say: Say;
  readonly stops: () => boolean;
}

export type WorkerEnd = 'stopped' | 'refused';

/** Lost more often than this, a chunk is given up: it may take machines along. */
const LOST_MAX = 5;
/** Of the time after which a worker is lost: how often it is looked. */
const LOOKS = 4;

/** When a chunk is lost, and how often it may be. */
export const losing = (lostAfterMs: number) => ({
  lockDuration: lostAfterMs,
  stalledInterval: Math.ceil(lostAfterMs / LOOKS),
  maxStalledCount: LOST_MAX,
});

const WATCHDOG_MS = 60_000;
const LOOK_EVERY_MS = 200;
/** Most studies whose threads stay alive. */
const STUDIES_MAX = 2;
/** Lines of a locked job that has gone are no news: its rows have been handed back. */
const LATE = /Missing (lock|key)|could not renew lock/i;

interface Begun {
  readonly plan: StudyPlan;
  readonly threads: Threads;
}

/** A study as this worker has it. */
interface Studied {
  readonly begun: Promise<Begun>;
  /** Chunks in hand. */
  busy: number;
}

export class ChunkWorker {
  readonly #chunks: ChunkQueue;
  readonly #options: WorkerOptions;
  readonly #id = randomUUID();
  readonly #studies = new Map<string, Studied>();
  #worker: EngineWorker<ChunkJob>;
  #busy = 0;
  #done = 0;
  #refused: string | undefined;

  constructor(chunks: ChunkQueue, options: WorkerOptions) {
    this.#chunks = chunks;
    this.#options = options;
    this.#worker = this.#created();
  }

  /** Chunks that it has handed back. */
  get done(): number {
    return this.#done;
  }

  /** Resolves when it was stopped, with what it had begun handed back. */
  async run(): Promise<WorkerEnd> {
    const { threads, stops, say } = this.#options;
    const watchdog = new Watchdog(
      {
        waiting: () => this.#chunks.waiting(),
        busy: () => this.#busy,
        renew: () => this.#renew(),
      },
      WATCHDOG_MS,
    );
    const look = async () => {
      await this.#chunks.sayThere(this.#id, threads);
      await watchdog.look(performance.now());
    };
    let nextMs = 0;
    let isLooking = false;
    while (!stops() && this.#refused === undefined) {
      const isDue = performance.now() >= nextMs && !isLooking;
      if (isDue && this.#chunks.engine.isThere()) {
        nextMs = performance.now() + SAID_EVERY_MS;
        isLooking = true;
        // Not waited for: in an outage it takes as long as that does.
        look()
          .catch(({ message }: Error) => say(`the engine says: ${message}`))
          .finally(() => {
            isLooking = false;
          });
      }
      await setTimeout(LOOK_EVERY_MS);
    }
    if (this.#refused !== undefined) say(this.#refused);
    await this.#worker.close(!this.#chunks.engine.isThere());
    for (const { begun } of this.#studies.values()) await (await begun).threads.close();
    if (this.#chunks.engine.isThere()) await this.#chunks.sayGone(this.#id, threads);
    return this.#refused === undefined ? 'stopped' : 'refused';
  }

  #created(): EngineWorker<ChunkJob> {
    const { threads, lostAfterMs, say } = this.#options;
    const { engine, buildId } = this.#chunks;
    const worker = engine.worker<ChunkJob>(
      queueOf(buildId),
      (job, token) => this.#process(job, token),
      {
        concurrency: threads,
        ...losing(lostAfterMs),
        // Looks for work again after this many seconds without a message from the engine.
        drainDelay: 5,
      },
    );
    worker.on('error', (error) => {
      const { message } = error;
      if (engine.isNews(error) && !LATE.test(message)) say(`the engine says: ${message}`);
    });
    worker.on('failed', (job, { message }) => say(`chunk ${job?.id ?? ''} failed: ${message}`));
    worker.on('stalled', (id) => say(`chunk ${id} lost its worker, and is handed out again`));
    return worker;
  }

  async #renew(): Promise<void> {
    this.#options.say('work waits, and none was taken for a minute: begins anew');
    const old = this.#worker;
    this.#worker = this.#created();
    await Promise.race([old.close(true), setTimeout(SAID_EVERY_MS)]);
  }

  async #process(job: Job<ChunkJob>, token: string | undefined): Promise<{ runs: number }> {
    const { study, chunk, rows, mathHash } = job.data;
    const own = this.#options.mathHash;
    if (mathHash !== own) {
      this.#refused ??=
        `this machine computes otherwise than the one that asks (math self-test ${own}, ` +
        `not ${mathHash}), so that its rows would not be the same: it takes no work`;
      await job.moveToWait(token);
      throw new WaitingError();
    }
    this.#busy++;
    try {
      // The next coordinator of the study removes it.
      if (await this.#chunks.isCancelled(study)) return { runs: 0 };
      return await this.#run(study, chunk, numbersIn(rows));
    } finally {
      this.#busy--;
    }
  }

  async #run(study: string, chunk: number, rows: readonly number[]): Promise<{ runs: number }> {
    const studied = this.#studied(study);
    studied.busy++;
    try {
      const { plan, threads } = await studied.begun;
      const runs = rows.map((row) => runAt(plan, row));
      const done = await threads.run(runs.map(({ point, seed }) => ({ point, seed })));
      const { buildId } = this.#chunks;
      const landing = done.map(({ row }, at) => landed(keyOf(buildId, plan, runs[at]!), row));
      await this.#chunks.handBack(study, packed(chunk, landing));
      this.#done++;
      return { runs: runs.length };
    } finally {
      studied.busy--;
    }
  }

  #studied(study: string): Studied {
    const known = this.#studies.get(study);
    if (known !== undefined) return known;
    this.#leaveOne();
    const studied: Studied = { begun: this.#begun(study), busy: 0 };
    this.#studies.set(study, studied);
    studied.begun.catch(() => this.#studies.delete(study));
    return studied;
  }

  async #begun(study: string): Promise<Begun> {
    const plan = await this.#chunks.planOf(study);
    if (plan === undefined) throw new Error(`the plan ${study} is not there; its study puts it`);
    return { plan, threads: new Threads(jobOf(plan, null), this.#options.threads) };
  }

  /** Of the studies that nothing runs of, the first one. */
  #leaveOne(): void {
    if (this.#studies.size < STUDIES_MAX) return;
    const left = [...this.#studies].find(([, { busy }]) => busy === 0);
    if (left === undefined) return;
    this.#studies.delete(left[0]);
    void left[1].begun.then(({ threads }) => threads.close());
  }
}
