/** Datagrams that wait for their virtual instant: a heap by time, then by the order of arrival. */

interface Waiting<Item> {
  readonly atUs: number;
  readonly order: number;
  readonly item: Item;
}

export class Departures<Item> {
  readonly #heap: Waiting<Item>[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** Instant of the first one, µs; Infinity when none waits. */
  get nextUs(): number {
    return this.#heap[0]?.atUs ?? Number.POSITIVE_INFINITY;
  }

  add(atUs: number, item: Item): void {
    const heap = this.#heap;
    let at = heap.push({ atUs, order: this.#order++, item }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[parent]!)) break;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  /** The first one that is due by now, taken out. */
  takeDue(nowUs: number): Item | undefined {
    const heap = this.#heap;
    const [first] = heap;
    if (first === undefined || first.atUs > nowUs) return undefined;
    const last = heap.pop()!;
    if (heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    return first.item;
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child]!, heap[least]!)) least = child;
      }
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }
}

const isBefore = <Item>(a: Waiting<Item>, b: Waiting<Item>): boolean =>
  a.atUs !== b.atUs ? a.atUs < b.atUs : a.order < b.order;
