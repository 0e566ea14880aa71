/** What is wrong with the sections of device and gateway management is reported with its place. */
import { describe, expect, it } from 'vitest';
import { faultsOf } from './scenario.ts';

const NAME = 'up to 64 letters, digits, - and _, the first a letter';
const ONES = 'up to 64 letters, digits, - and _';
const MEMBERS = 'all, or a list of names of populations and devices, such as [meter, alarm-3]';
const GATEWAYS = 'all, or a list of names of gateways, such as [mast, roof-3]';

describe('a fault of form', () => {
  it.each([
    ['subscribers: 7', '/subscribers', '7 is not a list', 'a list of names'],
    ['subscribers: [{ name: a }]', '/subscribers/0', 'a map is not text', ONES],
    ['accounts: [{ subscriber: [] }]', '/accounts/0/subscriber', 'a list is not text', ONES],
    [
      'accounts: [{ city: 7 }]',
      '/accounts/0/city',
      '7 is not text',
      'up to 250 characters on one line',
    ],
    ['roles: [{ name: 7, permissions: [] }]', '/roles/0/name', '7 is not text', undefined],
    [
      'applications: [{ name: a, roles: [{}] }]',
      '/applications/0/roles/0',
      'a map is not text',
      'up to 80 letters, digits, spaces, - and _',
    ],
    ['serviceProfiles: [{}]', '/serviceProfiles/0/name', 'is missing', NAME],
    [
      'serviceProfiles: [{ name: a, description: 7 }]',
      '/serviceProfiles/0/description',
      '7 is not text',
      'text of 0 to 250 characters',
    ],
    [
      `serviceProfiles: [{ name: a, description: ${'x'.repeat(251)} }]`,
      '/serviceProfiles/0/description',
      'is not right here',
      'text of 0 to 250 characters',
    ],
    [
      'decoderTypes: [{ name: a, decoder: { a: 1 } }]',
      '/decoderTypes/0/decoder',
      'a map is not known',
      'RAW_HEX, CAYENNE_LPP, ELSYS',
    ],
    ['outputProfiles: [{ name: {} }]', '/outputProfiles/0/name', 'a map is not text', NAME],
    ['endDeviceGroups: [{ name: [] }]', '/endDeviceGroups/0/name', 'a list is not text', NAME],
    [
      'endDeviceGroups: [{ name: a, devices: [{}] }]',
      '/endDeviceGroups/0/devices',
      'a map is not a name or DevEUI',
      MEMBERS,
    ],
    [
      'gatewayGroups: [{ name: a, gateways: [{}] }]',
      '/gatewayGroups/0/gateways',
      'a map is not a name or EUI',
      GATEWAYS,
    ],
    ['gatewayGroups: 7', '/gatewayGroups', '7 is not a list', 'a list of gateway groups'],
    ['description: 7', '/description', '7 is not text', 'text'],
  ])('has its place and what is allowed: %s', (line, place, what, allowed) => {
    const [fault, ...others] = faultsOf(`scenario: a\ndevices: [{ name: meter }]\n${line}\n`);
    expect(others).toEqual([]);
    expect(fault).toMatch(/^file\.yaml:3:\d+ {2}\//);
    expect(fault).toContain(`${place}  `);
    expect(fault).toContain(`${what}; allowed: ${allowed ?? ''}`);
    expect(fault).not.toContain('[object');
  });
});

describe('subscribers that cannot be read', () => {
  it.each(['[{ name: a }, { name: a }]', '[{ name: a }, b]', '[[a], [a]]'])(
    'are reported each for itself, and nothing of what would be theirs: %s',
    (list) => {
      const faults = faultsOf(
        `scenario: a\nsubscribers: ${list}\ndevices: [{ name: meter, subscriber: a }]\n` +
          'endDeviceGroups: [{ name: roof, devices: [meter], subscriber: b }]\n',
      );
      expect(faults.filter((each) => !each.includes(' is not text; '))).toEqual([]);
      expect(faults.length).toBeGreaterThan(0);
    },
  );
});
