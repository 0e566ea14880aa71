/** What a network asserts of the plan that it is populated by, and of what comes later. */
import { describe, expect, it } from 'vitest';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { Bench } from '../support/bench.ts';
import { eui, networkOf } from '../support/small-network.ts';

const PLAN = networkOf({ devices: 2, gatewaysAt: [100, 200] });
const [device] = PLAN.devices;
const [gateway] = PLAN.gateways;

const withDevice = (change: object): NetworkPlan => ({
  ...PLAN,
  devices: [...PLAN.devices, { ...device!, devEui: eui('02', 9), ...change }],
});
const withGateway = (change: object): NetworkPlan => ({
  ...PLAN,
  gateways: [...PLAN.gateways, { ...gateway!, eui: eui('06', 9), ...change }],
});

describe('a network', () => {
  it.each([
    ['an EUI has 16 upper-case hexadecimal digits', withDevice({ devEui: '02000000000000ab' })],
    ['an EUI has 16 upper-case hexadecimal digits', withDevice({ devEui: '02' })],
    ['an EUI has 16 upper-case hexadecimal digits', withGateway({ eui: 'zz00000000000000' })],
    ['a DevEUI names one device in service', withDevice({ devEui: device!.devEui })],
    ['an EUI names one gateway in service', withGateway({ eui: gateway!.eui })],
    ['a place is two finite numbers', withDevice({ xMeters: Number.NaN })],
    ['a place is two finite numbers', withGateway({ yMeters: Number.POSITIVE_INFINITY })],
    ['a device is of a type of the plan', withDevice({ type: 1 })],
    ['a network begins in GPS time', { ...PLAN, startUnixMs: 315_964_799_999 }],
  ])('asserts that %s', (sentence, plan) => {
    expect(() => new Bench(plan)).toThrow(sentence);
  });

  it('asserts the same of what is requested later, and that what is meant is there', () => {
    const bench = new Bench(PLAN);
    const requests = [
      { kind: 'device.create', device: { ...device!, devEui: 'ab' } },
      { kind: 'device.create', device: device! },
      { kind: 'device.change', devEui: eui('02', 9), name: 'x' },
      { kind: 'device.class', devEui: eui('02', 9), deviceClass: 'C' },
      { kind: 'device.remove', devEui: eui('02', 9) },
      { kind: 'device.change', devEui: device!.devEui, place: { xMeters: Number.NaN, yMeters: 0 } },
      { kind: 'gateway.create', gateway: gateway! },
      { kind: 'gateway.change', eui: eui('06', 9), name: 'x' },
      { kind: 'gateway.remove', eui: eui('06', 9) },
      { kind: 'mac.request', devEui: eui('02', 9), commands: Uint8Array.of(6) },
      { kind: 'mac.request', devEui: device!.devEui, commands: Uint8Array.of(3) },
    ] as const;
    for (const request of requests) expect(() => bench.request(request)).toThrow();
  });

  it('takes downlinks to a device that has gone, and whether to watch it, for nothing', () => {
    const bench = new Bench(PLAN);
    const { devEui } = device!;
    bench.request({ kind: 'device.remove', devEui });
    const before = bench.outcome();
    const sender = { kind: 'application', id: '' } as const;
    bench.request({ kind: 'downlink', id: 1, sender, devEui, fPort: 1, payload: Uint8Array.of(1) });
    bench.request({ kind: 'clearDownlinks', devEui, sender });
    bench.request({ kind: 'watch', devEui, on: true });
    expect(bench.outcome()).toBe(before);
  });

  it('knows devices by the plan’s own objects, and saves those that came or were changed', () => {
    const bench = new Bench(PLAN);
    const { device, server } = bench.network.sides;
    const { devices } = device;
    const { registrations } = server;
    for (const [row, planned] of PLAN.devices.entries()) {
      expect(devices.identities.of(row)).toBe(planned);
      expect(registrations.identities.of(row)).toBe(planned);
    }
    expect([devices.save().identities, registrations.save().identities]).toEqual([[], []]);
    const [first, second] = PLAN.devices;
    registrations.rename(1, 'cellar');
    devices.place(0, { xMeters: 7, yMeters: -8 });
    const late = { ...first!, name: 'late', devEui: eui('02', 77) };
    bench.request({ kind: 'device.create', device: late });
    const row = PLAN.devices.length;
    const { name, devEui, xMeters, yMeters } = late;
    expect(registrations.save().identities).toEqual([
      [1, { devEui: second!.devEui, name: 'cellar' }],
      [row, { devEui, name }],
    ]);
    const moved = { name: first!.name, devEui: first!.devEui, xMeters: 7, yMeters: -8 };
    expect(devices.save().identities).toEqual([
      [0, moved],
      [row, { name, devEui, xMeters, yMeters }],
    ]);
    expect([second!.name, first!.xMeters]).not.toEqual(['cellar', 7]);
    const copy = new Bench(PLAN, 'bench', bench.save()).network.sides;
    expect(copy.device.devices.save()).toEqual(devices.save());
    expect(copy.device.devices.identities.of(1)).toBe(second);
    expect(copy.server.registrations.save()).toEqual(registrations.save());
  });
});
