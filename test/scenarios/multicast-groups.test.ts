/** Multicast groups in a scenario file: what becomes of the section, and its faults. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { Trace } from '../support/small-network.ts';
import { fatesOf } from '../support/standing-groups.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const fileOf = (groups: string, more = '') => `scenario: a
duration: 1 h
subscribers: [north, south]
radio: { pathLoss: { model: constant, loss: 110 dB } }
gateways: [{ name: mast, count: 2 }, { name: tower, subscriber: south }]
devices:
  - { name: lamp, count: 3, class: C, activation: abp, dataRate: DR5, adr: false, joinWithin: 1 s,
      traffic: { every: 5 min } }
  - { name: valve, subscriber: south, devEui: '00000000000000BB' }
multicastGroups: [${groups}]
${more}`;

interface Created {
  readonly by: string;
  readonly group: Readonly<Record<string, unknown>>;
  readonly Devices: readonly string[];
  readonly Gateways: readonly string[];
}

const createdOf = (text: string, seed?: string) =>
  populate(scenarioOf(text), seed).timeline.flatMap(({ command }) =>
    command.kind === 'multicastGroup.create' ? [command as unknown as Created] : [],
  );

const HEX32 = expect.stringMatching(/^[0-9A-F]{32}$/);

describe('the section of multicast groups', () => {
  it('becomes groups at the start, of class C on RX2’s channel unless it says otherwise', () => {
    const text = fileOf(`
      { name: street, devices: [lamp], gateways: all },
      { name: his, class: B, pingSlotPeriod: 32 s, dataRate: DR3, frequency: 868.3 MHz,
        eui: '0c000000000000aa', address: '0000beef', devices: all, gateways: [tower],
        nwkSKey: '${'ab'.repeat(16)}', appSKey: '${'CD'.repeat(16)}', subscriber: south }`);
    const { network } = populate(scenarioOf(text));
    const lamps = network.devices.slice(0, 3).map(({ devEui }) => devEui);
    const [one, two, tower] = network.gateways.map(({ eui }) => eui);
    const [context, his] = createdOf(text);
    expect(context).toMatchObject({ by: 'north', Devices: lamps, Gateways: [one, two] });
    expect(context!.group).toEqual({
      Name: 'street',
      MulticastDevEUI: expect.stringMatching(/^0A[0-9A-F]{14}$/),
      MulticastDevAddr: expect.stringMatching(/^01FC[0-9A-F]{4}$/),
      GroupType: 'C',
      MulticastNwkSKey: HEX32,
      MulticastAppSKey: HEX32,
      DataRate: 0,
      Frequency: 869_525_000,
    });
    expect(his).toMatchObject({ by: 'south', Devices: ['00000000000000BB'], Gateways: [tower] });
    expect(his!.group).toMatchObject({ GroupType: 'B', PingSlotPeriod: 32, DataRate: 3 });
    expect(his!.group).toMatchObject({ Frequency: 868_300_000 });
  });

  it('has EUIs and addresses that derive from names, and keys that derive from the seed', () => {
    const keysOf = ({ group }: Created) => [group.MulticastNwkSKey, group.MulticastAppSKey];
    const [only] = createdOf(fileOf('{ name: street }'), 'a');
    const [, second] = createdOf(fileOf('{ name: yard }, { name: street }'), 'a');
    const [other] = createdOf(fileOf('{ name: street }'), 'b');
    expect(second!.group).toEqual(only!.group);
    expect(other!.group.MulticastDevEUI).toBe(only!.group.MulticastDevEUI);
    expect(keysOf(other!)).not.toEqual(keysOf(only!));
    expect(new Set(keysOf(only!)).size).toBe(2);
  });

  it('is heard when the timeline sends it a message', () => {
    const group = `{ name: street, eui: '0C000000000000AA', address: '01ABCDEF', devices: [lamp],
      gateways: [mast-1] }`;
    const message =
      "{ kind: message.send, DevEUI: '0C000000000000AA', Payload: '01', TargetPort: '9' }";
    const plan = populate(
      scenarioOf(fileOf(group, `timeline: [{ at: 20 min, command: ${message} }]`)),
    );
    const trace = new Trace();
    const world = World.create(plan, 'seed', { observer: trace });
    world.runUntil(3600e6);
    const heard = ['heard'];
    expect(fatesOf(trace)).toEqual({ 'lamp-1': heard, 'lamp-2': heard, 'lamp-3': heard });
  });

  it.each([
    [
      'an unknown device',
      '{ name: g, devices: [lump] }',
      '/multicastGroups/0/devices/0  "lump" is neither a population nor a device of the start',
    ],
    [
      'a device of another subscriber',
      '{ name: g, devices: [valve] }',
      '/multicastGroups/0/devices/0  "valve" is of the subscriber south, not of north',
    ],
    [
      'an unknown gateway',
      '{ name: g, gateways: [most] }',
      '/multicastGroups/0/gateways/0  "most" is not a gateway of the start',
    ],
    [
      'a gateway of another subscriber',
      '{ name: g, gateways: [tower] }',
      '/multicastGroups/0/gateways/0  "tower" is of the subscriber south, not of north',
    ],
    [
      'an EUI twice',
      "{ name: g, eui: '0C000000000000AA' }, { name: h, eui: '0c000000000000aa' }",
      '/multicastGroups/1/eui  0c000000000000aa is taken by /multicastGroups/0',
    ],
    [
      'an address twice',
      "{ name: g, address: '0000BEEF' }, { name: h, address: '0000BEEF' }",
      '/multicastGroups/1/address  0000BEEF is taken by /multicastGroups/0',
    ],
    [
      'the EUI of a device',
      "{ name: g, eui: '00000000000000BB' }",
      '/multicastGroups/0/eui  00000000000000BB is the DevEUI of a device',
    ],
    ['a name twice', '{ name: g }, { name: g }', '/multicastGroups/1/name  the name "g" is taken'],
    [
      'a frequency elsewhere',
      '{ name: g, frequency: 915 MHz }',
      '/multicastGroups/0/frequency  915 MHz is in no sub-band of EU868',
    ],
    [
      'a data rate that the region has not',
      '{ name: g, dataRate: DR9 }',
      '/multicastGroups/0/dataRate  ',
    ],
    [
      'a period that is none',
      '{ name: g, class: B, pingSlotPeriod: 3 s }',
      '/multicastGroups/0/pingSlotPeriod  ',
    ],
  ])('is refused for %s', (_, groups, fault) => {
    const [first, ...others] = faultsOf(fileOf(groups));
    expect(first).toContain(fault);
    expect(others).toEqual([]);
  });
});
