/**
 * Coordinator of a study on an engine: distributes missing chunks, stores returned rows, and
 * requeues lost chunks.
 *
 * Problem: a study has a thousand chunks, and machines that disappear while they work. The queue
 * server may lose its data, and a slow worker may return rows after others have run the same chunk.
 *
 * Approach: the study folder is the record, and the queue only schedules (docs/decisions/0089). The
 * coordinator hands out chunks that the folder lacks. Every five seconds it compares jobs in the
 * queue with those it handed out, and adds missing ones again. Rows return through a list, and
 * leave it once they are on disk. If two workers have run one chunk, their rows are compared; a
 * difference stops the study with both on disk. A chunk that more than five workers were lost over
 * is given up and named. Studies that share an engine take turns, chunk by chunk.
 *
 * Rejected: rows as the return value of a job. A late worker has lost its lock, so its rows would
 * be dropped unseen. Simulation in the process that holds the lock: it could not renew the lock,
 * and each chunk ran eleven times. Pausing the queue to cancel: it would stop all studies of the
 * build.
 */
import { setTimeout } from 'node:timers/promises';
import { rangesOf } from '../../scenarios/study/ranges.ts';
import type { Chunk, Run } from '../../scenarios/study/rounds.ts';
import { planId } from '../host/studies/keys.ts';
import {
  agrees,
  type LandedRow,
  RowsDiffer,
  type StudyFolder,
} from '../host/studies/study-folder.ts';
import type { StudyRows } from '../host/studies/study-rows.ts';
import { landedOf } from '../workers/designed-run.ts';
import type { ChunkJob, ChunkQueue } from './chunk-queue.ts';
import type { Say } from './engine.ts';
import { unpacked } from './handed-back.ts';

export interface OnEngine {
  readonly mathHash: string;
  readonly stops: () => boolean;
  /** Before a round: how many runs it lacks. */
  readonly onRound: (runs: number) => void;
  readonly onDone: (at: number) => void;
  readonly say: Say;
  /** Between two looks at whether all that was handed out is still there; 5000 when absent. */
  readonly lookEveryMs?: number;
}

/** A chunk that was given up: no worker came to its end. */
export interface GivenUp {
  readonly runs: readonly Run[];
  /** Workers lost while they ran it. */
  readonly lost: number;
  readonly why: string;
}

/** Cancelled: stopped from elsewhere. */
type EndKind = 'whole' | 'stopped' | 'cancelled';

export type EngineEnd =
  | { readonly kind: EndKind; readonly runs: number; readonly again: number }
  | { readonly kind: 'givenUp'; readonly runs: number; readonly chunks: readonly GivenUp[] };

const TICK_MS = 50;
const LOOK_EVERY_MS = 5000;
/** Without a worker for so long, it is said what is missing. */
const LONELY_MS = 10_000;
/** Handed out at most, and for each thread of the workers; enough, whatever comes late. */
const OUT_MIN = 1000;
const OUT_A_THREAD = 20;
const ADDED_AT_ONCE = 200;
const TAKEN_AT_ONCE = 50;
const TAKING_BACK_MS = 5000;

export class Coordinator {
  readonly #rows: StudyRows;
  readonly #folder: StudyFolder;
  readonly #queue: ChunkQueue;
  readonly #on: OnEngine;
  readonly #study: string;

  /** Chunks of this round that have not landed. */
  #open = new Map<number, Chunk>();
  /** Of these, the ones that nobody was handed. */
  #waiting: number[] = [];
  /** And the others. */
  readonly #out = new Set<number>();
  /** Landed, and still held by a worker that is about to end its job. */
  readonly #toForget = new Set<number>();
  readonly #givenUp = new Map<number, GivenUp>();
  #isCancelled = false;
  #turn = 0;
  #most = OUT_MIN;
  #nextLookMs = 0;
  #lonelySinceMs: number | undefined = performance.now();
  #runs = 0;
  #doneOfRound = 0;
  #again = 0;

  constructor(rows: StudyRows, folder: StudyFolder, queue: ChunkQueue, on: OnEngine) {
    this.#rows = rows;
    this.#folder = folder;
    this.#queue = queue;
    this.#on = on;
    this.#study = planId(rows.plan);
  }

  async run(): Promise<EngineEnd> {
    await this.#unlessStopped(this.#begin());
    while (!this.#stops()) {
      const { chunks } = this.#rows.asked();
      const lacking = chunks.filter(
        ({ number, runs }) => !this.#givenUp.has(number) && runs.some((run) => !this.#rows.of(run)),
      );
      if (lacking.length === 0) return this.#over();
      await this.#round(lacking);
    }
    await this.#takeBack();
    const kind = this.#isCancelled ? 'cancelled' : 'stopped';
    return { kind, runs: this.#runs, again: this.#again };
  }

  #stops(): boolean {
    return this.#isCancelled || this.#on.stops();
  }

  /** What was given up or cancelled before is tried again. */
  async #begin(): Promise<void> {
    await this.#queue.takeUp(this.#study);
    await this.#queue.publish(this.#rows.plan);
    for (const state of ['failed', 'completed'] as const) {
      for (const chunk of await this.#queue.chunksIn(state, this.#study)) {
        await this.#queue.remove(this.#study, chunk);
      }
    }
  }

  async #over(): Promise<EngineEnd> {
    const untilMs = performance.now() + TAKING_BACK_MS;
    for (;;) {
      await this.#unlessStopped(this.#forget());
      if (this.#toForget.size === 0 || performance.now() > untilMs || this.#stops()) break;
      await setTimeout(TICK_MS);
    }
    if (this.#givenUp.size === 0) return { kind: 'whole', runs: this.#runs, again: this.#again };
    return { kind: 'givenUp', runs: this.#runs, chunks: [...this.#givenUp.values()] };
  }

  async #round(lacking: readonly Chunk[]): Promise<void> {
    this.#open = new Map(lacking.map((chunk) => [chunk.number, chunk]));
    this.#waiting = lacking.map(({ number }) => number);
    this.#out.clear();
    this.#doneOfRound = 0;
    const runs = lacking.reduce((sum, chunk) => sum + this.#lackedBy(chunk).length, 0);
    this.#on.onRound(runs);
    while (this.#open.size > 0 && !this.#stops()) {
      await this.#unlessStopped(this.#tick());
      if (this.#open.size > 0) await setTimeout(TICK_MS);
    }
  }

  async #tick(): Promise<void> {
    await this.#landAll();
    await this.#handOut();
    const nowMs = performance.now();
    if (nowMs < this.#nextLookMs) return;
    this.#nextLookMs = nowMs + (this.#on.lookEveryMs ?? LOOK_EVERY_MS);
    this.#isCancelled = await this.#queue.isCancelled(this.#study);
    if (this.#isCancelled) return;
    await this.#lookForWorkers(nowMs);
    await this.#lookForLost();
    await this.#forget();
  }

  async #handOut(): Promise<void> {
    while (this.#waiting.length > 0 && this.#out.size < this.#most && !this.#stops()) {
      const many = Math.min(ADDED_AT_ONCE, this.#most - this.#out.size);
      const chunks = this.#waiting.splice(0, many);
      const jobs = chunks.flatMap((number) => {
        const chunk = this.#open.get(number);
        return chunk === undefined ? [] : [this.#jobOf(chunk)];
      });
      // Two studies take turns: who comes later begins at the turn where the others are.
      this.#turn = Math.max(this.#turn + 1, await this.#queue.turn());
      await this.#queue.add(jobs, this.#turn);
      this.#turn += jobs.length - 1;
      for (const { chunk } of jobs) this.#out.add(chunk);
    }
  }

  #jobOf(chunk: Chunk): ChunkJob {
    return {
      study: this.#study,
      chunk: chunk.number,
      rows: rangesOf(this.#lackedBy(chunk).map(({ row }) => row)),
      buildId: this.#queue.buildId,
      mathHash: this.#on.mathHash,
    };
  }

  #lackedBy({ runs }: Chunk): readonly Run[] {
    return runs.filter((run) => this.#rows.of(run) === undefined);
  }

  async #landAll(): Promise<void> {
    for (;;) {
      const handed = await this.#queue.handedBack(this.#study, TAKEN_AT_ONCE);
      const landed: Promise<void>[] = [];
      try {
        for (const written of handed) landed.push(this.#forgetting(written, this.#land(written)));
      } catch (error) {
        // Both are on the disk; who looks at them and goes on is not to meet the second again.
        const second = handed[landed.length];
        if (error instanceof RowsDiffer && second) await this.#queue.take(this.#study, second);
        throw error;
      } finally {
        await Promise.all(landed);
      }
      if (handed.length < TAKEN_AT_ONCE) return;
    }
  }

  /** The chunk whose rows they are, now on the disk; undefined: they came back damaged. */
  #land(written: string): number | undefined {
    const handed = unpacked(written);
    if (handed === undefined) {
      this.#on.say('rows came back damaged: their chunk is handed out again');
      return undefined;
    }
    this.#keep(handed.chunk, new Map(handed.rows.map((row) => [row.key, row])));
    return handed.chunk;
  }

  /** What has landed is forgotten in the engine, and never before. */
  async #forgetting(written: string, chunk: number | undefined): Promise<void> {
    await this.#queue.take(this.#study, written);
    if (chunk === undefined || this.#open.has(chunk)) return;
    this.#out.delete(chunk);
    this.#toForget.add(chunk);
    if (await this.#queue.remove(this.#study, chunk)) this.#toForget.delete(chunk);
  }

  #keep(number: number, came: ReadonlyMap<string, LandedRow>): void {
    const rows = this.#rows;
    const chunk = this.#open.get(number) ?? rows.asked().chunks[number];
    if (chunk === undefined) return;
    const own = chunk.runs.map((run) => ({ run, row: came.get(rows.keyOf(run)) }));
    const isKnown = own.some(({ run, row }) => row !== undefined && rows.of(run) !== undefined);
    if (isKnown) this.#compare(chunk, came);
    for (const { run, row } of own) {
      if (row === undefined || rows.of(run) !== undefined) continue;
      rows.add(row);
      this.#runs++;
      this.#on.onDone(this.#doneOfRound++);
    }
    const isAwaited = this.#open.has(number) || this.#givenUp.has(number);
    if (!isAwaited || this.#lackedBy(chunk).length > 0) return;
    this.#folder.land(rows.chunkName, number, landedOf(chunk, rows));
    this.#open.delete(number);
    this.#givenUp.delete(number);
  }

  /** Two have run it: determinism has it that they agree. */
  #compare(chunk: Chunk, came: ReadonlyMap<string, LandedRow>): void {
    this.#again++;
    const rows = this.#rows;
    const differs = chunk.runs.some((run) => {
      const known = rows.of(run);
      const row = came.get(rows.keyOf(run));
      return known !== undefined && row !== undefined && !agrees(row, known);
    });
    if (!differs) return;
    const second = chunk.runs.flatMap((run) => came.get(rows.keyOf(run)) ?? rows.of(run) ?? []);
    this.#folder.landSecond(rows.chunkName, chunk.number, second);
  }

  async #lookForWorkers(nowMs: number): Promise<void> {
    const { threads, others } = await this.#queue.workers();
    this.#most = Math.max(OUT_MIN, OUT_A_THREAD * threads);
    if (threads > 0) {
      this.#lonelySinceMs = undefined;
      return;
    }
    this.#lonelySinceMs ??= nowMs;
    if (nowMs - this.#lonelySinceMs < LONELY_MS) return;
    // Once; again when one has come and gone.
    this.#lonelySinceMs = Number.POSITIVE_INFINITY;
    const { buildId, said } = this.#queue;
    const other = others.length === 0 ? '' : `; those that are there are of ${others.join(', ')}`;
    this.#on.say(
      `no worker of this build, ${buildId}, is there${other}: ` +
        `fleetwave worker --engine ${said} begins one`,
    );
  }

  /** The engine may have forgotten a chunk, or a worker; some are not to be tried again. */
  async #lookForLost(): Promise<void> {
    await this.#queue.publish(this.#rows.plan);
    const out = [...this.#out];
    const [known, completed, failed] = [
      await this.#queue.known(this.#study, out),
      await this.#queue.chunksIn('completed', this.#study),
      await this.#queue.chunksIn('failed', this.#study),
    ];
    // A worker that ended a job before this query has returned its rows before it, too.
    await this.#landAll();
    const isMissing = (chunk: number) => this.#out.has(chunk) && this.#open.has(chunk);
    for (const chunk of failed.filter(isMissing)) await this.#giveUp(chunk);
    const gone = out.filter((chunk) => !known.has(chunk) && isMissing(chunk));
    const empty = completed.filter(isMissing);
    for (const chunk of empty) await this.#queue.remove(this.#study, chunk);
    const again = [...gone, ...empty];
    if (again.length === 0) return;
    this.#on.say(`${again.length} chunks have gone missing there, and are handed out again`);
    for (const chunk of again) this.#out.delete(chunk);
    this.#waiting.unshift(...again);
  }

  async #giveUp(number: number): Promise<void> {
    const chunk = this.#open.get(number)!;
    const { lost, why } = await this.#queue.whyFailed(this.#study, number);
    this.#givenUp.set(number, { runs: this.#lackedBy(chunk), lost, why });
    this.#open.delete(number);
    this.#out.delete(number);
  }

  /** Until its worker has ended the job, it is locked. */
  async #forget(): Promise<void> {
    for (const chunk of this.#toForget) {
      if (await this.#queue.remove(this.#study, chunk)) this.#toForget.delete(chunk);
    }
  }

  /**
   * Removes jobs that no worker has started; started ones return and wait for the next coordinator.
   */
  async #takeBack(): Promise<void> {
    const takesBack = async () => {
      for (const chunk of this.#out) await this.#queue.remove(this.#study, chunk);
      await this.#landAll();
    };
    const took = takesBack().then(() => true);
    // Once nobody waits for it, its end is no news.
    took.catch(() => undefined);
    if (await Promise.race([took, setTimeout(TAKING_BACK_MS, false)])) return;
    this.#on.say(`${this.#queue.said} does not answer: what was handed out stays there`);
  }

  /** During an outage an answer takes as long as it does, and a signal does not wait for it. */
  async #unlessStopped(act: Promise<void>): Promise<void> {
    let isOver = false;
    const over = act.finally(() => {
      isOver = true;
    });
    while (!isOver && !this.#on.stops()) await Promise.race([over, setTimeout(TICK_MS)]);
    if (!isOver) await Promise.race([over, setTimeout(TAKING_BACK_MS)]);
    if (isOver) await over;
    else over.catch(() => undefined);
  }
}
