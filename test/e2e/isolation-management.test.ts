/**
 * E58 in device and gateway management: two subscribers with the same kinds of things: neither
 * sees things of the other. Profiles, decoder types and roles are the world's.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ListedOperation,
  type OpenApi,
  operationsOf,
  ServedEntry,
  TOWN,
} from '../support/served-http.ts';

type Name = 'ann' | 'bob';

const NAMES = ['ann', 'bob'] as const;
const OTHER: Readonly<Record<Name, Name>> = { ann: 'bob', bob: 'ann' };
const CANARY: Readonly<Record<Name, string>> = { ann: 'CANARYANN', bob: 'CANARYBOB' };
const POPULATION: Readonly<Record<Name, string>> = { ann: 'meter', bob: 'valve' };

interface Things {
  readonly devices: readonly string[];
  /** By the names of the paths. */
  readonly ids: Readonly<Record<string, string>>;
  /** What names something of one's own, and nothing else. */
  readonly marks: readonly string[];
}

let entry: ServedEntry;
let operations: readonly ListedOperation[];
let things: Readonly<Record<Name, Things>>;
/** Ids of the world's own things. */
let profile: string;
let service: string;
let gatewayProfile: string;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  const document = (await entry.ask('GET', '/openapi.json')).body as OpenApi;
  operations = operationsOf(document).filter(
    ({ path }) => /^\/v[012]\//.test(path) && path !== '/v1/version',
  );
  await entry.advance(600);
  profile = (await entry.client.GET('/v1/deviceprofiles')).data!.DeviceProfiles[0]!.Id;
  service = (await entry.client.GET('/v1/serviceprofiles')).data!.ServiceProfiles[0]!.Id;
  const models = (await entry.ask('GET', '/v1/gatewayprofiles')).body;
  gatewayProfile = (models as { GatewayProfiles: { Id: string }[] }).GatewayProfiles[0]!.Id;
  things = { ann: await create('ann'), bob: await create('bob') };
});
afterAll(async () => await entry.close());

/** A group, an application and a device's name, with a canary in every text that is free. */
async function create(who: Name): Promise<Things> {
  const client = entry.clientOf(who);
  const devices = await entry.devEuisOf(POPULATION[who], who);
  const Name = CANARY[who];
  const group = await client.POST('/v1/groups/devices', { body: { Name, DeviceList: devices } });
  const application = await client.POST('/v1/applications', { body: { Name } });
  const DevEUI = devices[0]!;
  await client.PATCH('/v1/devices/{DevEUI}', { params: { path: { DevEUI } }, body: { Name } });
  const { Id, UUID } = application.data!;
  const ofGateways = {
    ...(await createdOfGateways(who, DevEUI)),
    ...(await createdOfDelivery(who)),
  };
  const ids = { DevEUI, dev_eui: DevEUI, groups_devices_Id: group.data!.Id, applications_Id: Id };
  return {
    devices,
    ids: { ...ids, ...ofGateways },
    marks: [Name, ...devices, group.data!.Id, Id, UUID, ...Object.values(ofGateways)],
  };
}

/** A gateway's name, a gateway group and a multicast group; their ids. */
async function createdOfGateways(who: Name, devEui: string) {
  const Name = CANARY[who];
  const got = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await asking(who, method, path, body);
    expect([path, status]).toEqual([path, 200]);
    return answer as { Id: string; Gateways: { Id: string; NodeId: string }[] };
  };
  const [{ Id, NodeId }] = (await got('GET', '/v1/gateways')).Gateways as [
    { Id: string; NodeId: string },
  ];
  await got('PATCH', `/v1/gateways/${Id}`, { Name });
  const group = await got('POST', '/v1/groups/gateways', { Name, GatewayList: [Id] });
  const MulticastDevEUI = `FC0000000000000${who === 'ann' ? 1 : 2}`;
  await got('POST', '/v0/multicastgroups', {
    Name,
    MulticastDevEUI,
    MulticastDevAddr: `C000000${who === 'ann' ? 1 : 2}`,
    GroupType: 'C',
    MulticastNwkSKey: '0F'.repeat(16),
    MulticastAppSKey: 'F0'.repeat(16),
    DataRate: 3,
    Frequency: 869_525_000,
  });
  const path = `/v0/multicastgroups/${MulticastDevEUI}`;
  await got('POST', `${path}/gateways/associate`, { Gateways: [NodeId] });
  await got('POST', `${path}/devices/associate`, { Devices: [devEui] });
  return { gateways_Id: Id, NodeID: NodeId, groups_gateways_Id: group.Id, MulticastDevEUI };
}

/** An output profile, and an alert with a destination that has credentials; their ids. */
async function createdOfDelivery(who: Name) {
  const name = CANARY[who];
  const idOf = async (path: string, body: object) => {
    const { status, body: answer } = await asking(who, 'POST', path, body);
    expect([path, status]).toEqual([path, 201]);
    const { id, Id } = answer as { id?: string; Id?: string };
    return (id ?? Id)!;
  };
  const RestParams = [{ URL: `https://${name}.example/in`, OutputFormat: 'simple' }];
  const output_profile_id = await idOf('/v1/outputprofiles', { Name: name, RestParams });
  const data = { username: name, password: 'opensesame' };
  const entryPoint = { name, type: 'basic_auth', data };
  const credentials_id = await idOf('/v2/output/credentials', entryPoint);
  const desk = { name, type: 'webhook', credentials_id, data: { url: 'https://a.example/in' } };
  const destination_id = await idOf('/v2/output/destinations', desk);
  const about = { type: 'gateway_connectivity', data: { node_ids: [] } };
  const alert = { name, ...about, destination_ids: [destination_id] };
  const alert_id = await idOf('/v2/output/alerts', alert);
  return { output_profile_id, credentials_id, destination_id, alert_id };
}

/** Ids of the same forms that nothing ever had. */
const NEVER: Readonly<Record<string, string>> = {
  DevEUI: 'FFFFFFFFFFFFFFFF',
  dev_eui: 'FFFFFFFFFFFFFFFF',
  groups_devices_Id: 'never000',
  applications_Id: 'never000',
  gateways_Id: 'never000',
  groups_gateways_Id: 'never000',
  NodeID: 'FFFFFFFFFFFFFFFF',
  MulticastDevEUI: 'FFFFFFFFFFFFFFFF',
  output_profile_id: 'never000',
  credentials_id: '00000000-0000-4000-8000-000000000000',
  destination_id: '00000000-0000-4000-8000-000000000000',
  alert_id: '00000000-0000-4000-8000-000000000000',
};

/** Names of ids by what stands before them. */
const named = ({ path }: ListedOperation) =>
  path.replace(/(groups\/)?(\w+)\/\{Id\}/, (_, groups = '', things) => {
    return `${groups}${things}/{${groups.replace('/', '_')}${things}_Id}`;
  });
const idOf = (operation: ListedOperation) => /\{(\w+)\}/.exec(named(operation))?.[1] ?? '';
const pathOf = (operation: ListedOperation, ids: Readonly<Record<string, string>>) =>
  named(operation).replace(/\{(\w+)\}/, (_, name: string) => ids[name]!);

/** About one thing that a subscriber has. */
const aboutOwn = () => operations.filter((each) => Object.hasOwn(NEVER, idOf(each)));
const lists = () =>
  operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));

const asking = async (who: Name, method: string, path: string, body?: unknown) =>
  await entry.ask(method, path, {
    token: await entry.tokenOf(who),
    ...(body === undefined ? {} : { body }),
  });

/** What all GETs answer to somebody about what is hers or his. */
async function picture(who: Name): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  const gets = aboutOwn().filter(({ method }) => method === 'GET');
  for (const operation of [...lists(), ...gets]) {
    const { status, text } = await asking(who, 'GET', pathOf(operation, things[who].ids));
    expect([operation.path, status]).toEqual([operation.path, 200]);
    answers.push([operation.path, text]);
  }
  return answers;
}

const REST = { URL: 'https://a.example/in', OutputFormat: 'simple' };

const bodies = (): Readonly<Record<string, unknown>> => ({
  'application.replace': { Name: 'x' },
  'endDevice.replace': { Name: 'x', ServiceProfile: service, DeviceProfile: profile },
  'endDeviceGroup.replace': { Name: 'x' },
  'gatewayGroup.replace': { Name: 'x' },
  'baseStation.replace': {
    Name: 'x',
    GatewayProfile: gatewayProfile,
    AntennaGain: '2',
    LocationType: 'INDOOR',
    Coordinates: { X: '0', Y: '0' },
  },
  'outputProfile.replace': { Name: 'x', RestParams: [REST] },
  'outputProfile.assign': { Devices: [] },
  'outputProfile.assignAll': { Devices: [] },
  'destination.replace': { name: 'x', type: 'webhook', data: { url: REST.URL } },
  'credentials.replace': { name: 'x', type: 'basic_auth', data: { username: 'a', password: 'b' } },
  'alert.replace': {
    name: 'x',
    type: 'gateway_connectivity',
    data: { node_ids: [] },
    destination_ids: [things.ann.ids.destination_id],
  },
  'alert.addGateway': { node_id: NEVER.NodeID },
  'alert.removeGateway': { node_id: NEVER.NodeID },
  'alert.addGateways': { node_ids: [NEVER.NodeID] },
  'alert.removeGateways': { node_ids: [NEVER.NodeID] },
  'deviceConfiguration.setDesired': { config: { interval: 60 } },
  'multicastGroup.addDevices': { Devices: [] },
  'multicastGroup.removeDevices': { Devices: [] },
  'multicastGroup.addGateways': { Gateways: [] },
  'multicastGroup.removeGateways': { Gateways: [] },
  'message.send': { Payload: '01', TargetPort: '1', FlushQueue: true },
});

describe.each(NAMES)('%s', (who) => {
  it('foreignThing: sees what is hers or his in every list, and nothing of the other', async () => {
    const telling: string[] = [];
    for (const operation of lists()) {
      const { text } = await asking(who, 'GET', operation.path);
      for (const mark of things[OTHER[who]].marks) expect(text).not.toContain(mark);
      if (things[who].marks.some((mark) => text.includes(mark))) {
        telling.push(operation.operationId);
      }
    }
    expect(telling.sort()).toEqual([
      'alert.list',
      'application.list',
      'baseStation.list',
      'credentials.list',
      'destination.list',
      'endDevice.health',
      'endDevice.list',
      'endDeviceGroup.list',
      'endDeviceV2.list',
      'gatewayGroup.list',
      'gatewayStatistics.connection',
      'gatewayStatistics.health',
      'log.list',
      'multicastGroup.list',
      'outputProfile.list',
    ]);
  });

  it('foreignThing: has 404 for what is the other’s, word for word as for what never was', async () => {
    const foreign = things[OTHER[who]].ids;
    const before = await picture(OTHER[who]);
    const asked = aboutOwn();
    expect(asked.length).toBeGreaterThanOrEqual(35);
    for (const operation of asked) {
      const { method, operationId, requestBody } = operation;
      const body = requestBody === undefined ? undefined : (bodies()[operationId] ?? {});
      const one = await asking(who, method, pathOf(operation, foreign), body);
      const none = await asking(who, method, pathOf(operation, NEVER), body);
      expect([operationId, one.status, none.status]).toEqual([operationId, 404, 404]);
      const name = idOf(operation);
      const words = (text: string, ids: typeof NEVER) => text.replaceAll(ids[name]!, 'ID');
      expect(words(one.text, foreign)).toBe(words(none.text, NEVER));
    }
    expect(await picture(OTHER[who])).toEqual(before);
  });

  it('foreignThing: gives a profile to no device of the other, as to none that never was', async () => {
    const before = await picture(OTHER[who]);
    const path = `/v1/deviceprofiles/${profile}/devices`;
    const wordsFor = async (devEui: string) => {
      const { status, text } = await asking(who, 'PATCH', path, { Devices: [devEui] });
      return [status, text.replaceAll(devEui, 'ID')];
    };
    expect(await wordsFor(things[OTHER[who]].devices[0]!)).toEqual(await wordsFor(NEVER.DevEUI!));
    expect(await picture(OTHER[who])).toEqual(before);
  });

  it('foreignThing: finds its own by a filter of the list, and nothing of the other', async () => {
    const found = async (owner: Name) => {
      const { devices, ids } = things[owner];
      const filters = [
        { dev_eui: { '=': devices[0] } },
        { name: { '=': CANARY[owner] } },
        { groups: { $intersects: [ids.groups_devices_Id] } },
      ];
      const counts: number[] = [];
      for (const each of filters) {
        const filter = encodeURIComponent(JSON.stringify(each));
        const { status, body } = await asking(who, 'GET', `/v2/devices?filter=${filter}`);
        expect(status).toBe(200);
        counts.push((body as { readonly data: readonly unknown[] }).data.length);
      }
      return counts;
    };
    expect(await found(who)).toEqual([1, 1, things[who].devices.length]);
    expect(await found(OTHER[who])).toEqual([0, 0, 0]);
  });
});
