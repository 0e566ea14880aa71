/** Devices as resources: what creates, changes and takes them away, and who may. */
import { describe, expect, it } from 'vitest';
import { vendorKey } from '../../../core/base/vendor-key.ts';
import type { Command } from '../../../core/command.ts';
import { DEVICE } from '../../../core/simulator/fields.ts';
import { NEAR_METERS } from '../../../core/simulator/places.ts';
import { World } from '../../../core/world/world.ts';
import { toHex } from '../../../sim/base/bytes.ts';
import { costMs, growsTooMuch } from '../../support/cost.ts';
import { eui, HOUR_US, MINUTE_US } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, got, service } from './service.ts';
import { codeOf, emptyWorld, GARBAGE, logged, planOf } from './things.ts';

const EUI = 'AB000000000000CD';
const create = (device: Partial<Record<keyof typeof DEVICE, unknown>>, by = 'ann') =>
  ({ kind: 'device.create', device: { devEui: EUI, ...device }, by }) as Command & {
    readonly kind: 'device.create';
  };
const deviceOf = (world: World, devEui = EUI, by = 'ann') =>
  got(world.ask({ kind: 'device.get', devEui, by }));

testIsolation('device', (_, devEui) => devEui, {
  'device.create': () => ({ device: { devEui: EUI } }),
  'device.list': () => ({}),
  'device.get': (devEui) => ({ devEui }),
  'device.change': (devEui) => ({ devEui, device: { name: 'mine' } }),
  'device.class': (devEui) => ({ devEui, deviceClass: 'C' }),
  'device.remove': (devEui) => ({ devEui }),
});

describe('the root of the multicast keys of a new device', () => {
  it('is the vendor’s where keygenType says so, and given in one way alone', () => {
    const us = service();
    const device = { devEui: 'F000000000000001', keygenType: 'vendor' } as const;
    const both = { ...device, genAppKey: '00'.repeat(16) };
    expect(failureOf(us.try({ kind: 'device.create', device: both }))).toMatchObject({
      code: 'device.invalid',
      path: '/keygenType',
    });
    us.do({ kind: 'device.create', device });
    const created = us.bench.log.find(({ request }) => request.kind === 'device.create')!.request;
    const genAppKey = toHex(vendorKey('default', device.devEui)).toUpperCase();
    expect(created).toMatchObject({ device: { devEui: device.devEui, genAppKey } });
    expect(created).not.toHaveProperty('device.keygenType');
  });
});

describe('a device', () => {
  it('needs no more than a DevEUI; it is answered in the documented shape', () => {
    const world = emptyWorld();
    const created = { devEui: EUI, name: EUI, type: 0, xMeters: 0, yMeters: 0 };
    expect(got(world.submit(create({})))).toEqual(created);
    expect(deviceOf(world)).toEqual({
      ...created,
      typeName: 'meter',
      activation: 'abp',
      deviceClass: 'A',
      active: true,
      lastUplinkAt: null,
    });
  });

  it('has one DevEUI in either case, with every command and query', () => {
    const world = emptyWorld();
    got(world.submit(create({ devEui: EUI.toLowerCase() })));
    expect(deviceOf(world, 'aB000000000000cD').devEui).toBe(EUI);
    expect(codeOf(world, create({ devEui: EUI }))).toBe('device.exists');
    const by = 'ann';
    const devEui = EUI.toLowerCase();
    got(world.submit({ kind: 'device.change', devEui, device: { name: 'x' }, by }));
    got(world.submit({ kind: 'device.class', devEui, deviceClass: 'C', by }));
    expect(deviceOf(world)).toMatchObject({ name: 'x', deviceClass: 'C' });
    got(world.submit({ kind: 'device.remove', devEui, by }));
    expect(got(world.ask({ kind: 'device.list', by }))).toEqual([]);
  });

  it('is one in the world: who comes second is refused, and is not reported whose it is', () => {
    const world = emptyWorld();
    got(world.submit(create({ name: 'hers' }, 'ann')));
    const failure = failureOf(world.submit(create({ devEui: EUI.toLowerCase() }, 'bob')));
    expect(failure.code).toBe('device.exists');
    expect(JSON.stringify(failure)).not.toMatch(/ann|hers/);
    expect(got(world.ask({ kind: 'device.list', by: 'bob' }))).toEqual([]);
    got(world.submit({ kind: 'device.remove', devEui: EUI, by: 'ann' }));
    got(world.submit(create({}, 'bob')));
    expect(deviceOf(world, EUI, 'bob').name).toBe(EUI);
    expect(codeOf(world, { kind: 'device.remove', devEui: EUI, by: 'ann' })).toBe('device.unknown');
  });

  it('that comes again is a new incarnation, the same in forks, replays and snapshots', () => {
    const { world, log } = logged(planOf({ devices: 0, gatewaysAt: [100, 300] }));
    for (let life = 0; life < 3; life++) {
      got(world.submit(create({ name: `life ${life}` })));
      world.runUntil((life + 1) * 10 * MINUTE_US);
      got(world.submit({ kind: 'device.remove', devEui: EUI, by: 'ann' }));
    }
    got(world.submit(create({})));
    const others = [
      world.fork(),
      World.replay(world.plan, world.seed, log),
      World.restore(world.plan, world.seed, world.snapshot()),
    ];
    for (const each of [world, ...others]) each.runUntil(HOUR_US);
    for (const each of others) {
      expect(each.digest()).toEqual(world.digest());
      expect(deviceOf(each)).toEqual(deviceOf(world));
    }
  });

  it.each([
    ['device.type', { type: 1 }, '/type'],
    ['device.invalid', { xMeters: 1 }, '/yMeters'],
    ['device.invalid', { yMeters: 1 }, '/xMeters'],
    ['device.invalid', { xMeters: Number.NaN, yMeters: 0 }, '/xMeters'],
    ['device.invalid', { xMeters: 0, yMeters: Number.POSITIVE_INFINITY }, '/yMeters'],
    ['device.invalid', { xMeters: 0, yMeters: 10_000_001 }, '/yMeters'],
    ['device.invalid', { appKey: '00' }, '/appKey'],
  ])('is refused as %s for %j, with the place', (code, given, path) => {
    const world = emptyWorld();
    expect(failureOf(world.submit(create(given)))).toMatchObject({ code, path });
    expect(world.digest().outcome).toMatch(/./);
    expect(got(world.ask({ kind: 'device.list', by: 'ann' }))).toEqual([]);
  });

  it('takes no garbage in any field, and says none of it of a key', () => {
    const world = emptyWorld();
    for (const name of Object.keys(DEVICE)) {
      for (const value of GARBAGE) {
        const answer = world.submit(create({ xMeters: 0, yMeters: 0, [name]: value }));
        if (answer.ok) {
          // A name may be any text; a place any finite number near enough.
          expect([name, typeof value]).toEqual([
            name,
            { name: 'string', xMeters: 'number', yMeters: 'number' }[name],
          ]);
          got(world.submit({ kind: 'device.remove', devEui: EUI, by: 'ann' }));
        } else {
          expect(answer.failure.path).toBe(`/${name}`);
          expect(answer.failure.code).toMatch(/^device\.(invalid|type)$|^eui\.malformed$/);
        }
      }
    }
    const failure = failureOf(world.submit(create({ appKey: 'my secret' })));
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('is reported of without its keys, and keeps nothing of the caller’s', () => {
    const world = emptyWorld();
    const appKey = '0123456789abcdef'.repeat(2);
    const device = { devEui: EUI, name: 'n', appKey, genAppKey: appKey };
    const command = { kind: 'device.create' as const, device, by: 'ann' };
    const reports = [got(world.submit(command))];
    device.name = 'mutated';
    const answer = deviceOf(world);
    (answer as { name: string }).name = 'mutated';
    expect(deviceOf(world).name).toBe('n');
    expect(JSON.stringify([reports, answer]).toLowerCase()).not.toContain(appKey);
  });

  it('stands where it is reported; −0 is 0', () => {
    const world = emptyWorld();
    const { xMeters, yMeters } = got(world.submit(create({ xMeters: -0, yMeters: -7.5 })));
    expect(Object.is(xMeters, 0)).toBe(true);
    expect(yMeters).toBe(-7.5);
  });
});

describe('a device whose place nobody gives', () => {
  const gateway = (n: number, by: string, xMeters: number) =>
    ({ kind: 'gateway.create', gateway: { eui: eui('06', n), xMeters, yMeters: 0 }, by }) as const;

  /** Ann's first gateway in the order of EUIs stands at 50 km, though it came last. */
  const settled = (seed = 'seed'): World => {
    const world = emptyWorld(seed);
    got(world.submit(gateway(3, 'ann', -50_000)));
    got(world.submit(gateway(1, 'bob', 0)));
    got(world.submit(gateway(2, 'ann', 50_000)));
    return world;
  };
  const placesOf = (world: World, numbers: readonly number[]) =>
    numbers.map((n) => {
      const { xMeters, yMeters } = got(world.submit(create({ devEui: eui('02', n) })));
      return { n, xMeters, yMeters };
    });
  const NUMBERS = Array.from({ length: 200 }, (_, i) => i + 1);

  it('is near its subscriber’s first gateway, in the order of EUIs, uniform on a disc', () => {
    const distances = placesOf(settled(), NUMBERS).map(({ xMeters, yMeters }) =>
      Math.hypot(xMeters - 50_000, yMeters),
    );
    expect(Math.max(...distances)).toBeLessThanOrEqual(NEAR_METERS);
    // Half of a disc's area is within √½ of its radius.
    const inner = distances.filter((each) => each < NEAR_METERS * Math.SQRT1_2).length;
    expect(inner).toBeGreaterThan(75);
    expect(inner).toBeLessThan(125);
  });

  it('has a place by seed and DevEUI: who comes before has no effect', () => {
    const places = placesOf(settled(), NUMBERS);
    expect(placesOf(settled(), NUMBERS.toReversed()).toReversed()).toEqual(places);
    expect(placesOf(settled('other'), NUMBERS)).not.toEqual(places);
    expect(new Set(places.map(({ xMeters }) => xMeters)).size).toBe(NUMBERS.length);
  });

  it('is in the world’s middle without a gateway of its subscriber', () => {
    const world = settled();
    const device = got(world.submit(create({}, 'eve')));
    expect(device).toMatchObject({ xMeters: 0, yMeters: 0 });
  });

  it('is in the world, though its gateway stands at the edge of it', () => {
    const world = emptyWorld('edge');
    got(world.submit(gateway(1, 'ann', 1e7)));
    const places = placesOf(world, NUMBERS).map(({ xMeters }) => xMeters);
    expect(Math.max(...places)).toBe(1e7);
    expect(Math.min(...places)).toBeLessThan(1e7);
  });

  it('is heard there', () => {
    const world = settled();
    placesOf(world, [1, 2, 3]);
    world.runUntil(10 * MINUTE_US);
    const heard = got(world.ask({ kind: 'device.list', by: 'ann' }));
    expect(heard.map(({ lastUplinkAt }) => typeof lastUplinkAt)).toEqual(Array(3).fill('string'));
  });
});

describe('a device that is called otherwise', () => {
  const renamed = (name: string) =>
    ({ kind: 'device.change', by: 'default', devEui: eui('02', 1), device: { name } }) as const;
  const plan = planOf({ devices: 2, gatewaysAt: [100, 200] });

  it('has the new name in answers and views, and does what it would have done', () => {
    const { world, log } = logged(plan);
    const other = World.create(plan, 'seed');
    for (const each of [world, other]) each.runUntil(10 * MINUTE_US);
    expect(got(world.submit(renamed('Ω'))).name).toBe('Ω');
    for (const each of [world, other]) each.runUntil(HOUR_US);
    const { digest: _, devices, ...result } = world.result();
    const { digest: __, devices: otherDevices, ...otherResult } = other.result();
    expect(result).toEqual(otherResult);
    // The map has the new name beside what it had before.
    const names = ['Ω', 'meter-2'];
    expect(devices).toEqual({ ...otherDevices, map: { ...otherDevices.map, names } });
    expect(world.events).toBe(other.events);
    const listed = got(world.ask({ kind: 'device.list', by: 'default' }));
    expect(listed.map(({ name }) => name)).toEqual(names);
    const again = World.restore(plan, 'seed', world.snapshot());
    expect(again.ask({ kind: 'device.list', by: 'default' })).toEqual(
      world.ask({ kind: 'device.list', by: 'default' }),
    );
    expect(
      World.replay(plan, 'seed', log).ask({ kind: 'device.list', by: 'default' }),
    ).toMatchObject({
      value: [{ name: 'Ω' }, { name: 'meter-2' }],
    });
  });

  it('leaves its first name to draws: another one of that name has luck of its own', () => {
    const world = World.create(plan, 'seed');
    got(world.submit(renamed('meter-2')));
    got(world.submit(create({ name: 'meter-1' })));
    expect(got(world.ask({ kind: 'device.list', by: 'default' })).map(({ name }) => name)).toEqual([
      'meter-2',
      'meter-2',
    ]);
    expect(deviceOf(world).name).toBe('meter-1');
    world.runUntil(HOUR_US);
  });

  it('may be changed in nothing', () => {
    const world = World.create(plan, 'seed');
    const { name } = got(
      world.submit({ kind: 'device.change', by: 'default', devEui: eui('02', 1), device: {} }),
    );
    expect(name).toBe('meter-1');
  });
});

describe('a device that moves', () => {
  const far = { xMeters: 40_000, yMeters: 0 };
  const moved = (place: object) =>
    ({ kind: 'device.change', by: 'default', devEui: eui('02', 1), device: place }) as const;
  const plan = planOf({ devices: 2, gatewaysAt: [100, 40_100] });
  const ALL = 60;

  /** Uplinks of both devices by gateway, in the hour. */
  const heard = (world: World) => {
    world.runUntil(HOUR_US);
    return world.result().gateways.map(({ uplinksReceived }) => uplinksReceived);
  };

  it('is heard from its new place by those in reach of it, and keeps its session', () => {
    const remaining = World.create(plan, 'seed');
    expect(heard(remaining)[1]).toBe(0);
    const { world, log } = logged(plan);
    world.runUntil(30 * MINUTE_US);
    const answer = got(world.submit(moved(far)));
    expect(answer).toMatchObject({ ...far, name: 'meter-1', active: true });
    const others = [
      world.fork(),
      World.replay(plan, 'seed', log),
      World.restore(plan, 'seed', world.snapshot()),
    ];
    const [near, there] = heard(world);
    expect(there).toBeGreaterThan(ALL / 2 - 3);
    expect(near! + there!).toBe(heard(remaining)[0]);
    for (const each of others) {
      expect(heard(each)).toEqual([near, there]);
      expect(each.digest()).toEqual(world.digest());
    }
    expect(deviceOf(world, eui('02', 1), 'default')).toMatchObject(far);
    expect(world.result().devices.map.xMeters).toContain(far.xMeters);
  });

  it('may move at any moment, in the middle of what it sends and hears', () => {
    const busy = planOf({
      devices: 2,
      gatewaysAt: [100, 40_100],
      type: { deviceClass: 'C' },
      traffic: { meanUs: 5_000_000, confirmedPpm: 1_000_000 },
    });
    const world = World.create(busy, 'seed');
    const heardUs = 10_000_000;
    world.runUntil(heardUs);
    for (let i = 0; i < 500; i++) {
      // 0.137 s is no part of any period.
      world.runUntil(heardUs + i * 137_000);
      got(world.submit(moved(i % 2 === 0 ? far : { xMeters: 1e7, yMeters: 0 })));
      got(
        world.submit({
          kind: 'downlink.enqueue',
          by: 'default',
          devEui: eui('02', 1),
          fPort: 1,
          payloadHex: '00'.repeat(i % 50),
        }),
      );
    }
    world.runUntil(10 * MINUTE_US);
    const other = World.restore(busy, 'seed', world.snapshot());
    for (const each of [world, other]) each.runUntil(HOUR_US);
    expect(other.digest()).toEqual(world.digest());
  });

  it('moves by both coordinates', () => {
    const world = World.create(plan, 'seed');
    expect(failureOf(world.submit(moved({ yMeters: 1 })))).toMatchObject({ path: '/xMeters' });
  });
});

describe('ten thousand devices', () => {
  it('come in a time that is proportional to their number', async () => {
    const costOf = (count: number): number => {
      const world = emptyWorld();
      got(world.submit({ kind: 'gateway.create', gateway: { eui: eui('06', 1) }, by: 'ann' }));
      return costMs(() => {
        for (let n = 1; n <= count; n++) {
          got(world.submit(create({ devEui: eui('02', n), xMeters: 1e6, yMeters: 1e6 })));
        }
      });
    };
    expect(await growsTooMuch(costOf, 1_250)).toBe(false);
  });
});

describe('news of devices', () => {
  it('reach the platform after the network acted, and owners are forgotten then', () => {
    const [ann, bob] = annAndBob();
    ann.do({ kind: 'device.create', device: { devEui: EUI } });
    const { platform } = ann.bench;
    expect(platform.save().owners.changed.devices).toEqual([[EUI, 'ann']]);
    ann.do({ kind: 'device.remove', devEui: EUI });
    expect(platform.save().owners.changed.devices).toEqual([]);
    bob.do({ kind: 'device.create', device: { devEui: EUI } });
    expect(platform.save().owners.changed.devices).toEqual([[EUI, 'bob']]);
  });
});
