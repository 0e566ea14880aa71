/**
 * Deliveries: at least once, by the retry schedule, in virtual time (data delivery, Events, rules 2
 * to 5; eight attempts, 15 s timeout, Retry-After, pause, 410, dead for five days).
 */
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../core/delivery/deliveries/effects.ts';
import { DAY_US, HOUR_US, MINUTE_US, SECOND_US } from '../../../sim/base/units.ts';
import { DeliveryBench, drawsOf, OWNER, webhook } from '../../support/delivery-bench.ts';
import { TO_WEB } from '../../support/targets.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, type Subscriber } from './service.ts';

const HOOK = webhook('hook');
const at = 'https://hook.example/in';

/** A bench whose one receiver behaves so. */
function bench(receiver: object, options = {}): DeliveryBench {
  const created = new DeliveryBench(options);
  created.put('hook', { at, latency: 0.1, ...receiver } as never);
  return created;
}

/** When attempts were answered, less the latency, in s. */
const attemptsAt = (created: DeliveryBench, latencyUs = 100_000): number[] =>
  created.effects
    .filter(({ kind }) => kind === 'attempted')
    .map(({ atUs }) => (atUs - latencyUs) / SECOND_US);

const ends = (created: DeliveryBench): string[] =>
  created.effects.flatMap((each) => (each.kind === 'ended' ? [each.how] : []));

const SUM = [
  'delivered',
  'waiting',
  'paused',
  'refused',
  'failed',
  'givenUp',
  'left',
  'removed',
] as const;

const sumOf = (counts: Readonly<Record<(typeof SUM)[number], number>>): number =>
  SUM.reduce((sum, name) => sum + counts[name], 0);

const HELD = 3_600;
/** Hours in which a receiver behaves otherwise. */
const PHASE = { from: 3_600, until: 7_200 };
const PAUSES_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
const SCHEDULE_S = [0];
for (const pause of PAUSES_S) SCHEDULE_S.push(SCHEDULE_S.at(-1)! + pause);

describe('a delivery', () => {
  it('is done once a 2xx is answered', () => {
    for (const answer of [200, 204, 299]) {
      const created = bench({ answer });
      created.emit(HOOK);
      created.runUntil(DAY_US);
      expect(created.effects.map(({ kind }) => kind)).toEqual(['emitted', 'attempted', 'ended']);
      expect(created.of(HOOK)).toMatchObject({ emitted: 1, delivered: 1, attempts: 1 });
      expect(created.had('hook')).toEqual({ requests: 1, received: 1, distinct: 1, duplicates: 0 });
    }
  });

  it.each([
    ['5xx', { answer: 500 }, 100_000],
    ['599', { answer: 599 }, 100_000],
    ['429', { answer: 429 }, 100_000],
    ['a refused connection', { refusal: 1 }, 0],
  ])('is tried eight times on %s, after the documented pauses', (_, receiver, latencyUs) => {
    const created = bench(receiver);
    created.emit(HOOK);
    created.runUntil(3 * DAY_US);
    const wanted = SCHEDULE_S.map((s, i) => s + (i * latencyUs) / SECOND_US);
    const slack = latencyUs === 0 ? 0.01 : 0;
    attemptsAt(created, latencyUs).forEach((s, i) => {
      expect(s).toBeGreaterThanOrEqual(wanted[i]!);
      expect(s).toBeLessThanOrEqual(wanted[i]! + slack);
    });
    expect(attemptsAt(created)).toHaveLength(8);
    expect(ends(created)).toEqual(['failed']);
    expect(created.of(HOOK)).toMatchObject({ emitted: 1, failed: 1, attempts: 8 });
  });

  it.each([301, 307, 400, 401, 404, 410])('is final on %i', (answer) => {
    const created = bench({ answer });
    created.emit(HOOK);
    created.runUntil(3 * DAY_US);
    expect(created.of(HOOK)).toMatchObject({ emitted: 1, refused: 1, attempts: 1 });
    expect(created.had('hook').received).toBe(0);
  });

  it('times out after 15 s, and is tried again though the receiver may have it', () => {
    for (const receiver of [{ hang: 1 }, { latency: 15 }, { latency: 60 }]) {
      const created = bench(receiver);
      created.emit(HOOK);
      created.runUntil(14_999_999);
      expect(attemptsAt(created)).toEqual([]);
      created.runUntil(15 * SECOND_US);
      expect(created.effects.at(-1)).toMatchObject({ kind: 'attempted', answer: 'timeout' });
      created.runUntil(3 * DAY_US);
      expect(created.had('hook')).toEqual({ requests: 8, received: 8, distinct: 1, duplicates: 7 });
      expect(created.of(HOOK)).toMatchObject({ delivered: 0, failed: 1 });
    }
    const createdOne = bench({ latency: 14.9 });
    createdOne.emit(HOOK);
    createdOne.runUntil(DAY_US);
    expect(createdOne.of(HOOK).delivered).toBe(1);
  });

  it('has one id at every attempt, the world’s with an ordinal', () => {
    const created = bench({ answer: 500 });
    created.emit(HOOK);
    created.emit(HOOK);
    created.runUntil(3 * DAY_US);
    const ids = created.effects.map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(['WORLD123.1', 'WORLD123.2']));
    expect(created.effects.filter(({ kind }) => kind === 'emitted').map(({ id }) => id)).toEqual([
      'WORLD123.1',
      'WORLD123.2',
    ]);
  });

  it('reports with each attempt when the next is due, and with the last none', () => {
    const created = bench({ answer: 500 });
    created.emit(HOOK);
    created.runUntil(3 * DAY_US);
    const attempts = created.effects.filter((each) => each.kind === 'attempted');
    // An answer takes 0.1 s; what is due is tried at once, and answered as much later.
    const due = attempts.map(({ nextAtUs }) => nextAtUs);
    expect(due.slice(0, 7)).toEqual(attempts.slice(1).map(({ atUs }) => atUs - 100_000));
    expect(due[7]).toBeUndefined();
    expect(attempts.some((each) => 'disables' in each)).toBe(false);
  });

  it('waits 20 % more or less than reported, by a draw of its own', () => {
    const created = bench({ answer: 500 }, { draws: drawsOf('a') });
    for (let i = 0; i < 9; i++) created.emit(HOOK);
    created.runUntil(20 * SECOND_US);
    const pauses = Array.from({ length: 9 }, (_, i) => {
      const own = created.effects.filter(({ id }) => id === `WORLD123.${i + 1}`);
      const [, first, second] = own.map(({ atUs }) => atUs);
      return (second! - first! - 100_000) / SECOND_US;
    });
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(4);
      expect(pause).toBeLessThanOrEqual(6);
    }
    expect(new Set(pauses).size).toBe(9);
  });

  it('heeds Retry-After, with all that goes to the target, up to a day', () => {
    for (const [retryAfter, heldS] of [
      [HELD, HELD],
      [2, 5],
      [10 * 86_400, 86_400],
    ] as const) {
      const created = bench({ answer: 429, retryAfter });
      created.emit(HOOK);
      created.runUntil(SECOND_US);
      created.emit(HOOK);
      created.runUntil(2 * DAY_US);
      const [first, second] = attemptsAt(created);
      expect(first).toBe(0);
      expect(second).toBeGreaterThanOrEqual(Math.min(retryAfter, 86_400));
      const own = created.effects.filter(
        (each) => each.kind === 'attempted' && each.id === 'WORLD123.1',
      );
      expect((own[1]!.atUs - own[0]!.atUs) / SECOND_US).toBeCloseTo(heldS + 0.1, 5);
    }
  });

  it('heeds no Retry-After of an answer that is final', () => {
    const created = bench({ answer: 404, retryAfter: HELD });
    created.emit(HOOK);
    created.runUntil(SECOND_US);
    created.emit(HOOK);
    created.runUntil(2 * SECOND_US);
    expect(created.of(HOOK).refused).toBe(2);
  });

  it('leaves the world where no receiver has its address', () => {
    const created = new DeliveryBench();
    created.emit(HOOK);
    expect(ends(created)).toEqual(['left']);
    expect(created.of(HOOK)).toMatchObject({ emitted: 1, left: 1, attempts: 0 });
  });
});

describe('a target', () => {
  it('has ten attempts under way at a time, the oldest first; the others wait in line', () => {
    const created = bench({ latency: 1 });
    for (let i = 0; i < 25; i++) created.emit(HOOK);
    expect(created.had('hook').requests).toBe(10);
    created.runUntil(SECOND_US);
    expect(created.had('hook').requests).toBe(20);
    created.runUntil(10 * SECOND_US);
    const order = created.effects.flatMap((each) => (each.kind === 'ended' ? [each.id] : []));
    expect(order).toEqual(Array.from({ length: 25 }, (_, i) => `WORLD123.${i + 1}`));
  });

  it('that is dead delays no other', () => {
    const created = bench({ hang: 1 });
    const other = webhook('other');
    created.put('other', { at: other.address, latency: 0.1 });
    for (let i = 0; i < 100; i++) {
      created.emit(HOOK);
      created.emit(other);
    }
    created.runUntil(2 * SECOND_US);
    expect(created.of(other).delivered).toBe(100);
    expect(created.of(HOOK)).toMatchObject({ delivered: 0, waiting: 100 });
  });

  it('that is paused gets nothing, and what was due in order once it is active again', () => {
    const created = bench({ latency: 1 });
    created.emit(HOOK);
    created.change({ ...HOOK, enabled: false });
    for (let i = 0; i < 30; i++) created.emit({ ...HOOK, enabled: false });
    created.runUntil(HOUR_US);
    expect(created.of(HOOK)).toMatchObject({
      delivered: 1,
      paused: 30,
      waiting: 0,
      enabled: false,
    });
    created.change(HOOK);
    created.runUntil(2 * HOUR_US);
    expect(created.of(HOOK)).toMatchObject({ delivered: 31, paused: 0 });
    const order = created.effects.flatMap((each) => (each.kind === 'ended' ? [each.id] : []));
    expect(order).toEqual(Array.from({ length: 31 }, (_, i) => `WORLD123.${i + 1}`));
  });

  it('keeps 10 000 deliveries, and gives up the oldest beyond', () => {
    const created = new DeliveryBench();
    const paused = { ...HOOK, enabled: false };
    for (let i = 0; i < 10_003; i++) created.emit(paused);
    expect(created.of(HOOK)).toMatchObject({ emitted: 10_003, paused: 10_000, givenUp: 3 });
    const given = created.effects.flatMap((each) => (each.kind === 'ended' ? [each.id] : []));
    expect(given).toEqual(['WORLD123.1', 'WORLD123.2', 'WORLD123.3']);
  });

  it('keeps them for seven days', () => {
    const created = bench({});
    created.change({ ...HOOK, enabled: false });
    created.emit({ ...HOOK, enabled: false });
    created.runUntil(DAY_US);
    for (let i = 0; i < 600; i++) created.emit({ ...HOOK, enabled: false });
    created.runUntil(7 * DAY_US - 1);
    expect(created.of(HOOK).paused).toBe(601);
    created.runUntil(7 * DAY_US);
    expect(created.of(HOOK)).toMatchObject({ paused: 600, givenUp: 1 });
    created.runUntil(8 * DAY_US + SECOND_US);
    expect(created.of(HOOK)).toMatchObject({ paused: 0, givenUp: 601 });
  });

  it('is disabled by a 410, and what else is due waits', () => {
    const created = bench({ answer: 410 });
    created.emit(HOOK);
    created.runUntil(SECOND_US);
    expect(created.disabled).toEqual([['hook', 100_000]]);
    expect(created.effects[1]).toMatchObject({ answer: 410, disables: true });
    created.emit(HOOK);
    created.runUntil(DAY_US);
    expect(created.of(HOOK)).toMatchObject({ refused: 1, paused: 1, enabled: false, attempts: 1 });
  });

  it('is disabled once it has taken nothing for five days', () => {
    const created = bench({ answer: 500 });
    for (let hour = 0; hour < 150; hour++) {
      created.runUntil(hour * HOUR_US);
      if (created.disabled.length === 0) created.emit(HOOK);
    }
    const [[id, atUs]] = created.disabled as [[string, number]];
    expect(id).toBe('hook');
    // The first attempt without success was answered at 0.1 s.
    expect(atUs).toBeGreaterThanOrEqual(5 * DAY_US + 100_000);
    expect(atUs).toBeLessThan(5 * DAY_US + HOUR_US);
    expect(created.of(HOOK).enabled).toBe(false);
    const reports = created.effects.filter((each) => each.kind === 'attempted' && each.disables);
    expect(reports.map((each) => each.atUs)).toEqual([atUs]);
  });

  it('is not disabled when it has taken something in between', () => {
    const from = 2 * 86_400;
    const phases = [{ from, until: from + 3_600, answer: 200 }];
    const created = bench({ answer: 500, phases });
    for (let hour = 0; hour < 160; hour++) {
      created.runUntil(hour * HOUR_US);
      created.emit(HOOK);
    }
    expect(created.disabled).toEqual([]);
  });

  it('that is removed drops what waits, and answers to it come to nothing', () => {
    const created = bench({ latency: 5 });
    for (let i = 0; i < 20; i++) created.emit(HOOK);
    created.runUntil(6 * SECOND_US);
    created.remove(HOOK);
    created.runUntil(DAY_US);
    expect(created.report().targets).toEqual([]);
    expect(created.report().removedTargets).toMatchObject({
      emitted: 20,
      delivered: 10,
      removed: 10,
    });
    expect(sumOf(created.report().removedTargets)).toBe(20);
    // The same id again is another target.
    created.emit(HOOK);
    expect(created.of(HOOK).emitted).toBe(1);
  });

  it('is tried where it is now, and counts as before, when its address is another', () => {
    const created = bench({ answer: 500 });
    created.emit(HOOK);
    created.runUntil(SECOND_US);
    const moved = { ...HOOK, address: 'https://new.example/in' };
    created.put('new', { at: 'https://new.*', latency: 0.1 });
    created.change(moved);
    created.runUntil(MINUTE_US);
    expect(created.of(HOOK)).toMatchObject({ delivered: 1, attempts: 2, address: moved.address });
    expect(created.had('new').distinct).toBe(1);
  });
});

describe('100 000 deliveries to two targets', () => {
  it('cost a wake-up an attempt, and leave 10 000 of each at most to be saved', () => {
    const created = new DeliveryBench({ draws: drawsOf('many'), listens: false });
    const poor = webhook('poor');
    created.put('hook', { at, latency: 0.1 });
    created.put('poor', { at: poor.address, failure: 0.5, phases: [{ ...PHASE, hang: 1 }] });
    for (let i = 0; i < 50_000; i++) {
      created.emit(HOOK);
      created.emit(poor);
      created.runUntil(created.nowUs + SECOND_US / 5);
    }
    const reports = [HOOK, poor].map((target) => created.of(target));
    for (const each of reports) {
      expect(each.emitted).toBe(50_000);
      expect(sumOf(each)).toBe(50_000);
    }
    expect(created.of(poor).waiting).toBeGreaterThan(1_000);
    expect(created.of(poor).waiting).toBeLessThanOrEqual(10_000);
    const attempts = reports.reduce((sum, each) => sum + each.attempts, 0);
    // One for its answer, one for when it is due again, and one at which what is old is seen.
    expect(created.wakes).toBeLessThan(3 * attempts);
    const perDelivery =
      JSON.stringify(created.deliveries.save()).length / created.deliveries.waiting;
    expect(perDelivery).toBeLessThan(300);
  });
});

describe('what is reported', () => {
  it('sums up: all that was emitted stands in one count', () => {
    const created = bench({ failure: 0.5, hang: 0.1, refusal: 0.1 }, { draws: drawsOf('sum') });
    const elsewhere = webhook('elsewhere');
    for (let i = 0; i < 500; i++) {
      created.emit(i % 5 === 0 ? elsewhere : HOOK);
      created.runUntil(created.nowUs + 20 * SECOND_US);
      const response = created.report();
      for (const each of response.targets) expect(sumOf(each)).toBe(each.emitted);
    }
    created.runUntil(4 * DAY_US);
    const { emitted, delivered, failed, attempts } = created.of(HOOK);
    expect(emitted).toBe(400);
    expect(delivered + failed).toBe(400);
    expect(created.of(elsewhere).left).toBe(100);
    // Of an attempt 0.9 × 0.9 × 0.5 are answered with 200.
    expect(attempts / delivered).toBeGreaterThan(2);
    expect(attempts / delivered).toBeLessThan(3);
    const { received, distinct, duplicates } = created.had('hook');
    expect(distinct).toBeGreaterThanOrEqual(delivered);
    expect(distinct + duplicates).toBe(received);
    expect(duplicates).toBeGreaterThan(0);
  });

  it('is the same whether somebody listens or not, and bodies are made for him alone', () => {
    let bodies = 0;
    const digest = (listens: boolean) => {
      const created = bench({ failure: 0.5 }, { draws: drawsOf('port'), listens });
      for (let i = 0; i < 50; i++) {
        const body = () => ({ bodies: ++bodies });
        created.deliveries.emit(HOOK, { kind: 'uplink', about: 'x' }, body, created.nowUs);
        created.runUntil(created.nowUs + MINUTE_US);
      }
      return JSON.stringify([created.deliveries.save(), created.receivers.save()]);
    };
    const alone = digest(false);
    expect(bodies).toBe(0);
    expect(digest(true)).toBe(alone);
    expect(bodies).toBe(50);
  });

  it('reports the port of every delivery once that it came, and once how it ended', () => {
    const created = bench({ failure: 0.7, hang: 0.2 }, { draws: drawsOf('ends') });
    for (let i = 0; i < 50; i++) created.emit(HOOK);
    created.runUntil(5 * DAY_US);
    const by = (kind: Effect['kind']) =>
      created.effects.filter((each) => each.kind === kind).map(({ id }) => id);
    expect(new Set(by('emitted')).size).toBe(50);
    expect([...by('ended')].sort()).toEqual([...by('emitted')].sort());
    expect(by('attempted')).toHaveLength(created.of(HOOK).attempts);
    expect(created.effects.every(({ owner, target }) => owner === OWNER && target === 'hook')).toBe(
      true,
    );
  });
});

/** What a device of hers says goes to a target of its output profile. */
function deliver(us: Subscriber, devEui: string): string {
  const outputProfile = { Name: 'out', ...TO_WEB };
  const { Id } = us.do({ kind: 'outputProfile.create', outputProfile });
  us.do({ kind: 'outputProfile.assign', Id, Devices: [devEui] });
  us.hear(devEui, 1, Uint8Array.of(7));
  return us.ask({ kind: 'delivery.list' }).targets[0]!.id;
}

testIsolation('delivery', deliver, {
  'delivery.list': () => ({}),
  'delivery.disable': (target) => ({ target }),
});

describe('a target that anyone who delivers outside disables', () => {
  it('is paused in its profile, and what comes waits until its owner makes it active', () => {
    const [ann] = annAndBob();
    const [devEui] = ann.devices(1) as [string];
    const target = deliver(ann, devEui);
    const report = () => {
      const { enabled, left, paused } = ann.ask({ kind: 'delivery.list' }).targets[0]!;
      return { enabled, left, paused };
    };
    expect(report()).toEqual({ enabled: true, left: 1, paused: 0 });
    ann.do({ kind: 'delivery.disable', target });
    ann.hear(devEui, 1, Uint8Array.of(7));
    expect(report()).toEqual({ enabled: false, left: 1, paused: 1 });
    const { OutputProfiles } = ann.ask({ kind: 'outputProfile.list' });
    const { Id, RestParams } = OutputProfiles[0]!;
    expect(RestParams[0]!.Active).toBe(false);
    const active = RestParams.map((each) => ({ ...each, Active: true }));
    ann.do({ kind: 'outputProfile.update', Id, outputProfile: { RestParams: active } });
    expect(report()).toEqual({ enabled: true, left: 2, paused: 0 });
  });

  it('is paused once, however often that is said', () => {
    const [ann] = annAndBob();
    const [devEui] = ann.devices(1) as [string];
    const target = deliver(ann, devEui);
    const state = () => JSON.stringify(ann.bench.platform.save());
    ann.do({ kind: 'delivery.disable', target });
    const once = state();
    ann.do({ kind: 'delivery.disable', target });
    expect(state()).toBe(once);
  });
});

describe('foreignThing: deliveries of two subscribers', () => {
  it('are reported to each of his own alone, and stay when the other’s target is removed', () => {
    const [ann, bob] = annAndBob();
    const [hers] = ann.devices(1) as [string];
    const [DevEUI] = bob.devices(1) as [string];
    deliver(ann, hers);
    deliver(bob, DevEUI);
    bob.hear(DevEUI, 1, Uint8Array.of(7));
    const report = (who: Subscriber) => who.ask({ kind: 'delivery.list' });
    const emittedTo = (who: Subscriber) => report(who).targets.map(({ emitted }) => emitted);
    expect([emittedTo(ann), emittedTo(bob)]).toEqual([[1], [2]]);
    const { OutputProfiles } = bob.ask({ kind: 'outputProfile.list' });
    bob.do({ kind: 'endDevice.update', DevEUI, device: { RemoveOutputProfile: true } });
    bob.do({ kind: 'outputProfile.delete', Id: OutputProfiles[0]!.Id });
    expect([emittedTo(ann), emittedTo(bob)]).toEqual([[1], []]);
    expect([ann, bob].map((who) => report(who).removedTargets.emitted)).toEqual([0, 2]);
  });
});
