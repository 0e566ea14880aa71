/**
 * Which devices are to be looked at when a gateway's next frames of a group have ended.
 *
 * A device that needs n more fragments cannot have them before a frame whose counter is n above the
 * last it accepted: each frame brings one fragment at most, and counters only grow. So it is
 * looked at when a gateway in its reach has sent that counter, and at each later frame until it has
 * come further. Every entry holds the counter it was made for; one that the device does not
 * wait for any more is stale, and the caller of `take` drops it.
 */

interface Entry {
  readonly device: number;
  /** The counter that the device waits for. */
  readonly fCnt: number;
}

interface GatewayQueue {
  /** Counters below this have been sent. */
  next: number;
  /** By the counter at which they are due. */
  readonly entries: Map<number, Entry[]>;
}

export type SavedChecks = readonly (readonly [
  string,
  number,
  readonly (readonly [number, readonly Entry[]])[],
])[];

export class CompletionChecks {
  /** By group address and gateway. */
  readonly #queues = new Map<string, GatewayQueue>();

  /** A device is to be looked at when the gateway has sent this counter, or the next it sends. */
  add(mcAddr: number, gateway: number, fCnt: number, device: number): void {
    const queue = this.#queue(mcAddr, gateway);
    const at = Math.max(fCnt, queue.next);
    const entries = queue.entries.get(at);
    if (entries === undefined) queue.entries.set(at, [{ device, fCnt }]);
    else entries.push({ device, fCnt });
  }

  /** Takes the entries that are due when the gateway has sent this counter, and removes them. */
  take(mcAddr: number, gateway: number, fCnt: number): readonly Entry[] {
    const queue = this.#queue(mcAddr, gateway);
    const due: Entry[] = [];
    for (const counter of countersOf(queue, fCnt)) {
      const entries = queue.entries.get(counter);
      if (entries === undefined) continue;
      for (const entry of entries) due.push(entry);
      queue.entries.delete(counter);
    }
    queue.next = Math.max(queue.next, fCnt + 1);
    return due;
  }

  save(): SavedChecks {
    return [...this.#queues].map(([key, { next, entries }]) => [
      key,
      next,
      [...entries].map(([fCnt, due]) => [fCnt, [...due]] as const),
    ]);
  }

  load(saved: SavedChecks): void {
    this.#queues.clear();
    for (const [key, next, entries] of saved) {
      const copied = entries.map(([fCnt, due]): [number, Entry[]] => [fCnt, [...due]]);
      this.#queues.set(key, { next, entries: new Map(copied) });
    }
  }

  #queue(mcAddr: number, gateway: number): GatewayQueue {
    const key = `${mcAddr} ${gateway}`;
    let queue = this.#queues.get(key);
    if (queue === undefined) {
      queue = { next: 0, entries: new Map() };
      this.#queues.set(key, queue);
    }
    return queue;
  }
}

/** Counters up to this one that entries may be due at, ascending; they may jump over 32 bits. */
function countersOf({ next, entries }: GatewayQueue, fCnt: number): readonly number[] {
  const count = fCnt - next + 1;
  if (count <= 0) return [];
  if (count <= entries.size) return Array.from({ length: count }, (_, i) => next + i);
  return [...entries.keys()].filter((counter) => counter <= fCnt).sort((a, b) => a - b);
}
