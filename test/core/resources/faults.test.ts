/** Physical faults as resources: who may begin and end them, and how they are reported. */
import { describe, expect, it } from 'vitest';
import type { PlatformCommand } from '../../../core/operations.ts';
import { World } from '../../../core/world/world.ts';
import { eui, MINUTE_US } from '../../support/small-network.ts';
import { testIsolation } from './isolation.ts';
import { got, NORTH, type Subscriber } from './service.ts';
import { planOf } from './things.ts';

const [NEAR, FAR] = [eui('06', 1), eui('06', 2)];
const [ONE, OTHER] = [eui('02', 1), eui('02', 2)];
const world = () => World.create(planOf({ devices: 2, gatewaysAt: [100, 200] }), 'seed');
const by = 'default';
const faultsOf = (one: World) => got(one.ask({ kind: 'fault.list', by })).faults;
const give = (one: World, command: PlatformCommand) =>
  expect(one.submit({ ...command, by })).toMatchObject({ ok: true });

const annsFault = (ann: Subscriber, devEui: string) => {
  ann.do({ kind: 'device.fault', devEui, fault: 'radio' });
  return { eui: NORTH, devEui };
};
testIsolation('fault', annsFault, {
  'gateway.fault': ({ eui }) => ({ eui, fault: 'attenuation', on: true, decibels: 3 }),
  'gateway.repair': ({ eui }) => ({ eui, fault: 'radio' }),
  'device.fault': ({ devEui }) => ({ devEui, fault: 'radio', on: true }),
  'device.repair': ({ devEui }) => ({ devEui, fault: 'radio' }),
  'device.reboot': ({ devEui }) => ({ devEui }),
  'device.stepClock': ({ devEui }) => ({ devEui, seconds: 5 }),
  'fault.list': () => ({}),
});

describe('faults', () => {
  it('are reported with what and since when, gateways first, until they end', () => {
    const one = world();
    expect(faultsOf(one)).toEqual([]);
    one.runUntil(MINUTE_US);
    give(one, { kind: 'device.fault', devEui: ONE, fault: 'radio' });
    one.runUntil(2 * MINUTE_US);
    give(one, { kind: 'gateway.fault', eui: FAR, fault: 'attenuation', decibels: 12.5 });
    give(one, { kind: 'gateway.fault', eui: NEAR, fault: 'backhaul' });
    const [first, second] = ['2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z'];
    expect(faultsOf(one)).toEqual([
      {
        thing: 'gateway',
        eui: NEAR,
        fault: 'backhaul',
        decibels: null,
        channel: null,
        delay: null,
        share: null,
        since: second,
      },
      {
        thing: 'gateway',
        eui: FAR,
        fault: 'attenuation',
        decibels: 12.5,
        channel: null,
        delay: null,
        share: null,
        since: second,
      },
      {
        thing: 'device',
        eui: ONE,
        fault: 'radio',
        decibels: null,
        channel: null,
        delay: null,
        share: null,
        since: first,
      },
    ]);
    give(one, { kind: 'device.repair', devEui: ONE, fault: 'radio' });
    give(one, { kind: 'gateway.repair', eui: NEAR, fault: 'backhaul' });
    give(one, { kind: 'gateway.fault', eui: FAR, fault: 'attenuation', on: false });
    expect(faultsOf(one)).toEqual([]);
  });

  it('go on as they are when they are begun again, and ends of none change nothing', () => {
    const one = world();
    give(one, { kind: 'device.fault', devEui: ONE, fault: 'attenuation' });
    give(one, { kind: 'device.fault', devEui: OTHER, fault: 'radio' });
    const before = faultsOf(one);
    expect(before.map(({ decibels }) => decibels)).toEqual([20, null]);
    one.runUntil(MINUTE_US);
    give(one, { kind: 'device.fault', devEui: ONE, fault: 'attenuation' });
    give(one, { kind: 'device.fault', devEui: OTHER, fault: 'radio' });
    give(one, { kind: 'device.repair', devEui: ONE, fault: 'radio' });
    give(one, { kind: 'gateway.repair', eui: NEAR, fault: 'attenuation' });
    expect(faultsOf(one)).toEqual(before);
    // Another loss takes its place.
    give(one, { kind: 'device.fault', devEui: ONE, fault: 'attenuation', decibels: 30 });
    expect(faultsOf(one)[0]).toMatchObject({ decibels: 30, since: '2026-01-01T00:01:00Z' });
  });

  it('take no figure that has no use there, and no channel that the network has not', () => {
    const one = world();
    const refused = (command: PlatformCommand) =>
      expect(one.submit({ ...command, by })).toMatchObject({
        ok: false,
        failure: { code: 'fault.invalid' },
      });
    refused({ kind: 'gateway.fault', eui: NEAR, fault: 'radio', channel: 868.1 });
    refused({ kind: 'gateway.fault', eui: NEAR, fault: 'noise', delay: 1 });
    refused({ kind: 'device.fault', devEui: ONE, fault: 'loss', decibels: 1, on: false });
    refused({ kind: 'gateway.fault', eui: NEAR, fault: 'noise', channel: 868.2 });
    expect(faultsOf(one)).toEqual([]);
  });

  it('are in snapshots, those on single channels, too', () => {
    const one = world();
    give(one, { kind: 'gateway.fault', eui: NEAR, fault: 'noise', decibels: 3 });
    give(one, { kind: 'gateway.fault', eui: NEAR, fault: 'noise', channel: 868.3, decibels: 9 });
    const before = faultsOf(one);
    expect(before).toHaveLength(2);
    const restored = World.restore(one.plan, one.seed, one.snapshot());
    expect(faultsOf(restored)).toEqual(before);
    expect(restored.digest()).toEqual(one.digest());
  });

  it('move with a gateway, and are gone with a device', () => {
    const one = world();
    give(one, { kind: 'gateway.fault', eui: NEAR, fault: 'attenuation' });
    give(one, { kind: 'device.fault', devEui: ONE, fault: 'radio' });
    give(one, { kind: 'gateway.fault', eui: NEAR, fault: 'delay', delay: 2.5 });
    give(one, { kind: 'gateway.fault', eui: NEAR, fault: 'noise' });
    give(one, { kind: 'gateway.fault', eui: NEAR, fault: 'noise', channel: 868.3, decibels: 9 });
    const ofGateway = faultsOf(one).filter(({ thing }) => thing === 'gateway');
    expect(ofGateway).toMatchObject([
      { fault: 'delay', decibels: null, delay: 2.5, share: null },
      { fault: 'attenuation', decibels: 20, delay: null },
      { fault: 'noise', decibels: 20, channel: null, delay: null },
      { fault: 'noise', decibels: 9, channel: 868.3, delay: null },
    ]);
    one.runUntil(MINUTE_US);
    give(one, { kind: 'gateway.change', eui: NEAR, gateway: { xMeters: 50, yMeters: 0 } });
    give(one, { kind: 'device.remove', devEui: ONE });
    expect(faultsOf(one)).toEqual(ofGateway);
    give(one, { kind: 'device.create', device: { devEui: ONE, xMeters: 0, yMeters: 0 } });
    expect(faultsOf(one)).toEqual(ofGateway);
  });
});
