/**
 * The log of one subscriber: its latest entries, up to a limit. The latest of all are open; those
 * before them are in chunks that never change; the oldest is dropped when it is past the limit as a
 * whole. What is past the limit is not reported, whether it is gone or not.
 */
import { Chunk, type ChunkParts } from './chunk.ts';
import { OpenEntries, type SavedEntries } from './open-entries.ts';

/** Entries of a chunk. */
const CHUNK = 4096;

/**
 * Entries are sealed when this number is open. An entry that arrives later than that many others
 * gets the time of the oldest open one.
 */
const MOST_OPEN = 2 * CHUNK;

/** Plain data; sealed chunks are shared with it. */
export interface SavedLog {
  readonly sealed: readonly ChunkParts[];
  readonly open: SavedEntries;
}

/** A log as it is at an instant: it stays so. */
export interface LogCopy {
  /** From the oldest on; entries of a chunk are in the order of their instants. */
  readonly chunks: readonly Chunk[];
  /** Entries at the begin of the first chunk that are past the limit. */
  readonly past: number;
}

export class LogStore {
  readonly #most: number;
  #sealed: Chunk[] = [];
  /** Entries in those. */
  #inSealed = 0;
  readonly #open: OpenEntries;
  /** What is open, as a chunk; undefined: it was not looked at since the last entry. */
  #shown: Chunk | undefined;

  /** `limit` of entries; `isOwn`: whether a gateway belongs to the subscriber now. */
  constructor(most: number, isOwn: (gatewayEui: string) => boolean) {
    this.#most = most;
    this.#open = new OpenEntries(isOwn);
  }

  /** Where an entry is to be written: `begin` gives its place. */
  get open(): OpenEntries {
    this.#shown = undefined;
    if (this.#open.size === MOST_OPEN) this.#seal();
    return this.#open;
  }

  get copy(): LogCopy {
    this.#shown ??= this.#open.sealed();
    const chunks = this.#open.size === 0 ? this.#sealed : [...this.#sealed, this.#shown];
    let past = Math.max(0, this.#inSealed + this.#open.size - this.#most);
    let gone = 0;
    while (gone < chunks.length && past >= chunks[gone]!.size) past -= chunks[gone++]!.size;
    return { chunks: chunks.slice(gone), past };
  }

  /** A gateway came or went: whose it is may be another now. */
  forgetGateway(eui: string): void {
    this.#open.forgetGateway(eui);
  }

  /** Shares chunks that are sealed, and nothing else. */
  save(): SavedLog {
    return { sealed: [...this.#sealed], open: this.#open.save() };
  }

  load({ sealed, open }: SavedLog): void {
    this.#sealed = sealed.map((each) => (each instanceof Chunk ? each : new Chunk(each)));
    this.#inSealed = this.#sealed.reduce((sum, { size }) => sum + size, 0);
    this.#open.load(open);
    this.#shown = undefined;
  }

  /** Another list each time: copies have the one before. */
  #seal(): void {
    const chunk = this.#open.sealed(CHUNK);
    this.#open.drop(CHUNK);
    this.#sealed = [...this.#sealed, chunk];
    this.#inSealed += CHUNK;
    const total = this.#inSealed + this.#open.size;
    let past = 0;
    for (let left = total - this.#most; left >= CHUNK && past < this.#sealed.length; past++) {
      left -= CHUNK;
    }
    if (past === 0) return;
    this.#sealed = this.#sealed.slice(past);
    this.#inSealed -= past * CHUNK;
  }
}

/** Entries of a log that are stored of each subscriber, unless a plan says otherwise. */
export const USUAL_LOG_ENTRIES = 100_000;

/** As many as a plan may say. */
export const MOST_LOG_ENTRIES = 10_000_000;
