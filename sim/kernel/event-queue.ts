/**
 * Priority queue of events in the order of (time, key), fast also under bursts.
 *
 * Problem: a world of many devices holds one event or more for each, and takes millions a minute. A
 * binary heap alone costs O(log n) cache misses for each. The order must be total and must not
 * depend on the order of pushes.
 *
 * Approach: a calendar queue. Virtual time is cut into buckets of `width` µs, a power of two, so
 * that 2 to 4 events fall in one. Each event lies in exactly one of four places:
 *
 *  opened   the open bucket, sorted when it was opened              before openEndUs
 *  late     a heap: pushed before openEndUs after the opening       before openEndUs
 *  ring     unsorted chains, one per bucket                         openEndUs … ringEndUs − 1
 *  far      a heap                                                  ringEndUs and after
 *
 * openEndUs = (open bucket + 1) · width and ringEndUs = (open bucket + slots) · width. So a bucket
 * has the slot `bucket mod slots` to itself, and the open bucket's own slot is empty. A bit in
 * `occupied` says that a slot's chain is not empty.
 *
 * A full bucket is merge-sorted, and pushes into the open one go to a heap, so a burst costs no
 * more than a heap. Width and slots are reviewed after as many takes as there are events, and when
 * their number changes fourfold: a constant cost per event.
 *
 * Rejected: a sequence number as tie-break. It makes the history of pushes part of the result
 * (docs/decisions/0001). Sorting at each push: a burst makes it quadratic.
 */
import { assert } from '../base/assert.ts';
import { EventHeap } from './event-heap.ts';
import { EventRun } from './event-run.ts';

/** A node of a chain is 16 bytes in one buffer, so one cache line: f64 atUs, i32 key, i32 next. */
const NODE_BYTES = 16;
/** Node 0 is never used: 0 ends a chain. */
const NONE = 0;
/** The key of a node that is in no chain. */
const FREE = -1;

/** Rows of the column of times: a number in a typed array is never boxed. All in µs but one. */
const TAKEN = 0;
const OPEN_END = 1;
const RING_END = 2;
const WIDTH = 3;
/** 1 / width, exact since the width is a power of two. */
const PER_US = 4;

const FEWEST_SLOTS = 64;
const FEWEST_TAKES_BETWEEN_REVIEWS = 8192;
/** Pauses looked at to choose a width. */
const SAMPLES = 256;

export class EventQueue {
  /** What `take` took last: one object, written by `take` only. NaN before the first. */
  readonly due = { atUs: Number.NaN, key: 0 };

  readonly #time = new Float64Array(5);
  readonly #opened = new EventRun();
  readonly #late = new EventHeap();
  readonly #far = new EventHeap();
  #heads = new Int32Array(FEWEST_SLOTS);
  #occupied = new Int32Array(FEWEST_SLOTS >> 5);
  #openSlot = 0;
  #ringCount = 0;

  /** Two views of the same nodes: atUs of node n is `[2n]`; its key `[4n+2]`, its next `[4n+3]`. */
  #nodeAtUs: Float64Array;
  #nodeInts: Int32Array;
  #firstFree = NONE;
  /** Nodes from here on were never in a chain since the last reshaping. */
  #fresh = 1;

  #size = 0;
  #takesToReview = FEWEST_TAKES_BETWEEN_REVIEWS;
  #reviewAbove = FEWEST_SLOTS;
  #reviewBelow = 0;

  /** `capacity` is how many events are expected at once; more are taken in by doubling. */
  constructor(capacity = 1024) {
    assert(Number.isSafeInteger(capacity) && capacity >= 0, 'a capacity is a count');
    const nodes = new ArrayBuffer(NODE_BYTES * (capacity + 2));
    this.#nodeAtUs = new Float64Array(nodes);
    this.#nodeInts = new Int32Array(nodes);
    this.#shape(1, FEWEST_SLOTS);
  }

  get size(): number {
    return this.#size;
  }

  /** `atUs`: whole µs, not before the last taken event. `key`: 0 … 2³¹−1. */
  push(atUs: number, key: number): void {
    const time = this.#time;
    assert(Number.isSafeInteger(atUs), 'an event is due at a whole µs');
    assert(atUs >= time[TAKEN], 'an event is not due before the last taken one');
    assert((key | 0) === key && key >= 0, 'a key is a non-negative 32-bit integer');
    if (atUs < time[OPEN_END]) this.#late.push(atUs, key);
    else if (atUs < time[RING_END]) this.#chain(atUs, key);
    else this.#far.push(atUs, key);
    if (++this.#size > this.#reviewAbove) this.#review();
  }

  /** When the next event is due, µs; Infinity when there is none. */
  peekUs(): number {
    if (this.#size === 0) return Number.POSITIVE_INFINITY;
    const opened = this.#opened;
    const late = this.#late;
    if (opened.first === opened.end && late.count === 0) this.#openNext();
    if (late.count === 0) return opened.atUs[opened.first];
    if (opened.first === opened.end) return late.atUs[0];
    return Math.min(opened.atUs[opened.first], late.atUs[0]);
  }

  /** Moves the earliest event to `due`; false when there is none. */
  take(): boolean {
    return this.takeBy(Number.POSITIVE_INFINITY);
  }

  /** The same of an event that is due by `untilUs`. */
  takeBy(untilUs: number): boolean {
    if (this.#size === 0) return false;
    const opened = this.#opened;
    const late = this.#late;
    const { first } = opened;
    if (first === opened.end && late.count === 0) {
      this.#openNext();
      return this.takeBy(untilUs);
    }
    const { due } = this;
    if (late.count > 0 && this.#lateIsFirst()) {
      if (late.atUs[0] > untilUs) return false;
      due.atUs = late.atUs[0];
      due.key = late.key[0];
      late.drop();
    } else {
      if (opened.atUs[first] > untilUs) return false;
      due.atUs = opened.atUs[first];
      due.key = opened.key[first];
      opened.first = first + 1;
    }
    this.#time[TAKEN] = due.atUs;
    this.#size--;
    if (--this.#takesToReview < 0 && this.#size > 0) this.#review();
    return true;
  }

  /** Forgets all events and the time of the last taken one. */
  clear(): void {
    this.#time[TAKEN] = 0;
    this.#size = 0;
    this.#shape(1, FEWEST_SLOTS);
    this.#planReview();
  }

  #lateIsFirst(): boolean {
    const opened = this.#opened;
    const late = this.#late;
    const i = opened.first;
    if (i === opened.end) return true;
    const openedAtUs = opened.atUs[i];
    const lateAtUs = late.atUs[0];
    return lateAtUs < openedAtUs || (lateAtUs === openedAtUs && late.key[0] < opened.key[i]);
  }

  /** Puts an event of openEndUs … ringEndUs − 1 at the head of its bucket's chain. */
  #chain(atUs: number, key: number): void {
    const slot = (atUs * this.#time[PER_US]) & (this.#heads.length - 1);
    let node = this.#firstFree;
    if (node === NONE) {
      node = this.#fresh++;
      if (2 * node + 1 >= this.#nodeAtUs.length) this.#doubleNodes();
    } else {
      this.#firstFree = this.#nodeInts[4 * node + 3];
    }
    this.#nodeAtUs[2 * node] = atUs;
    this.#nodeInts[4 * node + 2] = key;
    this.#nodeInts[4 * node + 3] = this.#heads[slot];
    this.#heads[slot] = node;
    this.#occupied[slot >> 5] |= 1 << (slot & 31);
    this.#ringCount++;
  }

  /** Opens the earliest bucket that holds an event. Nothing is open, and ring or far has events. */
  #openNext(): void {
    if (this.#size < this.#reviewBelow) this.#review();
    if (this.#ringCount === 0) this.#jumpTo(this.#far.atUs[0]);
    else this.#advance(this.#slotsToNext());
    const { count } = this.#far;
    if (count > 0 && this.#far.atUs[0] < this.#time[RING_END]) this.#chainFar();
    this.#openSlotChain();
  }

  /** How far the next occupied slot lies behind the open one, 1 … slots − 1. */
  #slotsToNext(): number {
    const occupied = this.#occupied;
    const mask = this.#heads.length - 1;
    const from = (this.#openSlot + 1) & mask;
    let word = from >> 5;
    let bits = occupied[word] & (-1 << (from & 31));
    while (bits === 0) {
      word = (word + 1) & (occupied.length - 1);
      bits = occupied[word];
    }
    const slot = (word << 5) + 31 - Math.clz32(bits & -bits);
    return (slot - this.#openSlot) & mask;
  }

  #advance(slots: number): void {
    const time = this.#time;
    this.#openSlot = (this.#openSlot + slots) & (this.#heads.length - 1);
    time[OPEN_END] += slots * time[WIDTH];
    time[RING_END] += slots * time[WIDTH];
  }

  /** Makes the bucket of `atUs` the open one; the ring must be empty. */
  #jumpTo(atUs: number): void {
    assert(this.#ringCount === 0, 'the open bucket moves where nothing lies behind it');
    const time = this.#time;
    const slots = this.#heads.length;
    const bucket = Math.floor(atUs * time[PER_US]);
    this.#openSlot = bucket & (slots - 1);
    time[OPEN_END] = (bucket + 1) * time[WIDTH];
    time[RING_END] = (bucket + slots) * time[WIDTH];
  }

  /** Brings what the ring has come to reach out of the far heap. */
  #chainFar(): void {
    const far = this.#far;
    const ringEndUs = this.#time[RING_END];
    while (far.count > 0 && far.atUs[0] < ringEndUs) {
      this.#chain(far.atUs[0], far.key[0]);
      far.drop();
    }
  }

  /** Moves the open slot's chain into the opened run, sorted, and its nodes to the free ones. */
  #openSlotChain(): void {
    const slot = this.#openSlot;
    const opened = this.#opened;
    const nodeAtUs = this.#nodeAtUs;
    const nodeInts = this.#nodeInts;
    const head = this.#heads[slot];
    assert(head !== NONE, 'an opened bucket holds an event');
    opened.clear();
    let last = head;
    for (let node = head; node !== NONE; node = nodeInts[4 * node + 3]) {
      opened.add(nodeAtUs[2 * node], nodeInts[4 * node + 2]);
      nodeInts[4 * node + 2] = FREE;
      last = node;
    }
    nodeInts[4 * last + 3] = this.#firstFree;
    this.#firstFree = head;
    this.#heads[slot] = NONE;
    this.#occupied[slot >> 5] &= ~(1 << (slot & 31));
    this.#ringCount -= opened.end;
    opened.sort();
  }

  #doubleNodes(): void {
    const ints = this.#nodeInts;
    const nodes = new ArrayBuffer(2 * ints.byteLength);
    this.#nodeAtUs = new Float64Array(nodes);
    this.#nodeInts = new Int32Array(nodes);
    this.#nodeInts.set(ints);
  }

  /** Chooses width and slots anew, and rebuilds when they are off by four times or more. */
  #review(): void {
    assert(this.#size > 0, 'a review looks at the events that are there');
    const pauseUs = this.#threeQuarterPauseUs();
    const width = powerOfTwoUpTo((3 * pauseUs) / (0.75 * this.#size));
    const slots = Math.max(FEWEST_SLOTS, 2 * powerOfTwoUpTo((2 * pauseUs) / width));
    const isOff =
      areFarApart(width, this.#time[WIDTH]) ||
      areFarApart(slots, this.#heads.length) ||
      4 * this.#late.count > this.#size;
    if (isOff) this.#rebuild(width, slots);
    this.#planReview();
  }

  #planReview(): void {
    this.#takesToReview = Math.max(FEWEST_TAKES_BETWEEN_REVIEWS, this.#size);
    this.#reviewAbove = Math.max(FEWEST_SLOTS, 4 * this.#size);
    this.#reviewBelow = this.#size >> 2;
  }

  /**
   * The pause from the last taken event within which three quarters of all events are due, from an
   * even sample: so neither a burst nor a few events years ahead decide the width.
   */
  #threeQuarterPauseUs(): number {
    const opened = this.#opened;
    const nodeInts = this.#nodeInts;
    const stride = Math.ceil(this.#size / SAMPLES);
    const sample: number[] = [];
    for (let i = opened.first; i < opened.end; i += stride) sample.push(opened.atUs[i]);
    for (let i = 0; i < this.#late.count; i += stride) sample.push(this.#late.atUs[i]);
    for (let i = 0; i < this.#far.count; i += stride) sample.push(this.#far.atUs[i]);
    for (let node = 1; node < this.#fresh; node += stride) {
      if (nodeInts[4 * node + 2] !== FREE) sample.push(this.#nodeAtUs[2 * node]);
    }
    if (sample.length === 0) return 0;
    const sorted = new Float64Array(sample).sort();
    return sorted[(3 * sorted.length) >> 2] - this.#time[TAKEN];
  }

  #rebuild(width: number, slots: number): void {
    const events = new EventRun();
    const opened = this.#opened;
    for (let i = opened.first; i < opened.end; i++) events.add(opened.atUs[i], opened.key[i]);
    for (const heap of [this.#late, this.#far]) {
      for (let i = 0; i < heap.count; i++) events.add(heap.atUs[i], heap.key[i]);
    }
    for (let node = 1; node < this.#fresh; node++) {
      const key = this.#nodeInts[4 * node + 2];
      if (key !== FREE) events.add(this.#nodeAtUs[2 * node], key);
    }
    assert(events.end === this.#size, 'each event lies in exactly one place');
    this.#shape(width, slots);
    const ringEndUs = this.#time[RING_END];
    for (let i = 0; i < events.end; i++) {
      if (events.atUs[i] < ringEndUs) this.#chain(events.atUs[i], events.key[i]);
      else this.#far.push(events.atUs[i], events.key[i]);
    }
  }

  /** Empties all places and opens the bucket before that of the last taken event. */
  #shape(width: number, slots: number): void {
    const time = this.#time;
    time[WIDTH] = width;
    time[PER_US] = 1 / width;
    const bucket = Math.floor(time[TAKEN] / width);
    time[OPEN_END] = bucket * width;
    time[RING_END] = (bucket - 1 + slots) * width;
    this.#openSlot = (bucket - 1) & (slots - 1);
    this.#heads = new Int32Array(slots);
    this.#occupied = new Int32Array(slots >> 5);
    this.#ringCount = 0;
    this.#firstFree = NONE;
    this.#fresh = 1;
    this.#opened.clear();
    this.#late.count = 0;
    this.#far.count = 0;
  }
}

/** The greatest power of two that is not above `limit`, at least 1. */
function powerOfTwoUpTo(limit: number): number {
  let power = 1;
  while (2 * power <= limit) power *= 2;
  return power;
}

function areFarApart(a: number, b: number): boolean {
  return a >= 4 * b || b >= 4 * a;
}
