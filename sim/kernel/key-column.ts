/**
 * A key of 128 bits for each row of a table, which as a rule can be derived: while all of them are
 * what is derived they take no memory, and each is derived when it is asked for. From the first one
 * on that is otherwise, there is a column of them all. A digest does not fold it.
 */
import { assert } from '../base/assert.ts';

const KEY_BYTES = 16;

/** A key in an array: what a column reports is good until it is asked for another one. */
export interface KeyPlace {
  keys: Uint8Array;
  at: number;
}

/** How many rows there are, and for how many there is room. */
interface Rows {
  readonly rows: number;
  readonly capacity: number;
}

export class KeyColumn {
  readonly #table: Rows;
  readonly #derive: (row: number, out: Uint8Array) => void;
  /** Of all rows, or of none. */
  #keys = new Uint8Array(0);
  readonly #derived = new Uint8Array(KEY_BYTES);
  readonly #reported: KeyPlace = { keys: this.#derived, at: 0 };

  /** `derive` writes the key of a row as it is while nobody has set it, zeros if there is none. */
  constructor(table: Rows, derive: (row: number, out: Uint8Array) => void) {
    this.#table = table;
    this.#derive = derive;
  }

  of(row: number): Readonly<KeyPlace> {
    const response = this.#reported;
    if (this.#keys.length > 0) {
      response.keys = this.#keys;
      response.at = row * KEY_BYTES;
    } else {
      this.#derive(row, this.#derived);
      response.keys = this.#derived;
      response.at = 0;
    }
    return response;
  }

  /** A copy of a row's key. */
  copyOf(row: number): Uint8Array {
    const { keys, at } = this.of(row);
    return keys.slice(at, at + KEY_BYTES);
  }

  /** A row's key is this one from now on. */
  set(row: number, key: Uint8Array): void {
    if (this.#keys.length === 0) {
      this.#derive(row, this.#derived);
      if (key.every((byte, i) => byte === this.#derived[i])) return;
    }
    const { keys, at } = this.place(row);
    keys.set(key, at);
  }

  /** A row's key is the one that is derived: nothing is done while all of them are. */
  setDerived(row: number): void {
    if (this.#keys.length === 0) return;
    const { keys, at } = this.place(row);
    this.#derive(row, this.#derived);
    keys.set(this.#derived, at);
  }

  /** Where to write a row's key, in a column that is there from now on. */
  place(row: number): Readonly<KeyPlace> {
    assert(row < this.#table.rows, 'a key is that of a row');
    const had = this.#keys.length;
    if (had < (row + 1) * KEY_BYTES) {
      const keys = new Uint8Array(this.#table.capacity * KEY_BYTES);
      keys.set(this.#keys);
      if (had === 0) {
        for (let each = 0; each < this.#table.rows; each++) {
          this.#derive(each, this.#derived);
          keys.set(this.#derived, each * KEY_BYTES);
        }
      }
      this.#keys = keys;
    }
    this.#reported.keys = this.#keys;
    this.#reported.at = row * KEY_BYTES;
    return this.#reported;
  }

  /** Nothing while all are derived. */
  save(): Uint8Array {
    return this.#keys.slice(0, this.#table.rows * KEY_BYTES);
  }

  /** After the table has its saved rows. */
  load(saved: Uint8Array): void {
    this.#keys = new Uint8Array(saved.length === 0 ? 0 : this.#table.capacity * KEY_BYTES);
    this.#keys.set(saved);
  }
}
