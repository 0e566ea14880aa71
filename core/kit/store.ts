/**
 * Records of one kind by owner and key. Another owner's record is as unknown as one that never was.
 */
import { type Fold, foldField } from './fold.ts';
import { copyPlain } from './plain.ts';

export interface Owned {
  /** The subscriber whose it is. */
  readonly owner: string;
}

export class Store<T extends Owned> {
  readonly #keyOf: (record: T) => string;
  #byOwner = new Map<string, Map<string, T>>();

  /** `keyOf` names a record among those of its owner and never changes. */
  constructor(keyOf: (record: T) => string) {
    this.#keyOf = keyOf;
  }

  get(owner: string, key: string): T | undefined {
    return this.#byOwner.get(owner)?.get(key);
  }

  /** An owner's records, in the order of their keys. */
  list(owner: string): readonly T[] {
    const records = this.#byOwner.get(owner);
    return records === undefined ? [] : sorted(records).map(([, record]) => record);
  }

  /** Adds a record, or puts it in the place of the one with its owner and key. */
  put(record: T): void {
    const records = this.#byOwner.get(record.owner) ?? new Map<string, T>();
    this.#byOwner.set(record.owner, records.set(this.#keyOf(record), record));
  }

  remove(owner: string, key: string): void {
    this.#byOwner.get(owner)?.delete(key);
  }

  /** All records in the order of identity: owner, then key. */
  all(): readonly T[] {
    return sorted(this.#byOwner).flatMap(([owner]) => this.list(owner));
  }

  /** Folds all records under a name; `shown` leaves out what another field stands for. */
  fold(fold: Fold, name: string, shown: (record: T) => unknown = (record) => record): void {
    foldField(fold, name, this.all().map(shown));
  }

  save(): readonly T[] {
    return copyPlain(this.all());
  }

  load(saved: readonly T[]): void {
    this.#byOwner = new Map();
    for (const record of copyPlain(saved)) this.put(record);
  }
}

const sorted = <T>(map: ReadonlyMap<string, T>): (readonly [string, T])[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
