/** Ids of what a scenario's file creates with the firmware update service. */
import { namedId } from '../../core/base/ids.ts';
import { assert } from '../../sim/base/assert.ts';
import type { Seed } from '../../sim/base/random.ts';

/** Ids by name, no two the same. */
export interface UpdateIds {
  readonly groups: ReadonlyMap<string, string>;
  readonly campaigns: ReadonlyMap<string, string>;
  readonly jobs: ReadonlyMap<string, string>;
  readonly managedCampaigns: ReadonlyMap<string, string>;
}

/** Functions of the seed and the names. */
export const updateIds = (
  groups: readonly string[],
  campaigns: readonly string[],
  jobs: readonly string[],
  managedCampaigns: readonly string[],
  luck: Seed,
): UpdateIds => ({
  groups: idsOf('short', 'deviceGroup', groups, luck),
  campaigns: idsOf('uuid', 'campaign', campaigns, luck),
  jobs: idsOf('uuid', 'reliableDownlink', jobs, luck),
  managedCampaigns: idsOf('uuid', 'managedCampaign', managedCampaigns, luck),
});

/** Those of delegations, likewise. */
export const delegationIds = (
  delegations: readonly string[],
  luck: Seed,
): ReadonlyMap<string, string> => idsOf('uuid', 'delegation', delegations, luck);

/** The loader has seen that every name is known. */
export function idIn(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  assert(id !== undefined, `${name} is a name of the scenario`);
  return id;
}

function idsOf(
  form: 'short' | 'uuid',
  resource: string,
  names: readonly string[],
  luck: Seed,
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const id = namedId(form, luck, resource, name, (drawn) => taken.has(drawn));
      taken.add(id);
      return [name, id];
    }),
  );
}
