/**
 * Bytes that refused commands leave in the journal: a command is durable before it is decided, so
 * what is refused stands there, too. Each subscriber has a bucket that drains; who has filled it
 * waits (docs/decisions/0110).
 */

const KIB = 1_024;
/** Of a subscriber: what fits at once, and what drains. */
export const REFUSED_BYTES = { most: 16 * KIB * KIB, aSecond: 4 * KIB } as const;
/** Most buckets in memory: empty ones are dropped first. */
const MOST_BUCKETS = 1_000;

interface Bucket {
  readonly bytes: number;
  readonly atMs: number;
}

export class RefusedBytes {
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Charges the journal bytes of a refused command to its subscriber. */
  add(subscriber: string, bytes: number): void {
    const now = this.#bytesOf(subscriber) + bytes;
    this.#buckets.set(subscriber, { bytes: now, atMs: this.#nowMs() });
    if (this.#buckets.size > MOST_BUCKETS) this.#forgetEmpty();
  }

  /** How long a subscriber waits for the next command, whole s; 0: not at all. */
  waitS(subscriber: string): number {
    const over = this.#bytesOf(subscriber) - REFUSED_BYTES.most;
    return over < 0 ? 0 : Math.max(1, Math.ceil(over / REFUSED_BYTES.aSecond));
  }

  #bytesOf(subscriber: string): number {
    const bucket = this.#buckets.get(subscriber);
    if (bucket === undefined) return 0;
    const drained = ((this.#nowMs() - bucket.atMs) / 1_000) * REFUSED_BYTES.aSecond;
    return Math.max(0, bucket.bytes - drained);
  }

  #forgetEmpty(): void {
    for (const subscriber of this.#buckets.keys()) {
      if (this.#bytesOf(subscriber) === 0) this.#buckets.delete(subscriber);
    }
  }
}
