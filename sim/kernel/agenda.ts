/**
 * Agenda of a world: at most one live event per (kind, target), in the order (time, kind, target).
 *
 * Problem: a world must be saved, forked, hashed and replayed at any event. Two runs must agree to
 * the bit even if they push the same events in another order. Events with their own data cannot be
 * saved, and ties would depend on the order of pushes.
 *
 * Approach: an event is three numbers, and means “look at your list”. The `due` column of a kind is
 * the truth. Rescheduling and cancelling write that column, and leave the old entry in the queue.
 * An entry that disagrees with the column is stale: it is dropped before dispatch and digest. So
 * rescheduling never searches the queue, and a snapshot needs the `due` columns only. A restored
 * agenda builds its queue from them.
 *
 * Rejected: closures or payload objects as events, which can be neither saved nor hashed. Removal
 * of entries from the queue: it needs an index per entry, or a search. Fixed ticks: the simulator
 * has days of silence at microsecond precision. See docs/decisions/0001.
 *
 * Price: a postponed timer leaves an entry behind until its old time.
 */
import { assert } from '../base/assert.ts';
import { Digest } from './digest.ts';
import { EventQueue } from './event-queue.ts';

/** Targets a kind can have: 26 bits, kinds below 32 take the other five. */
const TARGETS = 0x400_0000;
const KINDS = 32;

/** The time of an event that is not pending. */
const NEVER = -1;

export interface SavedAgenda {
  readonly nowUs: number;
  readonly lastKey: number;
  readonly dispatched: number;
  readonly digest: readonly number[];
  readonly due: readonly Float64Array[];
}

/** An agenda as it counts its events. */
interface Counted {
  dispatched: number;
}

export class Agenda {
  /** Kind and target of the event that `next` took. */
  kind = 0;
  target = 0;
  readonly digest = new Digest();
  readonly #queue = new EventQueue();
  readonly #due: Float64Array[] = Array.from({ length: KINDS }, () => new Float64Array(0));
  /** [now in µs, key of the current event] */
  readonly #clock = new Float64Array([0, NEVER]);
  /** Events dispatched since the world's start. */
  readonly dispatched: number = 0;
  /** Columns are made for as many targets at once. */
  #expected = 16;

  get nowUs(): number {
    return this.#clock[0];
  }

  /** When the event of this kind and target is due, µs; −1 when none is pending. */
  dueUs(kind: number, target: number): number {
    const due = this.#due[kind];
    return target < due.length ? due[target] : NEVER;
  }

  /** Whether (kind, target) has an appointment. */
  isDue(kind: number, target: number): boolean {
    return this.dueUs(kind, target) !== NEVER;
  }

  /**
   * Makes (kind, target) due at this time, in place of an earlier appointment. At the present
   * instant only what sorts after the current event can still be raised.
   */
  schedule(kind: number, target: number, atUs: number): void {
    const due = this.#columnFor(kind, target);
    assert(due[target] !== atUs, 'a live event is not pushed twice');
    const key = kind * TARGETS + target;
    const now = this.#clock[0];
    assert(
      atUs > now || (atUs === now && key > this.#clock[1]),
      'events are raised for the future',
    );
    due[target] = atUs;
    this.#queue.push(atUs, key);
  }

  /** As `schedule`, but an equal appointment stays as it is. */
  appoint(kind: number, target: number, atUs: number): void {
    if (this.dueUs(kind, target) !== atUs) this.schedule(kind, target, atUs);
  }

  cancel(kind: number, target: number): void {
    const due = this.#due[kind];
    if (target < due.length) due[target] = NEVER;
  }

  /** No event is due before, µs; Infinity: none is pending. */
  get nextUs(): number {
    return this.#queue.peekUs();
  }

  /** Takes the next event if it is due by `untilUs`; its kind and target are then in place. */
  next(untilUs: number): boolean {
    const queue = this.#queue;
    while (queue.takeBy(untilUs)) {
      const { atUs, key } = queue.due;
      const kind = Math.floor(key / TARGETS);
      const target = key - kind * TARGETS;
      const due = this.#due[kind];
      if (due[target] !== atUs) continue;
      assert(atUs >= this.#clock[0], 'time does not go back');
      due[target] = NEVER;
      this.#clock[0] = atUs;
      this.#clock[1] = key;
      this.kind = kind;
      this.target = target;
      (this as Counted).dispatched++;
      this.digest.addEvent(atUs, key);
      return true;
    }
    return false;
  }

  /** Moves the clock over an interval without events, or to a command's stamp. */
  advance(toUs: number): void {
    assert(toUs >= this.#clock[0], 'time does not go back');
    if (toUs === this.#clock[0]) return;
    this.#clock[0] = toUs;
    this.#clock[1] = NEVER;
  }

  save(): SavedAgenda {
    return {
      nowUs: this.#clock[0],
      lastKey: this.#clock[1],
      dispatched: this.dispatched,
      digest: this.digest.save(),
      due: this.#due.map((due) => due.slice()),
    };
  }

  load(saved: SavedAgenda): void {
    assert(saved.due.length === KINDS, 'a saved agenda has a column for each kind');
    this.#clock.set([saved.nowUs, saved.lastKey]);
    (this as Counted).dispatched = saved.dispatched;
    this.digest.load(saved.digest);
    this.#queue.clear();
    saved.due.forEach((due, kind) => {
      this.#due[kind] = due.slice();
      for (let target = 0; target < due.length; target++) {
        if (due[target] !== NEVER) this.#queue.push(due[target], kind * TARGETS + target);
      }
    });
  }

  /** Events will have as many targets: no column is longer because it has grown by doubling. */
  expect(targets: number): void {
    this.#expected = Math.max(this.#expected, targets);
  }

  /** Folds every pending appointment of a target, as the digest of a world's end needs it. */
  digestTarget(kinds: readonly number[], target: number, digest: Digest): void {
    for (const kind of kinds) digest.addNumber(this.dueUs(kind, target));
  }

  /** The `due` column of a kind, long enough for this target. */
  #columnFor(kind: number, target: number): Float64Array {
    assert(kind >= 0 && kind < KINDS, 'an event kind is 0…31');
    assert(target >= 0 && target < TARGETS, 'a target is 0…2^26−1');
    const due = this.#due[kind];
    if (target < due.length) return due;
    const length = Math.max(target < this.#expected ? this.#expected : 2 * due.length, target + 1);
    const grown = new Float64Array(length).fill(NEVER);
    grown.set(due);
    this.#due[kind] = grown;
    return grown;
  }
}
