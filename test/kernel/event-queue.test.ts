import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../sim/kernel/event-queue.ts';

const MOST_KEY = 2 ** 31 - 1;
const YEAR_US = 365.25 * 86_400e6;

type Event = { readonly atUs: number; readonly key: number };
const inOrder = (a: Event, b: Event): number => a.atUs - b.atUs || a.key - b.key;

/** The plainest queue there is: an array that is sorted before each look. */
class SortedArray {
  readonly #events: Event[] = [];
  push(atUs: number, key: number): void {
    let place = this.#events.length;
    const event = { atUs, key };
    while (place > 0 && inOrder(this.#events[place - 1]!, event) > 0) place--;
    this.#events.splice(place, 0, event);
  }
  take(): Event | undefined {
    return this.#events.shift();
  }
  get nextAtUs(): number {
    return this.#events[0]?.atUs ?? Number.POSITIVE_INFINITY;
  }
  get size(): number {
    return this.#events.length;
  }
}

/** A queue and its oracle, reported the same and asked the same. */
class Pair {
  readonly queue = new EventQueue(4);
  readonly oracle = new SortedArray();
  nowUs = 0;

  push(pauseUs: number, key: number): void {
    const atUs = Math.min(this.nowUs + pauseUs, Number.MAX_SAFE_INTEGER);
    this.queue.push(atUs, key);
    this.oracle.push(atUs, key);
  }
  take(): void {
    const expected = this.oracle.take();
    if (this.queue.take() !== (expected !== undefined)) throw new Error('sizes differ');
    if (expected === undefined) return;
    const { due } = this.queue;
    if (due.atUs !== expected.atUs || due.key !== expected.key) {
      throw new Error(`took ${due.atUs}/${due.key}, not ${expected.atUs}/${expected.key}`);
    }
    this.nowUs = due.atUs;
  }
  look(): void {
    expect(this.queue.peekUs()).toBe(this.oracle.nextAtUs);
    expect(this.queue.size).toBe(this.oracle.size);
  }
  empty(): void {
    while (this.oracle.size > 0) this.take();
    this.look();
  }
}

/** Pauses of all sizes: none, ties, a radio second, minutes, days, decades. */
const pauses = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer({ min: 540e6, max: 660e6 }),
  fc.integer({ min: 0, max: 30 * 86_400e6 }),
  fc.integer({ min: 0, max: 100 * YEAR_US }),
);
const keys = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: MOST_KEY }));

type Step = (pair: Pair) => void;
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(pauses, keys).map(
      ([p, k]): Step =>
        (pair) =>
          pair.push(p, k),
    ),
  },
  { weight: 5, arbitrary: fc.constant<Step>((pair) => pair.take()) },
  { weight: 2, arbitrary: fc.constant<Step>((pair) => pair.look()) },
  {
    weight: 1,
    arbitrary: fc.tuple(pauses, fc.integer({ min: 33, max: 300 })).map(
      ([pauseUs, count]): Step =>
        (pair) => {
          for (let i = 0; i < count; i++) pair.push(pauseUs + (i % 7), (i * 31) % count);
        },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 400 }).map(
      (count): Step =>
        (pair) => {
          for (let i = 0; i < count; i++) pair.take();
        },
    ),
  },
);

describe('the event queue', () => {
  it('is empty at first', () => {
    const queue = new EventQueue();
    expect(queue.take()).toBe(false);
    expect(queue.peekUs()).toBe(Number.POSITIVE_INFINITY);
    expect(queue.size).toBe(0);
  });

  it('takes by time, then by key, and keeps duplicates', () => {
    const queue = new EventQueue();
    for (const [atUs, key] of [
      [5, 1],
      [3, 9],
      [5, 0],
      [3, 9],
      [0, MOST_KEY],
    ] as const) {
      queue.push(atUs, key);
    }
    const taken: [number, number][] = [];
    while (queue.take()) taken.push([queue.due.atUs, queue.due.key]);
    expect(taken).toEqual([
      [0, MOST_KEY],
      [3, 9],
      [3, 9],
      [5, 0],
      [5, 1],
    ]);
  });

  it('equals a sorted array under any interleaving', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 120 }), (script) => {
        const pair = new Pair();
        for (const step of script) step(pair);
        pair.look();
        pair.empty();
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same order for every order of pushing', () => {
    const distinct = fc.uniqueArray(fc.tuple(pauses, keys), {
      selector: ([atUs, key]) => `${atUs} ${key}`,
      minLength: 1,
      maxLength: 200,
    });
    const shuffled = distinct.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
    );
    const taken = (events: readonly [number, number][]): string[] => {
      const queue = new EventQueue();
      for (const [atUs, key] of events) queue.push(atUs, key);
      const order: string[] = [];
      while (queue.take()) order.push(`${queue.due.atUs} ${queue.due.key}`);
      return order;
    };
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(taken(one)).toEqual(taken(other));
      }),
    );
  });

  it('never goes back in time', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(pauses, keys), { maxLength: 300 }), (events) => {
        const queue = new EventQueue();
        let beforeUs = 0;
        for (const [pauseUs, key] of events) {
          queue.push(beforeUs + pauseUs, key);
          if (key % 2 === 0 && queue.take()) {
            expect(queue.due.atUs).toBeGreaterThanOrEqual(beforeUs);
            beforeUs = queue.due.atUs;
          }
        }
      }),
    );
  });
});

/** A small generator of its own, so that the scripts below are the same for ever. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

describe('a queue whose load changes', () => {
  /** Holds `count` events: takes one, pushes one after the pause that `pauseUs` draws. */
  function hold(pair: Pair, takes: number, pauseUs: () => number): void {
    for (let i = 0; i < takes; i++) {
      pair.take();
      pair.push(Math.floor(pauseUs()), i);
    }
  }

  it('keeps the order when all pauses become 1000 times longer, then shorter', () => {
    const random = pseudoRandom(1);
    const pair = new Pair();
    for (let i = 0; i < 1500; i++) pair.push(Math.floor(random() * 1e6), i);
    hold(pair, 5000, () => random() * 1e9);
    hold(pair, 5000, () => random() * 1e6);
    hold(pair, 5000, () => random() * 1e3);
    pair.empty();
  });

  it('keeps the order when it grows from 10 to 4000 events and shrinks again', () => {
    const random = pseudoRandom(2);
    const pair = new Pair();
    for (let i = 0; i < 10; i++) pair.push(Math.floor(random() * 600e6), i);
    hold(pair, 3000, () => random() * 600e6);
    for (let i = 0; i < 4000; i++) pair.push(Math.floor(random() * 600e6), i);
    hold(pair, 5000, () => random() * 600e6);
    for (let i = 0; i < 3990; i++) pair.take();
    hold(pair, 3000, () => random() * 600e6);
    pair.empty();
  });

  it('takes thousands of events of one instant by key, those pushed meanwhile included', () => {
    const random = pseudoRandom(3);
    const pair = new Pair();
    for (let i = 0; i < 500; i++) pair.push(Math.floor(random() * 60e6), i);
    for (let i = 0; i < 5000; i++) pair.push(1000, Math.floor(random() * MOST_KEY));
    for (let i = 0; i < 3000; i++) {
      pair.take();
      if (i % 2 === 0) pair.push(0, Math.floor(random() * MOST_KEY));
    }
    pair.empty();
  });

  it('takes a near event that is pushed after a look at one years ahead', () => {
    const random = pseudoRandom(4);
    const pair = new Pair();
    pair.push(50 * YEAR_US, 1);
    pair.look();
    for (let i = 0; i < 3000; i++) pair.push(Math.floor(random() * 600e6), i);
    hold(pair, 4000, () => random() * 600e6);
    pair.empty();
    expect(pair.nowUs).toBe(50 * YEAR_US);
  });

  it('reaches the last exact microsecond', () => {
    const pair = new Pair();
    for (let i = 0; i < 300; i++) pair.push(Number.MAX_SAFE_INTEGER - (i % 90), i);
    pair.empty();
    expect(pair.nowUs).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('a queue that is taken from up to an instant', () => {
  it('gives what is due by then, that instant included, and nothing later', () => {
    const queue = new EventQueue();
    queue.push(10, 1);
    queue.push(20, 2);
    expect(queue.takeBy(9)).toBe(false);
    expect(queue.takeBy(10)).toBe(true);
    expect(queue.due).toEqual({ atUs: 10, key: 1 });
    expect(queue.takeBy(19)).toBe(false);
    queue.push(15, 3);
    expect(queue.takeBy(19)).toBe(true);
    expect(queue.due).toEqual({ atUs: 15, key: 3 });
    expect([queue.takeBy(19), queue.size]).toEqual([false, 1]);
    expect([queue.takeBy(20), queue.takeBy(YEAR_US)]).toEqual([true, false]);
  });

  it('equals a sorted array, whatever it is asked in between', () => {
    const step = fc.record({ pauseUs: fc.nat(5_000), untilUs: fc.nat(3_000) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), (steps) => {
        const pair = new Pair();
        steps.forEach(({ pauseUs, untilUs }, key) => {
          pair.push(pauseUs, key);
          const byUs = pair.nowUs + untilUs;
          const isDue = pair.oracle.nextAtUs <= byUs;
          expect(pair.queue.takeBy(byUs)).toBe(isDue);
          if (!isDue) return;
          expect(pair.queue.due).toEqual(pair.oracle.take());
          pair.nowUs = pair.queue.due.atUs;
        });
      }),
    );
  });

  it('is emptied any number of times, and reviewed where it has something', () => {
    const queue = new EventQueue();
    for (let atUs = 1; atUs <= 40_000; atUs++) {
      queue.push(atUs, 0);
      expect(queue.takeBy(atUs)).toBe(true);
    }
    expect(queue.size).toBe(0);
  });
});

describe('a cleared queue', () => {
  it('starts anew at time zero', () => {
    const queue = new EventQueue();
    for (let i = 0; i < 500; i++) queue.push(1_000_000 + i, i);
    for (let i = 0; i < 100; i++) queue.take();
    queue.clear();
    expect(queue.size).toBe(0);
    expect(queue.peekUs()).toBe(Number.POSITIVE_INFINITY);
    expect(queue.take()).toBe(false);
    queue.push(7, 3);
    expect(queue.peekUs()).toBe(7);
  });
});

describe('a time that is not whole µs or goes back, or a key that is none', () => {
  const queue = new EventQueue();
  queue.push(100, 0);
  queue.take();

  it.each([
    ['a time before the last taken event', 99, 0],
    ['a fraction of a µs', 100.5, 0],
    ['a time that is not exact', 2 ** 53, 0],
    ['no time', Number.NaN, 0],
    ['a negative key', 100, -1],
    ['a key of 32 bits', 100, 2 ** 31],
    ['a fraction of a key', 100, 0.5],
  ])('stops the world: %s', (_, atUs, key) => {
    expect(() => queue.push(atUs, key)).toThrow('broken invariant');
    expect(queue.size).toBe(0);
  });

  it('takes an event of the present', () => {
    queue.push(100, 5);
    expect(queue.take()).toBe(true);
    expect(queue.due).toEqual({ atUs: 100, key: 5 });
  });
});
