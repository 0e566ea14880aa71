/** Device groups of management in a scenario file: what becomes of the section, and its faults. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const fileOf = (groups: string, more = '') => `scenario: a
subscribers: [north, south]
devices: [{ name: meter, count: 3 }, { name: alarm }, { name: valve, subscriber: south }]
endDeviceGroups: [${groups}]
${more}`;

interface Created {
  readonly by: string;
  readonly id: string;
  readonly group: { readonly Name: string; readonly DeviceList: readonly string[] };
}

const createdOf = (text: string, seed?: string) =>
  populate(scenarioOf(text), seed).timeline.flatMap(({ atUs, command }) =>
    command.kind === 'endDeviceGroup.create' ? [{ atUs, ...(command as unknown as Created) }] : [],
  );

describe('the section of device groups of management', () => {
  it('becomes groups at the start, of their subscribers, with DevEUIs for names', () => {
    const text = fileOf(`
      { name: roof, devices: [alarm, meter] }, { name: none },
      { name: his, devices: all, subscriber: south }`);
    const { network } = populate(scenarioOf(text));
    const euis = (...names: string[]) =>
      names.map((name) => network.devices.find((each) => each.name === name)!.devEui);
    const kind = 'endDeviceGroup.create';
    const id = expect.stringMatching(/^[0-9A-Za-z]{8}$/);
    const roof = euis('alarm', 'meter-1', 'meter-2', 'meter-3');
    expect(createdOf(text)).toEqual([
      { atUs: 0, kind, by: 'north', id, group: { Name: 'roof', DeviceList: roof } },
      { atUs: 0, kind, by: 'north', id, group: { Name: 'none', DeviceList: [] } },
      { atUs: 0, kind, by: 'south', id, group: { Name: 'his', DeviceList: euis('valve') } },
    ]);
  });

  it('has ids that derive from seed and name, whatever else the file has', () => {
    const [only] = createdOf(fileOf('{ name: roof, devices: [alarm] }'), 'seed');
    const [, second] = createdOf(fileOf('{ name: cellar }, { name: roof }'), 'seed');
    const [other] = createdOf(fileOf('{ name: roof }'), 'another');
    expect(second!.id).toBe(only!.id);
    expect(other!.id).not.toBe(only!.id);
  });

  it('is other groups than those of updates, which may have the same names', () => {
    const text = fileOf(
      '{ name: same, devices: [meter] }',
      'groups: [{ name: same, devices: [alarm] }]',
    );
    const world = World.create(populate(scenarioOf(text)), 'seed');
    world.runUntil(1);
    const groups = world.ask({ kind: 'endDeviceGroup.list', by: 'north' });
    const updated = world.ask({ kind: 'deviceGroup.list', by: 'north' });
    if (!groups.ok || !updated.ok) throw new Error('both are answered');
    expect(groups.value.DeviceGroups.map(({ DeviceList }) => DeviceList.length)).toEqual([3]);
    expect(updated.value.map(({ devices }) => devices.length)).toEqual([1]);
  });

  it('may be used by name in nothing, and by commands of the timeline by id', () => {
    const text = fileOf('{ name: roof, devices: [meter] }');
    const { id } = createdOf(text, 'a')[0]!;
    const timeline = `timeline:
  - { at: 1 min, command: { kind: endDeviceGroup.update, Id: ${id}, group: { Name: attic } } }
  - { at: 2 min, command: { kind: endDeviceGroup.delete, Id: ${id} } }`;
    const plan = populate(scenarioOf(fileOf('{ name: roof, devices: [meter] }', timeline)), 'a');
    const world = World.create(plan, 'a');
    const names = (atUs: number) => {
      world.runUntil(atUs);
      const groups = world.ask({ kind: 'endDeviceGroup.list', by: 'north' });
      return groups.ok ? groups.value.DeviceGroups.map(({ Name }) => Name) : undefined;
    };
    expect([names(1), names(60e6), names(120e6)]).toEqual([['roof'], ['attic'], []]);
  });

  it.each([
    [
      'an unknown device',
      '{ name: roof, devices: [metre] }',
      '/endDeviceGroups/0/devices/0  "metre" is neither a population nor a device of the start',
    ],
    [
      'a device of another subscriber',
      '{ name: roof, devices: [valve] }',
      '/endDeviceGroups/0/devices/0  "valve" is of the subscriber south, not of north',
    ],
    [
      'a name twice',
      '{ name: roof }, { name: roof }',
      '/endDeviceGroups/1/name  the name "roof" is taken by /endDeviceGroups/0',
    ],
    [
      'an unknown subscriber',
      '{ name: roof, subscriber: east }',
      '/endDeviceGroups/0/subscriber  "east" is not a subscriber of this scenario',
    ],
    ['no name', '{ devices: [meter] }', '/endDeviceGroups/0/name  is missing'],
  ])('is refused for %s', (_, groups, fault) => {
    const [first, ...others] = faultsOf(fileOf(groups));
    expect(first).toContain(fault);
    expect(others).toEqual([]);
  });

  it('is no place for devices that are delegated alone', () => {
    const delegated = `delegations:
  - { name: d, subscriber: south, to: north, devices: [valve], expires: 1 d }`;
    const faults = faultsOf(fileOf('{ name: roof, devices: [valve] }', delegated));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('"valve" is of the subscriber south, not of north');
  });
});
