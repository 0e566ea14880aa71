/** Ids of what a scenario's file creates with the services. */
import { namedId } from '../../core/base/ids.ts';
import { assert } from '../../sim/base/assert.ts';
import type { Seed } from '../../sim/base/random.ts';

/** What has an id by its name: lists of a scenario, with the forms of their ids. */
const LISTS = {
  groups: ['short', 'deviceGroup'],
  endDeviceGroups: ['medium', 'endDeviceGroup'],
  gatewayGroups: ['medium', 'gatewayGroup'],
  serviceProfiles: ['medium', 'serviceProfile'],
  gatewayProfiles: ['medium', 'gatewayProfile'],
  decoderTypes: ['medium', 'decoderType'],
  outputProfiles: ['medium', 'outputProfile'],
  configurationPolicies: ['uuid', 'configurationPolicy'],
  credentials: ['uuid', 'credentials'],
  destinations: ['uuid', 'destination'],
  alerts: ['uuid', 'alert'],
  campaigns: ['uuid', 'campaign'],
  reliableDownlinks: ['uuid', 'reliableDownlink'],
  managedCampaigns: ['uuid', 'managedCampaign'],
  delegations: ['uuid', 'delegation'],
} as const;
type List = keyof typeof LISTS;

/** Ids by name, no two of a list the same. */
export type UpdateIds = Readonly<Record<List, ReadonlyMap<string, string>>>;

/** What has a name. */
type NamedLists = Readonly<Record<List, readonly { readonly name: string }[]>>;

/** Functions of the seed and the names. */
export const updateIds = (lists: NamedLists, random: Seed): UpdateIds => {
  const idsIn = (list: List) => {
    const [form, resource] = LISTS[list];
    const names = lists[list].map(({ name }) => name);
    return [list, idsOf(form, resource, names, random)] as const;
  };
  return Object.fromEntries((Object.keys(LISTS) as List[]).map(idsIn)) as UpdateIds;
};

/** The loader has seen that every name is known. */
export function idIn(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  assert(id !== undefined, `${name} is a name of the scenario`);
  return id;
}

function idsOf(
  form: 'short' | 'medium' | 'uuid',
  resource: string,
  names: readonly string[],
  random: Seed,
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const id = namedId(form, random, resource, name, (drawn) => taken.has(drawn));
      taken.add(id);
      return [name, id];
    }),
  );
}
