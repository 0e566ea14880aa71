/**
 * Which fragments a device has: bit sets in one growing array, handed out and taken back by size.
 */
import { assert } from '../base/assert.ts';
import { lowestPlace } from '../base/bits.ts';

export interface SavedFragmentBits {
  readonly words: Int32Array;
  readonly free: readonly (readonly [number, readonly number[]])[];
}

export class FragmentBits {
  words = new Int32Array(1024);
  #used = 0;
  /** Places given back, by their length in words. */
  readonly #free = new Map<number, number[]>();

  /** Takes a range of `length` words, all 0; returns where it begins. */
  take(length: number): number {
    assert(length > 0, 'a bit set has words');
    const again = this.#free.get(length)?.pop();
    const at = again ?? this.#append(length);
    this.words.fill(0, at, at + length);
    return at;
  }

  /** Gives back a range that `take` returned, for others of the same length. */
  give(at: number, length: number): void {
    assert(at >= 0 && at + length <= this.#used, 'a bit set gets back what it handed out');
    const places = this.#free.get(length);
    if (places === undefined) this.#free.set(length, [at]);
    else places.push(at);
  }

  save(): SavedFragmentBits {
    const free = [...this.#free].map(([length, places]) => [length, [...places]] as const);
    return { words: this.words.slice(0, this.#used), free };
  }

  load(saved: SavedFragmentBits): void {
    this.#used = saved.words.length;
    this.words = new Int32Array(Math.max(1024, 2 * this.#used));
    this.words.set(saved.words);
    this.#free.clear();
    for (const [length, places] of saved.free) this.#free.set(length, [...places]);
  }

  #append(length: number): number {
    const at = this.#used;
    this.#used += length;
    if (this.#used > this.words.length) {
      const grown = new Int32Array(2 * this.#used);
      grown.set(this.words);
      this.words = grown;
    }
    return at;
  }
}

/**
 * Sets fragments of a range, one at least: bit i of `bits` is that of number `first` + i. Returns
 * those that were clear.
 */
export function setFragments(words: Int32Array, at: number, first: number, bits: number): number {
  assert(first + lowestPlace(bits) > 0, 'fragments are numbered from 1');
  // Places before the range are of no fragment: what lies there is shifted out.
  const before = Math.max(0, 1 - first);
  const place = Math.max(0, first - 1);
  const shift = place & 31;
  const word = at + (place >> 5);
  const low = (bits >>> before) << shift;
  const high = shift === 0 ? 0 : (bits >>> before) >>> (32 - shift);
  const [clearLow, clearHigh] = [low & ~words[word], high === 0 ? 0 : high & ~words[word + 1]];
  words[word] |= low;
  if (high !== 0) words[word + 1] |= high;
  const clear = (clearLow >>> shift) | (shift === 0 ? 0 : clearHigh << (32 - shift));
  return clear << before;
}

/** Whether bit `number` − 1 of a range is set. */
export const hasFragment = (words: Int32Array, at: number, number: number): boolean =>
  ((words[at + ((number - 1) >> 5)] >>> ((number - 1) & 31)) & 1) === 1;
