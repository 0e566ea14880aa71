/** What a served world has, by the names under which its answers tell of it. */
import { assert } from '../../../sim/base/assert.ts';
import { OF_REQUESTS } from './document.ts';
import { type Fleet, NAMES, type Name } from './fleet.ts';
import type { Known } from './values.ts';

/** Names of fields that take what answers call otherwise. */
const OTHERWISE: Readonly<Record<string, string>> = {
  image_id: 'image',
  image_name: 'image',
  devices: 'deveui',
  deveuis: 'deveui',
  include_devices: 'deveui',
  include_gateways: 'gateway',
  gateways: 'gateway',
  campaign_ids: 'campaign_id',
  delegate_to: 'subscriber',
  delegated_subscriber_id: 'subscriber',
  DevEUI: 'deveui',
  dev_eui: 'deveui',
  Devices: 'deveui',
  DeviceList: 'deveui',
  GatewayList: 'gateway',
  Gateways: 'gateway',
  GatewayID: 'gateway',
  NodeID: 'gateway',
  MulticastDevEUI: 'group',
  ServiceProfile: '/v1/serviceprofiles',
  DeviceProfile: '/v1/deviceprofiles',
  DecoderType: '/v1/decodertypes',
  GatewayProfile: '/v1/gatewayprofiles',
  RfRegion: '/v1/rfregions',
  Roles: '/v1/roles',
};

/** What a parameter of a path names: an `Id` says by itself not what it is of. */
export const namedBy = (path: string, parameter: string): string =>
  parameter === 'Id' ? path.slice(0, path.indexOf('/{Id}')) : parameter;

const NOBODY = ['00000000-0000-4000-8000-000000000000', '00000000000000AA', 'nobody', '0'];

/** Values by name, for each subscriber his own. */
export class Pools {
  readonly #own: Readonly<Record<Name, Map<string, string[]>>> = { ann: new Map(), bob: new Map() };

  /** What `as` has, as a rule; now and then what somebody else has, or nobody. */
  pick(as: Name, { name, nth }: Known, of: number): string {
    const kind = (nth + of) % 10;
    const other = NAMES.find((each) => each !== as)!;
    const pool = this.get(kind === 1 ? other : as, this.nameOf(name));
    const named = pool.length > 0 ? pool : this.get(as, 'deveui');
    return (kind === 0 ? undefined : named[nth % named.length]) ?? NOBODY[nth % NOBODY.length]!;
  }

  /** Under what answers tell of it. */
  nameOf(name: string): string {
    return OTHERWISE[name] ?? name;
  }

  get(of: Name, name: string): readonly string[] {
    return this.#own[of].get(name) ?? [];
  }

  add(of: Name, name: string, value: string): void {
    const pool = this.get(of, name);
    if (!pool.includes(value)) this.#own[of].set(name, [...pool, value]);
  }
}

/** Of all GETs without a path: what their answers name. */
export async function poolsOf(fleet: Fleet): Promise<Pools> {
  const pools = new Pools();
  for (const name of NAMES) {
    for (const devEui of await ownDevices(fleet, name)) pools.add(name, 'deveui', devEui);
    for (const { id } of fleet.served.facts.accounts.subscriber.all) {
      pools.add(name, 'subscriber', id);
    }
    for (const { method, path, id } of fleet.operations) {
      if (method !== 'GET' || path.includes('{') || OF_REQUESTS.includes(id)) continue;
      const { statusCode, body } = await fleet.get(name, path);
      if (statusCode === 200 && isJson(body)) gather(JSON.parse(body), name, pools, path);
    }
  }
  return pools;
}

/** `path`: of the list that the value is from. */
function gather(value: unknown, of: Name, pools: Pools, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (key === 'Id' && typeof each === 'string') pools.add(of, path, each);
    if (key === 'NodeId' && typeof each === 'string') pools.add(of, 'gateway', each);
    if (key === 'MulticastDevEUI' && typeof each === 'string') pools.add(of, 'group', each);
    if (key.endsWith('.bin')) pools.add(of, 'image', key);
    if (typeof each === 'string' && /(_id|name)$/.test(key)) pools.add(of, key, each);
    if (typeof each === 'string' && each.endsWith('.bin')) pools.add(of, 'image', each);
    gather(each, of, pools, key === 'Gateways' ? '/v1/gateways' : path);
  }
}

const POPULATIONS = { ann: 'meter', bob: 'valve' } as const;

/** DevEUIs of the plan. */
export const devicesOf = (fleet: Fleet, name: Name): readonly string[] =>
  fleet.parts.scenario.plan.network.devices
    .filter((device) => device.name.startsWith(POPULATIONS[name]))
    .map(({ devEui }) => devEui);

/** DevEUIs of the devices that somebody has by now, at the most as many as a list reports. */
async function ownDevices(fleet: Fleet, name: Name): Promise<readonly string[]> {
  const { body } = await fleet.get(name, '/v2/devices?field_mask=dev_eui&page_size=200');
  const { data } = JSON.parse(body) as { data: readonly { readonly dev_eui: string }[] };
  return data.map(({ dev_eui }) => dev_eui);
}

/** The number of devices everybody has after restocking, at the least. */
const LEAST_DEVICES = 6;

/** Registers devices in the place of those that were deleted. */
async function restockDevices(fleet: Fleet, name: Name, round: number): Promise<void> {
  const left = (await ownDevices(fleet, name)).length;
  const ids = async (path: string, list: string) => {
    const { body } = await fleet.get(name, path);
    return (JSON.parse(body) as Record<string, readonly { Id: string; Name: string }[]>)[list]!;
  };
  const [service] = await ids('/v1/serviceprofiles', 'ServiceProfiles');
  const profiles = await ids('/v1/deviceprofiles', 'DeviceProfiles');
  for (let i = left; i < LEAST_DEVICES; i++) {
    const number = `${NAMES.indexOf(name)}${String(round).padStart(6, '0')}${i}`;
    const created = await fleet.send(name, 'POST', '/v1/devices', {
      Name: `again ${number}`,
      DevEUI: number.padStart(16, 'A'),
      ActivationType: 'ABP',
      ServiceProfile: service!.Id,
      DeviceProfile: profiles.find((each) => each.Name === 'Class C')!.Id,
      DevAddr: number,
      NetworkSkey: '0'.repeat(32),
      ApplicationSKey: '1'.repeat(32),
    });
    assert(created.statusCode === 200, `a device can be made: ${created.body}`);
  }
}

interface Created {
  readonly Id: string;
  readonly NodeId: string;
}

/** NodeIds of one's gateways; one is put up where the last was deleted. */
async function restockGateways(fleet: Fleet, name: Name, round: number): Promise<string[]> {
  const listed = async (path: string, list: string) => {
    const { body } = await fleet.get(name, path);
    return (JSON.parse(body) as Record<string, readonly Created[]>)[list]!;
  };
  const left = await listed('/v1/gateways', 'Gateways');
  if (left.length > 0) return left.map(({ NodeId }) => NodeId);
  const [profile] = await listed('/v1/gatewayprofiles', 'GatewayProfiles');
  const NodeId = `${NAMES.indexOf(name)}${String(round).padStart(7, '0')}`.padStart(16, 'B');
  const created = await fleet.send(name, 'POST', '/v1/gateways', {
    Name: 'again',
    NodeId,
    GatewayProfile: profile!.Id,
    MacAddress: '02:00:00:00:00:01',
    AntennaGain: '0',
    LocationType: 'OUTDOOR',
    Coordinates: { X: '0', Y: '0' },
  });
  assert(created.statusCode === 200, `a gateway can be made: ${created.body}`);
  return [NodeId];
}

/** A gateway group, and a multicast group, while there is none of either. */
async function restockGroups(fleet: Fleet, name: Name, own: string[], round: number) {
  const gateways = await restockGateways(fleet, name, round);
  await fleet.send(name, 'POST', '/v1/groups/gateways', { Name: 'again', GatewayList: gateways });
  const { body } = await fleet.get(name, '/v0/multicastgroups');
  if (body !== '{"MulticastGroups":[]}') return;
  const number = `${NAMES.indexOf(name)}${String(round).padStart(6, '0')}`;
  const MulticastDevEUI = number.padStart(16, 'C');
  const created = await fleet.send(name, 'POST', '/v0/multicastgroups', {
    Name: 'again',
    MulticastDevEUI,
    MulticastDevAddr: `C${number}`,
    GroupType: 'C',
    MulticastNwkSKey: '0'.repeat(32),
    MulticastAppSKey: '1'.repeat(32),
    DataRate: 3,
    Frequency: 869_525_000,
  });
  assert(created.statusCode === 200, `a multicast group can be made: ${created.body}`);
  const path = `/v0/multicastgroups/${MulticastDevEUI}`;
  await fleet.send(name, 'POST', `${path}/devices/associate`, { Devices: own.slice(0, 2) });
  await fleet.send(name, 'POST', `${path}/gateways/associate`, { Gateways: gateways.slice(0, 1) });
}

const API = '/api/v3.2';

/** Gives both subscribers again what deletions took, and names that are known. */
export async function restock(fleet: Fleet, round: number): Promise<Pools> {
  for (const name of NAMES) {
    await restockDevices(fleet, name, round);
    const own = await ownDevices(fleet, name);
    await restockGroups(fleet, name, [...own], round);
    const image = `${name}-2.0.${round % 20}.bin`;
    await fleet.upload(name, image, Buffer.alloc(300, round));
    const group = { name: 'again', devices: own.slice(0, 3), lora_class: 'A' };
    const created = await fleet.send(name, 'POST', `${API}/device_groups`, group);
    assert(created.statusCode === 200, `a group can be made: ${created.body}`);
    const { device_group_id } = created.json<{ device_group_id: string }>();
    const campaign = { name: 'again', image_name: image, device_group_id };
    const begun = await fleet.send(name, 'POST', `${API}/campaigns`, campaign);
    assert(begun.statusCode === 202, `a campaign can be made: ${begun.body}`);
    const delegation = {
      delegate_to: NAMES.find((each) => each !== name)!,
      expires_at: '2035-01-01T00:00:00Z',
      include_devices: own.slice(0, 2),
    };
    await fleet.send(name, 'POST', `${API}/upgrade_delegation`, delegation);
    const { Id } = (await fleet.send(name, 'POST', '/v1/applications', { Name: 'again' })).json<{
      Id: string;
    }>();
    await fleet.send(name, 'POST', '/v1/groups/devices', { Name: Id, DeviceList: own.slice(0, 3) });
    const downlink = { downlink_hex: '01', downlink_fport: 5 };
    const expected = { expected_uplink_hex: '01', expected_uplink_fport: 5 };
    const job = { name: 'again', ...downlink, ...expected, device_group_id };
    await fleet.send(name, 'POST', `${API}/reliable_downlinks`, job);
  }
  return await poolsOf(fleet);
}

/** Reports are pages. */
const isJson = (body: string): boolean => !body.startsWith('<');
