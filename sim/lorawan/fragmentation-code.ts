/**
 * The redundancy code of fragmented data blocks: parity rows, encoder, decoder (FragAlgo 0,
 * TS004-1.0.0 and TS004-2.0.0 §5; docs/standard.md, Redundancy code).
 */
import { assert } from '../base/assert.ts';
import { Admission, admit } from './fragment-admission.ts';

/**
 * TS004-1.0.0 lets a row draw the same fragment twice, TS004-2.0.0 does not: their codes do not
 * mix.
 */
export type FragmentationVersion = 1 | 2;

/** NbFrag and fragment numbers have 14 bits. */
export const MAX_FRAGMENT_NUMBER = 16_383;

/**
 * Next state of the row generator; states may exceed 23 bits at the start, so the new bit is added.
 */
export function prbs23(state: number): number {
  return (state >>> 1) + (((state ^ (state >>> 5)) & 1) << 22);
}

/**
 * Draws the fragments that coded fragment number nbFrag + n combines, as places 0 … nbFrag − 1, and
 * sets their bits in `row` (cleared by the caller; place p is bit p & 31 of word p >> 5). n counts
 * from 1.
 */
export function drawParityRow(
  version: FragmentationVersion,
  nbFrag: number,
  n: number,
  row: Int32Array,
): void {
  const modulus = nbFrag + ((nbFrag & (nbFrag - 1)) === 0 ? 1 : 0);
  let state = 1 + 1001 * n;
  for (let left = nbFrag >> 1; left > 0; ) {
    let place = nbFrag;
    while (place >= nbFrag) {
      state = (state >>> 1) + (((state ^ (state >>> 5)) & 1) << 22);
      place = state % modulus;
    }
    const bit = 1 << (place & 31);
    if (version === 1 || (row[place >> 5] & bit) === 0) left--;
    row[place >> 5] |= bit;
  }
}

/**
 * Which of the nbFrag fragments (entry 0 is fragment 1) the n-th coded fragment combines: 0 or 1
 * each.
 */
export function parityRow(version: FragmentationVersion, nbFrag: number, n: number): Uint8Array {
  const row = new Int32Array((nbFrag + 31) >> 5);
  drawParityRow(version, nbFrag, n, row);
  return Uint8Array.from({ length: nbFrag }, (_, place) => (row[place >> 5] >>> (place & 31)) & 1);
}

/**
 * Whether a block of `nbFrag` fragments has pairs of fragments whose columns in the parity matrix
 * are almost the same: losing both is hard to mend. Those are multiples of 64 from 192 on that are
 * no power of two (both versions; found by scanning the matrices).
 */
export function isDefective(nbFrag: number): boolean {
  return nbFrag >= 192 && nbFrag % 64 === 0 && (nbFrag & (nbFrag - 1)) !== 0;
}

/**
 * The fragment size nearest to `fragSize`, of at most `most` bytes, with which a block is not
 * defective, the larger of two equally near; undefined when there is none. `fragSize` itself when
 * it is good.
 */
export function nearestGoodFragSize(
  blockBytes: number,
  fragSize: number,
  most = fragSize,
): number | undefined {
  const isGood = (size: number): boolean =>
    size >= 1 && size <= most && !isDefective(fragmentCount(blockBytes, size));
  for (let off = 0; off < Math.max(fragSize, most); off++) {
    if (isGood(fragSize + off)) return fragSize + off;
    if (isGood(fragSize - off)) return fragSize - off;
  }
  return undefined;
}

/** Number of fragments of a block before redundancy. */
export function fragmentCount(blockBytes: number, fragSize: number): number {
  return Math.ceil(blockBytes / fragSize);
}

// ── encoder ──────────────────────────────────────────────────────────────────────────────────────

/**
 * All fragments to send: those of the block, the last one filled with zeros, then `redundancy`
 * coded ones. Entry N − 1 is fragment number N.
 */
export function encodeFragments(
  version: FragmentationVersion,
  block: Uint8Array,
  fragSize: number,
  redundancy: number,
): Uint8Array[] {
  const nbFrag = fragmentCount(block.length, fragSize);
  const count = nbFrag + redundancy;
  assert(count <= MAX_FRAGMENT_NUMBER, 'a fragment number has 14 bits');
  const stride = (fragSize + 3) >> 2;
  const words = new Int32Array(count * stride);
  const bytes = new Uint8Array(words.buffer);
  for (let f = 0; f < nbFrag; f++) {
    bytes.set(block.subarray(f * fragSize, (f + 1) * fragSize), f * stride * 4);
  }
  const row = new Int32Array((nbFrag + 31) >> 5);
  for (let n = 1; n <= redundancy; n++) {
    row.fill(0);
    drawParityRow(version, nbFrag, n, row);
    combine(words, stride, row, (nbFrag + n - 1) * stride);
  }
  return Array.from({ length: count }, (_, f) =>
    bytes.subarray(f * stride * 4, f * stride * 4 + fragSize),
  );
}

/** Fragments of a block by their numbers, each made when it is asked for. */
export class FragmentEncoder {
  readonly nbFrag: number;
  readonly fragSize: number;
  readonly #version: FragmentationVersion;
  readonly #stride: number;
  /** The block's fragments, `stride` words each; behind them the coded one in work. */
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #row: Int32Array;

  constructor(version: FragmentationVersion, block: Uint8Array, fragSize: number) {
    this.nbFrag = fragmentCount(block.length, fragSize);
    this.fragSize = fragSize;
    this.#version = version;
    this.#stride = (fragSize + 3) >> 2;
    this.#words = new Int32Array((this.nbFrag + 1) * this.#stride);
    this.#bytes = new Uint8Array(this.#words.buffer);
    this.#row = new Int32Array((this.nbFrag + 31) >> 5);
    for (let f = 0; f < this.nbFrag; f++) {
      this.#bytes.set(block.subarray(f * fragSize, (f + 1) * fragSize), f * this.#stride * 4);
    }
  }

  /** Fragment number N of the block, from 1. */
  fragment(number: number): Uint8Array {
    assert(number >= 1 && number <= MAX_FRAGMENT_NUMBER, 'fragment numbers lie in 1…16383');
    const at = Math.min(number - 1, this.nbFrag) * this.#stride;
    if (number > this.nbFrag) {
      this.#row.fill(0);
      drawParityRow(this.#version, this.nbFrag, number - this.nbFrag, this.#row);
      this.#words.fill(0, at);
      combine(this.#words, this.#stride, this.#row, at);
    }
    return this.#bytes.slice(4 * at, 4 * at + this.fragSize);
  }
}

/** Adds the fragments of `row` to the words at `target`. */
function combine(words: Int32Array, stride: number, row: Int32Array, target: number): void {
  for (let w = 0; w < row.length; w++) {
    for (let left = row[w]; left !== 0; left &= left - 1) {
      const place = 32 * w + 31 - Math.clz32(left & -left);
      const source = place * stride;
      for (let i = 0; i < stride; i++) words[target + i] ^= words[source + i];
    }
  }
}

// ── decoder ──────────────────────────────────────────────────────────────────────────────────────

/** Of a row that is stored: whether its column is the only one that it has. */
const AMONG_OTHERS = 1;
const ALONE = 2;

/**
 * Rebuilds a block from any fragments of full rank, in any order. Every fragment is a row over the
 * nbFrag columns. A row is stored under its lowest column once the rows stored before are taken out
 * of it. So the rank is the number of rows stored, and a late uncoded fragment needs no care of its
 * own.
 */
export class FragmentDecoder {
  readonly nbFrag: number;
  readonly fragSize: number;
  /** Fragments added, repetitions included: NbFragReceived of TS004. */
  received = 0;
  /**
   * Whether coded fragments had to be dropped because more than `maxLost` fragments were missing.
   */
  memoryError = false;

  readonly #version: FragmentationVersion;
  readonly #maxLost: number;
  readonly #inOrder: boolean;
  /** Highest fragment number so far, and whether a coded one was used. */
  #highest = 0;
  #usesCoded = false;
  readonly #rowWords: number;
  readonly #stride: number;
  /** Whether a row is stored under this column, and whether that has no other one. */
  readonly #stored: Uint8Array;
  /** Rows by column: `rowWords` of coefficients each. */
  readonly #rows: Int32Array;
  /** Their payloads: `stride` words each. */
  readonly #payloads: Int32Array;
  /** The row in work, and its payload. */
  readonly #row: Int32Array;
  readonly #payload: Int32Array;
  readonly #payloadBytes: Uint8Array;
  #rank = 0;
  #solved = false;

  /**
   * `maxLost`: coded fragments are used only while at most this number is missing; default no
   * limit. `inOrder`: a fragment with a lower number than one before is dropped; default false.
   */
  constructor(
    version: FragmentationVersion,
    nbFrag: number,
    fragSize: number,
    options: { readonly maxLost?: number; readonly inOrder?: boolean } = {},
  ) {
    assert(nbFrag >= 1 && nbFrag <= MAX_FRAGMENT_NUMBER, 'nbFrag lies in 1…16383');
    this.nbFrag = nbFrag;
    this.fragSize = fragSize;
    this.#version = version;
    this.#maxLost = options.maxLost ?? nbFrag;
    this.#inOrder = options.inOrder ?? false;
    this.#rowWords = (nbFrag + 31) >> 5;
    this.#stride = (fragSize + 3) >> 2;
    this.#stored = new Uint8Array(nbFrag);
    this.#rows = new Int32Array(nbFrag * this.#rowWords);
    this.#payloads = new Int32Array(nbFrag * this.#stride);
    this.#row = new Int32Array(this.#rowWords);
    this.#payload = new Int32Array(this.#stride);
    this.#payloadBytes = new Uint8Array(this.#payload.buffer);
  }

  /** Fragments that are neither received nor determined: MissingFrag of TS004. */
  get missing(): number {
    return this.nbFrag - this.#rank;
  }

  get complete(): boolean {
    return this.#rank === this.nbFrag;
  }

  /** Takes fragment number 1 … 16383 of `fragSize` bytes; true once the block is complete. */
  add(fragmentNumber: number, fragment: Uint8Array): boolean {
    assert(fragment.length === this.fragSize, 'a fragment has fragSize bytes');
    assert(
      fragmentNumber >= 1 && fragmentNumber <= MAX_FRAGMENT_NUMBER,
      'fragment numbers lie in 1…16383',
    );
    this.received++;
    if (this.complete) return true;
    const rules = { maxLost: this.#maxLost, inOrder: this.#inOrder };
    const { nbFrag, missing } = this;
    const state = { nbFrag, missing, highest: this.#highest, usesCoded: this.#usesCoded };
    const admission = admit(rules, state, fragmentNumber);
    this.#highest = Math.max(this.#highest, fragmentNumber);
    if (admission === Admission.noMemory) this.memoryError = true;
    if (admission !== Admission.taken) return false;
    if (fragmentNumber > nbFrag) this.#usesCoded = true;
    this.#load(fragmentNumber, fragment);
    this.#keep(fragmentNumber - 1);
    return this.complete;
  }

  /** The block with its filling; undefined before it is complete. */
  block(): Uint8Array | undefined {
    if (!this.complete) return undefined;
    if (!this.#solved) this.#solve();
    this.#solved = true;
    const { nbFrag, fragSize } = this;
    const bytes = new Uint8Array(this.#payloads.buffer).slice();
    for (let f = 1; f < nbFrag; f++) {
      const at = f * this.#stride * 4;
      bytes.copyWithin(f * fragSize, at, at + fragSize);
    }
    return bytes.slice(0, nbFrag * fragSize);
  }

  #load(fragmentNumber: number, fragment: Uint8Array): void {
    const row = this.#row.fill(0);
    const place = fragmentNumber - 1;
    if (place < this.nbFrag) row[place >> 5] = 1 << (place & 31);
    else drawParityRow(this.#version, this.nbFrag, fragmentNumber - this.nbFrag, row);
    // What lies behind the fragment in its last word is always 0.
    this.#payloadBytes.set(fragment);
  }

  /**
   * Takes the stored rows out of the row in work, and keeps what is left, if anything is. The row
   * of the uncoded fragment at `place` has one column alone as long as nothing was taken out of it.
   */
  #keep(place: number): void {
    const row = this.#row;
    const rows = this.#rows;
    const width = this.#rowWords;
    for (let w = 0; w < width; w++) {
      while (row[w] !== 0) {
        const column = 32 * w + 31 - Math.clz32(row[w] & -row[w]);
        const at = column * width;
        if (this.#stored[column] === 0) {
          rows.set(row, at);
          this.#payloads.set(this.#payload, column * this.#stride);
          this.#stored[column] = column === place ? ALONE : AMONG_OTHERS;
          this.#rank++;
          return;
        }
        if (this.#stored[column] === ALONE) row[w] &= row[w] - 1;
        else for (let i = w; i < width; i++) row[i] ^= rows[at + i];
        addWords(this.#payload, 0, this.#payloads, column * this.#stride, this.#stride);
      }
    }
  }

  /** From the last column up: takes the columns behind its own out of each row. */
  #solve(): void {
    const rows = this.#rows;
    const width = this.#rowWords;
    for (let column = this.nbFrag - 1; column >= 0; column--) {
      if (this.#stored[column] === ALONE) continue;
      for (let w = column >> 5; w < width; w++) {
        for (let left = rows[column * width + w]; left !== 0; left &= left - 1) {
          const other = 32 * w + 31 - Math.clz32(left & -left);
          if (other === column) continue;
          const source = other * this.#stride;
          addWords(this.#payloads, column * this.#stride, this.#payloads, source, this.#stride);
        }
      }
    }
  }
}

function addWords(
  target: Int32Array,
  targetAt: number,
  source: Int32Array,
  sourceAt: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) target[targetAt + i] ^= source[sourceAt + i];
}
