/** A scenario's policies of device configurations, as commands of the start. */
import { namedId } from '../../core/base/ids.ts';
import type { Command } from '../../core/command.ts';
import type { Seed } from '../../sim/base/random.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { ownerOf } from '../language/subscriber-knob.ts';
import type { Scenario } from '../schema/schema.ts';
import { idIn, type UpdateIds } from './ids.ts';
import { devicesIn } from './named-things.ts';

/** In the order of the file: of several policies of one device the first counts. */
export function policyCommands(
  scenario: Scenario,
  network: NetworkPlan,
  ids: UpdateIds,
  random: Seed,
): Command[] {
  const { configurationPolicies, endDeviceGroups } = scenario;
  if (configurationPolicies.length === 0) return [];
  const devicesOf = devicesIn(scenario, network);
  return configurationPolicies.map((entry): Command => {
    const { name, config, devices = [], deviceGroup, population } = entry;
    const by = ownerOf(scenario, entry);
    const group = endDeviceGroups.find((each) => each.name === deviceGroup);
    const members = [...devicesOf(devices, by), ...devicesOf(group?.devices ?? [], by)];
    const profile =
      population === undefined
        ? {}
        : { deviceProfile: namedId('medium', random, 'deviceProfile', population) };
    return {
      kind: 'deviceConfiguration.addPolicy',
      by,
      id: idIn(ids.configurationPolicies, name),
      policy: { name, config, devices: [...new Set(members)], ...profile },
    };
  });
}
