/**
 * Our own 64-bit fold over integers. Its state is part of the world, so that a run in pieces, a
 * restored snapshot and a fork go on to the same value. Not a cryptographic hash.
 */
import { finish, rotate } from '../base/mixing.ts';

export class Digest {
  readonly #lanes = new Int32Array([0x243f6a88, 0x85a308d3 | 0]);

  /** Folds in 32 bits. */
  addWord(word: number): void {
    const lanes = this.#lanes;
    const a = lanes[0];
    const b = lanes[1];
    lanes[0] = (Math.imul(rotate(a ^ word, 15), 0x1b873593) + b) | 0;
    lanes[1] = (Math.imul(rotate(b ^ word, 13), 0xcc9e2d51 | 0) ^ a) | 0;
  }

  /** Folds in a whole number of either sign below 2^53. */
  addNumber(value: number): void {
    const low = value | 0;
    this.addWord(low);
    if (low !== value) this.addWord(Math.floor(value / 0x1_0000_0000) | 0);
  }

  addText(text: string): void {
    this.addWord(text.length);
    for (let i = 0; i < text.length; i++) this.addWord(text.charCodeAt(i));
  }

  /** 16 lower-case hexadecimal digits. */
  hex(): string {
    const word = (lane: number) => (this.#lanes[lane] >>> 0).toString(16).padStart(8, '0');
    return word(0) + word(1);
  }

  /**
   * The same as two signed words of 32 bits, each of which depends on every bit: such words of
   * many things may be summed (as MurmurHash3_x86_128 ends).
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
