/** What leaves the world reaches its targets at least once, in order, and all of it is reported. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DELIVERY_ENDS, type QueueState } from '../../../api/host/deliveries/stored-deliveries.ts';
import { answered, DeliveredTown, TAKEN } from '../../support/delivered-town.ts';
import { itThorough } from '../../support/long.ts';

let town: DeliveredTown;
beforeEach(async () => {
  town = await DeliveredTown.open();
});
afterEach(async () => await town.remove());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every delivery is somewhere. */
function expectComplete({ counts, waiting }: QueueState): void {
  const ended = DELIVERY_ENDS.reduce((sum, how) => sum + counts[how], 0);
  expect(ended + waiting).toBe(counts.left + counts.redelivered);
}

describe('what leaves the world', () => {
  it('goes to its target once it has left, in the order in which it left', async () => {
    const first = town.emit();
    const second = town.emit();
    await town.settled();
    expect(town.sent).toEqual([]);
    town.end(second);
    town.end(first);
    town.leave(3);
    await town.settled();
    expect(town.bodies()).toEqual([2, 1, 3, 4, 5]);
    expect(town.queue().state.counts).toMatchObject({ left: 5, delivered: 5, attempts: 5 });
    expectComplete(town.queue().state);
  });

  it('is nothing where the world delivers it to a receiver of its own', async () => {
    for (const how of ['delivered', 'refused', 'failed', 'givenUp', 'removed'] as const) {
      town.end(town.emit(), how);
    }
    await town.settled();
    expect(town.sent).toEqual([]);
  });

  it('has an id of its own, the same at every attempt and after a restart', async () => {
    town.answer = () => answered(503);
    town.leave(2);
    await town.settled();
    await town.pass(10_000);
    await town.stop();
    await town.start();
    await town.pass(10 * MINUTE);
    const ids = town.sent.map(({ id, body }) => `${id} ${body}`);
    expect(town.sent.length).toBeGreaterThan(4);
    expect(new Set(ids).size).toBe(2);
    expect(new Set(town.sent.map(({ id }) => id)).size).toBe(2);
  });

  it('goes ten at a time, and the rest in their turn', async () => {
    const waiting: (() => void)[] = [];
    town.answer = () => new Promise((resolve) => waiting.push(() => resolve(TAKEN)));
    town.leave(100);
    await town.settled();
    expect(town.sent).toHaveLength(10);
    waiting.shift()!();
    await town.settled();
    expect(town.sent).toHaveLength(11);
    while (waiting.length > 0) {
      waiting.shift()!();
      await town.settled();
    }
    expect(town.bodies()).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });

  it('is delayed by no other target, nor by another subscriber’s of the same id', async () => {
    town.answer = ({ target }) => (target === '1' ? new Promise(() => undefined) : TAKEN);
    town.leave(50, 'desk', 'ann');
    town.leave(50, 'desk', 'bob');
    town.leave(50, 'roof', 'ann');
    await town.settled();
    expect(town.queue('desk', 'ann').state.counts.delivered).toBe(0);
    expect(town.queue('desk', 'bob').state.counts.delivered).toBe(50);
    expect(town.queue('roof', 'ann').state.counts.delivered).toBe(50);
  });
});

describe('an attempt without success', () => {
  it('is made eight times in all, with the pauses of the service', async () => {
    town.answer = () => answered(500);
    town.leave(1);
    await town.settled();
    const began: number[] = [];
    for (let minute = 0; minute < 60 * 60; minute++) {
      const before = town.sent.length;
      town.time.pass(MINUTE);
      if (minute % 2 === 0) await town.settled();
      if (town.sent.length > before) began.push(minute);
      if (town.queue().state.counts.failed === 1) break;
    }
    await town.settled();
    expect(town.sent).toHaveLength(8);
    expect(town.queue().state).toMatchObject({ waiting: 0, counts: { failed: 1, attempts: 8 } });
    // 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, each ± 20 %.
    expect(began.at(-1)! / 60).toBeGreaterThan(0.8 * 27.5);
    expect(began.at(-1)! / 60).toBeLessThan(1.2 * 27.6 + 1);
  });

  it.each([400, 401, 404, 301, 'address refused', 'not possible'] as const)(
    'that is answered %s was the last one, and its target goes on at once',
    async (answer) => {
      town.answer = ({ body }) => (body.includes('"n":9') ? TAKEN : answered(answer));
      town.leave(9);
      await town.settled();
      expect(town.queue().state).toMatchObject({
        waiting: 0,
        counts: { refused: 8, delivered: 1 },
      });
      expectComplete(town.queue().state);
    },
  );

  it.each(['timeout', 'connection refused', 'connection failed', 'no token', 429, 503] as const)(
    'that amounts to %s is made again',
    async (answer) => {
      town.answer = () => (town.sent.length === 1 ? answered(answer) : TAKEN);
      town.leave(1);
      await town.settled();
      expect(town.queue().state.waiting).toBe(1);
      await town.pass(7_000);
      expect(town.queue().state.counts).toMatchObject({ delivered: 1, attempts: 2 });
    },
  );

  it('that finds no way there counts as none, and its turn is the first again', async () => {
    town.answer = () => answered('connection refused', { isUnsent: true });
    town.leave(3);
    await town.pass(3 * DAY, 50);
    expect(town.queue().state.counts).toMatchObject({ attempts: 0, failed: 0 });
    town.answer = () => TAKEN;
    town.sent.length = 0;
    await town.pass(6 * MINUTE);
    expect(town.bodies()).toEqual([1, 2, 3]);
    expect(town.queue().state.counts).toMatchObject({ attempts: 3, delivered: 3 });
  });

  it('whose answer says Retry-After holds its target as long, a day at the most', async () => {
    town.answer = () => answered(503, { retryAfterS: 3_600 });
    town.leave(1);
    await town.settled();
    town.answer = () => TAKEN;
    town.leave(5);
    await town.pass(3_500_000);
    expect(town.sent).toHaveLength(1);
    await town.pass(101_000);
    expect(town.queue().state.counts.delivered).toBe(6);
    town.answer = () => answered(429, { retryAfterS: 1e9 });
    town.leave(1);
    await town.settled();
    town.answer = () => TAKEN;
    await town.pass(DAY + MINUTE);
    expect(town.queue().state.counts.delivered).toBe(7);
  });
});

describe('a target that fails', () => {
  it('is backed off from: one attempt at a time, and what waits keeps its attempts', async () => {
    town.answer = () => answered('timeout');
    town.leave(500);
    await town.settled();
    // Ten at once, and others in their place until the fifth had failed.
    expect(town.sent).toHaveLength(14);
    for (let minute = 0; minute < 60; minute++) await town.pass(MINUTE);
    // 5 s, 10 s … 5 min: some 17 in an hour.
    expect(town.sent.length).toBeGreaterThan(28);
    expect(town.sent.length).toBeLessThan(34);
    town.answer = () => TAKEN;
    for (let hour = 0; hour < 3; hour++) await town.pass(HOUR);
    expect(town.queue().state).toMatchObject({ counts: { delivered: 500 }, waiting: 0 });
  });

  it('is disabled by 410, once; what waits goes on when it is active again', async () => {
    town.answer = () => answered(410);
    town.leave(30);
    await town.settled();
    expect(town.disabled).toEqual(['desk']);
    const { refused } = town.queue().state.counts;
    expect(refused).toBeLessThanOrEqual(10);
    await town.pass(DAY, 10);
    expect(town.sent).toHaveLength(refused);
    town.answer = () => TAKEN;
    town.ways.clear();
    await town.pass(2_000);
    expect(town.queue().state).toMatchObject({ waiting: 0, counts: { delivered: 30 - refused } });
  });

  it('is disabled when it has taken nothing for five days, and not before', async () => {
    town.answer = () => answered(503);
    town.leave(100);
    for (let hour = 0; hour < 5 * 24 - 1; hour++) await town.pass(HOUR);
    expect(town.disabled).toEqual([]);
    for (let hour = 0; hour < 2; hour++) await town.pass(HOUR);
    expect(town.disabled).toEqual(['desk']);
    expectComplete(town.queue().state);
  });

  itThorough('has no more than 1000 that wait for another attempt', async () => {
    // Every second one fails, so it is never backed off from.
    town.answer = () => (town.sent.length % 2 === 0 ? TAKEN : answered(500));
    town.leave(5_000);
    await town.settled();
    expect(town.queue().retrying).toBeGreaterThan(980);
    expect(town.queue().retrying).toBeLessThanOrEqual(1_001);
    expectComplete(town.queue().state);
    for (let i = 0; i < 20; i++) await town.pass(20_000);
    expect(town.sent.length).toBeGreaterThan(3_000);
  });

  it('is nobody’s any more: what waits for it ends', async () => {
    town.answer = () => answered(500);
    town.leave(2_000);
    await town.settled();
    town.ways.set('desk', undefined);
    await town.pass(MINUTE);
    expect(town.queue().state.counts).toMatchObject({ removed: 2_000, left: 2_000 });
    expectComplete(town.queue().state);
  });
});

describe('a world that reports more than is written', () => {
  itThorough(
    'is held, goes on once that is written, and is held anew by the next burst',
    async () => {
      const seen: number[] = [];
      for (let burst = 0; burst < 3; burst++) {
        for (let i = 0; i < 10_001; i++) town.emit('paused');
        seen.push(town.holds);
        await town.settled();
        seen.push(town.holds);
        town.emit('paused');
        await town.settled();
        seen.push(town.holds);
      }
      expect(seen).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 0]);
    },
  );
});

describe('a restart', () => {
  it('reports again what the world reports again, and nothing is sent twice for it', async () => {
    town.leave(5);
    const held = town.emit();
    await town.settled();
    await town.stop();
    await town.start(0, () => {
      town.ordinal = 0;
      town.leave(5);
      town.emit();
    });
    await town.settled();
    expect(town.bodies()).toEqual([1, 2, 3, 4, 5]);
    town.end(held);
    town.leave(1);
    await town.settled();
    expect(town.bodies()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expectComplete(town.queue().state);
  });

  it('goes on where it was: what waits, its attempts, its pause, and who has ended', async () => {
    town.answer = ({ body }) => (body.includes('"n":1}') ? answered(500) : TAKEN);
    town.leave(3);
    await town.settled();
    town.queue().pause();
    town.leave(2);
    await town.settled();
    const before = structuredClone(town.queue().state);
    await town.stop();
    await town.start();
    expect(town.queue().state).toEqual(before);
    await town.pass(HOUR);
    expect(town.sent).toHaveLength(3);
    town.queue().resume();
    await town.settled();
    expect(town.bodies().sort()).toEqual([1, 1, 2, 3, 4, 5]);
    const [delivery] = await town.deliverer.queues!.deliveriesOf(town.queue(), 'waiting', 10);
    expect(delivery).toMatchObject({ seq: 1, attempts: 2 });
  });

  it('makes attempts again whose answer it has not seen', async () => {
    town.answer = () => new Promise(() => undefined);
    town.leave(3);
    await town.settled();
    await town.stop();
    town.answer = () => TAKEN;
    await town.start();
    await town.settled();
    expect(town.bodies()).toEqual([1, 2, 3, 1, 2, 3]);
    expect(town.queue().state.counts).toMatchObject({ delivered: 3, attempts: 3 });
  });
});

describe('a world that takes the place of the last one', () => {
  it('ends what waits and what is held, and reports the past to nobody', async () => {
    town.answer = () => answered(500);
    town.leave(30);
    const held = town.emit();
    await town.settled();
    town.sent.length = 0;
    town.answer = () => TAKEN;
    await town.begin(1, () => {
      town.ordinal = 0;
      town.leave(12);
    });
    await town.settled();
    expect(town.sent).toEqual([]);
    expect(town.queue().state).toMatchObject({ waiting: 0, counts: { ended: 30 } });
    town.end(held);
    town.leave(2);
    await town.pass(MINUTE);
    expect(town.bodies()).toEqual([13, 14]);
    expectComplete(town.queue().state);
  });

  it('reports nobody of a past that was never heard', async () => {
    await town.begin(1, () => town.leave(12));
    town.leave(2);
    await town.settled();
    expect(town.bodies()).toEqual([13, 14]);
    expect(town.queue().state.counts).toMatchObject({ left: 2, delivered: 2, ended: 0 });
  });

  it('is known after a crash before it began, and after one behind it', async () => {
    town.leave(3);
    await town.settled();
    await town.stop();
    const past = () => {
      town.ordinal = 0;
      town.leave(2);
    };
    await town.start(1, past);
    town.leave(1);
    await town.settled();
    expect(town.bodies()).toEqual([1, 2, 3, 3]);
    await town.stop();
    await town.start(1, () => {
      past();
      town.leave(1);
    });
    town.leave(1);
    await town.settled();
    expect(town.bodies()).toEqual([1, 2, 3, 3, 4]);
  });
});

describe('a target that somebody looks at', () => {
  itThorough('is paused: behind ten thousand, and after seven days, the oldest go', async () => {
    town.leave(1);
    await town.settled();
    town.queue().pause();
    town.leave(10_050);
    await town.settled();
    expect(town.queue().state).toMatchObject({ waiting: 10_000, counts: { given_up: 50 } });
    expect(town.sent).toHaveLength(1);
    await town.pass(7 * DAY);
    town.leave(1);
    town.queue().resume();
    await town.settled();
    expect(town.queue().state.counts).toMatchObject({ given_up: 10_050, delivered: 2 });
    expectComplete(town.queue().state);
  });

  it('shows what waits and what has ended; what has ended goes out again', async () => {
    const targetQueues = () => town.deliverer.queues!;
    town.answer = () => answered(400, { says: 'no' });
    town.leave(150);
    await town.settled();
    const ended = await targetQueues().deliveriesOf(town.queue(), 'ended', 1_000);
    expect(ended).toHaveLength(100);
    expect(ended[0]).toMatchObject({ seq: 150, end: { how: 'refused' }, tries: [{ says: 'no' }] });
    const id = targetQueues().idOf(town.queue().state, ended[0]!);
    town.answer = () => TAKEN;
    const found = (await targetQueues().find(id))!;
    found.queue.redeliver(found.delivery);
    await town.settled();
    expect(town.sent.at(-1)).toMatchObject({ id, body: '{"n":150}' });
    expect((await targetQueues().find(id))!.delivery.end!.how).toBe('delivered');
    expect(await targetQueues().find(id.replace(/.$/, 'x'))).toBeUndefined();
    expectComplete(town.queue().state);
  });
});
