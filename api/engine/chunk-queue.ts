/**
 * What coordinator and workers have between them, all of it in an engine: a queue of chunks for
 * each build, the plans that they are of, the rows that come back, and who works. It hands out;
 * what has landed is in folders, so that nothing is lost when all of this is.
 */
import { hostname } from 'node:os';
import type { JobType } from 'bullmq';
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import { planId } from '../host/studies/keys.ts';
import { EngineRefused } from './address.ts';
import type { Engine, EngineQueue, Say } from './engine.ts';
import { engineAt } from './engine-at.ts';

/** The work of one job; a worker finds all else by the plan's digest. */
export interface ChunkJob {
  /** Digest of the plan. */
  readonly study: string;
  readonly chunk: number;
  /** Places of the runs that it lacks, as ranges: rounds depend on what earlier ones came to. */
  readonly rows: string;
  readonly buildId: string;
  readonly mathHash: string;
}

/** Rows of a chunk, as a worker hands them back. */
export interface HandedBack {
  readonly chunk: number;
  /** SHA-256 of the rows as text. */
  readonly digest: string;
  /** The same text, by gzip, in base64. */
  readonly rows: string;
}

/** A worker says so often that it is there; one that has not for three times is gone. */
export const SAID_EVERY_MS = 5000;

const ATTEMPTS = 5;
const BACK_OFF_MS = 1000;
/** BullMQ has numbers below this. */
const PRIORITY_MAX = 2 ** 21 - 1;

export const queueOf = (buildId: string): string => `fleetwave-${buildId}`;

const jobIdOf = (study: string, chunk: number): string => `${study}-${chunk}`;

export interface WorkersThere {
  /** Of the build that was asked for. */
  readonly threads: number;
  readonly workers: number;
  /** Builds of all others. */
  readonly others: readonly string[];
}

export interface Standing {
  /** Chunks that nobody has begun. */
  readonly waiting: number;
  /** Chunks that workers have begun. */
  readonly begun: number;
  /** Chunks that no worker came to the end of. */
  readonly failed: number;
  /** Chunks whose rows came back, and which no coordinator has taken yet. */
  readonly cameBack: number;
  readonly isCancelled: boolean;
}

export class ChunkQueue {
  readonly engine: Engine;
  readonly buildId: string;
  readonly queue: EngineQueue<ChunkJob>;

  private constructor(engine: Engine, buildId: string) {
    this.engine = engine;
    this.buildId = buildId;
    this.queue = engine.queue(queueOf(buildId));
    this.queue.on('error', () => undefined);
  }

  static async at(word: string, buildId: string, say: Say): Promise<ChunkQueue> {
    return new ChunkQueue(await engineAt(word, say), buildId);
  }

  get said(): string {
    return this.engine.said;
  }

  async close(): Promise<void> {
    await this.queue.close();
    await this.engine.close();
  }

  /** Also after all was forgotten; what is there stays for another while. */
  publish(plan: StudyPlan): Promise<void> {
    return this.engine.keep(planName(planId(plan)), JSON.stringify(plan));
  }

  /** Undefined: it is not there (any more). */
  async planOf(study: string): Promise<StudyPlan | undefined> {
    const text = await this.engine.store(planName(study));
    if (text === undefined) return undefined;
    const plan = JSON.parse(text) as StudyPlan;
    if (planId(plan) === study) return plan;
    throw new EngineRefused(`${this.said}: ${planName(study)} is not the plan of that digest`);
  }

  /** A chunk that is there already stays as it is. */
  async add(jobs: readonly ChunkJob[], firstPriority: number): Promise<void> {
    await this.queue.addBulk(
      jobs.map((data, at) => ({
        name: 'chunk',
        data,
        opts: {
          jobId: jobIdOf(data.study, data.chunk),
          attempts: ATTEMPTS,
          backoff: { type: 'exponential', delay: BACK_OFF_MS },
          priority: Math.min(PRIORITY_MAX, firstPriority + at),
          removeOnComplete: false,
          removeOnFail: false,
        },
      })),
    );
  }

  /** False: a worker has it. */
  async remove(study: string, chunk: number): Promise<boolean> {
    if ((await this.queue.remove(jobIdOf(study, chunk))) === 1) return true;
    // PostgreSQL says so of what is not there, too.
    return !(await this.known(study, [chunk])).has(chunk);
  }

  /** The turn of what is handed out next; 0: nothing waits. */
  async turn(): Promise<number> {
    const [first] = await this.queue.getPrioritized(0, 0);
    return first?.priority ?? 0;
  }

  /** Work that nobody has begun. */
  async waiting(): Promise<number> {
    const { waiting = 0, prioritized = 0 } = await this.queue.getJobCounts(
      'waiting',
      'prioritized',
    );
    return waiting + prioritized;
  }

  /** Chunks of a study whose jobs are in this state. */
  chunksIn(state: 'completed' | 'failed', study: string): Promise<number[]> {
    return this.#chunksOf([state], study);
  }

  /** Which of these are there at all, in whatever state. */
  async known(study: string, chunks: readonly number[]): Promise<Set<number>> {
    const ids = chunks.map((chunk) => jobIdOf(study, chunk));
    const there = await this.engine.known(queueOf(this.buildId), ids);
    return new Set(chunks.filter((_, at) => there.has(ids[at]!)));
  }

  /** Why a job was given up, and how often its worker was lost. */
  async whyFailed(study: string, chunk: number): Promise<{ lost: number; why: string }> {
    const job = await this.queue.getJob(jobIdOf(study, chunk));
    return { lost: job?.stalledCounter ?? 0, why: job?.failedReason ?? 'nobody knows' };
  }

  handBack(study: string, rows: HandedBack): Promise<void> {
    return this.engine.append(this.#rowsOf(study), JSON.stringify(rows));
  }

  /** What came back first and was not taken yet, as it was written. */
  handedBack(study: string, most: number): Promise<string[]> {
    return this.engine.first(this.#rowsOf(study), most);
  }

  take(study: string, written: string): Promise<void> {
    return this.engine.drop(this.#rowsOf(study), written);
  }

  /** What nobody has begun goes; who works ends what is in hand; its coordinator ends. */
  async cancel(study: string): Promise<{ readonly takenBack: number; readonly begun: number }> {
    await this.engine.keep(this.#cancelOf(study), 'cancelled');
    let takenBack = 0;
    for (const chunk of await this.#chunksOf(['waiting', 'prioritized', 'delayed'], study)) {
      if (await this.remove(study, chunk)) takenBack++;
    }
    return { takenBack, begun: (await this.#chunksOf(['active'], study)).length };
  }

  async isCancelled(study: string): Promise<boolean> {
    return (await this.engine.store(this.#cancelOf(study))) !== undefined;
  }

  /** Set by whoever starts it again. */
  takeUp(study: string): Promise<void> {
    return this.engine.forget(this.#cancelOf(study));
  }

  async standing(study: string): Promise<Standing> {
    const count = async (...states: readonly JobType[]) =>
      (await this.#chunksOf(states, study)).length;
    return {
      waiting: await count('waiting', 'prioritized', 'delayed'),
      begun: await count('active'),
      failed: await count('failed'),
      cameBack: await this.engine.count(this.#rowsOf(study)),
      isCancelled: await this.isCancelled(study),
    };
  }

  sayThere(id: string, threads: number): Promise<void> {
    return this.engine.sayThere(this.#wordsOf(id, threads));
  }

  sayGone(id: string, threads: number): Promise<void> {
    return this.engine.sayGone(this.#wordsOf(id, threads));
  }

  async workers(): Promise<WorkersThere> {
    const there = (await this.engine.there()).map((each) => each.split(' '));
    const own = there.filter(([build]) => build === this.buildId);
    const others = there.map(([build = '']) => build).filter((build) => build !== this.buildId);
    const threads = own.reduce((sum, [, each]) => sum + Number(each), 0);
    return { threads, workers: own.length, others: [...new Set(others)] };
  }

  async #chunksOf(states: readonly JobType[], study: string): Promise<number[]> {
    const ids = await this.queue.getRanges([...states], 0, -1);
    const own = ids.filter((id) => id.startsWith(`${study}-`));
    return own.map((id) => Number(id.slice(study.length + 1)));
  }

  #wordsOf(id: string, threads: number): string {
    return [this.buildId, threads, hostname(), process.pid, id].join(' ');
  }

  #rowsOf(study: string): string {
    return `rows:${this.buildId}:${study}`;
  }

  #cancelOf(study: string): string {
    return `cancelled:${this.buildId}:${study}`;
  }
}

const planName = (study: string): string => `plan:${study}`;
