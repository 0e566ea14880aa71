/** A binary heap of events by (time, key): what does not fit the ring of the event queue. */

import { assert } from '../base/assert.ts';

/**
 * Two parallel columns; entry 0 is the earliest, and entry i is never later than entries 2i+1 and
 * 2i+2, by time, then by key. The columns double when they are full.
 *
 * No assertion looks at all entries: that would cost each event as much as the heap has. What comes
 * out of order stops the world in `Agenda.next`.
 */
export class EventHeap {
  /** µs. Rows at and above `count` mean nothing. */
  atUs = new Float64Array(32);
  key = new Int32Array(32);
  count = 0;

  /** Any time and any key; the caller checks them. */
  push(atUs: number, key: number): void {
    if (this.count === this.atUs.length) this.#double();
    const times = this.atUs;
    const keys = this.key;
    let hole = this.count++;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const parentAtUs = times[parent];
      if (parentAtUs < atUs || (parentAtUs === atUs && keys[parent] <= key)) break;
      times[hole] = parentAtUs;
      keys[hole] = keys[parent];
      hole = parent;
    }
    times[hole] = atUs;
    keys[hole] = key;
  }

  /** Removes entry 0, which must exist. */
  drop(): void {
    assert(this.count > 0, 'a heap has an entry to remove');
    const times = this.atUs;
    const keys = this.key;
    const count = --this.count;
    const atUs = times[count];
    const key = keys[count];
    let hole = 0;
    for (let child = 1; child < count; child = 2 * hole + 1) {
      if (child + 1 < count && this.#isBefore(child + 1, child)) child++;
      const childAtUs = times[child];
      if (atUs < childAtUs || (atUs === childAtUs && key <= keys[child])) break;
      times[hole] = childAtUs;
      keys[hole] = keys[child];
      hole = child;
    }
    times[hole] = atUs;
    keys[hole] = key;
  }

  #isBefore(a: number, b: number): boolean {
    const { atUs, key } = this;
    return atUs[a] < atUs[b] || (atUs[a] === atUs[b] && key[a] < key[b]);
  }

  #double(): void {
    const { atUs, key } = this;
    this.atUs = new Float64Array(2 * atUs.length);
    this.atUs.set(atUs);
    this.key = new Int32Array(2 * key.length);
    this.key.set(key);
  }
}
