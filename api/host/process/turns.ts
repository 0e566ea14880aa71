/**
 * Turns on the event loop: the caller whose requests have cost least so far has the next one.
 * Between turns the loop reads and writes sockets. So a caller whose requests cost much waits for
 * itself, and no other waits for more than a piece of work or two (docs/decisions/0102).
 */

/** Work of one turn, ms: once so much is done, the rest waits for the next one. */
const TURN_MS = 10;

/**
 * Passes of the loop between turns while work waits: each accepts one connection at most, so new
 * callers would else be heard one a turn.
 */
const PASSES = 16;

/** A caller who comes anew is so much ahead of those who wait, ms. */
const AHEAD_MS = 1;

type Work = () => void;

interface Caller {
  readonly waiting: Work[];
  costMs: number;
}

export class Turns {
  readonly #nowMs: () => number;
  readonly #later: (turn: () => void) => void;
  /** Of those who wait, or have had a turn since nobody waited. */
  readonly #callers = new Map<string, Caller>();
  #waiting = 0;
  #usedMs = 0;
  #isScheduled = false;

  constructor(
    nowMs: () => number = () => performance.now(),
    later: (turn: () => void) => void = setImmediate,
  ) {
    this.#nowMs = nowMs;
    this.#later = later;
  }

  /** Does the work now where nobody waits and the turn has time left; else later. */
  take(caller: string, work: Work): void {
    if (this.#waiting === 0 && this.#usedMs < TURN_MS) this.#do(this.#callerOf(caller), work);
    else this.add(caller, work);
  }

  /** Does the work in a later turn. */
  add(caller: string, work: Work): void {
    this.#callerOf(caller).waiting.push(work);
    this.#waiting++;
    this.#schedule();
  }

  #callerOf(name: string): Caller {
    const known = this.#callers.get(name);
    const least = this.#least();
    const floorMs = least === undefined ? 0 : least.costMs - AHEAD_MS;
    if (known === undefined) {
      const caller = { waiting: [], costMs: floorMs };
      this.#callers.set(name, caller);
      return caller;
    }
    // Who did not wait saves no time up.
    if (known.waiting.length === 0) known.costMs = Math.max(known.costMs, floorMs);
    return known;
  }

  /** Of those who wait. */
  #least(): Caller | undefined {
    let least: Caller | undefined;
    for (const caller of this.#callers.values()) {
      const isLess = least === undefined || caller.costMs < least.costMs;
      if (caller.waiting.length > 0 && isLess) least = caller;
    }
    return least;
  }

  #do(caller: Caller, work: Work): void {
    const fromMs = this.#nowMs();
    try {
      work();
    } finally {
      const ms = this.#nowMs() - fromMs;
      caller.costMs += ms;
      this.#usedMs += ms;
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#later(() => this.#pass(PASSES));
  }

  #pass(left: number): void {
    if (this.#waiting > 0 && left > 1) this.#later(() => this.#pass(left - 1));
    else this.#turn();
  }

  #turn(): void {
    this.#isScheduled = false;
    this.#usedMs = 0;
    if (this.#waiting === 0) return this.#callers.clear();
    do {
      const caller = this.#least()!;
      this.#waiting--;
      this.#do(caller, caller.waiting.shift()!);
    } while (this.#waiting > 0 && this.#usedMs < TURN_MS);
  }
}

/** Those of this process, which has one event loop, however many worlds it serves. */
export const TURNS = new Turns();
