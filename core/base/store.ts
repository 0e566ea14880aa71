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
  readonly #name: string;
  readonly #keyOf: (record: T) => string;
  readonly #shown: (record: T) => unknown;
  #byOwner = new Map<string, Map<string, T>>();

  /**
   * Records are folded under the name. `keyOf` names a record among those of its owner and never
   * changes; `shown` leaves out of the fold what another field stands for.
   */
  constructor(
    name: string,
    keyOf: (record: T) => string,
    shown: (record: T) => unknown = (record) => record,
  ) {
    this.#name = name;
    this.#keyOf = keyOf;
    this.#shown = shown;
  }

  /** What a resource says of its records, when they are all that it has. */
  get saving() {
    return {
      fold: (fold: Fold) => foldField(fold, this.#name, this.all().map(this.#shown)),
      save: (): readonly T[] => copyPlain(this.all()),
      load: (saved: readonly T[]) => this.#load(saved),
    };
  }

  get(owner: string, key: string): T | undefined {
    return this.#byOwner.get(owner)?.get(key);
  }

  /** The record with this key, whosever it is: for keys that are unique in the world. */
  ofAnybody(key: string): T | undefined {
    for (const records of this.#byOwner.values()) {
      const record = records.get(key);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  /** An owner's records, in the order of their keys. */
  list(owner: string): readonly T[] {
    const records = this.#byOwner.get(owner);
    return records === undefined ? [] : sorted(records).map(([, record]) => record);
  }

  /** The same in no particular order, for what no order can change. */
  each(owner: string): Iterable<T> {
    return this.#byOwner.get(owner)?.values() ?? [];
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

  #load(saved: readonly T[]): void {
    this.#byOwner = new Map();
    for (const record of copyPlain(saved)) this.put(record);
  }
}

const sorted = <T>(map: ReadonlyMap<string, T>): (readonly [string, T])[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
