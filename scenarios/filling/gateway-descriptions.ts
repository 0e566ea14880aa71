/** What a scenario says of its gateways to management, as commands of the start. */
import { namedId } from '../../core/base/ids.ts';
import type { Command } from '../../core/command.ts';
import type { Seed } from '../../sim/base/random.ts';
import type { GatewayPlan } from '../../sim/plan/network-plan.ts';
import { ownerOf } from '../language/subscriber-knob.ts';
import type { Scenario } from '../schema/schema.ts';
import { idIn, type UpdateIds } from './ids.ts';

type GatewayEntry = Scenario['gateways'][number];

/** The profiles come before; gateways stand in the order of their entries. */
export function descriptionCommands(
  scenario: Scenario,
  gateways: readonly GatewayPlan[],
  ids: UpdateIds,
  random: Seed,
): Command[] {
  let from = 0;
  return scenario.gateways.flatMap((entry): Command[] => {
    const Gateways = gateways.slice(from, from + (entry.count ?? 1)).map(({ eui }) => eui);
    from += Gateways.length;
    const description = descriptionOf(entry, ids, random);
    if (Object.keys(description).length === 0) return [];
    return [{ kind: 'baseStation.describe', by: ownerOf(scenario, entry), Gateways, description }];
  });
}

/** What is not said is as in every world. */
function descriptionOf(entry: GatewayEntry, ids: UpdateIds, random: Seed) {
  const { gatewayProfile, locationType, height, macAddress, cellular } = entry;
  return {
    ...(gatewayProfile === undefined
      ? {}
      : { GatewayProfile: profileOf(gatewayProfile, ids, random) }),
    ...(locationType === undefined ? {} : { LocationType: locationType }),
    ...(height === undefined ? {} : { HeightMeters: height }),
    ...(macAddress === undefined ? {} : { MacAddress: macAddress }),
    ...(cellular === undefined
      ? {}
      : { CellularEnabled: true, IMEI: cellular.imei, ICCID: cellular.iccid }),
  };
}

/** A name of the file comes before that of a model which every world has. */
const profileOf = (name: string, ids: UpdateIds, random: Seed): string =>
  ids.gatewayProfiles.has(name)
    ? idIn(ids.gatewayProfiles, name)
    : namedId('medium', random, 'gatewayProfile', name);
