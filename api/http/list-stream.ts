/**
 * Long lists on their way out. A list is written in slices of some milliseconds, as fast as its
 * reader takes them: what waits is bounded, a reader that leaves frees all of it, and so does one
 * that takes nothing for a minute. Between slices the program does what else there is to do.
 */
import { Readable } from 'node:stream';
import { fail } from '../../sim/base/result.ts';
import { TURNS } from '../host/process/turns.ts';
import type { Pieces } from './list-text.ts';
import { Refusal } from './refusal.ts';

/** Work of one slice, ms. */
const SLICE_MS = 8;

/** Of one slice, and what waits for the reader, characters. */
const PIECE = 128 * 1024;

/** Of the first slice: characters, and steps without any. */
const FIRST_PIECE = 64 * 1024;
const FIRST_STEPS = 4;

/** A reader that takes nothing for so long is gone, ms. */
const STALL_MS = 60_000;

/** Most lists written at the same time; each holds a copy of its data. */
export const MOST_LISTS = { ofSubscriber: 4, ofAll: 16 } as const;

/** Places for lists that take more than one slice. */
export class ListPlaces {
  readonly #taken = new Map<string, number>();
  #all = 0;

  /** Throws a `Refusal` where no place is left: 429 of the subscriber, 503 of all. */
  look(subscriber: string): void {
    const { ofSubscriber, ofAll } = MOST_LISTS;
    const message = 'Too many long lists are being written; try again in a second.';
    const refusal = (status: number, code: string) =>
      new Refusal(status, fail(code, message).failure, { 'retry-after': '1' });
    if ((this.#taken.get(subscriber) ?? 0) >= ofSubscriber) throw refusal(429, 'list.too-many');
    if (this.#all >= ofAll) throw refusal(503, 'server.busy');
  }

  /** Takes a place until what is returned is called, once. */
  take(subscriber: string): () => void {
    this.#all++;
    this.#taken.set(subscriber, (this.#taken.get(subscriber) ?? 0) + 1);
    return () => {
      this.#all--;
      const left = this.#taken.get(subscriber)! - 1;
      if (left === 0) this.#taken.delete(subscriber);
      else this.#taken.set(subscriber, left);
    };
  }

  /** Lists underway. */
  get taken(): number {
    return this.#all;
  }
}

/** The beginning of a text, and whether that is all of it. */
export interface Slice {
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * The first slice, which decides the response's head: it is bounded by its size and its work, so
 * that the same list is always sent in the same way.
 */
export function firstSliceOf(pieces: Pieces): Slice {
  let [text, steps] = ['', 0];
  while (text.length < FIRST_PIECE && steps < FIRST_STEPS) {
    const { done, value } = pieces.next();
    if (done === true) return { text, isLast: true };
    text += value;
    if (value === '') steps++;
  }
  return { text, isLast: false };
}

/** One more slice, bounded by its size and by time. */
export function sliceOf(pieces: Pieces, milliseconds: number = SLICE_MS): Slice {
  const untilMs = performance.now() + milliseconds;
  let text = '';
  do {
    const { done, value } = pieces.next();
    if (done === true) return { text, isLast: true };
    text += value;
  } while (text.length < PIECE && performance.now() < untilMs);
  return { text, isLast: false };
}

export interface StreamOptions {
  /** Called once, when it is over, however. */
  readonly onEnd: () => void;
  readonly stallMs?: number;
  /** Whose turns its slices take. */
  readonly caller?: string;
}

/** The rest of a text, after what was made of it before. */
export function streamOf(
  first: string,
  pieces: Pieces,
  { onEnd, stallMs = STALL_MS, caller = '' }: StreamOptions,
) {
  let stall: NodeJS.Timeout | undefined;
  let before = first;
  const stream = new Readable({
    highWaterMark: PIECE,
    // Yields between slices: a synchronous write would block the process until the end.
    read: () => {
      clearTimeout(stall);
      TURNS.add(caller, work);
    },
    destroy: (error, done) => {
      clearTimeout(stall);
      pieces.return(undefined);
      onEnd();
      done(error);
    },
  });
  const work = () => {
    if (stream.destroyed) return;
    try {
      const { text, isLast } = sliceOf(pieces);
      const all = before + text;
      before = '';
      stall = setTimeout(() => stream.destroy(new Error('a reader takes nothing')), stallMs);
      stall.unref();
      if (all !== '') stream.push(all);
      else if (!isLast) TURNS.add(caller, work);
      if (isLast) stream.push(null);
    } catch (error) {
      stream.destroy(error as Error);
    }
  };
  return stream;
}
