/** A sorted run of events that is emptied from its front: the opened bucket of the event queue. */
import { assert } from '../base/assert.ts';

/** Up to this many entries insertion is the fastest sort; above, runs of this length are merged. */
const INSERTION_LIMIT = 32;

/**
 * Two parallel columns. Between `open` calls the entries `first … end−1` are sorted by time, then
 * by key; those before `first` are gone. While a run is filled, entries stand in any order. What
 * comes out of order stops the world in `Agenda.next`.
 */
export class EventRun {
  /** µs. */
  atUs = new Float64Array(2 * INSERTION_LIMIT);
  key = new Int32Array(2 * INSERTION_LIMIT);
  first = 0;
  end = 0;
  #spareAtUs = new Float64Array(2 * INSERTION_LIMIT);
  #spareKey = new Int32Array(2 * INSERTION_LIMIT);

  /** Appends without order; `sort` must follow the last one. */
  add(atUs: number, key: number): void {
    if (this.end === this.atUs.length) this.#double();
    this.atUs[this.end] = atUs;
    this.key[this.end++] = key;
  }

  /** Sorts all entries; `first` must be 0. */
  sort(): void {
    assert(this.first === 0, 'a run is sorted before anything is taken from it');
    const { end } = this;
    for (let from = 0; from < end; from += INSERTION_LIMIT) {
      this.#insert(from, Math.min(from + INSERTION_LIMIT, end));
    }
    for (let length = INSERTION_LIMIT; length < end; length *= 2) this.#mergePairs(length);
  }

  clear(): void {
    this.first = 0;
    this.end = 0;
  }

  /** Insertion sort of the entries from … end−1. */
  #insert(from: number, end: number): void {
    const times = this.atUs;
    const keys = this.key;
    for (let i = from + 1; i < end; i++) {
      const atUs = times[i];
      const key = keys[i];
      let hole = i;
      for (; hole > from; hole--) {
        const beforeUs = times[hole - 1];
        if (beforeUs < atUs || (beforeUs === atUs && keys[hole - 1] <= key)) break;
        times[hole] = beforeUs;
        keys[hole] = keys[hole - 1];
      }
      times[hole] = atUs;
      keys[hole] = key;
    }
  }

  /** Merges neighbouring sorted stretches of `length` into the spare columns, then swaps. */
  #mergePairs(length: number): void {
    const { end } = this;
    for (let from = 0; from < end; from += 2 * length) {
      this.#merge(from, Math.min(from + length, end), Math.min(from + 2 * length, end));
    }
    const { atUs, key } = this;
    this.atUs = this.#spareAtUs;
    this.key = this.#spareKey;
    this.#spareAtUs = atUs;
    this.#spareKey = key;
  }

  #merge(from: number, middle: number, end: number): void {
    const times = this.atUs;
    const keys = this.key;
    const intoTimes = this.#spareAtUs;
    const intoKeys = this.#spareKey;
    let left = from;
    let right = middle;
    for (let into = from; into < end; into++) {
      const takesLeft =
        right === end ||
        (left < middle &&
          (times[left] < times[right] ||
            (times[left] === times[right] && keys[left] <= keys[right])));
      const source = takesLeft ? left++ : right++;
      intoTimes[into] = times[source];
      intoKeys[into] = keys[source];
    }
  }

  #double(): void {
    const { atUs, key } = this;
    this.atUs = new Float64Array(2 * atUs.length);
    this.atUs.set(atUs);
    this.key = new Int32Array(2 * key.length);
    this.key.set(key);
    this.#spareAtUs = new Float64Array(2 * atUs.length);
    this.#spareKey = new Int32Array(2 * key.length);
  }
}
