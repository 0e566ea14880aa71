/** Delegations in scenario files: the devices their words mean, and their errors. */
import { describe, expect, it } from 'vitest';
import { populate } from '../../scenarios/filling/populate.ts';
import { faultsOf, scenarioOf } from './scenario.ts';

const FILE = `scenario: shared
start: 2026-03-01T00:00:00Z
duration: 10 h
subscribers: [north, south]
gateways:
  - { name: mast }
  - { name: tower, subscriber: south }
devices:
  - { name: meter, count: 3 }
  - { name: probe }
  - { name: fixed, devEui: 00aabbccddeeff01 }
  - { name: valve, count: 2, subscriber: south }
delegations:
  - { name: meters, to: south, devices: [meter], expires: 9 h }
groups:
  - { name: mixed, subscriber: south, devices: [valve, meter] }
timeline: []
`;

const delegating = (fields: string) =>
  FILE.replace('{ name: meters, to: south, devices: [meter], expires: 9 h }', fields);
const grouping = (fields: string, delegation?: string) =>
  (delegation === undefined ? FILE : delegating(delegation)).replace(
    '{ name: mixed, subscriber: south, devices: [valve, meter] }',
    fields,
  );
const timing = (...entries: string[]) =>
  FILE.replace('timeline: []', `timeline:${entries.map((each) => `\n  - ${each}`).join('')}`);

const commandsOf = (text: string) => populate(scenarioOf(text)).timeline;
const create = (text: string) =>
  commandsOf(text).flatMap(({ atUs, command }) =>
    command.kind === 'delegation.create' ? [{ atUs, ...command }] : [],
  );

describe('a delegation of a file', () => {
  it('is created by whose the devices are, before the groups that have them', () => {
    const [one] = create(FILE);
    expect(one).toMatchObject({
      atUs: 0,
      by: 'north',
      delegation: {
        delegate_to: 'south',
        expires_at: '2026-03-01T09:00:00Z',
        exclude_devices: [],
      },
    });
    const kinds = commandsOf(FILE).map(({ command }) => command.kind);
    expect(kinds.indexOf('delegation.create')).toBeLessThan(kinds.indexOf('deviceGroup.create'));
  });

  it('covers populations by one pattern, devices and DevEUIs by themselves', () => {
    const words = '[meter, meter-2, probe, fixed, fixed, 0011223344556677, "02.............."]';
    const text = delegating(
      `{ name: meters, to: south, devices: ${words}, exclude: [meter-1], expires: 9 h }`,
    ).replace('[valve, meter]', '[valve]');
    const { delegation } = create(text)[0]!;
    const [, ...devices] = populate(scenarioOf(text)).network.devices.map(({ devEui }) => devEui);
    const stem = devices[0]!.slice(0, 10);
    expect(delegation).toMatchObject({
      include_devices: [
        `${stem}......`,
        devices[0],
        devices[2],
        '00AABBCCDDEEFF01',
        '0011223344556677',
        '02..............',
      ],
      exclude_devices: [`${stem}000001`],
    });
  });

  it('is changed and ended by its name', () => {
    const text = timing(
      '{ at: 1 h, changeDelegation: { delegation: meters, expires: 2 h, exclude: [meter-2] } }',
      '{ at: 3 h, endDelegation: meters }',
    );
    const { id } = create(text)[0]!;
    const later = commandsOf(text).filter(({ atUs }) => atUs > 0);
    expect(later.map(({ command }) => command)).toMatchObject([
      {
        kind: 'delegation.update',
        by: 'north',
        delegation_id: id,
        delegation: { expires_at: '2026-03-01T02:00:00Z' },
      },
      { kind: 'delegation.delete', by: 'north', delegation_id: id },
    ]);
    expect(later[0]!.command).not.toHaveProperty('delegation.include_devices');
  });

  it.each([
    ['to nobody', '{ name: d, to: east, devices: [meter], expires: 1 h }', 'to'],
    ['to itself', '{ name: d, to: north, devices: [meter], expires: 1 h }', 'to'],
    ['of no device', '{ name: d, to: south, devices: [], expires: 1 h }', 'devices'],
    ['of an unknown device', '{ name: d, to: south, devices: [metre], expires: 1 h }', 'devices/0'],
    ['of another’s', '{ name: d, to: south, devices: [valve], expires: 1 h }', 'devices/0'],
    [
      'without another’s',
      '{ name: d, to: south, devices: [meter], exclude: [valve-1], expires: 1 h }',
      'exclude/0',
    ],
    ['that is over', '{ name: d, to: south, devices: [meter], expires: 1 h, at: 2 h }', ''],
    ['after the run', '{ name: d, to: south, devices: [meter], expires: 30 h, at: 20 h }', 'at'],
    ['without an end', '{ name: d, to: south, devices: [meter] }', 'expires'],
  ])('%s is a fault', (_, fields, place) => {
    const faults = faultsOf(grouping('{ name: own, subscriber: south, devices: [valve] }', fields));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`/delegations/0${place === '' ? '' : `/${place}`}  `);
  });

  it.each([
    ['{ at: 1 h, endDelegation: others }', '/timeline/0/endDelegation'],
    ['{ at: 1 h, changeDelegation: { delegation: others } }', '/timeline/0/changeDelegation'],
  ])('is there when %s', (entry, place) => {
    const [fault, ...more] = faultsOf(timing(entry));
    expect(fault).toContain(place);
    expect(more).toEqual([]);
  });
});

describe('a group of a file has devices of another subscriber', () => {
  const mixed = (devices: string) => `{ name: mixed, subscriber: south, devices: [${devices}] }`;
  const covering = (fields: string) => `{ name: meters, to: south, expires: 9 h, ${fields} }`;

  it.each([
    ['valve, meter', 'devices: [meter]'],
    ['meter', 'devices: ["................"]'],
    ['meter-2', 'devices: [meter], exclude: [meter-1]'],
    ['meter', 'devices: [meter], exclude: ["02AAAAAAAAFFFFFF"]'],
    ['probe, fixed', 'devices: [probe, fixed]'],
    ['fixed', 'devices: [00AABBCCDDEEFF01]'],
  ])('%s, where a delegation has %s', (devices, fields) => {
    const text = grouping(mixed(devices), covering(fields));
    expect(faultsOf(text)).toEqual([]);
  });

  it.each([
    ['meter', 'devices: [probe]'],
    ['meter', 'devices: [meter], exclude: [meter-1]'],
    ['meter', 'devices: [meter], at: 1 s'],
    ['meter-1', 'devices: [meter], exclude: [meter-1]'],
    ['meter', 'devices: [meter-1, meter-2]'],
  ])('but not %s, where it has %s', (devices, fields) => {
    const faults = faultsOf(grouping(mixed(devices), covering(fields)));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('is of the subscriber north, not of south');
  });

  it('and gateways of who delegates them, but of no other', () => {
    const listing = (devices: string) =>
      grouping(
        `{ name: mixed, subscriber: south, devices: [${devices}], gateways: [mast, tower] }`,
      );
    expect(faultsOf(listing('meter'))).toEqual([]);
    expect(faultsOf(listing('valve'))).toHaveLength(1);
  });

  it('but a reliable downlink job does not', () => {
    const job = `reliableDownlinks:
  - name: j
    subscriber: south
    devices: [meter]
    downlink_hex: "01"
    downlink_fport: 9
    expected_uplink_hex: "01"
    expected_uplink_fport: 9
`;
    const faults = faultsOf(FILE + job);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('/reliableDownlinks/0/devices/0');
  });
});
