/** Deliveries of one target: what is stored is what is known, and each goes out in its turn. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sent, SentAnswer } from '../../../api/host/deliveries/network/attempt-result.ts';
import {
  ALL_RETRIES,
  type Delivery,
  newQueue,
  type QueueState,
  queueKey,
  waitingBehind,
} from '../../../api/host/deliveries/stored-deliveries.ts';
import {
  type NotSent,
  type QueueContext,
  TargetQueue,
} from '../../../api/host/deliveries/target-queue.ts';
import { ManualTime } from '../../support/manual-time.ts';

const HOUR_MS = 3_600_000;

/** A store in memory, whose answers come later. */
class Memory {
  readonly entries = new Map<string, object>();
  put = (key: string, value: object) => void this.entries.set(key, structuredClone(value));
  remove = (key: string) => void this.entries.delete(key);
  get = async (key: string) => structuredClone(this.entries.get(key));
  within({ gt, lt }: { gt: string; lt: string }): [string, object][] {
    const keys = [...this.entries.keys()].filter((key) => key > gt && key < lt).sort();
    return keys.map((key) => [key, structuredClone(this.entries.get(key)!)]);
  }
  list = async (range: { gt: string; lt: string }, limit: number) =>
    this.within(range).slice(0, limit);
}

interface Attempt {
  readonly delivery: Delivery;
  readonly signal: AbortSignal;
  readonly answer: (sent: Sent | NotSent) => void;
}

const WHAT = { kind: 'profile' } as never;

/** A queue with a target in the test's hands. */
class Bench {
  readonly store = new Memory();
  readonly time = new ManualTime();
  readonly attempts: Attempt[] = [];
  /** Sequence numbers in the order in which they were sent. */
  readonly sent: number[] = [];
  disabled = 0;
  queue: TargetQueue;

  constructor(state?: QueueState) {
    const held = { owner: 'south', target: 't', kind: 'webhook', address: 'a', what: WHAT };
    this.queue = this.begin(state ?? newQueue(1, held as never));
  }

  begin(state: QueueState): TargetQueue {
    const context: Partial<QueueContext> = {
      store: this.store as never,
      time: this.time,
      send: (_, oneDelivery, signal) =>
        new Promise((answer) => {
          this.sent.push(oneDelivery.seq);
          this.attempts.push({ delivery: oneDelivery, signal, answer });
        }),
      disable: () => this.disabled++,
      broken: (error) => expect.fail(String(error)),
    };
    return new TargetQueue(state, context as QueueContext);
  }

  async settle(): Promise<void> {
    for (let turns = 0; turns < 4; turns++) await new Promise((next) => setImmediate(next));
  }

  async accept(count = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      const leftMs = this.time.wall;
      this.queue.accept({ atUs: 0, leftMs, what: WHAT, body: '{}', attempts: 0, tries: [] });
    }
    this.queue.goOn();
    await this.settle();
  }

  /** Answers the attempt at this place among those underway. */
  async answer(answer: SentAnswer | NotSent, more: Partial<Sent> = {}, at = 0): Promise<number> {
    const [attempt] = this.attempts.splice(at % Math.max(1, this.attempts.length), 1);
    if (attempt === undefined) return 0;
    const isNotSent = answer === 'removed' || answer === 'disabled';
    attempt.answer(isNotSent ? answer : { answer, retryAfterS: 0, says: '', ...more });
    await this.settle();
    return attempt.delivery.seq;
  }

  async pass(ms: number): Promise<void> {
    this.time.pass(ms);
    await this.settle();
  }

  get stored(): QueueState {
    return this.store.entries.get(queueKey(1)) as QueueState;
  }

  get waiting(): Delivery[] {
    return this.store.within(waitingBehind(1, 0)).map(([, oneDelivery]) => oneDelivery as Delivery);
  }

  /** What has to be true whenever nothing is under way inside. */
  check(): void {
    const { state } = this.queue;
    const { left, redelivered, delivered, refused, failed, given_up, removed } = state.counts;
    expect(this.stored).toEqual(state);
    expect(this.waiting).toHaveLength(state.waiting);
    expect(left + redelivered).toBe(
      state.waiting + delivered + refused + failed + given_up + removed + state.counts.ended,
    );
    const retries = this.store.within(ALL_RETRIES).map(([, retry]) => retry as Delivery);
    expect(retries).toHaveLength(this.queue.retrying);
    for (const { seq, dueMs } of retries) {
      expect(this.waiting.find((oneDelivery) => oneDelivery.seq === seq)?.dueMs).toBe(dueMs);
    }
    expect(this.queue.underway).toBe(this.attempts.length);
    expect(this.attempts.length).toBeLessThanOrEqual(10);
    expect(new Set(this.attempts.map(({ delivery }) => delivery.seq)).size).toBe(
      this.attempts.length,
    );
  }
}

type Step = (bench: Bench) => Promise<unknown>;

const answers: readonly (SentAnswer | NotSent)[] = [204, 'acknowledged', 400, 503, 'timeout', 429];
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.integer({ min: 1, max: 14 }).map(
    (count): Step =>
      (bench) =>
        bench.accept(count),
  ),
  ...[0, 1].map(() =>
    fc.tuple(fc.constantFrom(...answers), fc.nat(9)).map(
      ([word, at]): Step =>
        (bench) =>
          bench.answer(word, {}, at),
    ),
  ),
  fc.nat(9).map(
    (at): Step =>
      (bench) =>
        bench.answer(503, { isUnsent: true }, at),
  ),
  fc.nat(9).map(
    (at): Step =>
      (bench) =>
        bench.answer(429, { retryAfterS: 600 }, at),
  ),
  fc.constantFrom(1_000, 10_000, HOUR_MS, 12 * HOUR_MS).map(
    (ms): Step =>
      (bench) =>
        bench.pass(ms),
  ),
  fc.constantFrom('pause' as const, 'resume' as const).map(
    (act): Step =>
      async ({ queue, settle }) => {
        queue[act]();
        await settle();
      },
  ),
);

describe('a queue of a target', () => {
  it('stores what it knows, counts each delivery once, and empties once all is taken', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 30 }), async (done) => {
        const bench = new Bench();
        for (const step of [(one: Bench) => one.accept(), ...done]) {
          await step(bench);
          bench.check();
        }
        bench.queue.resume();
        await bench.settle();
        for (let i = 0; i < 400 && bench.queue.state.waiting > 0; i++) {
          if (bench.attempts.length > 0) await bench.answer(204);
          else await bench.pass(HOUR_MS);
        }
        bench.check();
        expect(bench.queue.state.waiting).toBe(0);
        const first = bench.sent.filter((seq, i) => bench.sent.indexOf(seq) === i);
        expect(first).toEqual([...first].sort((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });

  it('sends ten at a time, and the next one as each is answered', async () => {
    const bench = new Bench();
    await bench.accept(12);
    expect(bench.sent).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await bench.answer(204, {}, 4);
    expect(bench.sent.slice(10)).toEqual([11]);
  });

  it('reads on behind the first 32 on the disk, and sends each once', async () => {
    const bench = new Bench();
    await bench.accept(70);
    while (bench.attempts.length > 0) await bench.answer(204);
    expect(bench.sent).toEqual(Array.from({ length: 70 }, (_, i) => i + 1));
  });

  it('has first in its turn again what found no way, at whichever attempt', async () => {
    const bench = new Bench();
    await bench.accept(1);
    await bench.answer(503);
    await bench.pass(10_000);
    expect(bench.sent).toEqual([1, 1]);
    await bench.accept(1);
    await bench.answer('connection refused', { isUnsent: true });
    expect(bench.sent.filter((seq) => seq === 1)).toHaveLength(3);
    expect(bench.waiting.find(({ seq }) => seq === 1)).toMatchObject({ attempts: 1 });
    bench.check();
  });

  it('looks at a target that is disabled once a second, with what it has had already', async () => {
    const bench = new Bench();
    await bench.accept(1);
    await bench.answer(503);
    await bench.pass(10_000);
    await bench.answer('disabled');
    await bench.pass(999);
    expect(bench.sent).toEqual([1, 1]);
    await bench.pass(1);
    expect(bench.sent).toEqual([1, 1, 1]);
  });

  it('that is closed notes no answer, begins nothing, and cuts off what is underway', async () => {
    const bench = new Bench();
    await bench.accept(11);
    const before = structuredClone(bench.store.entries);
    const { signal } = bench.attempts[0]!;
    bench.queue.close();
    expect(signal.aborted).toBe(true);
    await bench.answer(204);
    bench.queue.goOn();
    await bench.pass(HOUR_MS);
    expect(bench.sent).toHaveLength(10);
    expect(bench.store.entries).toEqual(before);
  });

  it('gives up what has waited for seven days, and sends what has waited for less', async () => {
    const bench = new Bench();
    bench.queue.pause();
    await bench.accept(1);
    await bench.pass(1);
    await bench.accept(1);
    await bench.pass(7 * 24 * HOUR_MS - 1);
    bench.queue.resume();
    await bench.settle();
    expect(bench.sent).toEqual([2]);
    expect(bench.queue.state.counts).toMatchObject({ given_up: 1, left: 2 });
  });

  it('is left alone after five failures in a row, and then tries one at a time', async () => {
    const bench = new Bench();
    await bench.accept(30);
    for (let i = 0; i < 5; i++) await bench.answer(503);
    const before = bench.sent.length;
    while (bench.attempts.length > 0) await bench.answer(503);
    expect(bench.sent.length).toBe(before);
    await bench.pass(4_999);
    expect(bench.sent.length).toBe(before);
    await bench.pass(1);
    expect(bench.attempts).toHaveLength(1);
    await bench.answer(204);
    expect(bench.attempts).toHaveLength(10);
  });

  it('ends all that waits, and continues with what comes later', async () => {
    const bench = new Bench();
    await bench.accept(600);
    const ended = bench.queue.endAll('removed');
    for (const { answer } of bench.attempts.splice(0)) answer('removed');
    await ended;
    await bench.settle();
    expect(bench.queue.state).toMatchObject({ waiting: 0, counts: { removed: 600 } });
    await bench.accept(1);
    expect(bench.sent.at(-1)).toBe(601);
    bench.check();
  });
});
