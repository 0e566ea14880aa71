/** Whole numbers as bytes, seven bits each and the lowest first (LEB128): written, and read. */
import { assert } from './assert.ts';

const LOW_BITS = 128;
const WORD = 0x8000_0000;

export class VarintWriter {
  #bytes = new Uint8Array(1_024);
  #length = 0;

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const room = new Uint8Array(2 * this.#bytes.length + more);
    room.set(this.#bytes);
    this.#bytes = room;
  }

  /** 0…2^53 − 1. */
  unsigned(value: number): void {
    this.#makeRoom(8);
    let left = value;
    // Most numbers are small: whole divisions are many times as slow.
    for (; left >= LOW_BITS && left < WORD; left >>>= 7) {
      this.#bytes[this.#length++] = (left & 127) | LOW_BITS;
    }
    while (left >= LOW_BITS) {
      const low = left % LOW_BITS;
      this.#bytes[this.#length++] = low | LOW_BITS;
      left = (left - low) / LOW_BITS;
    }
    this.#bytes[this.#length++] = left;
  }

  /** −2^52…2^52 − 1. */
  signed(value: number): void {
    this.unsigned(value >= 0 ? 2 * value : -2 * value - 1);
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** All that was written; what is written later is not in it. */
  taken(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  unsigned(): number {
    let value = 0;
    for (let unit = 1; ; unit *= LOW_BITS) {
      assert(this.#at < this.#bytes.length, 'a number ends before the bytes do');
      const byte = this.#bytes[this.#at++]!;
      value += (byte % LOW_BITS) * unit;
      if (byte < LOW_BITS) return value;
    }
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A view of the next bytes. */
  bytes(length: number): Uint8Array {
    assert(this.#at + length <= this.#bytes.length, 'a text ends before the bytes do');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
