/**
 * What coordinator and workers have between them, all of it in Redis: a queue of chunks for each
 * build, the plans that they are of, the rows that come back, and who works. It hands out; what
 * has landed is in folders, so that nothing is lost when all of this is.
 */
import { hostname } from 'node:os';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { StudyPlan } from '../../scenarios/study/plan.ts';
import { planId } from '../host/studies/keys.ts';
import { connect, EngineRefused, readAddress, type Say } from './address.ts';

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

/** All keys begin so, and a user of Redis may be kept to them (bull: is of BullMQ). */
const PREFIX = 'bull:fleetwave-';
const WORKERS = `${PREFIX}workers`;

/** Of a study that nobody comes back to, s. */
const KEPT_S = 7 * 86_400;

/** A worker says so often that it is there; one that has not for three times is gone. */
export const SAID_EVERY_MS = 5000;
const GONE_AFTER_S = 15;

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

export class ChunkQueue {
  readonly redis: Redis;
  readonly said: string;
  readonly buildId: string;
  readonly queue: Queue<ChunkJob>;

  private constructor(redis: Redis, said: string, buildId: string) {
    this.redis = redis;
    this.said = said;
    this.buildId = buildId;
    this.queue = new Queue(queueOf(buildId), { connection: redis });
    this.queue.on('error', () => undefined);
  }

  static async at(word: string, buildId: string, say: Say): Promise<ChunkQueue> {
    const address = readAddress(word);
    const redis = await connect(address, say);
    return new ChunkQueue(redis, address.said, buildId);
  }

  async close(): Promise<void> {
    await this.queue.close();
    this.redis.disconnect();
  }

  /** Also after all was forgotten; what is there stays for another while. */
  async publish(plan: StudyPlan): Promise<void> {
    const key = planKey(planId(plan));
    if ((await this.redis.expire(key, KEPT_S)) === 1) return;
    await this.redis.set(key, JSON.stringify(plan), 'EX', KEPT_S);
  }

  /** Undefined: it is not there (any more). */
  async planOf(study: string): Promise<StudyPlan | undefined> {
    const text = await this.redis.get(planKey(study));
    if (text === null) return undefined;
    const plan = JSON.parse(text) as StudyPlan;
    if (planId(plan) === study) return plan;
    throw new EngineRefused(`${this.said}: ${planKey(study)} is not the plan of that digest`);
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
    return (await this.queue.remove(jobIdOf(study, chunk))) === 1;
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
  async chunksIn(state: 'completed' | 'failed', study: string): Promise<number[]> {
    const ids = await this.queue.getRanges([state], 0, -1);
    const own = ids.filter((id) => id.startsWith(`${study}-`));
    return own.map((id) => Number(id.slice(study.length + 1)));
  }

  /** Which of these are there at all, in whatever state. */
  async known(study: string, chunks: readonly number[]): Promise<Set<number>> {
    const asked = this.redis.pipeline();
    for (const chunk of chunks) asked.exists(this.queue.toKey(jobIdOf(study, chunk)));
    const answers = (await asked.exec()) ?? [];
    return new Set(chunks.filter((_, at) => answers[at]?.[1] === 1));
  }

  /** Why a job was given up, and how often its worker was lost. */
  async whyFailed(study: string, chunk: number): Promise<{ lost: number; why: string }> {
    const job = await this.queue.getJob(jobIdOf(study, chunk));
    return { lost: job?.stalledCounter ?? 0, why: job?.failedReason ?? 'nobody knows' };
  }

  async handBack(study: string, rows: HandedBack): Promise<void> {
    const key = this.#rowsKey(study);
    await this.redis.multi().rpush(key, JSON.stringify(rows)).expire(key, KEPT_S).exec();
  }

  /** What came back first and was not taken yet, as it was written. */
  handedBack(study: string, most: number): Promise<string[]> {
    return this.redis.lrange(this.#rowsKey(study), 0, most - 1);
  }

  async take(study: string, written: string): Promise<void> {
    await this.redis.lrem(this.#rowsKey(study), 1, written);
  }

  /** Redis has the only clock that all of them see. */
  async sayThere(id: string, threads: number): Promise<void> {
    const words = [this.buildId, threads, hostname(), process.pid, id];
    await this.redis.zadd(WORKERS, await this.#nowS(), words.join(' '));
  }

  async sayGone(id: string, threads: number): Promise<void> {
    const words = [this.buildId, threads, hostname(), process.pid, id];
    await this.redis.zrem(WORKERS, words.join(' '));
  }

  async workers(): Promise<WorkersThere> {
    const since = (await this.#nowS()) - GONE_AFTER_S;
    await this.redis.zremrangebyscore(WORKERS, 0, since);
    const words = await this.redis.zrangebyscore(WORKERS, since, '+inf');
    const there = words.map((each) => each.split(' '));
    const own = there.filter(([build]) => build === this.buildId);
    const others = there.map(([build = '']) => build).filter((build) => build !== this.buildId);
    const threads = own.reduce((sum, [, each]) => sum + Number(each), 0);
    return { threads, workers: own.length, others: [...new Set(others)] };
  }

  async #nowS(): Promise<number> {
    const [seconds] = await this.redis.time();
    return Number(seconds);
  }

  #rowsKey(study: string): string {
    return `${PREFIX}rows:${this.buildId}:${study}`;
  }
}

const planKey = (study: string): string => `${PREFIX}plan:${study}`;
