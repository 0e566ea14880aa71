/**
 * Records by a text that they hold. An index is built at its first use, and then maintained: a
 * caller who never asks pays nothing.
 */
import type { Cell } from './fold.ts';

export class RecordIndex<T> {
  readonly #valuesOf: (record: T) => readonly string[];
  /** Most values stand in one record, which then stands for the set of it. */
  #found: Map<string, Cell<T> | Set<Cell<T>>> | undefined;

  /** `valuesOf`: what a record is found by. */
  constructor(valuesOf: (record: T) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  /** Records with this value, in no particular order; `all`: every one that there is. */
  find(value: string, all: () => Iterable<Cell<T>>): readonly Cell<T>[] {
    if (this.#found === undefined) {
      this.#found = new Map();
      for (const cell of all()) this.add(cell, cell.record);
    }
    const found = this.#found.get(value);
    if (found === undefined) return [];
    return found instanceof Set ? [...found] : [found];
  }

  add(cell: Cell<T>, record: T): void {
    const index = this.#found;
    if (index === undefined) return;
    for (const value of this.#valuesOf(record)) {
      const found = index.get(value);
      if (found === undefined) index.set(value, cell);
      else if (found instanceof Set) found.add(cell);
      else if (found !== cell) index.set(value, new Set([found, cell]));
    }
  }

  remove(cell: Cell<T>, record: T): void {
    const index = this.#found;
    if (index === undefined) return;
    for (const value of this.#valuesOf(record)) {
      const found = index.get(value);
      if (found === cell) index.delete(value);
      if (!(found instanceof Set)) continue;
      found.delete(cell);
      if (found.size === 0) index.delete(value);
    }
  }

  /** A record is about to stand in the place of the one in this cell. */
  replace(cell: Cell<T>, record: T): void {
    if (this.#found === undefined) return;
    if (areSame(this.#valuesOf(cell.record), this.#valuesOf(record))) return;
    this.remove(cell, cell.record);
    this.add(cell, record);
  }
}

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((each, i) => each === other[i]));
