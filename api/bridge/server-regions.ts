/**
 * Whether ChirpStack has the region and the channels of a fleet: asked before anything is changed.
 * Its regions are shown to users alone; with an API key, what its gateways have spoken with counts.
 */
import type { RegionName } from '../../sim/lorawan/region.ts';
import type { ChirpStackClient, messages } from './chirpstack-client.ts';
import type { Fleet } from './fleet.ts';
import { BridgeFault } from './sockets.ts';

type Messages = ReturnType<typeof messages>;

/** As ChirpStack names them. */
export const REGIONS = {
  EU868: 'EU868',
  US915: 'US915',
  AU915: 'AU915',
  'AS923-1': 'AS923',
  'AS923-2': 'AS923_2',
  'AS923-3': 'AS923_3',
  'AS923-4': 'AS923_4',
  IN865: 'IN865',
  KR920: 'KR920',
  EU433: 'EU433',
  RU864: 'RU864',
  CN470: 'CN470',
} as const satisfies Record<RegionName, string>;

/** A region that ChirpStack has enabled. */
interface ServerRegion {
  readonly id: string;
  readonly name: string;
  readonly uplinkHz: readonly number[];
}

/** What a gateway spoke with when it was last seen; empty: it was not, or is older. */
export interface SeenRegion {
  readonly eui: string;
  readonly id: string;
  readonly name: string;
}

/**
 * Refuses a fleet whose channels ChirpStack has not, as a BridgeFault. False: it does not show its
 * regions to this account, and no gateway of the fleet has been seen.
 */
export async function compareRegions(
  client: ChirpStackClient,
  pb: Messages,
  fleet: Fleet,
  seen: readonly SeenRegion[],
): Promise<boolean> {
  const regions = await regionsOf(client, pb);
  if (regions !== undefined) {
    refuseOthers(regions, fleet, client.api);
    return true;
  }
  const wanted = REGIONS[fleet.region];
  const other = seen.find(({ name }) => name !== wanted);
  if (other === undefined) return seen.length > 0;
  const { eui, id, name } = other;
  throw new BridgeFault(
    `gateway ${eui} spoke with ChirpStack's region ${id} (${name}) when it was last seen; the ` +
      `scenario's is ${wanted} (with --user, the regions that ChirpStack has now count instead)`,
  );
}

function refuseOthers(regions: readonly ServerRegion[], fleet: Fleet, api: string): void {
  const wanted = REGIONS[fleet.region];
  const alike = regions.filter(({ name }) => name === wanted);
  if (alike.length === 0) {
    const all = regions.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new BridgeFault(
      `${api}: ChirpStack's regions are ${all || 'none'}; the scenario's is ${wanted}`,
    );
  }
  const lacking = alike.map(({ uplinkHz }) =>
    fleet.uplinkHz.filter((hz) => !uplinkHz.includes(hz)),
  );
  if (lacking.some(({ length }) => length === 0)) return;
  const [region] = alike;
  const inMhz = (all: readonly number[]) => all.map((hz) => hz / 1e6).join(', ');
  throw new BridgeFault(
    `${api}: ChirpStack's region ${region!.id} has no channel at ${inMhz(lacking[0]!)} MHz, ` +
      `where the scenario's devices send; it has ${inMhz(region!.uplinkHz)}`,
  );
}

/** Undefined: they are not for this account. */
async function regionsOf(
  client: ChirpStackClient,
  pb: Messages,
): Promise<readonly ServerRegion[] | undefined> {
  const { internal } = client.services;
  const { GetRegionRequest, ListRegionsResponse: _, GetRegionResponse: __ } = pb.internal;
  type List = InstanceType<typeof _>;
  type Found = InstanceType<typeof __>;
  const list = await client.ifAllowed<typeof internal, unknown, List>(
    internal,
    (each) => each.listRegions,
    new pb.empty.Empty(),
  );
  if (list === undefined) return undefined;
  const names = new Map(Object.entries(pb.common.Region).map(([name, value]) => [value, name]));
  const regions: ServerRegion[] = [];
  for (const item of list.getRegionsList()) {
    const request = new GetRegionRequest();
    request.setId(item.getId());
    const found: Found = await client.call(internal, (each) => each.getRegion, request);
    regions.push({
      id: item.getId(),
      name: names.get(item.getRegion()) ?? '?',
      uplinkHz: found.getUplinkChannelsList().map((channel) => channel.getFrequency()),
    });
  }
  return regions;
}
