/** The second version's devices: one, and the list (docs/rest.md, The list of devices). */
import { describe, expect, it } from 'vitest';
import { finish, joined, type Steps } from '../../../core/base/in-steps.ts';
import type { Query } from '../../../core/query.ts';
import { World } from '../../../core/world/world.ts';
import type { Result } from '../../../sim/base/result.ts';
import { yards } from '../../support/cost.ts';
import { itLong } from '../../support/long.ts';
import { DAY_US, Driven, devEuiOf, sharedPlan } from '../../support/service-world.ts';
import { HOUR_US, networkOf } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, got, type Subscriber, service } from './service.ts';

const list = (query: object = {}) => ({ kind: 'endDeviceV2.list', ...query }) as const;
const get = (dev_eui: string) => ({ kind: 'endDeviceV2.get', dev_eui }) as const;
const NEVER = 'D0000000000000FF';

/** Three devices: c, a and b; the last is in two groups. */
function three(): { readonly us: Subscriber; readonly devEuis: readonly string[] } {
  const us = service();
  const devEuis = us.devices(3);
  ['c', 'a', 'b'].forEach((name, i) => {
    us.do({ kind: 'device.change', devEui: devEuis[i]!, device: { name } });
    us.bench.drain();
  });
  return { us, devEuis };
}

/** Devices of the default subscriber, which speak every six hours. */
function worldOf(devices: number): World {
  const { owners: _, ...plan } = sharedPlan();
  const network = networkOf({ devices, traffic: { meanUs: 6 * HOUR_US, jitterPpm: 100_000 } });
  return World.create({ ...plan, network }, 'list');
}

const namesOf = (us: Subscriber, query: object = {}) =>
  us.ask(list(query)).data.map(({ name }) => name);

describe('a device (v2)', () => {
  it('endDeviceV2.get: is reported with 22 fields, by its DevEUI in any case', () => {
    const { us, devEuis } = three();
    const one = us.ask(get(devEuis[0]!.toLowerCase()));
    expect(one).toMatchObject({
      name: 'c',
      dev_eui: devEuis[0],
      owner_id: 'default',
      last_uplink: null,
      health_state: 'offline',
      battery_level: null,
      groups: [],
    });
    expect(Object.keys(one)).toHaveLength(22);
  });

  it('endDeviceV2.get: is the same as in the list, which is in the order of names', () => {
    const { us, devEuis } = three();
    const { meta, data } = us.ask(list());
    expect(meta).toEqual({ total: 3, page: 1, page_size: null });
    expect(data).toEqual([1, 2, 0].map((i) => us.ask(get(devEuis[i]!))));
  });

  it('endDeviceV2.get: is unknown where there is none', () => {
    const { us } = three();
    expect(failureOf(us.tryAsk(get(NEVER))).code).toBe('endDeviceV2.unknown');
    expect(failureOf(us.tryAsk(get('')))).toMatchObject({ code: 'endDeviceV2.unknown' });
  });

  it('has the groups that it stands in, which $intersects finds by their ids', () => {
    const { us, devEuis } = three();
    const create = (Name: string, DeviceList: readonly string[]) =>
      us.do({ kind: 'endDeviceGroup.create', group: { Name, DeviceList } }).Id;
    const roof = create('roof', [devEuis[2]!]);
    const yard = create('yard', [devEuis[2]!, devEuis[0]!]);
    const ids = us.ask(get(devEuis[2]!)).groups.map(({ id, name }) => [id, name]);
    expect(ids).toEqual(
      [
        [roof, 'roof'],
        [yard, 'yard'],
      ].sort(),
    );
    const within = (...of: readonly string[]) =>
      namesOf(us, { filter: JSON.stringify({ groups: { $intersects: of } }) });
    expect(within(roof)).toEqual(['b']);
    expect(within(roof, yard)).toEqual(['b', 'c']);
    expect(within('none')).toEqual([]);
    us.do({ kind: 'endDeviceGroup.delete', Id: roof });
    expect(within(roof)).toEqual([]);
  });
});

describe('the list of devices (v2)', () => {
  it('endDeviceV2.list: reports the fields of a mask, and the DevEUI always', () => {
    const { us } = three();
    const { data } = us.ask(list({ field_mask: ['groups', 'name'] }));
    expect(data.map((each) => Object.keys(each))).toEqual(
      new Array(3).fill(['name', 'dev_eui', 'groups']),
    );
  });

  it('endDeviceV2.list: is paged from 1, and has 1 000 a page at most', () => {
    const { us } = three();
    const page = (n: number) => us.ask(list({ page: n, page_size: 2 }));
    expect(page(1).data.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(page(2).data.map(({ name }) => name)).toEqual(['c']);
    expect(page(3)).toEqual({ meta: { total: 3, page: 3, page_size: 2 }, data: [] });
    expect(us.ask(list({ page_size: 1_001 })).meta.page_size).toBe(1_000);
    expect(us.ask(list({ page: 2 })).data).toEqual([]);
  });

  it.each([
    [{ page_size: 0 }, 'endDeviceV2.page', '/page_size'],
    [{ page: 0 }, 'endDeviceV2.page', '/page'],
    [{ page: 1.5 }, 'endDeviceV2.page', '/page'],
    [{ sort: ['name', 'groups'] }, 'endDeviceV2.sort', '/sort/1'],
    [{ field_mask: ['names'] }, 'endDeviceV2.field-mask', '/field_mask/0'],
    [{ filter: '' }, 'endDeviceV2.filter', '/filter'],
    [{ filter: '[]' }, 'endDeviceV2.filter', '/filter'],
    [{ filter: '{"name": {"$in": "a"}}' }, 'endDeviceV2.filter', '/filter/name/$in'],
    [{ filter: `{"name": {"=": "${'a'.repeat(32_768)}"}}` }, 'endDeviceV2.filter', '/filter'],
  ])('badFilter: is refused for %j', (query, code, path) => {
    const { us } = three();
    expect(failureOf(us.tryAsk(list(query)))).toMatchObject({ code, path });
  });

  it('reports what was true when it was opened, whatever becomes of the devices', () => {
    // More than one step of a copy has.
    const devices = 5_000;
    const world = worldOf(devices);
    world.runUntil(DAY_US / 4);
    const query = { ...list({ sort: ['-last_uplink'] }), by: 'default' } as Query;
    const before = got(world.ask(query) as Result<{ data: readonly { dev_eui: string }[] }>);
    expect(before.data).toHaveLength(devices);
    const digest = world.digest();
    const opened = [0, 1, 2].map(() => got(world.open(query) as Result<Steps<unknown>>));
    opened[0]!.next();
    expect(world.digest()).toEqual(digest);
    for (const { dev_eui } of before.data.slice(0, 100)) {
      world.submit({
        kind: 'device.change',
        devEui: dev_eui,
        device: { name: 'x' },
        by: 'default',
      });
      world.submit({ kind: 'device.remove', devEui: dev_eui, by: 'default' });
    }
    world.runUntil(DAY_US / 2);
    expect(joined(finish(opened[1]!))).toEqual(before);
    expect(got(world.ask(query) as Result<typeof before>).data).toHaveLength(devices - 100);
    const answer = finish(opened[2]!);
    expect(joined(answer)).toEqual(before);
    expect(joined(answer)).toEqual(before);
  });

  it('reports what was true when it was opened, whatever happens by itself meanwhile', () => {
    const world = worldOf(5_000);
    world.runUntil(DAY_US / 4);
    const query = { ...list(), by: 'default' } as Query;
    const before = got(world.ask(query) as Result<object>);
    const [opened, begun] = [0, 1].map(() => got(world.open(query) as Result<Steps<unknown>>));
    world.copyOn();
    world.runUntil(DAY_US / 2);
    expect(joined(finish(opened!))).toEqual(before);
    expect(joined(finish(begun!))).toEqual(before);
    expect(got(world.ask(query) as Result<object>)).not.toEqual(before);
  });

  it('does little in a step: the longest list is reported in many', () => {
    const world = worldOf(3_000);
    const steps = got(world.open({ ...list(), by: 'default' } as Query) as Result<Steps<unknown>>);
    const { data } = finish(steps) as { data: Iterable<readonly unknown[]> };
    const sizes = [...data].map(({ length }) => length);
    expect(sizes.reduce((sum, each) => sum + each)).toBe(3_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
  });

  itLong('costs little: ten thousand devices are copied, filtered, sorted and reported', () => {
    const world = worldOf(10_000);
    const filter = JSON.stringify({ name: { $ilike: '~1~' }, groups: { $intersects: ['none'] } });
    const open = (query: object) =>
      got(world.open({ ...list(query), by: 'default' } as Query) as Result<Steps<unknown>>);
    // A yard is some 10 ms. What holds a program is the copy; a tenth of these is usual.
    expect(yards(() => open({}))).toBeLessThan(6);
    expect(yards(() => joined(finish(open({ filter }))))).toBeLessThan(4);
    expect(yards(() => joined(finish(open({ sort: ['-last_uplink'] }))))).toBeLessThan(60);
  });

  it('is one’s own alone, of several subscribers of one world', () => {
    const driven = new Driven();
    driven.world.runUntil(DAY_US);
    const dataOf = (by: string) => driven.got(by, list()).data;
    expect(
      dataOf('ann')
        .map(({ dev_eui }) => dev_eui)
        .sort(),
    ).toEqual([0, 1, 2].map(devEuiOf));
    expect(dataOf('bob').map(({ dev_eui }) => dev_eui)).toEqual([devEuiOf(3)]);
    expect(dataOf('nobody')).toEqual([]);
    expect(new Set(dataOf('ann').map(({ owner_id }) => owner_id))).toEqual(new Set(['ann']));
  });

  it('endDevice.list and health: are those of the first version, too, all and by their health', () => {
    const world = worldOf(300);
    world.runUntil(2 * DAY_US);
    const asked = (kind: string) => got(world.ask({ kind, by: 'default' } as Query) as never);
    const { Devices } = asked('endDevice.list') as { Devices: { DevEUI: string; Name: string }[] };
    const { data } = got(
      world.ask({ ...list({ sort: ['dev_eui'] }), by: 'default' } as Query) as never,
    ) as {
      data: { dev_eui: string; name: string }[];
    };
    expect(Devices.map(({ DevEUI, Name }) => [DevEUI, Name])).toEqual(
      data.map(({ dev_eui, name }) => [dev_eui, name]),
    );
    const health = asked('endDevice.health') as Record<string, typeof Devices>;
    expect(Object.keys(health)).toEqual(['Good', 'Fair', 'Poor', 'Offline']);
    const byHealth = Object.values(health).flat();
    expect(byHealth.toSorted((a, b) => (a.DevEUI < b.DevEUI ? -1 : 1))).toEqual(Devices);
  });

  it('has no device of another’s in a group of his', () => {
    const [ann, bob] = annAndBob();
    const [hers] = ann.devices(1) as [string];
    bob.devices(1);
    expect(bob.ask(list()).data.map(({ dev_eui }) => dev_eui)).not.toContain(hers);
  });
});

testIsolation('endDeviceV2', (_, devEui) => ({ devEui }), {
  'endDeviceV2.list': () => ({}),
  'endDeviceV2.get': ({ devEui }) => ({ dev_eui: devEui }),
});
