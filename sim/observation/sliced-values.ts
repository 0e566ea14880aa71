/**
 * Values by key and slice of virtual time: sums, or the highest value of each slice. A key that
 * never occurs costs nothing. For results alone: nothing here decides anything.
 */

/** Plain data: the values of each key by slices; a missing tail is zero. */
export type SavedSlices<Key extends string | number> = readonly (readonly [
  key: Key,
  values: readonly number[],
])[];

export class SlicedValues<Key extends string | number> {
  readonly #merge: 'sum' | 'highest';
  #byKey = new Map<Key, number[]>();

  constructor(merge: 'sum' | 'highest') {
    this.#merge = merge;
  }

  /** By key, in the order in which they first occurred. */
  get byKey(): ReadonlyMap<Key, readonly number[]> {
    return this.#byKey;
  }

  add(key: Key, slice: number, value: number): void {
    let values = this.#byKey.get(key);
    if (values === undefined) {
      values = [];
      this.#byKey.set(key, values);
    }
    while (values.length <= slice) values.push(0);
    values[slice] = this.#merged(values[slice]!, value);
  }

  /** Two slices become one. */
  coarsen(): void {
    for (const [key, values] of this.#byKey) {
      const pairs = new Array<number>(Math.ceil(values.length / 2)).fill(0);
      values.forEach((value, slice) => {
        pairs[slice >> 1] = this.#merged(pairs[slice >> 1]!, value);
      });
      this.#byKey.set(key, pairs);
    }
  }

  save(): SavedSlices<Key> {
    return [...this.#byKey].map(([key, values]) => [key, [...values]]);
  }

  load(saved: SavedSlices<Key>): void {
    this.#byKey = new Map(saved.map(([key, values]) => [key, [...values]]));
  }

  #merged(one: number, other: number): number {
    return this.#merge === 'sum' ? one + other : Math.max(one, other);
  }
}
