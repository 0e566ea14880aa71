/**
 * Watched devices: each of their uplinks is news. A device is watched as long as one resource says
 * that it is (`Resource.watches`): who watches is what their records say, so nothing is stored
 * here.
 */
import type { Outbox } from './outbox.ts';

export class Watching {
  readonly #outbox: Outbox;
  readonly #isWatched: (devEui: string) => boolean;

  /** `isWatched`: whether some resource watches a device. */
  constructor(outbox: Outbox, isWatched: (devEui: string) => boolean) {
    this.#outbox = outbox;
    this.#isWatched = isWatched;
  }

  /** Adds a watching resource to a device; others may watch it too. */
  begins(devEui: string, nowUs: number): void {
    this.#outbox.add({ kind: 'watch', devEui, on: true }, nowUs);
  }

  /** A resource watches a device no longer: its records say so already. Others go on. */
  ends(devEui: string, nowUs: number): void {
    if (!this.#isWatched(devEui)) this.#outbox.add({ kind: 'watch', devEui, on: false }, nowUs);
  }
}
