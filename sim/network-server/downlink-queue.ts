/** Application downlinks that wait for their device's next uplink, first in, first out. */

export interface QueuedDownlink {
  /** 1…223. */
  readonly fPort: number;
  readonly payload: Uint8Array;
  readonly confirmed: boolean;
}

export type SavedDownlinkQueue = readonly (readonly [number, readonly QueuedDownlink[]])[];

export class DownlinkQueue {
  readonly #byRegistration = new Map<number, QueuedDownlink[]>();

  push(registration: number, downlink: QueuedDownlink): void {
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
  }

  save(): SavedDownlinkQueue {
    return [...this.#byRegistration].map(([row, waiting]) => [row, [...waiting]] as const);
  }

  load(saved: SavedDownlinkQueue): void {
    this.#byRegistration.clear();
    for (const [row, waiting] of saved) this.#byRegistration.set(row, [...waiting]);
  }
}
