/**
 * What each gateway hears of one frequency: numbers of signals with their power there, in the order
 * of their start.
 *
 * A signal is entered once at every gateway that it reaches. So whether a frame survives at a
 * gateway asks for what is near that gateway, however large the network is. It derives from the log
 * and the links of its senders, and is made again when a world is loaded.
 *
 * A gateway has a ring in one pool: the next signal takes the place of the oldest. Where that is
 * not over yet, the gateway gets a ring of twice the length, and leaves the old one behind. So a
 * signal costs two numbers, and a dense network has a hundred for each frame.
 */
import type { Overlaps } from './overlaps.ts';

/** Entries of a gateway's first ring; the lengths of all rings are powers of two. */
const FIRST_LENGTH = 8;
/** Number of no signal: it is over. */
const NEVER_HEARD = -1;

/** The log whose signals are heard, by position; numbers are positions and `base`. */
export interface HeardLog {
  /** Numbers of the signal at position 0, and of the earliest one that is not over. */
  readonly base: number;
  readonly oldest: number;
  readonly column: { readonly startUs: Float64Array; readonly endUs: Float64Array };
}

export class Earshot {
  #signals = new Int32Array(64).fill(NEVER_HEARD);
  #powersMw = new Float64Array(64);
  /** Entries of the pool that are in a ring, or were. */
  #used = 0;
  /** By gateway: its ring, its length less one, and the place of its next entry from there on. */
  #rings = new Int32Array(0);
  #masks = new Int32Array(0);
  #nexts = new Int32Array(0);

  /** A gateway hears a signal, by its number; those before `oldest` are over. */
  add(gateway: number, signal: number, powerMw: number, oldest: number): void {
    if (gateway >= this.#rings.length) this.#growGateways(gateway);
    let at = this.#rings[gateway] + this.#nexts[gateway];
    if (this.#signals[at] >= oldest) {
      this.#lengthen(gateway);
      at = this.#rings[gateway] + this.#nexts[gateway];
    }
    this.#signals[at] = signal;
    this.#powersMw[at] = powerMw;
    this.#nexts[gateway] = (this.#nexts[gateway] + 1) & this.#masks[gateway];
  }

  /** Adds what a gateway hears of the log between two times, in the order in which it began. */
  hear(gateway: number, log: HeardLog, fromUs: number, untilUs: number, heard: Overlaps): void {
    if (gateway >= this.#rings.length) return;
    const [signals, powersMw] = [this.#signals, this.#powersMw];
    const [ring, mask, next] = [this.#rings[gateway], this.#masks[gateway], this.#nexts[gateway]];
    const { base, oldest } = log;
    const { startUs, endUs } = log.column;
    let live = 0;
    while (live <= mask && signals[ring + ((next - 1 - live) & mask)] >= oldest) live++;
    for (; live > 0; live--) {
      const at = ring + ((next - live) & mask);
      const position = signals[at] - base;
      if (startUs[position] >= untilUs || endUs[position] <= fromUs) continue;
      heard.add(position, powersMw[at]);
    }
  }

  clear(): void {
    this.#used = 0;
    this.#rings = new Int32Array(0);
    this.#masks = new Int32Array(0);
    this.#nexts = new Int32Array(0);
  }

  #growGateways(gateway: number): void {
    const known = this.#rings.length;
    const length = Math.max(16, 2 * known, gateway + 1);
    this.#rings = lengthened(this.#rings, length);
    this.#masks = lengthened(this.#masks, length).fill(FIRST_LENGTH - 1, known);
    this.#nexts = lengthened(this.#nexts, length);
    for (let row = known; row < length; row++) this.#rings[row] = this.#takeRing(FIRST_LENGTH);
  }

  /** Gives a gateway whose ring is full one of twice the length, in the same order. */
  #lengthen(gateway: number): void {
    const [old, mask, next] = [this.#rings[gateway], this.#masks[gateway], this.#nexts[gateway]];
    const ring = this.#takeRing(2 * (mask + 1));
    for (let entry = 0; entry <= mask; entry++) {
      const from = old + ((next + entry) & mask);
      this.#signals[ring + entry] = this.#signals[from];
      this.#powersMw[ring + entry] = this.#powersMw[from];
    }
    this.#rings[gateway] = ring;
    this.#masks[gateway] = 2 * mask + 1;
    this.#nexts[gateway] = mask + 1;
  }

  /** Empty, with a capacity of entries. */
  #takeRing(length: number): number {
    const ring = this.#used;
    this.#used += length;
    if (this.#used > this.#signals.length) {
      const capacity = Math.max(this.#used, 2 * this.#signals.length);
      this.#signals = lengthened(this.#signals, capacity);
      this.#powersMw = lengthened(this.#powersMw, capacity);
    }
    this.#signals.fill(NEVER_HEARD, ring, this.#used);
    return ring;
  }
}

/** A copy with more room at its end. */
function lengthened<T extends Int32Array | Float64Array>(values: T, length: number): T {
  const longer = new (values.constructor as new (length: number) => T)(length);
  longer.set(values);
  return longer;
}
