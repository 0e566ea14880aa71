/**
 * What a study needs of an engine: a queue, and beside it texts, lists and who is there. Redis and
 * PostgreSQL have a file each; what is done with them stands once, in chunk-queue.ts.
 */
import type { IQueueBackend, Processor, Queue, Worker, WorkerOptions } from 'bullmq';

/** Called when the engine becomes unreachable, and when it is back. */
export type Say = (line: string) => void;

export type EngineQueue<Data> = Queue<Data, unknown, string, Data, unknown, string, IQueueBackend>;
export type EngineWorker<Data> = Worker<Data, unknown, string, IQueueBackend>;
export type TakingOptions = Omit<WorkerOptions, 'connection'>;

/** Of a study that nobody comes back to, s. */
export const STORED_S = 7 * 86_400;
/** A worker that has not said for so long that it is there is gone, s. */
export const GONE_AFTER_S = 15;

/** What is asked while it is away is answered when it is back. */
export interface Engine {
  /** Its address, without the password. */
  readonly said: string;
  isThere(): boolean;
  /** False: the error belongs to an outage, which is reported anyway. */
  isNews(error: Error): boolean;
  close(): Promise<void>;

  queue<Data>(name: string): EngineQueue<Data>;
  worker<Data>(
    name: string,
    act: Processor<Data, unknown, string>,
    options: TakingOptions,
  ): EngineWorker<Data>;
  /** Which of these jobs are there, in whatever state. */
  known(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>>;

  /** A text that is there already stays as it is, for another while. */
  keep(name: string, text: string): Promise<void>;
  store(name: string): Promise<string | undefined>;
  forget(name: string): Promise<void>;

  append(list: string, text: string): Promise<void>;
  first(list: string, most: number): Promise<string[]>;
  /** The first one that is this text. */
  drop(list: string, text: string): Promise<void>;
  count(list: string): Promise<number>;

  /** By the clock of the engine, which is the only one that all see. */
  sayThere(words: string): Promise<void>;
  sayGone(words: string): Promise<void>;
  there(): Promise<string[]>;
}
