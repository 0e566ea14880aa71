/**
 * Which devices are to be looked at when a gateway's next frames of a group have ended.
 *
 * A device that needs n more fragments cannot have them before a frame whose counter is n above the
 * last it accepted: each frame brings one fragment at most, and counters only grow. So it is
 * looked at when a gateway in its reach has sent that counter, and at each later frame until it has
 * come further. Every entry tells the counter it was made for; one that the device does not wait
 * for any more is stale, and dropped by whoever takes it.
 */

interface Entry {
  readonly device: number;
  /** The counter that the device waits for. */
  readonly fCnt: number;
}

interface Lane {
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
  readonly #lanes = new Map<string, Lane>();

  /** A device is to be looked at when the gateway has sent this counter, or the next it sends. */
  add(mcAddr: number, gateway: number, fCnt: number, device: number): void {
    const lane = this.#lane(mcAddr, gateway);
    const at = Math.max(fCnt, lane.next);
    const entries = lane.entries.get(at);
    if (entries === undefined) lane.entries.set(at, [{ device, fCnt }]);
    else entries.push({ device, fCnt });
  }

  /** Takes what is due when the gateway has sent this counter. */
  take(mcAddr: number, gateway: number, fCnt: number): readonly Entry[] {
    const lane = this.#lane(mcAddr, gateway);
    const due: Entry[] = [];
    for (; lane.next <= fCnt; lane.next++) {
      const entries = lane.entries.get(lane.next);
      if (entries === undefined) continue;
      for (const entry of entries) due.push(entry);
      lane.entries.delete(lane.next);
    }
    return due;
  }

  save(): SavedChecks {
    return [...this.#lanes].map(([key, { next, entries }]) => [
      key,
      next,
      [...entries].map(([fCnt, due]) => [fCnt, [...due]] as const),
    ]);
  }

  load(saved: SavedChecks): void {
    this.#lanes.clear();
    for (const [key, next, entries] of saved) {
      const copied = entries.map(([fCnt, due]): [number, Entry[]] => [fCnt, [...due]]);
      this.#lanes.set(key, { next, entries: new Map(copied) });
    }
  }

  #lane(mcAddr: number, gateway: number): Lane {
    const key = `${mcAddr} ${gateway}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = { next: 0, entries: new Map() };
      this.#lanes.set(key, lane);
    }
    return lane;
  }
}
