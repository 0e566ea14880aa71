/**
 * Who is in a row. As a rule that is the plan's own object of this row: a million devices stand in
 * memory once, and a snapshot has those alone who came later, or were changed since.
 */
import { assert } from '../base/assert.ts';

/** Rows whose identity is not the plan's own. */
export type SavedIdentities<Identity> = readonly (readonly [row: number, identity: Identity])[];

export class Identities<Identity extends object> {
  readonly #planned: readonly Identity[];
  #rows = 0;
  /** Of rows that the plan has, those that are otherwise. */
  readonly #changed = new Map<number, Identity>();
  /** Of the rows behind those of the plan. */
  #later: Identity[] = [];

  /** Those of the plan have the first rows, in this order. */
  constructor(planned: readonly Identity[]) {
    this.#planned = planned;
  }

  get length(): number {
    return this.#rows;
  }

  of(row: number): Identity {
    assert(row >= 0 && row < this.#rows, 'somebody is in the row');
    if (row >= this.#planned.length) return this.#later[row - this.#planned.length]!;
    if (this.#changed.size === 0) return this.#planned[row]!;
    return this.#changed.get(row) ?? this.#planned[row]!;
  }

  /** Somebody comes, in the next row. */
  add(identity: Identity): void {
    this.#rows++;
    this.set(this.#rows - 1, identity);
  }

  set(row: number, identity: Identity): void {
    assert(row >= 0 && row < this.#rows, 'somebody is in the row');
    if (row >= this.#planned.length) this.#later[row - this.#planned.length] = identity;
    else if (identity === this.#planned[row]) this.#changed.delete(row);
    else this.#changed.set(row, identity);
  }

  /** `reported`: a copy of what an identity has. */
  save(report: (identity: Identity) => Identity): SavedIdentities<Identity> {
    const saved: [number, Identity][] = [];
    for (const [row, identity] of this.#changed) saved.push([row, report(identity)]);
    saved.sort(([a], [b]) => a - b);
    const first = this.#planned.length;
    this.#later.forEach((identity, at) => {
      saved.push([first + at, report(identity)]);
    });
    return saved;
  }

  load(saved: SavedIdentities<Identity>, rows: number): void {
    this.#rows = rows;
    this.#changed.clear();
    this.#later = [];
    for (const [row, identity] of saved) this.set(row, identity);
  }
}
