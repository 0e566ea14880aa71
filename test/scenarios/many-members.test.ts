/** Members of groups and devices of jobs: a million of each kind at most, over all of them. */
import { expect, it } from 'vitest';
import { faultsOf } from './scenario.ts';

const MILLION = 1_000_000;
const JOB =
  'downlink_hex: 01, downlink_fport: 1, expected_uplink_hex: 01, expected_uplink_fport: 1';

const KINDS: readonly (readonly [list: string, what: string, where: string, more?: string])[] = [
  ['groups', 'members of groups', 'all groups'],
  ['endDeviceGroups', 'members of groups', 'all of them'],
  ['multicastGroups', 'members of groups', 'all of them'],
  ['reliableDownlinks', 'devices of jobs', 'all jobs', JOB],
];

it.each(KINDS)('%s have a million %s in %s, and no more', (list, what, where, more = '') => {
  const faults = (...members: readonly string[]) =>
    faultsOf(
      `scenario: many\ndevices: [{ name: meter, count: ${MILLION}, class: C }]\n${list}:\n${members
        .map((devices, i) => `  - { name: g${i}, devices: [${devices}]${more && `, ${more}`} }\n`)
        .join('')}`,
    );
  expect(faults('meter')).toEqual([]);
  expect(faults('meter', 'meter-1')).toEqual([
    `file.yaml:4:3  /${list}  ${MILLION + 1} ${what} are too many; ` +
      `allowed: at most ${MILLION} in ${where}`,
  ]);
});

it('gatewayGroups have a million gateways in all of them, and no more', () => {
  const all = Array.from({ length: 100 }, (_, i) => `  - { name: g${i}, gateways: all }\n`);
  const faults = (more: string) =>
    faultsOf(
      `scenario: many\ndevices: [{ name: meter }]\ngateways: [{ name: roof, count: 10000 }]\n` +
        `gatewayGroups:\n${all.join('')}${more}`,
    );
  expect(faults('')).toEqual([]);
  expect(faults('  - { name: one, gateways: [roof-1] }\n')).toEqual([
    `file.yaml:5:3  /gatewayGroups  ${MILLION + 1} gateways of groups are too many; ` +
      `allowed: at most ${MILLION} in all of them`,
  ]);
});
