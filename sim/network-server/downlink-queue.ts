/** Application downlinks that wait for their device's next uplink, first in, first out. */
import { assert } from '../base/assert.ts';

export interface QueuedDownlink {
  /** 1…223. */
  readonly fPort: number;
  readonly payload: Uint8Array;
  readonly confirmed: boolean;
}

export interface SavedDownlinkQueue {
  readonly waiting: readonly (readonly [number, readonly QueuedDownlink[]])[];
  readonly kept: readonly (readonly [number, QueuedDownlink])[];
}

export class DownlinkQueue {
  readonly #byRegistration = new Map<number, QueuedDownlink[]>();
  /** The latest unconfirmed one that left for a ping slot: its gateway may refuse it. */
  readonly #kept = new Map<number, QueuedDownlink>();

  push(registration: number, downlink: QueuedDownlink): void {
    assert(
      downlink.fPort >= 1 && downlink.fPort <= 223,
      'a downlink of an application has an FPort',
    );
    const waiting = this.#byRegistration.get(registration);
    if (waiting === undefined) this.#byRegistration.set(registration, [downlink]);
    else waiting.push(downlink);
  }

  /** It was not sent after all, and is the first again. */
  putBack(registration: number, downlink: QueuedDownlink): void {
    const waiting = this.#byRegistration.get(registration);
    if (waiting === undefined) this.#byRegistration.set(registration, [downlink]);
    else waiting.unshift(downlink);
  }

  /** The head is about to be sent; an unconfirmed one leaves the queue with that. */
  keepHead(registration: number): void {
    const head = this.head(registration);
    if (head === undefined || head.confirmed) this.#kept.delete(registration);
    else this.#kept.set(registration, head);
  }

  takeKept(registration: number): QueuedDownlink | undefined {
    const kept = this.#kept.get(registration);
    this.#kept.delete(registration);
    return kept;
  }

  head(registration: number): QueuedDownlink | undefined {
    return this.#byRegistration.get(registration)?.[0];
  }

  count(registration: number): number {
    return this.#byRegistration.get(registration)?.length ?? 0;
  }

  drop(registration: number): void {
    const waiting = this.#byRegistration.get(registration);
    waiting?.shift();
    if (waiting?.length === 0) this.#byRegistration.delete(registration);
  }

  clear(registration: number): void {
    this.#byRegistration.delete(registration);
    this.#kept.delete(registration);
  }

  save(): SavedDownlinkQueue {
    const waiting = [...this.#byRegistration].map(([row, some]) => [row, [...some]] as const);
    return { waiting, kept: [...this.#kept] };
  }

  load(saved: SavedDownlinkQueue): void {
    this.#byRegistration.clear();
    this.#kept.clear();
    for (const [row, waiting] of saved.waiting) this.#byRegistration.set(row, [...waiting]);
    for (const [row, kept] of saved.kept) this.#kept.set(row, kept);
  }
}
