/** How far devices have come in their lists of messages: all that the world remembers of them. */
import { assert } from '../base/assert.ts';
import type { Digest } from '../kernel/digest.ts';

/** Plain data, by device row in ascending order. */
export type SavedListed = readonly (readonly [device: number, taken: number, lost: number])[];

interface Progress {
  taken: number;
  lost: number;
}

/** How many messages of their lists devices have taken: nobody else costs anything. */
export class ListedTable {
  readonly #progress = new Map<number, Progress>();

  /** Messages that the device took in hand, and those that it lost without. */
  taken(device: number): number {
    return this.#progress.get(device)?.taken ?? 0;
  }

  /** Those of them that it never sent, and never will. */
  lost(device: number): number {
    return this.#progress.get(device)?.lost ?? 0;
  }

  setTaken(device: number, taken: number): void {
    assert(taken >= 0, 'a device takes messages of its list from its beginning');
    this.#of(device).taken = taken;
  }

  addLost(device: number, count: number): void {
    assert(count >= 0, 'what is lost is not found again');
    if (count > 0) this.#of(device).lost += count;
  }

  #of(device: number): Progress {
    const known = this.#progress.get(device);
    if (known !== undefined) return known;
    const fresh = { taken: 0, lost: 0 };
    this.#progress.set(device, fresh);
    return fresh;
  }

  /** Adds nothing for a device that has taken none. */
  digest(device: number, digest: Digest): void {
    const progress = this.#progress.get(device);
    if (progress === undefined) return;
    digest.addWord(progress.taken);
    if (progress.lost > 0) digest.addWord(progress.lost);
  }

  save(): SavedListed {
    return [...this.#progress]
      .sort(([a], [b]) => a - b)
      .map(([device, { taken, lost }]) => [device, taken, lost] as const);
  }

  load(saved: SavedListed): void {
    this.#progress.clear();
    for (const [device, taken, lost] of saved) this.#progress.set(device, { taken, lost });
  }
}
