/**
 * Rows by 32 bits of what names them, in two typed arrays: of a million rows a map takes four times
 * the memory. It derives from its table, and no snapshot has it.
 *
 * Rows stand where their word leads, or in the first free place after that. Several may have one
 * word: the caller resolves which row is meant. A row that goes leaves no gap on the way to
 * another.
 */
import { assert } from '../base/assert.ts';
import { finish } from '../base/mixing.ts';
import { NONE } from './columns.ts';

/** Places for each row that there is room for. */
const PLACES_A_ROW = 4 / 3;
const WORDS = 0x1_0000_0000;

const isMeant = () => true;

export class RowIndex {
  #rows = new Int32Array(0);
  #words = new Int32Array(0);
  #size = 0;
  #capacity = 0;

  get size(): number {
    return this.#size;
  }

  /** Grows the columns to a number of rows. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const [before, words] = [this.#rows, this.#words];
    const places = Math.ceil(rows * PLACES_A_ROW) + 1;
    this.#capacity = rows;
    this.#rows = new Int32Array(places).fill(NONE);
    this.#words = new Int32Array(places);
    for (let place = 0; place < before.length; place++) {
      if (before[place] !== NONE) this.#put(words[place], before[place]);
    }
  }

  add(word: number, row: number): void {
    assert(row >= 0, 'a row is a number from 0 on');
    if (this.#size === this.#capacity) this.reserve(Math.max(16, 2 * this.#size));
    this.#put(word | 0, row);
    this.#size++;
  }

  /** The row of this word that is meant, or NONE. */
  find(word: number, meant: (row: number) => boolean = isMeant): number {
    const place = this.#placeOf(word | 0, meant);
    return place === NONE ? NONE : this.#rows[place];
  }

  /** Takes a row out; one that is not there is left out already. */
  remove(word: number, row: number): void {
    let free = this.#placeOf(word | 0, (one) => one === row);
    if (free === NONE) return;
    this.#size--;
    const [rows, words] = [this.#rows, this.#words];
    for (let at = this.#after(free); rows[at] !== NONE; at = this.#after(at)) {
      // Who would not be found from its own place on, with a gap before it, moves into that.
      const first = this.#first(words[at]);
      const isBeforeGap = free < at ? first <= free || first > at : first <= free && first > at;
      if (!isBeforeGap) continue;
      rows[free] = rows[at];
      words[free] = words[at];
      free = at;
    }
    rows[free] = NONE;
  }

  clear(): void {
    this.#rows.fill(NONE);
    this.#size = 0;
  }

  #put(word: number, row: number): void {
    let place = this.#first(word);
    while (this.#rows[place] !== NONE) place = this.#after(place);
    this.#rows[place] = row;
    this.#words[place] = word;
  }

  #placeOf(word: number, meant: (row: number) => boolean): number {
    if (this.#size === 0) return NONE;
    const [rows, words] = [this.#rows, this.#words];
    for (let place = this.#first(word); rows[place] !== NONE; place = this.#after(place)) {
      if (words[place] === word && meant(rows[place])) return place;
    }
    return NONE;
  }

  /** The place to which a word leads. */
  #first(word: number): number {
    return Math.floor(((finish(word) >>> 0) / WORDS) * this.#rows.length);
  }

  #after(place: number): number {
    return place + 1 === this.#rows.length ? 0 : place + 1;
  }
}

/** The word of a name: other names have others, as a rule. */
export function wordOf(name: string): number {
  let word = name.length;
  for (let i = 0; i < name.length; i++) word = Math.imul(word ^ name.charCodeAt(i), 0x1000193);
  return word;
}
