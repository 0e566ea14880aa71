/**
 * Rank model: when a receiver of a fragmented block is complete, without its bytes (FragAlgo 0 of
 * TS004).
 *
 * Problem: thousands of receivers lose different fragments of one block. A decoder with bytes for
 * each costs memory and time for data that no result needs.
 *
 * Approach: a receiver is complete when its coded rows, restricted to the fragments it lacks, have
 * full rank. Here each lacking fragment is a column: a bit set over the coded rows, shared by all
 * receivers of a session. Elimination gives each column a lowest row of its own. Those rows are the
 * first ones that suffice. The greatest of them is the coded fragment that completes the block.
 * Elimination handles 32 rows at a time, through tables of the sums of columns.
 *
 * It first looks at `EXTRA_ROWS` more rows than fragments are lacking, which suffices for all but
 * about one receiver in 250. If they do not suffice, it looks at more.
 *
 * Rejected: elimination by rows in order of arrival, as a device does it. Its rows are as wide as
 * the block, while a receiver lacks few fragments. Also rejected: a draw by the probability of
 * random rows. It misses numbers of fragments whose columns are nearly equal (docs/standard.md,
 * Redundancy code).
 */
import { assert } from '../base/assert.ts';
import { bitCount, lowestOf, lowestPlace } from '../base/bits.ts';
import {
  drawParityRow,
  type FragmentationVersion,
  MAX_FRAGMENT_NUMBER,
} from './fragmentation-code.ts';

/** Fragments that do not determine the block. */
export const INCOMPLETE = -1;

/** Coded fragments beyond the missing ones that suffice for all but about one receiver in 250. */
const EXTRA_ROWS = 8;

export class RankModel {
  readonly version: FragmentationVersion;
  readonly nbFrag: number;
  /** Coded rows drawn so far. */
  #rowCount = 0;
  /** Words per column: capacity for 32 rows each. */
  #stride = 0;
  /** Column by column: bit n − 1 is set when coded fragment n holds this fragment. */
  #columns = new Int32Array(0);
  readonly #drawn: Int32Array;

  /** Places of the fragments that the receiver lacks. */
  readonly #lacking: Int32Array;
  /** Coded rows that it has. */
  #has = new Int32Array(0);
  /**
   * Columns in elimination, `words` words each, and where those not yet done begin, in any order.
   */
  #vectors = new Int32Array(0);
  readonly #order: Int32Array;
  /**
   * Rows of the present word at which a vector begins, and which; all sums of four such vectors.
   */
  #heads = 0;
  readonly #headed = new Int32Array(32);
  #sums = new Int32Array(0);

  constructor(version: FragmentationVersion, nbFrag: number) {
    assert(nbFrag >= 1 && nbFrag <= MAX_FRAGMENT_NUMBER, 'nbFrag lies in 1…16383');
    this.version = version;
    this.nbFrag = nbFrag;
    this.#drawn = new Int32Array((nbFrag + 31) >> 5);
    this.#lacking = new Int32Array(nbFrag);
    this.#order = new Int32Array(nbFrag);
  }

  /**
   * The fragment number at whose reception the receiver is complete, looking at fragments 1 …
   * `sent`; `INCOMPLETE` when it is not complete by then. Fragment N was received when bit
   * (N − 1) & 31 of `received[at + ((N − 1) >> 5)]` is set; fragments are taken to arrive in the
   * order of their numbers.
   */
  completesAt(received: Int32Array | Uint32Array, at: number, sent: number): number {
    const lacking = this.#findLacking(received, at, sent);
    if (lacking === 0) return this.nbFrag;
    if (sent - this.nbFrag < lacking) return INCOMPLETE;
    const words = this.#findRows(received, at, sent);
    for (let extra = EXTRA_ROWS; ; extra *= 3) {
      const window = this.#wordsHolding(lacking + extra, words);
      const lastRow = this.#eliminate(lacking, window, true);
      if (lastRow >= 0) return this.nbFrag + 1 + lastRow;
      if (window === words) return INCOMPLETE;
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
      for (; left !== 0; left &= left - 1) places[count++] = 32 * w + lowestPlace(left);
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
   * Makes the lacking fragments' columns independent over the first `words` words of received rows,
   * 32 rows at a time: the columns that begin in these rows are set apart, and taken out of all
   * others through tables of their sums. With `allOrNothing`: the greatest row at which a column
   * begins, `INCOMPLETE` when some column depends on others. Without: the number of independent
   * columns.
   */
  #eliminate(lacking: number, words: number, allOrNothing: boolean): number {
    this.#loadColumns(lacking, words);
    let left = lacking;
    let greatest = INCOMPLETE;
    for (let w = 0; w < words && left > 0; w++) {
      const found = this.#setApart(w, words, left);
      if (found === 0) continue;
      left -= found;
      greatest = 32 * w + 31 - Math.clz32(this.#heads);
      if (left > 0 && w + 1 < words) this.#takeOut(w, words, left);
    }
    if (!allOrNothing) return lacking - left;
    return left === 0 ? greatest : INCOMPLETE;
  }

  /** Copies the lacking fragments' columns, masked with the received rows. */
  #loadColumns(lacking: number, words: number): void {
    if (this.#vectors.length < lacking * words) this.#vectors = new Int32Array(2 * lacking * words);
    const vectors = this.#vectors;
    const columns = this.#columns;
    const has = this.#has;
    for (let c = 0; c < lacking; c++) {
      const from = this.#lacking[c] * this.#stride;
      const to = c * words;
      for (let w = 0; w < words; w++) vectors[to + w] = columns[from + w] & has[w];
      this.#order[c] = to;
    }
  }

  /**
   * Among the first `left` vectors of `#order`, finds those that begin in word `w` at a row of
   * their own. Moves them to the end, and returns how many. `#heads` has a bit per such row and
   * `#headed` the vector that begins there.
   */
  #setApart(w: number, words: number, left: number): number {
    const vectors = this.#vectors;
    const order = this.#order;
    const headed = this.#headed;
    const most = bitCount(this.#has[w]);
    let heads = 0;
    let found = 0;
    for (let i = 0; i < left - found && found < most; ) {
      const at = order[i];
      let low = lowestOf(vectors[at + w]);
      while ((low & heads) !== 0) {
        const other = headed[31 - Math.clz32(low)];
        for (let j = w; j < words; j++) vectors[at + j] ^= vectors[other + j];
        low = lowestOf(vectors[at + w]);
      }
      if (low === 0) i++;
      else {
        heads |= low;
        headed[31 - Math.clz32(low)] = at;
        found++;
        order[i] = order[left - found];
        order[left - found] = at;
      }
    }
    this.#heads = heads;
    return found;
  }

  /** Takes the vectors set apart in word `w` out of the first `left` ones, in the words behind. */
  #takeOut(w: number, words: number, left: number): void {
    this.#reduceHeaded(w, words);
    this.#sumHeaded(w, words);
    const vectors = this.#vectors;
    const order = this.#order;
    const sums = this.#sums;
    const width = words - w - 1;
    const block = 16 * width;
    for (let i = 0; i < left; i++) {
      const at = order[i] + w;
      const word = vectors[at];
      const a = (word & 15) * width - 1;
      const b = block + ((word >>> 4) & 15) * width - 1;
      const c = 2 * block + ((word >>> 8) & 15) * width - 1;
      const d = 3 * block + ((word >>> 12) & 15) * width - 1;
      const e = 4 * block + ((word >>> 16) & 15) * width - 1;
      const f = 5 * block + ((word >>> 20) & 15) * width - 1;
      const g = 6 * block + ((word >>> 24) & 15) * width - 1;
      const h = 7 * block + (word >>> 28) * width - 1;
      for (let j = 1; j <= width; j++) {
        vectors[at + j] ^=
          sums[a + j] ^
          sums[b + j] ^
          sums[c + j] ^
          sums[d + j] ^
          sums[e + j] ^
          sums[f + j] ^
          sums[g + j] ^
          sums[h + j];
      }
    }
  }

  /** From the last head down: takes the other heads out of each vector set apart. */
  #reduceHeaded(w: number, words: number): void {
    const vectors = this.#vectors;
    const headed = this.#headed;
    for (let todo = this.#heads; todo !== 0; ) {
      const bit = 31 - Math.clz32(todo);
      todo ^= 1 << bit;
      const at = headed[bit];
      for (let others = vectors[at + w] & this.#heads & ~(1 << bit); others !== 0; ) {
        const other = 31 - Math.clz32(others);
        others ^= 1 << other;
        for (let j = w; j < words; j++) vectors[at + j] ^= vectors[headed[other] + j];
      }
    }
  }

  /**
   * Tables of the sums of vectors set apart: for each four rows of the word, by which of them a
   * vector has.
   */
  #sumHeaded(w: number, words: number): void {
    const width = words - w - 1;
    if (this.#sums.length < 128 * width) this.#sums = new Int32Array(128 * width);
    const sums = this.#sums;
    for (let entry = 0; entry < 128; entry++) {
      const to = entry * width;
      const choice = entry & 15;
      const bit = 4 * (entry >> 4) + lowestPlace(choice);
      const rest = ((entry & ~15) | (choice & (choice - 1))) * width;
      const vector = choice !== 0 && (this.#heads >>> bit) & 1 ? this.#headed[bit] + w + 1 : -1;
      for (let j = 0; j < width; j++) {
        const sum = choice === 0 ? 0 : sums[rest + j];
        sums[to + j] = vector < 0 ? sum : sum ^ this.#vectors[vector + j];
      }
    }
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
          const place = 32 * w + lowestPlace(left);
          columns[place * this.#stride + (n >> 5)] |= bit;
        }
      }
    }
    this.#rowCount = count;
  }

  /** Grows the tables to hold `count` rows. */
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
  }
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
