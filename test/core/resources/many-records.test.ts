/** Records by the ten thousand, and large ones: what they cost is what they are. */
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../core/world/log.ts';
import { World } from '../../../core/world/world.ts';
import { sha256 } from '../../../sim/base/sha256.ts';
import { growsTooMuch, leastMs, yards } from '../../support/cost.ts';
import { itLong, sampled } from '../../support/long.ts';
import { HOUR_US, networkOf } from '../../support/small-network.ts';
import { annsCampaign, IMAGE } from './isolation.ts';
import { annAndBob, got, Subscriber } from './service.ts';

const MANY = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** A thousand times the same, before and after there are ten thousand records: ms each way. */
function beforeAndAfter(one: () => void, fill: () => void): readonly [number, number] {
  const thousand = () => {
    for (let i = 0; i < 1000; i++) one();
  };
  thousand(); // warms up
  const before = leastMs(3, thousand);
  fill();
  return [before, leastMs(3, thousand)];
}

describe('an image of 4 MiB', () => {
  it('is uploaded, logged and answered in little more than its hash takes', () => {
    const plan = { name: 'x', description: '', durationUs: HOUR_US, timeline: [] };
    const network = networkOf({ devices: 2, gatewaysAt: [100, 200] });
    const world = World.create({ ...plan, network }, 'seed');
    const bytes = new Uint8Array(MOST_BYTES).map((_, i) => i >> 3);
    const upload = leastMs(6, (i) => {
      bytes[0] = i;
      got(world.submit({ kind: 'image.create', by: 'default', name: `${i}.bin`, bytes }));
    });
    const hash = leastMs(6, () => sha256(bytes));
    expect(upload).toBeLessThan(10 * hash);
    // The hash is known: nothing that comes after reads the contents again.
    expect(leastMs(3, () => world.digest())).toBeLessThan(upload / 2);
  });
});

describe('ten thousand records', () => {
  const A = 'D000000000000001';
  const delegation = {
    delegate_to: 'bob',
    expires_at: '2090-01-01T00:00:00Z',
    include_devices: [A],
  };
  const times = (count: number, work: (i: number) => void) => () => {
    for (let i = 0; i < count; i++) work(i);
  };

  const PAIRS = [
    [
      'groups, to make another one',
      (ann: Subscriber) => {
        const group = { name: 'g', devices: [A] };
        const one = () => ann.do({ kind: 'deviceGroup.create', group });
        return [one, times(MANY, one)] as const;
      },
    ],
    [
      'delegations, for the other party to read one',
      (ann: Subscriber, bob: Subscriber) => {
        const make = () => ann.do({ kind: 'delegation.create', delegation });
        const { delegation_id } = make();
        const one = () => bob.ask({ kind: 'delegation.get', delegation_id });
        return [one, times(MANY, make)] as const;
      },
    ],
    [
      'groups, for a device to come and go',
      (ann: Subscriber) => {
        let created = 0;
        const one = () => {
          const devEui = `EE${(created++).toString(16).toUpperCase().padStart(14, '0')}`;
          ann.do({ kind: 'device.create', device: { devEui } });
          ann.do({ kind: 'device.remove', devEui });
        };
        const group = { name: 'g', devices: [A] };
        return [one, times(MANY, () => ann.do({ kind: 'deviceGroup.create', group }))] as const;
      },
    ],
    [
      'groups of management, for a member of one to come and go',
      (ann: Subscriber) => {
        const make = () =>
          ann.do({ kind: 'endDeviceGroup.create', group: { Name: 'g', DeviceList: [A] } });
        const { Id } = make();
        let created = 0;
        const one = () => {
          const devEui = `EE${(created++).toString(16).toUpperCase().padStart(14, '0')}`;
          ann.do({ kind: 'device.create', device: { devEui } });
          const group = { DeviceList: [A, devEui] };
          ann.do({ kind: 'endDeviceGroup.update', Id, group });
          ann.do({ kind: 'device.remove', devEui });
        };
        return [one, times(MANY, make)] as const;
      },
    ],
    [
      'members of a group of management, for another group to lose one',
      (ann: Subscriber) => {
        const group = (DeviceList: readonly string[]) => ({ Name: 'g', DeviceList });
        let created = 0;
        const one = () => {
          const devEui = `EE${(created++).toString(16).toUpperCase().padStart(14, '0')}`;
          ann.do({ kind: 'device.create', device: { devEui } });
          const { Id } = ann.do({ kind: 'endDeviceGroup.create', group: group([A, devEui]) });
          ann.do({ kind: 'device.remove', devEui });
          ann.do({ kind: 'endDeviceGroup.delete', Id });
        };
        const fill = () => {
          const all = ann.devices(MANY, () => ({ uplinkEveryS: 0 }));
          ann.do({ kind: 'endDeviceGroup.create', group: group([A, ...all]) });
        };
        return [one, fill] as const;
      },
    ],
    [
      'delegations to others, to list those to oneself',
      (ann: Subscriber, bob: Subscriber) => {
        const others = Array.from({ length: MANY }, (_, i) => ({ id: `s${i}` }));
        const subscribers = [{ id: 'ann' }, { id: 'bob' }, ...others];
        ann.bench.platform.onPlanned({ devices: [], gateways: [] }, subscribers);
        ann.do({ kind: 'delegation.create', delegation });
        const one = () => bob.ask({ kind: 'delegation.list' });
        const make = (i: number) =>
          ann.do({
            kind: 'delegation.create',
            delegation: { ...delegation, delegate_to: `s${i}` },
          });
        return [one, times(MANY, make)] as const;
      },
    ],
    [
      'subscribers with a group each, to make another one',
      (ann: Subscriber) => {
        const group = { name: 'g', devices: [A] };
        const one = () => ann.do({ kind: 'deviceGroup.create', group });
        const { bench } = ann;
        const devEuis = bench.add(MANY, () => ({ uplinkEveryS: 0 }));
        const devices = devEuis.map((devEui, i) => [devEui, `s${i}`] as const);
        bench.platform.onPlanned({ devices, gateways: [] });
        const others = (i: number) => {
          const group = { name: 'g', devices: [devEuis[i]!] };
          new Subscriber(bench, `s${i}`).do({ kind: 'deviceGroup.create', group });
        };
        return [one, times(MANY, others)] as const;
      },
    ],
    [
      'campaigns, to make, halt and delete another one',
      (ann: Subscriber) => {
        const { device_group_id } = annsCampaign(ann, A);
        const campaign = { name: 'spring', image_name: IMAGE, device_group_id };
        const halted = () => {
          const { campaign_id } = ann.do({ kind: 'campaign.create', campaign });
          ann.do({ kind: 'campaign.halt', campaign_id });
          return campaign_id;
        };
        const one = () => ann.do({ kind: 'campaign.delete', campaign_id: halted() });
        return [one, times(MANY, halted)] as const;
      },
    ],
  ] as const;

  /** In short runs a pair for each way in which records could be looked through. */
  const LONG = /^campaigns|for a device to come|^members|^subscribers/;

  it.each(sampled(PAIRS, ([what]) => !LONG.test(what)))('cost nothing more: %s', (_, work) => {
    const [ann, bob] = annAndBob();
    ann.devices(1);
    const [one, fill] = work(ann, bob);
    const [before, after] = beforeAndAfter(one, fill);
    expect(after).toBeLessThan(10 * before + 10);
  });

  itLong('of delegations by patterns are looked through at once for all devices', async () => {
    // Pattern by pattern it were twenty-five million comparisons, each to the ninth digit or more.
    const costOf = (count: number) => {
      const [ann, bob] = annAndBob();
      for (const devEui of ann.devices(count / 4, () => ({ uplinkEveryS: 0 }))) {
        ann.report(devEui, '0102030400000001');
      }
      times(count, (i) => {
        const middle = (1 + (i % 4095)).toString(16).padStart(4, '0');
        const include_devices = [`D0000000${middle}000.`];
        ann.do({ kind: 'delegation.create', delegation: { ...delegation, include_devices } });
      })();
      const all = { kind: 'deviceVersion.all', delegated_subscriber_id: 'ann' } as const;
      expect(bob.refusedQuery(all)).toBe('delegation.none');
      ann.do({ kind: 'delegation.create', delegation });
      expect(Object.keys(bob.ask(all))).toEqual([A]);
      return leastMs(2, () => bob.ask(all));
    };
    expect(await growsTooMuch(costOf, 1_250)).toBe(false);
  });
});

describe('the service', () => {
  /** A world with an image and a group of three devices. */
  const served = (log?: (entry: LogEntry) => void) => {
    const network = networkOf({ devices: 3, gatewaysAt: [100], traffic: { meanUs: 1e15 } });
    const plan = { name: 'x', description: '', timeline: [], network };
    const world = World.create(plan, 'seed', log === undefined ? {} : { log });
    const by = 'default';
    const name = 'a.bin';
    got(world.submit({ kind: 'image.create', by, name, bytes: Uint8Array.of(1) }));
    const group = { name: 'g', devices: network.devices.map(({ devEui }) => devEui) };
    const { device_group_id } = got(world.submit({ kind: 'deviceGroup.create', by, group }));
    return { world, by, name, device_group_id } as const;
  };
  const change = ({ world, by, name, device_group_id }: ReturnType<typeof served>, i: number) =>
    i % 2 === 0
      ? got(world.submit({ kind: 'image.replaceTags', by, name, tags: [`t${i % 7}`] }))
      : got(
          world.submit({
            kind: 'deviceGroup.update',
            by,
            device_group_id,
            group: { name: `g${i % 7}` },
          }),
        );

  itLong('carries out ten thousand small commands in little time, and replays them', () => {
    const log: LogEntry[] = [];
    const one = served((entry) => log.push(entry));
    const commands = () => {
      for (let i = 0; i < MANY; i++) change(one, i);
    };
    expect(yards(commands)).toBeLessThan(100);
    const { plan, seed } = one.world;
    expect(yards(() => World.replay(plan, seed, log))).toBeLessThan(150);
  });

  it('answers twenty thousand queries in little time', () => {
    const { world, by, name, device_group_id } = served();
    const queries = () => {
      for (let i = 0; i < MANY; i++) {
        got(world.ask({ kind: 'image.tags', by, name }));
        got(world.ask({ kind: 'deviceGroup.get', by, device_group_id }));
      }
    };
    expect(yards(queries)).toBeLessThan(50);
  });

  it('is digested in what its changes take, with ten thousand records as with none', () => {
    const one = served();
    const { world, by } = one;
    const digests = () =>
      leastMs(5, (i) => {
        change(one, i);
        world.digest();
      });
    const before = digests();
    for (let i = 0; i < MANY; i++) {
      const keys = { [i.toString(16).padStart(16, '0')]: '0'.repeat(32) };
      got(world.submit({ kind: 'key.upload', by, keys }));
    }
    expect(digests()).toBeLessThan(10 * before + 5);
  });
});
