/** A world that is served goes on by itself, at the pace of its clock. */
import { describe, expect, it } from 'vitest';
import type { Pace } from '../../../api/host/clock/clock.ts';
import { ServedWorld } from '../../../api/host/world/served-world.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import { World } from '../../../core/world/world.ts';
import { parseUtc } from '../../../sim/base/utc.ts';
import { got } from '../../core/resources/service.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { downlinkTo, HOUR_US, S_US, SERVED_DAY } from '../../support/served-day.ts';

const SEED = 'served';
/** A world in which nothing happens. */
const EMPTY: WorldPlan = {
  ...SERVED_DAY,
  timeline: [],
  network: { ...SERVED_DAY.network, devices: [], gateways: [] },
};

function serve(pace: Partial<Pace> = {}, plan: WorldPlan = SERVED_DAY, costs?: readonly number[]) {
  const time = new ManualTime(costs);
  const broken: unknown[] = [];
  const served = ServedWorld.create(plan, SEED, {
    pace,
    time,
    onBroken: (error) => void broken.push(error),
  });
  served.start();
  time.settle();
  return { served, time, broken };
}

describe('a served world', () => {
  it('keeps step with the wall, at the speed that it is given', () => {
    const { served, time } = serve();
    time.pass(90_000);
    served.catchUp();
    expect(served.nowUs).toBe(90 * S_US);
    got(served.setPace({ speed: 40.5 }));
    time.pass(2_000);
    served.catchUp();
    expect(served.nowUs).toBe(171 * S_US);
    got(served.setPace({ isPaused: true }));
    time.pass(5_000);
    served.catchUp();
    expect(served.nowUs).toBe(171 * S_US);
    expect(time.pending).toBe(0);
    got(served.setPace({ isPaused: false }));
    time.pass(1_000);
    served.catchUp();
    expect(served.nowUs).toBe(211_500_000);
  });

  it('has what its plan begins with before anybody asks, though its clock stands still', () => {
    const plan: WorldPlan = {
      ...EMPTY,
      timeline: [
        {
          atUs: 0,
          command: { kind: 'endDeviceGroup.create', by: 'default', group: { Name: 'roof' } },
        },
      ],
    };
    const { served } = serve({ isPaused: true }, plan);
    expect(served.nowUs).toBe(0);
    expect(
      got(served.ask({ kind: 'endDeviceGroup.list', by: 'default' })).DeviceGroups,
    ).toHaveLength(1);
  });

  it('goes on when nobody asks, no later than a second after what is due', () => {
    const { served, time } = serve();
    for (let second = 1; second <= 120; second++) {
      time.pass(1_000);
      expect(second * S_US - served.nowUs).toBeLessThanOrEqual(S_US);
    }
    expect(served.events).toBeGreaterThan(0);
    expect(Math.max(...time.sleeps)).toBe(1_000);
    expect(Math.min(...time.sleeps)).toBeGreaterThanOrEqual(1);
  });

  it('wakes when the next event is due', () => {
    const { served, time } = serve();
    for (let i = 0; i < 300; i++) {
      const { nextUs } = served.facts;
      if (nextUs - served.nowUs > S_US) {
        time.pass(1_000);
        continue;
      }
      const before = served.events;
      time.pass(Math.ceil((nextUs - served.nowUs) / 1_000) + 1);
      expect(served.nowUs).toBeGreaterThanOrEqual(nextUs);
      expect(served.events).toBeGreaterThanOrEqual(before);
    }
  });

  it('is served where it is while it is behind its clock, and says by how much', () => {
    const { served, time } = serve({ speed: 1_000_000 }, SERVED_DAY, [20]);
    time.wall += 60;
    time.turn();
    served.catchUp();
    const { nowUs } = served;
    expect(nowUs).toBeLessThan(60_000 * S_US);
    expect(served.behindUs).toBe(60_000 * S_US - nowUs);
    served.catchUp();
    expect(served.nowUs).toBe(nowUs);
    time.settle();
    expect([served.nowUs, served.behindUs]).toEqual([60_000 * S_US, 0]);
  });

  it('catches nothing up when its pace changes', () => {
    const { served, time } = serve({ speed: 1_000_000 }, SERVED_DAY, [20]);
    time.wall += 60;
    served.catchUp();
    const { nowUs } = served;
    got(served.setPace({ speed: 1 }));
    time.settle();
    expect(served.nowUs).toBe(nowUs);
  });

  it('pauses when its clock has come to its end', () => {
    for (const speed of [1_000, 'max'] as const) {
      const { served, time } = serve({ speed, untilUs: 3 * HOUR_US });
      time.pass(20_000);
      expect(served.nowUs).toBe(3 * HOUR_US);
      expect(served.pace).toEqual({ isPaused: true, speed, untilUs: Number.POSITIVE_INFINITY });
      expect([time.pending, served.behindUs]).toEqual([0, 0]);
    }
  });

  it('does not come to the end of time where nothing happens, as fast as it may go', () => {
    const { served, time } = serve({ speed: 'max' }, EMPTY);
    time.pass(100);
    served.catchUp();
    expect(served.nowUs).toBe(100_000 * S_US);
  });

  it('goes on after a slice at most, as fast as it can, and is behind nobody', () => {
    const { served, time } = serve({ speed: 'max' }, SERVED_DAY, [20]);
    got(served.setPace({}));
    let { events } = served;
    for (let i = 0; i < 20; i++) {
      time.wall += 20;
      expect(time.turn()).toBe(true);
      expect(served.events).toBe(++events);
      expect(served.behindUs).toBe(0);
    }
  });

  it('makes the same world as one that is run, whatever its pace was', () => {
    const { served, time } = serve({ speed: 777 }, SERVED_DAY, [3, 0, 9]);
    for (const pace of [{}, { speed: 0.5 }, { speed: 'max' }, { speed: 3_600 }] as const) {
      got(served.setPace(pace));
      for (const ms of [0, 1, 90, 5, 30]) {
        time.pass(ms);
        served.catchUp();
        got(served.ask({ kind: 'campaign.list', by: 'ann' }));
      }
    }
    const straight = World.create(SERVED_DAY, SEED);
    straight.runUntil(served.nowUs);
    expect(served.digest()).toEqual(straight.digest());
    expect(served.events).toBe(straight.events);
  });

  it('keeps its log, which leads to the same world', () => {
    const { served, time } = serve({ speed: 100 });
    for (let i = 0; i < 12; i++) {
      time.pass(1_000 * (i + 1));
      served.catchUp();
      served.submit(downlinkTo(i % 2 === 0 ? 'meter' : 'valve', i % 4));
    }
    expect(served.log).toHaveLength(12);
    const replayed = World.replay(SERVED_DAY, SEED, served.log);
    replayed.runUntil(served.nowUs);
    expect(replayed.digest()).toEqual(served.digest());
  });

  it('reports its time with microseconds', () => {
    const { served, time } = serve({ speed: 0.001 });
    const start = '2026-03-01T00:00:00';
    expect([served.simTime, served.unixMs]).toEqual([`${start}.000000Z`, Date.UTC(2026, 2, 1)]);
    time.pass(7);
    served.catchUp();
    expect([served.simTime, served.unixMs]).toEqual([`${start}.000007Z`, Date.UTC(2026, 2, 1)]);
    time.pass(61_001_500);
    served.catchUp();
    expect(served.simTime).toBe('2026-03-01T00:01:01.001507Z');
    expect(parseUtc(served.simTime)).toBe(served.unixMs);
  });

  it('sets no timer and does nothing once it is stopped', () => {
    const { served, time } = serve();
    time.pass(5_000);
    got(served.advance({ kind: 'instant', atUs: HOUR_US }, {}));
    served.stop();
    const { nowUs } = served;
    time.pass(5_000);
    served.catchUp();
    expect([served.nowUs, time.pending]).toEqual([nowUs, 0]);
    expect(served.jobs.list()).toMatchObject([{ state: 'cancelled' }]);
  });
});

describe('a world that is over', () => {
  it.each([
    ['stopped', (served: ServedWorld) => served.stop()],
    ['replaced', (served: ServedWorld) => served.abandon()],
  ])('has a clock that is neither set nor advanced: it is %s', (_, end) => {
    const { served, time } = serve();
    end(served);
    const stopped = { ok: false, failure: { code: 'world.stopped' } };
    expect(served.setPace({ speed: 2 })).toMatchObject(stopped);
    expect(served.advance({ kind: 'instant', atUs: HOUR_US }, {})).toMatchObject(stopped);
    expect(time.pending).toBe(0);
  });
});

describe('a broken invariant', () => {
  /** A timeline that no loader lets through: it is not in the order of time. */
  const command = downlinkTo('valve', 0);
  const BREAKING: WorldPlan = {
    ...SERVED_DAY,
    timeline: [
      { atUs: 10 * S_US, command },
      { atUs: 9 * S_US, command },
    ],
  };

  it('is shown once, and the world is not used again', () => {
    const { served, time, broken } = serve({}, BREAKING);
    time.pass(60_000);
    expect(broken).toHaveLength(1);
    expect(time.pending).toBe(0);
    expect(served.submit(downlinkTo('valve', 0))).toMatchObject({
      failure: { code: 'world.stopped' },
    });
  });

  it('leaves a clock that is neither set nor advanced', () => {
    const { served, time } = serve({}, BREAKING);
    time.pass(60_000);
    const stopped = { ok: false, failure: { code: 'world.stopped' } };
    expect(served.setPace({ isPaused: true })).toMatchObject(stopped);
    expect(served.advance({ kind: 'instant', atUs: HOUR_US }, {})).toMatchObject(stopped);
  });

  it('ends the advance that met it', () => {
    const { served, time, broken } = serve({ isPaused: true }, BREAKING);
    got(served.advance({ kind: 'instant', atUs: HOUR_US }, {}));
    time.settle();
    expect(broken).toHaveLength(1);
    expect(served.jobs.list()).toMatchObject([{ state: 'failed', end: { isReached: false } }]);
    expect(served.advancing).toBeUndefined();
  });

  it('is reported also when a request meets it', () => {
    const { served, time, broken } = serve({}, BREAKING);
    time.wall += 60_000;
    expect(() => served.catchUp()).toThrow();
    expect(broken).toHaveLength(1);
    expect(time.pending).toBe(0);
  });
});
