/**
 * Contents, such as those of images: bytes that never change and stand once, by their SHA-256.
 * Records name them by it, so no digest and no snapshot reads them (docs/decisions/0041).
 */
import { assert } from '../../sim/base/assert.ts';
import { hashOf } from './hash.ts';

export interface Content {
  /** Of the bytes, lower-case hexadecimal. */
  readonly sha256: string;
  /** Nobody changes them. */
  readonly bytes: Uint8Array;
}

export class Contents {
  #bySha256 = new Map<string, Uint8Array>();
  readonly #users: ((sha256: string) => boolean)[] = [];

  /** Registers a test of a resource: whether one of its records refers to the bytes. */
  usedBy(names: (sha256: string) => boolean): void {
    this.#users.push(names);
  }

  /** Keeps bytes that nobody changes from now on; their SHA-256. */
  keep(bytes: Uint8Array): string {
    const sha256 = hashOf(bytes);
    if (!this.#bySha256.has(sha256)) this.#bySha256.set(sha256, bytes);
    return sha256;
  }

  get(sha256: string): Uint8Array {
    const bytes = this.#bySha256.get(sha256);
    assert(bytes !== undefined, 'what a record names is stored');
    return bytes;
  }

  /** A record names them no more: they go with the last that did, whatever it is of. */
  drop(sha256: string): void {
    if (!this.#users.some((names) => names(sha256))) this.#bySha256.delete(sha256);
  }

  /** All, in the order of their hashes. The bytes are the world's own. */
  all(): readonly Content[] {
    return [...this.#bySha256]
      .map(([sha256, bytes]) => ({ sha256, bytes }))
      .sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
  }

  load(contents: readonly Content[]): void {
    this.#bySha256 = new Map(contents.map(({ sha256, bytes }) => [sha256, bytes]));
  }
}
