/** Notices a worker that takes no work although there is some, and has it made anew. */

export interface Watched {
  /** Work that nobody has begun. */
  readonly waiting: () => Promise<number>;
  /** What this worker has in hand. */
  readonly busy: () => number;
  readonly renew: () => Promise<void>;
}

export class Watchdog {
  readonly #watched: Watched;
  readonly #afterMs: number;
  #idleSinceMs: number | undefined;

  constructor(watched: Watched, afterMs: number) {
    this.#watched = watched;
    this.#afterMs = afterMs;
  }

  async look(nowMs: number): Promise<void> {
    const { waiting, busy, renew } = this.#watched;
    const isIdle = busy() === 0 && (await waiting()) > 0;
    if (!isIdle) {
      this.#idleSinceMs = undefined;
      return;
    }
    this.#idleSinceMs ??= nowMs;
    if (nowMs - this.#idleSinceMs < this.#afterMs) return;
    this.#idleSinceMs = undefined;
    await renew();
  }
}
