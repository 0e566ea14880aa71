/** Multicast groups of management: records, members, and messages on their way. */
import { describe, expect, it } from 'vitest';
import { HANG_MS } from '../../support/cost.ts';
import { APP_KEY, NWK_KEY } from '../../support/standing-groups.ts';
import { type BenchOptions, S } from '../bench.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, NORTH, SOUTH, type Subscriber, service } from './service.ts';

const A = 'D000000000000001';
const EUI = '0C00000000000001';
const RX2 = { DataRate: 0, Frequency: 869_525_000 };

const groupOf = (more: object = {}) => ({
  Name: 'lamps',
  MulticastDevEUI: EUI,
  MulticastDevAddr: '01ABCDEF',
  GroupType: 'C' as const,
  MulticastNwkSKey: NWK_KEY,
  MulticastAppSKey: APP_KEY,
  ...RX2,
  ...more,
});

const create = (more: object = {}) =>
  ({ kind: 'multicastGroup.create', group: groupOf(more) }) as const;
const about = { MulticastDevEUI: EUI } as const;

const createNew = (us: Subscriber, more: object = {}): typeof about => {
  us.do(create(more));
  return about;
};

const message = (Payload: string, more: object = {}) =>
  ({ kind: 'message.send', DevEUI: EUI, Payload, TargetPort: '9', ...more }) as const;

describe('a multicast group', () => {
  it('multicastGroup.create and get: has all that was given but its keys, which only the network has', () => {
    const us = service();
    createNew(us);
    const { MulticastNwkSKey: _, MulticastAppSKey: __, ...response } = groupOf();
    expect(us.ask({ kind: 'multicastGroup.get', ...about })).toEqual({ MulticastGroup: response });
    const saved = JSON.stringify(us.bench.platform.save()).toUpperCase();
    expect(saved).not.toContain(NWK_KEY);
    expect(saved).not.toContain(APP_KEY);
  });

  it('badMulticast: names one EUI and one address, whosever it is', () => {
    const [ann, bob] = annAndBob();
    createNew(ann);
    expect(bob.refused(create())).toBe('multicastGroup.exists');
    const other = create({ MulticastDevEUI: '0C00000000000002' });
    expect(bob.refused(other)).toBe('multicastGroup.address-taken');
  });

  it('multicastGroup.create: takes each edge of the ranges that a refusal of its frequency names', () => {
    const us = service();
    for (const DataRate of [0, 5, 6]) {
      const { message } = failureOf(us.try(create({ DataRate, Frequency: 1 })));
      const ranges = [...message.matchAll(/(\d+) to (\d+)/g)].map((all) =>
        all.slice(1).map(Number),
      );
      expect(ranges.length).toBeGreaterThan(0);
      for (const [from, to] of ranges as [number, number][]) {
        for (const [Frequency, isTaken] of [
          [from - 1, false],
          [from, true],
          [to, true],
          [to + 1, false],
        ] as const) {
          const { ok } = us.try(create({ DataRate, Frequency }));
          const isInAnother = ranges.some(([a, b]) => Frequency >= a! && Frequency <= b!);
          expect([DataRate, Frequency, ok]).toEqual([DataRate, Frequency, isTaken || isInAnother]);
          if (ok) us.do({ kind: 'multicastGroup.delete', ...about });
        }
      }
    }
  });

  it('multicastGroup.delete: is gone with its members once it is deleted', () => {
    const us = service();
    const [devEui] = us.devices(1) as [string];
    createNew(us);
    us.do({ kind: 'multicastGroup.addDevices', ...about, Devices: [devEui] });
    us.do({ kind: 'multicastGroup.addGateways', ...about, Gateways: [NORTH] });
    us.do({ kind: 'multicastGroup.delete', ...about });
    createNew(us);
    expect(us.ask({ kind: 'multicastGroup.gateways', ...about })).toEqual({ Gateways: [] });
    const added = us.do({ kind: 'multicastGroup.addDevices', ...about, Devices: [devEui] });
    expect(added).toEqual({ DevicesAdded: [devEui], DevicesIgnored: [] });
  });

  it('multicastGroup.addDevices and addGateways: is left by a device or gateway that is removed', () => {
    const us = service({ gateways: [NORTH, SOUTH] });
    const [devEui] = us.devices(1) as [string];
    createNew(us);
    us.do({ kind: 'multicastGroup.addDevices', ...about, Devices: [devEui] });
    us.do({ kind: 'multicastGroup.addGateways', ...about, Gateways: [NORTH, SOUTH] });
    us.do({ kind: 'gateway.remove', eui: NORTH });
    expect(us.ask({ kind: 'multicastGroup.gateways', ...about })).toEqual({ Gateways: [SOUTH] });
    us.do({ kind: 'device.remove', devEui });
    us.do({ kind: 'device.create', device: { devEui } });
    const added = us.do({ kind: 'multicastGroup.addDevices', ...about, Devices: [devEui] });
    expect(added).toEqual({ DevicesAdded: [devEui], DevicesIgnored: [] });
  });

  it('tooManyAtOnce: ignores who is a member already, also when he stands twice in one call', () => {
    const us = service();
    const [one, two] = us.devices(2) as [string, string];
    createNew(us);
    us.do({ kind: 'multicastGroup.addDevices', ...about, Devices: [one] });
    const added = us.do({
      kind: 'multicastGroup.addDevices',
      ...about,
      Devices: [one, two, two],
    });
    expect(added).toEqual({ DevicesAdded: [two], DevicesIgnored: [one, two] });
  });

  it('multicastGroup.addGateways: takes gateways by Id and by node id', () => {
    const us = service({ gateways: [NORTH, SOUTH] });
    createNew(us);
    const { Id } = us.ask({ kind: 'baseStation.get', Id: NORTH });
    const Gateways = [Id, SOUTH.toLowerCase()];
    const added = us.do({ kind: 'multicastGroup.addGateways', ...about, Gateways });
    expect(added).toEqual({ GatewaysAdded: [NORTH, SOUTH], GatewaysIgnored: [] });
  });

  it('takenId: has the EUI of no device, and no device gets it', () => {
    const us = service();
    const [devEui] = us.devices(1) as [string];
    expect(us.refused(create({ MulticastDevEUI: devEui }))).toBe('multicastGroup.exists');
    createNew(us);
    expect(us.refused({ kind: 'device.create', device: { devEui: EUI } })).toBe('device.exists');
  });

  it('badMulticast: has another address than a campaign that is to come', () => {
    const us = service();
    us.devices(1);
    createNew(us);
    const { device_group_id } = us.do({
      kind: 'deviceGroup.create',
      group: { name: 'g', devices: [A] },
    });
    us.do({ kind: 'image.create', name: 'app-1.2.3.bin', bytes: Uint8Array.of(1, 2, 3) });
    const campaign = {
      name: 'c',
      image_name: 'app-1.2.3.bin',
      device_group_id,
      mcast_deveui: '0C000000000000FF',
      mcast_devaddr: '01ABCDEF',
      mcast_mc_key: NWK_KEY,
    };
    const refused = us.try({ kind: 'campaign.create', campaign });
    expect(failureOf(refused)).toMatchObject({ path: '/mcast_devaddr' });
  });
});

describe('a message to a group', () => {
  it('message.send: is refused as long as none of its gateways is in service', () => {
    const us = service();
    createNew(us);
    expect(us.refused(message('01'))).toBe('multicastGroup.no-gateway');
    us.do({ kind: 'multicastGroup.addGateways', ...about, Gateways: [NORTH] });
    us.do(message('01'));
    us.do({ kind: 'gateway.remove', eui: NORTH });
    expect(us.refused(message('01'))).toBe('multicastGroup.no-gateway');
  });

  it('message.send: that confirms is refused at Confirm, and one that is too long', () => {
    const us = service();
    createNew(us);
    us.do({ kind: 'multicastGroup.addGateways', ...about, Gateways: [NORTH] });
    const confirmed = failureOf(us.try(message('01', { Confirm: true })));
    expect(confirmed).toMatchObject({ code: 'message.confirmed', path: '/Confirm' });
    expect(us.refused(message('00'.repeat(52)))).toBe('message.too-long');
    us.do(message('00'.repeat(51)));
  });

  /** Two gateways, and what they say to the copies that they are asked for. */
  const talking = (rule?: BenchOptions['gatewayRule'], more: object = {}) => {
    const us = service({ gateways: [NORTH, SOUTH], ...(rule && { gatewayRule: rule }) });
    createNew(us, more);
    us.do({ kind: 'multicastGroup.addGateways', ...about, Gateways: [SOUTH, NORTH] });
    return us;
  };

  /** What was requested, once an hour has gone. */
  const sentBy = ({ bench }: Subscriber) => {
    bench.runUntil(bench.nowUs + 3600 * S);
    return bench.sends.map(({ request }) => request);
  };

  it('is asked for of one gateway after the other, with one counter, and then the next', () => {
    const us = talking();
    us.do(message('01'));
    us.do(message('02'));
    expect(us.bench.platform.resources.multicastGroup.isIdle).toBe(false);
    const sent = sentBy(us);
    expect(sent.map(({ gatewayEui, fCnt, payload }) => [gatewayEui, fCnt, payload[0]])).toEqual([
      [SOUTH, 0, 1],
      [NORTH, 0, 1],
      [SOUTH, 1, 2],
      [NORTH, 1, 2],
    ]);
    const airtimeUs = us.bench.view.downlinkAirtimeUs(0, 14);
    for (const [i, { startsAtUs }] of sent.slice(1).entries()) {
      expect(startsAtUs).toBeGreaterThanOrEqual(sent[i]!.startsAtUs + airtimeUs);
    }
    expect(us.bench.platform.resources.multicastGroup.isIdle).toBe(true);
  });

  it('takes the place of what waits with FlushQueue, and not of what is on its way', () => {
    const us = talking();
    for (const hex of ['01', '02', '03']) us.do(message(hex));
    us.do(message('04', { FlushQueue: true }));
    expect(sentBy(us).map(({ payload }) => payload[0])).toEqual([1, 1, 4, 4]);
  });

  it('waits for air time at one gateway, and keeps the next message back', () => {
    const us = talking(({ gatewayEui }, ordinal) =>
      gatewayEui === SOUTH && ordinal === 0
        ? { kind: 'noBudget', notBeforeUs: 600 * S }
        : { kind: 'sent' },
    );
    us.do(message('01'));
    us.do(message('02'));
    const sent = sentBy(us);
    const bySouth = sent.filter(({ gatewayEui }) => gatewayEui === SOUTH);
    expect(bySouth.map(({ fCnt }) => fCnt)).toEqual([0, 0, 1, 1]);
    expect(bySouth[1]!.startsAtUs).toBeGreaterThanOrEqual(600 * S);
    const second = sent.filter(({ fCnt }) => fCnt === 1);
    expect(Math.min(...second.map(({ startsAtUs }) => startsAtUs))).toBeGreaterThan(600 * S);
  });

  it('has copies one after the other also where two gateways have air time again at once', () => {
    const us = talking((_, ordinal) =>
      ordinal === 0 ? { kind: 'noBudget', notBeforeUs: 600 * S } : { kind: 'sent' },
    );
    us.do(message('01'));
    const again = sentBy(us).slice(2);
    expect(again.map(({ gatewayEui }) => gatewayEui).toSorted()).toEqual([NORTH, SOUTH].toSorted());
    const [first, second] = again.map(({ startsAtUs }) => startsAtUs).toSorted((a, b) => a - b);
    expect(first).toBeGreaterThanOrEqual(600 * S);
    const airtimeUs = us.bench.view.downlinkAirtimeUs(0, 14);
    expect(second).toBeGreaterThanOrEqual(first! + airtimeUs);
  });

  it('is tried four times where a gateway refuses it, and once where that is for good', () => {
    const refuse = (reason: string) => {
      const us = talking(() => ({ kind: 'refused', reason }));
      us.do(message('01'));
      return sentBy(us).map(({ gatewayEui }) => gatewayEui);
    };
    const [south, north] = [Array(4).fill(SOUTH), Array(4).fill(NORTH)];
    expect(refuse('collision').toSorted()).toEqual([...north, ...south].toSorted());
    expect(refuse('neverBudget')).toEqual([SOUTH, NORTH]);
    const alone = talking(() => ({ kind: 'refused', reason: 'collision' }));
    alone.do({ kind: 'multicastGroup.removeGateways', ...about, Gateways: [NORTH] });
    alone.do(message('01'));
    alone.do(message('02'));
    expect(sentBy(alone).map(({ fCnt }) => fCnt)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  it('is dropped when the group is retuned to a data rate that does not carry it', () => {
    const us = talking(undefined, { DataRate: 5 });
    us.do(message('01'));
    us.do(message('00'.repeat(100)));
    us.do(message('03'));
    us.do({ kind: 'multicastGroup.update', ...about, group: { DataRate: 0 } });
    expect(sentBy(us).map(({ payload }) => payload.length)).toEqual([1, 1, 1, 1]);
  });

  it('is in the saved state, and goes on from there', () => {
    const [us, other] = [talking(), service({ gateways: [NORTH, SOUTH] })];
    us.do(message('01'));
    us.do(message('02'));
    const saved = us.bench.platform.resources.multicastGroup.save();
    other.bench.platform.resources.multicastGroup.load(saved);
    const again = other.bench.platform.resources.multicastGroup;
    expect(again.save()).toEqual(saved);
    expect(again.isIdle).toBe(false);
    expect(saved.lines[0]).toMatchObject({ nextFCnt: 1, waiting: [{ payloadHex: '02' }] });
  });
});

testIsolation(
  'multicastGroup',
  (ann) => {
    createNew(ann);
    ann.do({ kind: 'multicastGroup.addGateways', ...about, Gateways: [NORTH] });
    return about;
  },
  {
    'multicastGroup.create': () => ({
      group: groupOf({ MulticastDevEUI: '0C000000000000AA', MulticastDevAddr: '000000AA' }),
    }),
    'multicastGroup.list': () => ({}),
    'multicastGroup.get': () => about,
    'multicastGroup.update': () => ({ ...about, group: { Name: 'other' } }),
    'multicastGroup.delete': () => about,
    'multicastGroup.addDevices': () => ({ ...about, Devices: [A] }),
    'multicastGroup.removeDevices': () => ({ ...about, Devices: [A] }),
    'multicastGroup.gateways': () => about,
    'multicastGroup.addGateways': () => ({ ...about, Gateways: [NORTH] }),
    'multicastGroup.removeGateways': () => ({ ...about, Gateways: [NORTH] }),
  },
);

describe('ten thousand groups', () => {
  it(
    'cost each what one does',
    () => {
      const us = service();
      const [devEui] = us.devices(1) as [string];
      for (let i = 0; i < 10_000; i++) {
        const digits = i.toString(16).toUpperCase().padStart(8, '0');
        us.do(create({ MulticastDevEUI: `0C000000${digits}`, MulticastDevAddr: digits }));
      }
      const at = { MulticastDevEUI: '0C00000000000007' };
      us.do({ kind: 'multicastGroup.addDevices', ...at, Devices: [devEui] });
      expect(us.ask({ kind: 'multicastGroup.list' }).MulticastGroups).toHaveLength(10_000);
      us.do({ kind: 'device.remove', devEui });
    },
    HANG_MS,
  );
});
