/** How far devices have come in their lists of messages: all that the world remembers of them. */
import type { Digest } from '../kernel/digest.ts';

/** Plain data, by device row in ascending order. */
export type SavedListed = readonly (readonly [device: number, taken: number])[];

/** How many messages of their lists devices have taken: nobody else costs anything. */
export class ListedTable {
  #taken = new Map<number, number>();

  taken(device: number): number {
    return this.#taken.get(device) ?? 0;
  }

  setTaken(device: number, taken: number): void {
    this.#taken.set(device, taken);
  }

  /** Adds nothing for a device that has taken none. */
  digest(device: number, digest: Digest): void {
    const taken = this.#taken.get(device);
    if (taken !== undefined) digest.addWord(taken);
  }

  save(): SavedListed {
    return [...this.#taken].sort(([a], [b]) => a - b);
  }

  load(saved: SavedListed): void {
    this.#taken = new Map(saved);
  }
}
