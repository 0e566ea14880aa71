/**
 * Wishes of the platform, first in, first out; the World drains it to empty before the next event.
 */
import { assert } from '../../sim/base/assert.ts';
import type { Wish } from '../network-face.ts';

/** More wishes than this in one instant are a loop. */
const MOST_PER_INSTANT = 1_000_000;

export class Outbox {
  #wishes: Wish[] = [];
  #inInstant = 0;
  #instantUs = -1;

  add(wish: Wish, nowUs: number): void {
    this.#inInstant = nowUs === this.#instantUs ? this.#inInstant + 1 : 1;
    this.#instantUs = nowUs;
    assert(this.#inInstant <= MOST_PER_INSTANT, 'an instant has a bounded number of wishes');
    this.#wishes.push(wish);
  }

  get isEmpty(): boolean {
    return this.#wishes.length === 0;
  }

  /** Takes all wishes so far, in order. */
  drain(): readonly Wish[] {
    const wishes = this.#wishes;
    this.#wishes = [];
    return wishes;
  }
}
