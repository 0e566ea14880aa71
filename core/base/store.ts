/**
 * Store of one kind of records, by owner and key. Other owners' records count as unknown.
 *
 * Problem: a service has ten thousands of records, and a digest is requested after each change. The
 * cost of a digest, an index or a sorted list must follow from the change, not from the number of
 * records.
 *
 * Approach: a record is never changed in place; another one replaces it. So data derived from
 * records is cached until they change: indexes by further fields, lists in order, and folds. An
 * index is built at its first use. Each record folds by itself to 64 mixed bits. The store folds
 * the number of records and the sum of these. A change subtracts the old words and adds the new
 * ones at the next digest. A sum has no order, so neither the history of the store nor earlier
 * digests show in it.
 *
 * Rejected: a tree of hashes. It would find where two worlds differ, which no digest has to answer,
 * and a sum is simpler. The sum is no defence against deliberate collisions, and neither is the
 * digest (docs/decisions/0041).
 *
 * State that changes in place, such as a campaign, is no record of a store.
 */
import { type Cell, type Fold, FoldSum, foldField, newCell } from './fold.ts';
import { copyPlain } from './plain.ts';
import { RecordIndex } from './record-index.ts';

export interface Owned {
  /** The subscriber whose it is. */
  readonly owner: string;
}

/** A text that names what is an owner's: no id of a subscriber has a control character. */
export const keyOfOwned = (owner: string, key: string): string => `${owner}\n${key}`;

/** What records are found by beside owner and key: text that each of them holds, by a name. */
type Indexes<T, By extends string> = { readonly [Name in By]: (record: T) => readonly string[] };

/** An owner's records by key, and in the order of their keys since that was asked for. */
interface Drawer<T> {
  readonly cells: Map<string, Cell<T>>;
  inOrder: readonly Cell<T>[] | undefined;
}

export class Store<T extends Owned, By extends string = never> {
  readonly #name: string;
  readonly #keyOf: (record: T) => string;
  readonly #byKey: RecordIndex<T>;
  readonly #by: ReadonlyMap<string, RecordIndex<T>>;
  readonly #indexes: readonly RecordIndex<T>[];
  readonly #sum: FoldSum<T>;
  #drawers = new Map<string, Drawer<T>>();

  /**
   * Records are folded under the name. `keyOf` names a record among those of its owner and never
   * changes; `by` says what else they are found by, no matter whose they are, and `folded` what of
   * a record is folded.
   */
  constructor(
    name: string,
    keyOf: (record: T) => string,
    by: Indexes<T, By> = {} as Indexes<T, By>,
    folded: (record: T) => object = (record) => record,
  ) {
    this.#name = name;
    this.#keyOf = keyOf;
    this.#byKey = new RecordIndex((record) => [keyOf(record)]);
    this.#by = new Map(
      Object.entries<(record: T) => readonly string[]>(by).map(([each, valuesOf]) => [
        each,
        new RecordIndex(valuesOf),
      ]),
    );
    this.#indexes = [this.#byKey, ...this.#by.values()];
    this.#sum = new FoldSum((fold, record) => foldField(fold, name, folded(record)));
  }

  /** What a resource says of its records, when they are all that it has. */
  get saving() {
    return {
      fold: (fold: Fold) => this.#sum.into(fold, this.#name),
      save: (): readonly T[] => copyPlain(this.all()),
      load: (saved: readonly T[]) => this.#load(saved),
    };
  }

  get(owner: string, key: string): T | undefined {
    return this.#drawers.get(owner)?.cells.get(key)?.record;
  }

  /** The record with this key, whosever it is: for keys that are unique in the world. */
  ofAnybody(key: string): T | undefined {
    return this.#found(this.#byKey, key)[0];
  }

  /** Records of all owners that an index has under this value, in the order of identity. */
  by(index: By, value: string): readonly T[] {
    // A key may be a hash: it is asked for once a record, not once a comparison.
    return this.#found(this.#by.get(index)!, value)
      .map((record) => ({ record, key: this.#keyOf(record) }))
      .sort((a, b) => inOrder(a.record.owner, b.record.owner) || inOrder(a.key, b.key))
      .map(({ record }) => record);
  }

  /** An owner's records, in the order of their keys. */
  list(owner: string): readonly T[] {
    const drawer = this.#drawers.get(owner);
    if (drawer === undefined) return [];
    drawer.inOrder ??= [...drawer.cells].sort(byName).map(([, cell]) => cell);
    return drawer.inOrder.map(({ record }) => record);
  }

  /** How many records an owner has. */
  count(owner: string): number {
    return this.#drawers.get(owner)?.cells.size ?? 0;
  }

  /** Adds a record, or puts it in the place of the one with its owner and key. */
  put(record: T): void {
    const key = this.#keyOf(record);
    const drawer = this.#drawerOf(record.owner);
    const cell = drawer.cells.get(key);
    if (cell === undefined) {
      const added = newCell(record);
      drawer.cells.set(key, added);
      drawer.inOrder = undefined;
      for (const index of this.#indexes) index.add(added, record);
      return this.#sum.note(added);
    }
    for (const index of this.#indexes) index.replace(cell, record);
    cell.record = record;
    this.#sum.note(cell);
  }

  remove(owner: string, key: string): void {
    const drawer = this.#drawers.get(owner);
    const cell = drawer?.cells.get(key);
    if (drawer === undefined || cell === undefined) return;
    drawer.cells.delete(key);
    drawer.inOrder = undefined;
    if (drawer.cells.size === 0) this.#drawers.delete(owner);
    for (const index of this.#indexes) index.remove(cell, cell.record);
    this.#sum.forget(cell);
  }

  /** All records in the order of identity: owner, then key. */
  all(): readonly T[] {
    return [...this.#drawers].sort(byName).flatMap(([owner]) => this.list(owner));
  }

  #drawerOf(owner: string): Drawer<T> {
    const known = this.#drawers.get(owner);
    if (known !== undefined) return known;
    const drawer: Drawer<T> = { cells: new Map(), inOrder: undefined };
    this.#drawers.set(owner, drawer);
    return drawer;
  }

  *#cells(): Iterable<Cell<T>> {
    for (const { cells } of this.#drawers.values()) yield* cells.values();
  }

  #found(index: RecordIndex<T>, value: string): T[] {
    return index.find(value, () => this.#cells()).map(({ record }) => record);
  }

  #load(saved: readonly T[]): void {
    for (const { record } of [...this.#cells()]) this.remove(record.owner, this.#keyOf(record));
    for (const record of copyPlain(saved)) this.put(record);
  }
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  inOrder(a, b);
