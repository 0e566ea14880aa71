/**
 * When a receiver of a fragmented block is complete, without its bytes (FragAlgo 0 of TS004).
 *
 * A receiver is complete when the coded rows it has, restricted to the fragments it lacks, have
 * full rank. Here each lacking fragment is a column: a bit set over the coded rows, shared by all
 * receivers of a session. The columns are made independent by their lowest rows; those rows are the
 * first ones that suffice, and the greatest of them is the coded fragment that completes the block.
 * Only as many rows are looked at as usually suffice; when they do not, more.
 */
import { assert } from '../base/assert.ts';
import {
  drawParityRow,
  type FragmentationVersion,
  MAX_FRAGMENT_NUMBER,
} from './fragmentation-code.ts';

/** Coded fragments beyond the missing ones that suffice for all but about one receiver in 250. */
const EXTRA_ROWS = 8;

export class RankModel {
  readonly version: FragmentationVersion;
  readonly nbFrag: number;
  /** Coded rows drawn so far. */
  #rowCount = 0;
  /** Words per column: capacity for 32 rows each. */
  #stride = 0;
  /** Column by column: bit n − 1 tells whether coded fragment n holds this fragment. */
  #columns = new Int32Array(0);
  readonly #drawn: Int32Array;

  /** Places of the fragments that the receiver lacks. */
  readonly #lacking: Int32Array;
  /** Coded rows that it has. */
  #has = new Int32Array(0);
  /** Independent columns found, and the index of the one whose lowest row this is; −1 for none. */
  #basis = new Int32Array(0);
  #basisOfRow = new Int32Array(0);

  constructor(version: FragmentationVersion, nbFrag: number) {
    assert(nbFrag >= 1 && nbFrag <= MAX_FRAGMENT_NUMBER, 'nbFrag lies in 1…16383');
    this.version = version;
    this.nbFrag = nbFrag;
    this.#drawn = new Int32Array((nbFrag + 31) >> 5);
    this.#lacking = new Int32Array(nbFrag);
  }

  /**
   * The fragment number at whose reception the receiver is complete, looking at fragments 1 …
   * `sent`; −1 when it is not complete by then. Fragment N was received when bit (N − 1) & 31 of
   * `received[at + ((N − 1) >> 5)]` is set; fragments are taken to arrive in the order of their
   * numbers.
   */
  completesAt(received: Int32Array | Uint32Array, at: number, sent: number): number {
    const lacking = this.#findLacking(received, at, sent);
    if (lacking === 0) return this.nbFrag;
    if (sent - this.nbFrag < lacking) return -1;
    const words = this.#findRows(received, at, sent);
    for (let extra = EXTRA_ROWS; ; extra *= 3) {
      const window = this.#wordsHolding(lacking + extra, words);
      const lastRow = this.#eliminate(lacking, window, true);
      if (lastRow >= 0) return this.nbFrag + 1 + lastRow;
      if (window === words) return -1;
    }
  }

  /** Fragments neither received nor determined after fragments 1 … `sent`: MissingFrag of TS004. */
  missingAfter(received: Int32Array | Uint32Array, at: number, sent: number): number {
    const lacking = this.#findLacking(received, at, sent);
    if (lacking === 0 || sent <= this.nbFrag) return lacking;
    const words = this.#findRows(received, at, sent);
    return lacking - this.#eliminate(lacking, words, false);
  }

  /** Lists the uncoded fragments that were not received; returns their number. */
  #findLacking(received: Int32Array | Uint32Array, at: number, sent: number): number {
    const places = this.#lacking;
    const uncoded = Math.min(sent, this.nbFrag);
    let count = 0;
    for (let w = 0; w << 5 < this.nbFrag; w++) {
      let left = ~maskedWord(received, at, w, uncoded) & lowBits(this.nbFrag - (w << 5));
      for (; left !== 0; left &= left - 1) places[count++] = 32 * w + 31 - Math.clz32(left & -left);
    }
    return count;
  }

  /**
   * Copies the received coded fragments up to `sent`, as rows from 0, to `#has`; returns its words.
   */
  #findRows(received: Int32Array | Uint32Array, at: number, sent: number): number {
    const rows = Math.max(sent - this.nbFrag, 0);
    this.#drawRows(rows);
    const words = (rows + 31) >> 5;
    const first = this.nbFrag >> 5;
    const shift = this.nbFrag & 31;
    for (let w = 0; w < words; w++) {
      const low = maskedWord(received, at, first + w, sent) >>> shift;
      const high = shift === 0 ? 0 : maskedWord(received, at, first + w + 1, sent) << (32 - shift);
      this.#has[w] = low | high;
    }
    return words;
  }

  /** Fewest words of rows that hold `count` received ones; all `words` when there are fewer. */
  #wordsHolding(count: number, words: number): number {
    const has = this.#has;
    let held = 0;
    for (let w = 0; w < words; w++) {
      held += bitCount(has[w]);
      if (held >= count) return w + 1;
    }
    return words;
  }

  /**
   * Makes the lacking fragments' columns independent over the first `words` words of received rows.
   * With `allOrNothing`: the greatest of the rows that do it, −1 as soon as one column depends on
   * the others. Without: the number of independent columns.
   */
  #eliminate(lacking: number, words: number, allOrNothing: boolean): number {
    const columns = this.#columns;
    const stride = this.#stride;
    const places = this.#lacking;
    const has = this.#has;
    const basis = this.#basisFor(lacking * words);
    const basisOfRow = this.#basisOfRow.fill(-1, 0, 32 * words);
    let found = 0;
    let greatest = -1;
    for (let c = 0; c < lacking; c++) {
      const vector = found * words;
      const column = places[c] * stride;
      for (let w = 0; w < words; w++) basis[vector + w] = columns[column + w] & has[w];
      const row = reduce(basis, vector, words, basisOfRow);
      if (row >= 0) {
        basisOfRow[row] = found++;
        if (row > greatest) greatest = row;
      } else if (allOrNothing) return -1;
    }
    return allOrNothing ? greatest : found;
  }

  #basisFor(words: number): Int32Array {
    if (this.#basis.length < words) this.#basis = new Int32Array(2 * words);
    return this.#basis;
  }

  /** Draws coded rows until there are `count`. */
  #drawRows(count: number): void {
    if (count <= this.#rowCount) return;
    this.#reserve(count);
    const columns = this.#columns;
    const row = this.#drawn;
    for (let n = this.#rowCount; n < count; n++) {
      row.fill(0);
      drawParityRow(this.version, this.nbFrag, n + 1, row);
      const bit = 1 << (n & 31);
      for (let w = 0; w < row.length; w++) {
        for (let left = row[w]; left !== 0; left &= left - 1) {
          const place = 32 * w + 31 - Math.clz32(left & -left);
          columns[place * this.#stride + (n >> 5)] |= bit;
        }
      }
    }
    this.#rowCount = count;
  }

  /** Makes room for `count` rows. */
  #reserve(count: number): void {
    const needed = (count + 31) >> 5;
    if (needed <= this.#stride) return;
    const stride = Math.max(needed, 2 * this.#stride, 4);
    const columns = new Int32Array(this.nbFrag * stride);
    for (let c = 0; c < this.nbFrag; c++) {
      const old = this.#columns.subarray(c * this.#stride, (c + 1) * this.#stride);
      columns.set(old, c * stride);
    }
    this.#columns = columns;
    this.#stride = stride;
    this.#has = new Int32Array(stride);
    this.#basisOfRow = new Int32Array(32 * stride);
  }
}

/**
 * Takes out of the vector at `at` the basis vectors that begin where it does, until it begins at a
 * row of its own: returns that row, or −1 when nothing is left.
 */
function reduce(basis: Int32Array, at: number, words: number, basisOfRow: Int32Array): number {
  for (let w = 0; w < words; w++) {
    let word = basis[at + w];
    while (word !== 0) {
      const row = 32 * w + 31 - Math.clz32(word & -word);
      const other = basisOfRow[row];
      if (other < 0) {
        basis[at + w] = word;
        return row;
      }
      const source = other * words;
      word ^= basis[source + w];
      for (let i = w + 1; i < words; i++) basis[at + i] ^= basis[source + i];
    }
    basis[at + w] = 0;
  }
  return -1;
}

/** Word `w` of a bit set whose bits from `count` on do not count. */
function maskedWord(bits: Int32Array | Uint32Array, at: number, w: number, count: number): number {
  const left = count - (w << 5);
  return left <= 0 ? 0 : bits[at + w] & lowBits(left);
}

/** The lowest `count` bits; all 32 from 32 on. */
function lowBits(count: number): number {
  return count >= 32 ? -1 : (1 << count) - 1;
}

function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
