/**
 * Multicast groups of management in a scenario: the devices they name, and limits of the region.
 */
import type { Region } from '../../sim/lorawan/region.ts';
import { multicastGroupEui } from '../filling/identity.ts';
import { DEVICES_MAX, type Named, type Report } from '../language/members.ts';
import { checkOwnDevices, checkOwnGateways, type Known } from './group-check.ts';
import { checkGroupAir } from './regional-check.ts';

export function checkMulticastGroups(
  groups: readonly Named[],
  known: Known,
  plan: Region,
  report: Report,
): void {
  checkOnce(groups, 'eui', ({ name, entry }) => entry.eui ?? multicastGroupEui(name), report);
  checkOnce(groups, 'address', ({ entry }) => entry.address, report);
  let members = 0;
  for (const group of groups) {
    checkGroupAir(group, plan, report);
    checkOwnGateways(group, known, report);
    checkFreeEui(group, known, report);
    if (group.entry.devices !== undefined) members += checkOwnDevices(group, known, report);
  }
  if (members <= DEVICES_MAX) return;
  const what = `${members} members of groups are too many`;
  report(['multicastGroups'], { what, allowed: `at most ${DEVICES_MAX} in all of them` });
}

/** Two groups have neither one EUI nor one address. */
function checkOnce(
  groups: readonly Named[],
  key: 'eui' | 'address',
  textOf: (group: Named) => unknown,
  report: Report,
): void {
  const first = new Map<string, Named>();
  for (const group of groups) {
    const value = textOf(group);
    if (typeof value !== 'string') continue;
    const other = first.get(value.toUpperCase());
    if (other === undefined) first.set(value.toUpperCase(), group);
    // Two of one name are two of one EUI that derives from it, which is said already.
    else if (other.name !== group.name || group.entry[key] !== undefined) {
      const what = `${value} is taken by /${other.path.join('/')}`;
      report([...group.path, key], { what, allowed: `another ${key} for every multicast group` });
    }
  }
}

/** A message is to a device or to a group. */
function checkFreeEui({ path, entry }: Named, { devices }: Known, report: Report): void {
  if (typeof entry.eui !== 'string' || devices.meant(entry.eui.toUpperCase()) === undefined) return;
  const what = `${entry.eui} is the DevEUI of a device`;
  report([...path, 'eui'], { what, allowed: 'an EUI that no device has' });
}
