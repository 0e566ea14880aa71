/**
 * Our own 64-bit fold over integers. Its state is part of the world, so that a run in pieces, a
 * restored snapshot and a fork go on to the same value. Not a cryptographic hash.
 */
import { finish } from '../base/mixing.ts';

const imul = Math.imul;

/** What the lanes are multiplied by with each word. */
const LANE_0 = 0x1b873593;
const LANE_1 = 0xcc9e2d51 | 0;

/** Cells of a column, `width` of them a row. */
export interface FoldedColumn {
  readonly type: CellType;
  readonly width: number;
  /** From row to row: `width`, or 0 where one row stands for all. */
  readonly stride: number;
  readonly cells: Cells;
}

type Cells = Float64Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Uint8Array;

/** Types of cells that are read at a place of their own: one for all of them is slow in V8. */
const TYPES = [Uint8Array, Float64Array, Int32Array, Uint32Array, Int16Array, Uint16Array] as const;
type CellType = number;

/** Number of the type of cells. */
export const cellTypeOf = (cells: Cells): CellType =>
  TYPES.findIndex((type) => cells instanceof type);

function cellAt(type: CellType, cells: Cells, at: number): number {
  switch (type) {
    case 0:
      return cells[at];
    case 1:
      return cells[at];
    case 2:
      return cells[at];
    case 3:
      return cells[at];
    default:
      return cells[at];
  }
}

export class Digest {
  readonly #lanes = new Int32Array([0x243f6a88, 0x85a308d3 | 0]);

  /** Folds in 32 bits. */
  addWord(word: number): void {
    const words = this.#lanes;
    const a = words[0];
    const b = words[1];
    const x = a ^ word;
    const y = b ^ word;
    // Rotations by 15 and 13 bits. Loops below have this step written out: a call costs as much.
    words[0] = (imul((x << 15) | (x >>> 17), LANE_0) + b) | 0;
    words[1] = (imul((y << 13) | (y >>> 19), LANE_1) ^ a) | 0;
  }

  /** Folds in a whole number of either sign below 2^53. */
  addNumber(value: number): void {
    const low = value | 0;
    this.addWord(low);
    if (low !== value) this.addWord(Math.floor(value / 0x1_0000_0000) | 0);
  }

  /** As `addNumber` of a time in µs, then `addWord` of a key: what every event is folded in by. */
  addEvent(atUs: number, key: number): void {
    const words = this.#lanes;
    let a = words[0];
    let b = words[1];
    const low = atUs | 0;
    let word = low;
    // At most three words: the time's low and high half, and the key.
    for (let left = low === atUs ? 2 : 3; left > 0; left--) {
      const before = a;
      const x = a ^ word;
      const y = b ^ word;
      a = (imul((x << 15) | (x >>> 17), LANE_0) + b) | 0;
      b = (imul((y << 13) | (y >>> 19), LANE_1) ^ before) | 0;
      word = left === 3 ? Math.floor(atUs / 0x1_0000_0000) | 0 : key;
    }
    words[0] = a;
    words[1] = b;
  }

  /** As `addNumber` of each number in a row of columns; the lanes stay in registers. */
  addRow(columns: readonly FoldedColumn[], row: number): void {
    let [a, b] = [this.#lanes[0], this.#lanes[1]];
    for (let i = 0; i < columns.length; i++) {
      const { type, width, stride, cells } = columns[i];
      const end = row * stride + width;
      for (let at = row * stride; at < end; at++) {
        const value = cellAt(type, cells, at);
        let word = value | 0;
        for (let isHigh = word === value; ; isHigh = true) {
          const before = a;
          const x = a ^ word;
          const y = b ^ word;
          a = (imul((x << 15) | (x >>> 17), LANE_0) + b) | 0;
          b = (imul((y << 13) | (y >>> 19), LANE_1) ^ before) | 0;
          if (isHigh) break;
          word = Math.floor(value / 0x1_0000_0000) | 0;
        }
      }
    }
    this.#lanes[0] = a;
    this.#lanes[1] = b;
  }

  addText(text: string): void {
    const words = this.#lanes;
    let a = words[0];
    let b = words[1];
    for (let i = -1; i < text.length; i++) {
      const word = i < 0 ? text.length : text.charCodeAt(i);
      const before = a;
      const x = a ^ word;
      const y = b ^ word;
      a = (imul((x << 15) | (x >>> 17), LANE_0) + b) | 0;
      b = (imul((y << 13) | (y >>> 19), LANE_1) ^ before) | 0;
    }
    words[0] = a;
    words[1] = b;
  }

  /** 16 lower-case hexadecimal digits. */
  hex(): string {
    const word = (queue: number) => (this.#lanes[queue] >>> 0).toString(16).padStart(8, '0');
    return word(0) + word(1);
  }

  /**
   * The same as two signed words of 32 bits; each depends on every bit: such words of many things
   * may be summed (as MurmurHash3_x86_128 ends).
   */
  mixed(): readonly [low: number, high: number] {
    const low = (this.#lanes[0] + this.#lanes[1]) | 0;
    const high = finish((this.#lanes[1] + low) | 0);
    const mixed = (finish(low) + high) | 0;
    return [mixed, (high + mixed) | 0];
  }

  /** One that nothing was folded into yet. */
  empty(): Digest {
    return new Digest();
  }

  copy(): Digest {
    const copy = new Digest();
    copy.#lanes.set(this.#lanes);
    return copy;
  }

  save(): readonly number[] {
    return [...this.#lanes];
  }

  load(saved: readonly number[]): void {
    this.#lanes.set(saved);
  }
}
