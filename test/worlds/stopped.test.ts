/** A throw stops a world for good; the command that caused it is stepped over after a restart. */
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../core/world/log.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import { type Run, World } from '../../core/world/world.ts';
import { eui, HOUR_US, MINUTE_US, networkOf } from '../support/small-network.ts';
import { outcomeOf } from '../support/worlds.ts';

const SEED = 'stopped';
const PLAN = {
  name: 'small',
  description: '',
  durationUs: HOUR_US,
  network: networkOf({ devices: 2, gatewaysAt: [100, 200] }),
  timeline: [],
};
const REMOVAL = { kind: 'device.remove', by: 'default', devEui: eui('02', 1) } as const;
const QUERY = { kind: 'deviceGroup.list', by: 'default' } as const;
const STOPPED = { ok: false, failure: { code: 'world.stopped' } };
const REFUSES = 'a world that has stopped is not used again';

class Broken extends Error {}

/** Throws when it is called for the nth time. */
function breaksAt(nth: number): () => void {
  let calls = 0;
  return () => {
    calls++;
    if (calls === nth) throw new Broken('in the middle');
  };
}

const observed = (nth: number): WorldOptions => ({ observer: { trace: breaksAt(nth) } });

/** Worlds with a part that throws, and its cause. */
const WAYS: readonly (readonly [string, WorldOptions, (world: Run) => unknown])[] = [
  ['its observer throws while it runs', observed(40), (world) => world.runUntil(HOUR_US)],
  ['its observer throws in a slice', observed(40), (world) => world.runUntil(HOUR_US, 1_000)],
  ['its observer throws in a command', observed(5), removeBoth],
  ['its log throws in a command', { log: breaksAt(2) }, removeBoth],
  [
    'its log throws at a time mark',
    { log: breaksAt(1) },
    (world) => {
      world.runUntil(MINUTE_US);
      world.markTime();
    },
  ],
];

function removeBoth(world: Run): void {
  for (const { devEui } of PLAN.network.devices)
    world.submit({ kind: 'device.remove', by: 'default', devEui });
}

describe('a world goes on', () => {
  it('when what a caller gives throws as it is read: that is no fault of the world', () => {
    const log: LogEntry[] = [];
    const world = World.create(PLAN, SEED, { log: (entry) => log.push(entry) });
    const before = world.digest();
    const hostile = {
      kind: 'image.deleteTags',
      by: 'ann',
      get name(): string {
        throw new Broken('read');
      },
    } as const;
    expect(() => world.submit(hostile)).toThrow(Broken);
    expect(() =>
      world.ask({
        ...QUERY,
        get by(): string {
          throw new Broken('read');
        },
      }),
    ).toThrow(Broken);
    expect([world.stopped, log, world.digest()]).toEqual([false, [], before]);
    expect(world.submit(REMOVAL)).toMatchObject({ ok: true });
  });
});

describe('a world is not used from inside of itself', () => {
  it.each(['submit', 'runUntil', 'markTime', 'digest'] as const)(
    'by a log that calls %s',
    (use) => {
      const uses = {
        submit: () => world.submit(REMOVAL),
        runUntil: () => world.runUntil(HOUR_US),
        markTime: () => world.markTime(),
        digest: () => world.digest(),
      };
      const world: World = World.create(PLAN, SEED, { log: () => uses[use]() });
      expect(() => world.submit(REMOVAL)).toThrow('does not use it meanwhile');
    },
  );
});

describe('a world stops', () => {
  it.each(WAYS)('when %s: what was thrown goes on, and all is refused from then on', (...way) => {
    const [, options, act] = way;
    const world = World.create(PLAN, SEED, options);
    const admitted = world.admit(REMOVAL);
    if (!admitted.ok) throw new Error(admitted.failure.message);
    expect(world.stopped).toBe(false);
    expect(() => act(world)).toThrow(Broken);
    expect(world.stopped).toBe(true);
    const { nowUs, events } = world;
    // Twice, since nothing wakes it again.
    for (let again = 0; again < 2; again++) {
      expect(world.submit(REMOVAL)).toMatchObject(STOPPED);
      expect(world.admit(REMOVAL)).toMatchObject(STOPPED);
      expect(world.apply({ ...admitted.value, atUs: nowUs })).toMatchObject(STOPPED);
      expect(world.ask(QUERY)).toMatchObject(STOPPED);
      expect(() => world.runUntil(HOUR_US)).toThrow(REFUSES);
      expect(() => world.runUntil(0)).toThrow(REFUSES);
      expect(() => world.markTime()).toThrow(REFUSES);
      expect(() => world.snapshot()).toThrow(REFUSES);
      expect(() => world.toBytes()).toThrow(REFUSES);
      expect(() => world.fork()).toThrow(REFUSES);
      expect(() => world.result()).toThrow(REFUSES);
      expect(() => world.digest()).toThrow(REFUSES);
      expect(() => world.progress()).toThrow(REFUSES);
    }
    expect([world.nowUs, world.events]).toEqual([nowUs, events]);
  });

  it('alone: its forks and those that were restored from it go on', () => {
    const world = World.create(PLAN, SEED, observed(40));
    world.runUntil(MINUTE_US);
    const fork = world.fork({});
    const snapshot = world.snapshot();
    expect(() => world.runUntil(HOUR_US)).toThrow(Broken);
    fork.runUntil(HOUR_US);
    const restored = World.restore(PLAN, SEED, snapshot);
    restored.runUntil(HOUR_US);
    const undisturbed = World.create(PLAN, SEED);
    undisturbed.runUntil(HOUR_US);
    for (const one of [fork, restored]) expect(outcomeOf(one)).toEqual(outcomeOf(undisturbed));
  });

  it('not by an answer that refuses, nor by an instant that is none', () => {
    const world = World.create(PLAN, SEED);
    expect(world.submit({ ...REMOVAL, devEui: 'F0' })).toMatchObject({ ok: false });
    for (const none of [Number.NaN, 0.5, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => world.runUntil(none)).toThrow('runs to an instant');
    }
    expect(world.submit(REMOVAL)).toMatchObject({ ok: true });
  });
});

describe('a command that had ended its process', () => {
  const group = {
    kind: 'deviceGroup.create',
    by: 'default',
    group: { name: 'g', devices: [eui('02', 2)] },
  } as const;
  const MARKED = { kind: 'command', atUs: MINUTE_US, command: REMOVAL, steppedOver: true } as const;
  const log = (...entries: readonly LogEntry[]): readonly LogEntry[] => [
    { kind: 'command', atUs: 0, command: group },
    ...entries,
    { kind: 'command', atUs: 2 * MINUTE_US, command: group },
    { kind: 'clockReached', atUs: 5 * MINUTE_US },
  ];
  const replayed = (...entries: readonly LogEntry[]) => World.replay(PLAN, SEED, log(...entries));

  it('is answered, and leaves everything as if it had never been, but the digest', () => {
    const world = World.create(PLAN, SEED);
    world.submit(group);
    world.runUntil(MINUTE_US);
    const { agenda, network, platform } = world.snapshot();
    expect(world.apply(MARKED)).toMatchObject({ failure: { code: 'world.stepped-over' } });
    expect(world.snapshot()).toMatchObject({ agenda, network, platform });
    const { digest: _, ...without } = replayed().result();
    const { digest: __, ...result } = replayed(MARKED).result();
    expect(result).toEqual(without);
  });

  it('is stepped over at its stamp by every replica, which agree with the world itself', () => {
    const world = World.create(PLAN, SEED);
    for (const entry of log(MARKED)) {
      world.runUntil(entry.atUs);
      if (entry.kind === 'command') world.apply(entry);
    }
    expect(outcomeOf(replayed(MARKED))).toEqual(outcomeOf(world));
    const half = World.replay(PLAN, SEED, log(MARKED).slice(0, 2));
    expect(half.nowUs).toBe(MINUTE_US);
    const answer = World.fromBytes(PLAN, SEED, half.toBytes());
    if (!answer.ok) throw new Error(answer.failure.message);
    for (const one of [answer.value, half.fork()]) {
      one.runUntil(2 * MINUTE_US);
      one.submit(group);
      one.runUntil(5 * MINUTE_US);
      expect(outcomeOf(one)).toEqual(outcomeOf(world));
    }
  });

  it('reports its place by the digest: applied, stepped over, later and never are four', () => {
    const { steppedOver: _, ...applied } = MARKED;
    const worlds = [
      replayed(),
      replayed(applied),
      replayed(MARKED),
      replayed(MARKED, MARKED),
      replayed({ ...MARKED, atUs: MINUTE_US + 1 }),
    ];
    expect(new Set(worlds.map((world) => world.digest().outcome)).size).toBe(worlds.length);
  });
});
