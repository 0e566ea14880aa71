/** What a host may look at while a world goes on, and how it makes the world stop. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { got } from '../core/resources/service.ts';
import { someRuns } from '../support/long.ts';
import { downlinkTo, HOUR_US, S_US, SERVED_DAY } from '../support/served-day.ts';
import { idOf, stageOf, submit, Waiting } from '../support/waiting.ts';
import { beside } from '../support/worlds.ts';

const DOWNLINKS = [
  downlinkTo('meter', 0),
  downlinkTo('meter', 1, true),
  downlinkTo('valve', 0),
  downlinkTo('valve', 1, true),
];

/** Looks after each event until an instant. */
function watch(world: World, untilUs: number, look: () => void): void {
  while (!world.runUntil(untilUs, 1)) look();
  look();
}

describe('a world is idle', () => {
  it('while no campaign is active and no downlink waits or is underway, after each event', () => {
    const waiting = new Waiting();
    const world = World.create(SERVED_DAY, 'idle', waiting.options);
    const seen = { idle: 0, active: 0 };
    const look = () => {
      expect(world.facts.isIdle).toBe(waiting.isIdle(world));
      seen[world.facts.isIdle ? 'idle' : 'active']++;
    };
    watch(world, HOUR_US / 2, look);
    // Alone, and on the air when its end is reported.
    submit(world, waiting, downlinkTo('valve', 2));
    watch(world, world.nowUs + 10 * S_US, look);
    for (const each of DOWNLINKS) submit(world, waiting, each);
    watch(world, HOUR_US, look);
    watch(world, 6 * HOUR_US, look);
    for (const each of [...DOWNLINKS, ...DOWNLINKS]) submit(world, waiting, each);
    submit(world, waiting, { ...downlinkTo('valve', 0), flushQueue: true });
    watch(world, world.nowUs + 10 * S_US, look);
    const { by, devEui } = downlinkTo('meter', 0);
    got(world.submit({ kind: 'downlink.clear', by, devEui }));
    watch(world, 12 * HOUR_US, look);
    expect(world.facts.isIdle).toBe(true);
    expect(Math.min(seen.idle, seen.active)).toBeGreaterThan(100);
  });

  it('no more while one waits for a device that is never heard, until that is gone', () => {
    const world = World.create(SERVED_DAY, 'idle');
    world.runUntil(HOUR_US / 2);
    const [one, other] = [downlinkTo('meter', 2), downlinkTo('meter', 2, true)];
    for (const each of [one, other]) got(world.submit(each));
    expect(world.facts.isIdle).toBe(false);
    const { devEui, by } = one;
    got(world.submit({ kind: 'device.remove', by, devEui }));
    expect(world.facts.isIdle).toBe(true);
  });

  it.each([
    ['underway', HOUR_US + 60 * S_US],
    ['over', 9 * HOUR_US],
  ])('again when a campaign that is deleted is gone, and not before: one that is %s', (_, at) => {
    const world = World.create(SERVED_DAY, 'idle');
    world.runUntil(at);
    expect(world.facts.isIdle).toBe(at > 6 * HOUR_US);
    const campaign_id = idOf(world, 'ann');
    got(world.submit({ kind: 'campaign.delete', by: 'ann', campaign_id }));
    expect(world.facts.isIdle).toBe(false);
    watch(world, world.nowUs + 2 * S_US, () => {
      const isGone = !world.ask({ kind: 'campaign.get', by: 'ann', campaign_id }).ok;
      expect(world.facts.isIdle).toBe(isGone);
    });
    expect(world.facts.isIdle).toBe(true);
    expect(world.facts.stagesOf('ann', campaign_id)).toBeUndefined();
  });

  it('or not, as its forks and what comes of its bytes are', () => {
    const world = World.create(SERVED_DAY, 'idle');
    world.runUntil(HOUR_US / 2);
    for (const each of DOWNLINKS) got(world.submit(each));
    for (let i = 0; i < 5; i++) {
      world.runUntil(2 * HOUR_US, 9);
      const restored = World.fromBytes(SERVED_DAY, 'idle', world.toBytes(), {
        ...beside(world.contents()),
      });
      for (const one of [world.fork(), got(restored)]) {
        expect(one.facts.isIdle).toBe(world.facts.isIdle);
        one.runUntil(20 * HOUR_US);
        expect(one.facts.isIdle).toBe(true);
      }
    }
  });
});

describe('the stages of a campaign', () => {
  it('are shown to its subscriber as they come, also those that last no time', () => {
    const world = World.create(SERVED_DAY, 'stages');
    world.runUntil(HOUR_US);
    const id = idOf(world, 'ann');
    const shown = world.facts.stagesOf('ann', id)!;
    expect(world.facts.stagesOf('bob', id)).toBeUndefined();
    watch(world, 6 * HOUR_US, () => {
      expect(shown.at(-1)?.stage).toBe(stageOf(world, 'ann', id));
    });
    const result = world.result().campaigns[0]!;
    expect(shown.map(({ stage }) => stage)).toEqual(result.stages.map(({ stage }) => stage));
  });
});

describe('what is due next', () => {
  it('is not before the next event or timeline entry, and nothing happens before it', () => {
    const world = World.create(SERVED_DAY, 'next');
    for (let i = 0; i < 500; i++) {
      const { nextUs } = world.facts;
      const before = world.events;
      world.runUntil(Math.max(world.nowUs, nextUs - 1));
      expect(world.events).toBe(before);
      world.runUntil(Math.max(world.nowUs, nextUs));
    }
    expect(world.events).toBeGreaterThan(300);
  });
});

describe('looking at the facts', () => {
  const looks = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 });

  it('changes nothing, and neither does a condition that is looked at after each event', () => {
    const straight = World.create(SERVED_DAY, 'looked');
    straight.runUntil(5 * HOUR_US);
    fc.assert(
      fc.property(looks, (slices) => {
        const world = World.create(SERVED_DAY, 'looked');
        const { facts } = world;
        let looked = 0;
        const look = () => {
          looked++;
          return facts.isIdle && facts.nextUs < 0 && facts.stagesOf('ann', 'x') !== undefined;
        };
        let next = 0;
        while (!world.runUntil(5 * HOUR_US, slices[next++ % slices.length], look)) look();
        expect(looked).toBeGreaterThanOrEqual(world.events);
        expect([world.digest(), world.snapshot()]).toEqual([
          straight.digest(),
          straight.snapshot(),
        ]);
      }),
      { numRuns: someRuns(10) },
    );
  });
});

describe('a world stops', () => {
  it('right after the event, or the timeline entry, after which it is reported to', () => {
    const world = World.create(SERVED_DAY, 'stops');
    expect(world.runUntil(HOUR_US * 9, Number.POSITIVE_INFINITY, () => !world.facts.isIdle)).toBe(
      false,
    );
    // The timeline makes the campaign at this instant, before anything of it has happened.
    expect(world.nowUs).toBe(HOUR_US);
    expect(got(world.ask({ kind: 'campaign.list', by: 'ann' }))).toHaveLength(1);
    const { events } = world;
    expect(world.runUntil(9 * HOUR_US, 1_000, () => true)).toBe(false);
    expect(world.events).toBe(events + 1);
  });
});
