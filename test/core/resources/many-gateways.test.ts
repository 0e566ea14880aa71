/** Ten thousand gateways: what they cost is what is reported of them. */
import { describe, expect, it } from 'vitest';
import type { WorldPlan } from '../../../core/world/plan.ts';
import { World } from '../../../core/world/world.ts';
import { costMs, growsTooMuch } from '../../support/cost.ts';
import { networkOf, SECOND_US } from '../../support/small-network.ts';
import { got } from './service.ts';

const MANY = 10_000;
const by = 'default';

function worldOf(gateways: number): World<WorldPlan> {
  const gatewaysAt = Array.from({ length: gateways }, (_, i) => 100 + i);
  const network = networkOf({ devices: 0, gatewaysAt });
  const world = World.create({ name: 'x', description: '', network, timeline: [] }, 'seed');
  world.runUntil(60 * SECOND_US);
  return world;
}

const large = worldOf(MANY);

/** Made once: who reads or changes them does so again and again. */
const worlds = new Map<number, World<WorldPlan>>();
function standing(gateways: number): World<WorldPlan> {
  const world = worlds.get(gateways) ?? worldOf(gateways);
  worlds.set(gateways, world);
  return world;
}

describe('ten thousand gateways', () => {
  it('are listed in steps of a few each', () => {
    const steps = got(large.open({ kind: 'baseStation.list', by }));
    let created = steps.next();
    while (created.done !== true) created = steps.next();
    const { Gateways } = created.value as { readonly Gateways: Iterable<readonly unknown[]> };
    const sizes = [...Gateways].map((slice) => slice.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(MANY);
    expect(Math.max(...sizes)).toBeLessThan(MANY / 50);
  });

  it('are reported as they were when they were asked for, whatever happens meanwhile', () => {
    const world = worldOf(300);
    const before = got(world.ask({ kind: 'baseStation.list', by })).Gateways;
    const steps = got(world.open({ kind: 'baseStation.list', by }));
    const [first, , last] = [before[0]!, before[150]!, before[299]!];
    got(world.submit({ kind: 'baseStation.update', by, Id: last.Id, gateway: { Name: 'new' } }));
    got(world.submit({ kind: 'baseStation.delete', by, Id: before[298]!.Id }));
    const gateway = { LocationType: 'INDOOR' } as const;
    got(world.submit({ kind: 'baseStation.update', by, Id: first.Id, gateway }));
    const eui = before[150]!.NodeId;
    got(world.submit({ kind: 'gateway.fault', by, eui, fault: 'radio', on: true }));
    world.runUntil(world.nowUs + 600 * SECOND_US);
    let created = steps.next();
    while (created.done !== true) created = steps.next();
    const { Gateways } = created.value as { readonly Gateways: Iterable<readonly unknown[]> };
    expect([...Gateways].flat()).toEqual(before);
  });

  it('cost each that is asked for by its Id no more than few do', async () => {
    const readAll = (size: number) => {
      const world = standing(size);
      const ids = got(world.ask({ kind: 'baseStation.list', by })).Gateways.map(({ Id }) => Id);
      return costMs(() => {
        for (const Id of ids) got(world.ask({ kind: 'baseStation.get', by, Id }));
      });
    };
    expect(await growsTooMuch(readAll, 1_000)).toBe(false);
  });

  it('cost each that is changed no more than few do', async () => {
    let changes = 0;
    const changeAll = (size: number) => {
      const world = standing(size);
      const { Gateways } = got(world.ask({ kind: 'baseStation.list', by }));
      const gateway = { LocationType: 'INDOOR', Name: `other ${changes++}` } as const;
      return costMs(() => {
        for (const { Id } of Gateways) {
          got(world.submit({ kind: 'baseStation.update', by, Id, gateway }));
        }
      });
    };
    expect(await growsTooMuch(changeAll, 1_000)).toBe(false);
  });
});
