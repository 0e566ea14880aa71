/** Pages of the list of devices (v2) of cached orders, held against lists that are sorted anew. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish, joined, type Steps } from '../../../core/base/in-steps.ts';
import type { Command } from '../../../core/command.ts';
import type { Query } from '../../../core/query.ts';
import { World } from '../../../core/world/world.ts';
import type { Result } from '../../../sim/base/result.ts';
import { costMs, growsTooMuch } from '../../support/cost.ts';
import { devEuiOf, sharedPlan } from '../../support/service-world.ts';
import { HOUR_US, networkOf } from '../../support/small-network.ts';
import { got } from './service.ts';

interface Page {
  readonly meta: { readonly total: number };
  readonly data: readonly { readonly dev_eui: string; readonly name: string }[];
}

const SORTS = [
  [],
  ['name'],
  ['-name'],
  ['dev_eui'],
  ['-dev_eui'],
  ['name', '-dev_eui'],
  ['-name', '-dev_eui'],
  ['dev_eui', 'last_uplink'],
  ['-last_uplink', 'name'],
  ['name', 'last_uplink'],
] as const;

const query = (by: string, page: object) => ({ kind: 'endDeviceV2.list', by, ...page }) as Query;
const listed = (world: World, by: string, page: object): Page =>
  got(world.ask(query(by, page)) as Result<Page>);

/** No order is cached for lists with a filter; this one wants all devices. */
const sortedAnew = (world: World, by: string, page: object): Page =>
  listed(world, by, { ...page, filter: '{}' });

const change = (world: World, command: object): void => void world.submit(command as Command);

const WHO = ['ann', 'bob', 'eve'] as const;
const who = fc.constantFrom(...WHO);
/** The first five are in the plan. */
const devEui = fc.nat(9).map(devEuiOf);
const name = fc.constantFrom('a', 'b', 'B', 'é', 'meter-1');
const page = fc.record({
  sort: fc.constantFrom(...SORTS),
  page: fc.integer({ min: 1, max: 4 }),
  page_size: fc.constantFrom<number>(1, 2, 3, 1_000),
});

const action = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('page' as const), by: who, page }), weight: 4 },
  fc.record({ kind: fc.constant('create' as const), by: who, devEui, name }),
  fc.record({ kind: fc.constant('rename' as const), by: who, devEui, name }),
  fc.record({ kind: fc.constant('remove' as const), by: who, devEui }),
  fc.record({ kind: fc.constant('give' as const), by: who, to: who, devEui, name }),
  fc.record({ kind: fc.constant('restore' as const) }),
  fc.record({ kind: fc.constant('run' as const) }),
);

type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never;

const create = (by: string, devEui: string, name: string) => ({
  kind: 'device.create',
  by,
  device: { devEui, name },
});

/** The world from here on. */
function acted(world: World, each: Action): World {
  switch (each.kind) {
    case 'page':
      expect(JSON.stringify(listed(world, each.by, each.page))).toBe(
        JSON.stringify(sortedAnew(world, each.by, each.page)),
      );
      break;
    case 'create':
      change(world, create(each.by, each.devEui, each.name));
      break;
    case 'rename': {
      const { by, devEui, name } = each;
      change(world, { kind: 'device.change', by, devEui, device: { name } });
      break;
    }
    case 'remove':
      change(world, { kind: 'device.remove', by: each.by, devEui: each.devEui });
      break;
    case 'give':
      change(world, { kind: 'device.remove', by: each.by, devEui: each.devEui });
      change(world, create(each.to, each.devEui, each.name));
      break;
    case 'restore':
      return got(World.fromBytes(world.plan, world.seed, world.toBytes()) as Result<World>);
    default:
      world.runUntil(world.nowUs + HOUR_US);
  }
  return world;
}

/** Devices that are named in the order of their numbers and not of their names. */
function worldOf(devices: number): World {
  const { owners: _, ...plan } = sharedPlan();
  const network = networkOf({ devices, traffic: { process: 'none' } });
  return World.create({ ...plan, network }, 'pages');
}

const by = 'default';

describe('pages of devices (v2)', () => {
  it('are those of the list that is sorted anew, whatever has come, gone or changed', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 24 }), (actions) => {
        let world = World.create(sharedPlan(), 'pages');
        for (const each of actions) world = acted(world, each);
        for (const by of WHO) {
          for (const sort of SORTS) {
            // The second one has a cached order.
            for (const page of [1, 2])
              acted(world, { kind: 'page', by, page: { sort, page, page_size: 2 } });
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('have the new name of a device that was renamed since the last page', () => {
    const world = worldOf(20);
    const first = () => listed(world, by, { page_size: 2 }).data.map(({ name }) => name);
    expect(first()).toEqual(['meter-1', 'meter-10']);
    expect(first()).toEqual(['meter-1', 'meter-10']);
    const { dev_eui } = listed(world, by, { page_size: 1 }).data[0]!;
    change(world, { kind: 'device.change', by, devEui: dev_eui, device: { name: 'z' } });
    expect(first()).toEqual(['meter-10', 'meter-11']);
    expect(listed(world, by, { page: 20, page_size: 1 }).data[0]!.name).toBe('z');
  });

  it('report the instant at which they were asked for, and leave no order of it behind', () => {
    // More than one step of a copy has.
    const world = worldOf(5_000);
    const asked = { page: 2, page_size: 100 };
    const open = () => got(world.open(query(by, asked)) as Result<Steps<unknown>>);
    const before = sortedAnew(world, by, asked);
    const cold = open();
    const renamed = before.data[0]!.dev_eui;
    change(world, { kind: 'device.change', by, devEui: renamed, device: { name: 'a' } });
    expect(joined(finish(cold))).toEqual(before);
    const after = listed(world, by, asked);
    expect(after).toEqual(sortedAnew(world, by, asked));
    expect(after.data[0]!.dev_eui).not.toBe(renamed);
    const warm = open();
    for (const { dev_eui } of after.data)
      change(world, { kind: 'device.remove', by, devEui: dev_eui });
    expect(joined(finish(warm))).toEqual(after);
    expect(listed(world, by, asked)).toEqual(sortedAnew(world, by, asked));
    expect(listed(world, by, asked).meta.total).toBe(4_900);
  });

  it('cost what they hold, and no more in a larger world', async () => {
    const worlds = new Map<number, World>();
    const readAll = (size: number) => {
      const world = worlds.get(size) ?? worldOf(size);
      worlds.set(size, world);
      const sort = ['-name'];
      listed(world, by, { page_size: 1, sort });
      return costMs(() => {
        for (let page = 1; page <= size / 50; page++) {
          listed(world, by, { page, page_size: 50, sort, field_mask: ['name'] });
        }
      });
    };
    expect(await growsTooMuch(readAll, 1_500)).toBe(false);
  });
});
