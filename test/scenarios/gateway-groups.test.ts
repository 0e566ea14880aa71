/** Gateway groups in a scenario file: what becomes of the section, and its faults. */
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { got } from '../core/resources/service.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const fileOf = (groups: string, more = '') => `scenario: a
subscribers: [north, south]
gateways: [{ name: mast, count: 3 }, { name: roof }, { name: tower, subscriber: south }]
devices: [{ name: meter }]
gatewayGroups: [${groups}]
${more}`;

interface Created {
  readonly by: string;
  readonly id: string;
  readonly group: { readonly Name: string; readonly GatewayList: readonly string[] };
}

const createdOf = (text: string, seed?: string) =>
  populate(scenarioOf(text), seed).timeline.flatMap(({ atUs, command }) =>
    command.kind === 'gatewayGroup.create' ? [{ atUs, ...(command as unknown as Created) }] : [],
  );

describe('the section of gateway groups', () => {
  it('becomes groups at the start, of their subscribers, with NodeIds for names', () => {
    const text = fileOf(`
      { name: high, gateways: [roof, mast, mast-2] }, { name: none }, { name: mine, gateways: all },
      { name: his, gateways: all, subscriber: south }`);
    const { network } = populate(scenarioOf(text));
    const euis = (...names: string[]) =>
      names.map((name) => network.gateways.find((each) => each.name === name)!.eui);
    const kind = 'gatewayGroup.create';
    const id = expect.stringMatching(/^[0-9A-Za-z]{8}$/);
    const masts = ['mast-1', 'mast-2', 'mast-3'];
    const group = (Name: string, ...names: string[]) => ({ Name, GatewayList: euis(...names) });
    expect(createdOf(text)).toEqual([
      { atUs: 0, kind, by: 'north', id, group: group('high', 'roof', ...masts) },
      { atUs: 0, kind, by: 'north', id, group: group('none') },
      { atUs: 0, kind, by: 'north', id, group: group('mine', ...masts, 'roof') },
      { atUs: 0, kind, by: 'south', id, group: group('his', 'tower') },
    ]);
  });

  it('has ids that derive from seed and name, whatever else the file has', () => {
    const [only] = createdOf(fileOf('{ name: high, gateways: [roof] }'), 'seed');
    const [, second] = createdOf(fileOf('{ name: low }, { name: high }'), 'seed');
    const [other] = createdOf(fileOf('{ name: high }'), 'another');
    expect(second!.id).toBe(only!.id);
    expect(other!.id).not.toBe(only!.id);
  });

  it('may be used by commands of the timeline by id', () => {
    const { id } = createdOf(fileOf('{ name: high, gateways: [mast] }'), 'a')[0]!;
    const timeline = `timeline:
  - { at: 1 min, command: { kind: gatewayGroup.update, Id: ${id}, group: { Name: low } } }
  - { at: 2 min, removeGateway: mast-1 }
  - { at: 3 min, command: { kind: gatewayGroup.delete, Id: ${id} } }`;
    const text = fileOf('{ name: high, gateways: [mast] }', timeline);
    const world = World.create(populate(scenarioOf(text), 'a'), 'a');
    const report = (atUs: number) => {
      world.runUntil(atUs);
      const { GatewayGroups } = got(world.ask({ kind: 'gatewayGroup.list', by: 'north' }));
      return GatewayGroups.map(({ Name, Gateways }) => [Name, Gateways.map((each) => each.Name)]);
    };
    const all = ['mast-1', 'mast-2', 'mast-3'];
    expect(report(1)).toEqual([['high', all]]);
    expect(report(60e6)).toEqual([['low', all]]);
    expect(report(120e6)).toEqual([['low', all.slice(1)]]);
    expect(report(180e6)).toEqual([]);
  });

  it.each([
    [
      'an unknown gateway',
      '{ name: high, gateways: [mask] }',
      '/gatewayGroups/0/gateways/0  "mask" is not a gateway of the start; ' +
        'allowed: mast, roof, tower',
    ],
    [
      'a gateway of another subscriber',
      '{ name: high, gateways: [tower] }',
      '/gatewayGroups/0/gateways/0  "tower" is of the subscriber south, not of north',
    ],
    [
      'a name twice',
      '{ name: high }, { name: high }',
      '/gatewayGroups/1/name  the name "high" is taken by /gatewayGroups/0',
    ],
    [
      'an unknown subscriber',
      '{ name: high, subscriber: east }',
      '/gatewayGroups/0/subscriber  "east" is not a subscriber of this scenario',
    ],
    ['no name', '{ gateways: [mast] }', '/gatewayGroups/0/name  is missing'],
    [
      'no list',
      '{ name: high, gateways: mast }',
      '/gatewayGroups/0/gateways  "mast" is not a list; ' +
        'allowed: all, or a list of names of gateways',
    ],
    ['an empty list', '{ name: high, gateways: [] }', '/gatewayGroups/0/gateways  is empty'],
  ])('is refused for %s', (_, groups, fault) => {
    const [first, ...others] = faultsOf(fileOf(groups));
    expect(first).toContain(fault);
    expect(others).toEqual([]);
  });

  it('is refused for all gateways of somebody who has none', () => {
    const text = `scenario: a
subscribers: [north, south]
gateways: [{ name: mast }]
devices: [{ name: meter }]
gatewayGroups: [{ name: high, gateways: all, subscriber: south }]`;
    expect(faultsOf(text)).toEqual([
      expect.stringContaining('/gatewayGroups/0/gateways  the group "high" has no gateway'),
    ]);
  });
});
