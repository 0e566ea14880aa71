/**
 * Numbers of typed arrays in bytes, as they stand in memory (little-endian on every machine that
 * Node.js runs on): each array after its length. What compresses them meets one column at a time.
 */
import { assert } from './assert.ts';

type Numbers = Uint8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float64Array;
type Kind<A extends Numbers> = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer): A;
};

const LENGTH_BYTES = 4;

/** All of them, one after the other. */
export function bytesOfArrays(arrays: readonly Numbers[]): Uint8Array {
  const lengths = arrays.map(({ byteLength }) => LENGTH_BYTES + byteLength);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    view.setUint32(at, byteLength, true);
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at + LENGTH_BYTES);
    at += LENGTH_BYTES + byteLength;
  }
  return bytes;
}

/** Reads them in the order in which they were written. */
export class ArraysReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A copy of the next array, of the kind that was written. */
  next<A extends Numbers>(kind: Kind<A>): A {
    const { buffer, byteOffset, length } = this.#bytes;
    assert(this.#at + LENGTH_BYTES <= length, 'an array begins before the bytes end');
    const begins = this.#at + LENGTH_BYTES;
    const byteLength = new DataView(buffer, byteOffset + this.#at).getUint32(0, true);
    assert(begins + byteLength <= length, 'an array ends before the bytes do');
    assert(byteLength % kind.BYTES_PER_ELEMENT === 0, 'an array has whole numbers of its kind');
    this.#at = begins + byteLength;
    return new kind(new Uint8Array(this.#bytes.subarray(begins, this.#at)).buffer);
  }
}
