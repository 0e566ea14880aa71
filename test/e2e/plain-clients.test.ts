/**
 * What an integrator's own test suite does to such a platform, with HTTP and JSON alone. It gets a
 * token, takes lists out of their names, and turns pages until one is empty. It makes numbers and
 * times of strings, and makes, reads, changes and deletes a thing of each kind. Of the project it
 * knows how to start the server, and nothing else.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../api/emulator.ts';

const SCENARIO = `
scenario: town
duration: 2 d
gateways: [{ name: mast, count: 2 }]
devices:
  - { name: meter, count: 10, activation: abp, joinWithin: 1 min, traffic: { every: 2 min } }
`;

let server: Emulator;
let dispatcher: Agent;
let token: string;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plain-clients-'));
  const scenario = join(folder, 'town.yaml');
  writeFileSync(scenario, SCENARIO);
  server = await startEmulator({ scenario, paused: true, startAt: '2026-03-01T00:00:00Z' });
  rmSync(folder, { recursive: true });
  dispatcher = new Agent({ connect: { ca: server.ca! } });
  token = (await tokenBy('form')).access_token;
  await call('POST', '/sim/v1/clock:advance', { by: 3_600 });
});
afterAll(async () => {
  await dispatcher.close();
  await server.stop();
});

interface Token {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

type Headers = Readonly<Record<string, string>>;
type Texts =
  | 'Id'
  | 'Name'
  | 'NodeId'
  | 'NodeID'
  | 'DevEUI'
  | 'MacAddress'
  | 'CreatedAt'
  | 'UpdatedAt'
  | 'LastUplink'
  | 'Time'
  | 'Timestamp'
  | 'ConnectionState'
  | 'LastUplinkTime'
  | 'X'
  | 'Y'
  | 'Z'
  | 'RSSI'
  | 'GatewayNodeID'
  | `PrimaryGateway${'RSSI' | 'SNR' | 'ESP'}`
  | 'GatewayLatitide'
  | 'GatewayLongitude'
  | 'GatewayCount'
  | 'Airtime'
  | 'SpreadingFactor'
  | 'FCnt';
type Lists =
  | (typeof LISTS)[number][1]
  | 'Connected'
  | 'Active'
  | 'Events'
  | 'Payloads'
  | 'GatewayList';

/** What is answered, by the names that are looked at here. */
interface Json
  extends Readonly<Record<Texts, string>>,
    Readonly<Record<Lists, readonly Json[]>>,
    Readonly<Record<'Coordinates' | 'MulticastGroup', Json>> {
  readonly Statistics: Json | null;
}

const BEARER = () => ({ authorization: `Bearer ${token}` });
const JSON_TYPE = { 'content-type': 'application/json' };

async function call(method: string, path: string, body?: object, headers: Headers = {}) {
  const response = await fetch(server.url + path, {
    method,
    dispatcher,
    headers: { ...BEARER(), ...(body && JSON_TYPE), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Json };
}

/** What is answered with 200. */
async function got(method: string, path: string, body?: object): Promise<Json> {
  const answer = await call(method, path, body);
  expect([method, path, answer.status, answer.body]).toEqual([method, path, 200, answer.body]);
  return answer.body;
}

async function tokenBy(way: 'form' | 'basic', path = '/oauth/token', secret = server.clientSecret) {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const basic = Buffer.from(`${server.clientId}:${secret}`).toString('base64');
  if (way === 'form') {
    form.set('client_id', server.clientId);
    form.set('client_secret', secret);
  }
  const headers = way === 'basic' ? { authorization: `Basic ${basic}` } : {};
  const asked = { method: 'POST', dispatcher, headers, body: form };
  return (await (await fetch(server.url + path, asked)).json()) as Token & { error?: string };
}

const LISTS = [
  ['/v1/devices', 'Devices'],
  ['/v1/gateways', 'Gateways'],
  ['/v1/groups/devices', 'DeviceGroups'],
  ['/v1/groups/gateways', 'GatewayGroups'],
  ['/v0/multicastgroups', 'MulticastGroups'],
  ['/v1/applications', 'Applications'],
  ['/v1/decodertypes', 'DecoderTypes'],
  ['/v1/deviceprofiles', 'DeviceProfiles'],
  ['/v1/gatewayprofiles', 'GatewayProfiles'],
  ['/v1/serviceprofiles', 'ServiceProfiles'],
  ['/v1/rfregions', 'RfRegions'],
  ['/v1/roles', 'Roles'],
  ['/v1/logs', 'Logs'],
] as const;

const DONE = { Response: true };
const isTime = (text: string) => !Number.isNaN(Date.parse(text));
const isNumber = (text: string) => text !== '' && Number.isFinite(Number(text));

describe('a token', () => {
  it.each([
    ['form', '/oauth/token'],
    ['basic', '/oauth/token'],
    ['form', '/oauth2/token'],
    ['basic', '/oauth2/token'],
  ] as const)('comes for a client’s credentials in %s, at %s', async (way, path) => {
    const answered = await tokenBy(way, path);
    expect(answered).toMatchObject({ token_type: 'Bearer', expires_in: expect.any(Number) });
    const authorization = `Bearer ${answered.access_token}`;
    expect((await call('GET', '/v1/devices', undefined, { authorization })).status).toBe(200);
  });

  it('does not come for a wrong secret, and nothing is answered without one', async () => {
    for (const way of ['form', 'basic'] as const) {
      expect((await tokenBy(way, '/oauth/token', 'wrong')).error).toBe('invalid_client');
    }
    for (const [path] of LISTS) {
      const { statusCode, body } = await request(server.url + path, { dispatcher });
      expect([path, statusCode]).toEqual([path, 401]);
      await body.dump();
    }
  });
});

describe('a list', () => {
  it.each(LISTS)('stands under its name, and nothing beside it: %s', async (path, name) => {
    const body = await got('GET', path);
    expect(Object.keys(body)).toEqual([name]);
    expect(Array.isArray(body[name])).toBe(true);
  });
});

describe('headers', () => {
  it('may accept anything, or say nothing of it', async () => {
    const accepted = await Promise.all(
      ['*/*', 'application/json', 'text/html, */*;q=0.5', undefined].map(async (accept) => {
        const headers = { ...BEARER(), ...(accept && { accept }) };
        const { statusCode, body } = await request(`${server.url}/v1/gateways`, {
          dispatcher,
          headers,
        });
        return [statusCode, await body.json()];
      }),
    );
    expect(new Set(accepted.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(accepted[0]![0]).toBe(200);
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset=UTF-8'])(
    'may say %s of a body',
    async (type) => {
      const body = { Name: 'Grüße' };
      const created = await call('POST', '/v1/groups/gateways', body, { 'content-type': type });
      expect(created.status).toBe(200);
      expect((await got('GET', `/v1/groups/gateways/${created.body.Id}`)).Name).toBe('Grüße');
    },
  );
});

const HEX = '0123456789ABCDEF';

describe('a gateway', () => {
  const NODE = '00800000A000ABCD';
  const input = async () => ({
    GatewayProfile: (await got('GET', '/v1/gatewayprofiles')).GatewayProfiles[0].Id,
    MacAddress: '00:80:00:00:AB:CD',
    NodeId: NODE,
    Name: 'roof',
    AntennaGain: '2.0',
    LocationType: 'OUTDOOR',
    GPSEnabled: false,
    Coordinates: { X: '48.001', Y: '11.001', Z: '12' },
  });

  it('is made, read by Id and NodeId in either case, changed, replaced and deleted', async () => {
    const body = await input();
    const created = await got('POST', '/v1/gateways', body);
    expect(created).toMatchObject({ NodeId: NODE, Name: 'roof', LocationType: 'OUTDOOR' });
    const { Id } = created;
    for (const each of [Id, NODE, NODE.toLowerCase()]) {
      expect((await got('GET', `/v1/gateways/${each}`)).Id).toBe(Id);
    }
    expect(await got('PATCH', `/v1/gateways/${NODE}`, { Name: 'cellar' })).toEqual(DONE);
    expect((await got('GET', `/v1/gateways/${Id}`)).Name).toBe('cellar');
    const { NodeId: _, MacAddress: __, ...others } = body;
    expect(await got('PUT', `/v1/gateways/${Id}`, { ...others, Name: 'attic' })).toEqual(DONE);
    const { Gateways } = await got('GET', '/v1/gateways');
    expect(Gateways.find((each) => each.NodeId === NODE)!.Name).toBe('attic');
    expect((await call('POST', '/v1/gateways', body)).status).toBe(409);
    expect(await got('DELETE', `/v1/gateways/${Id}`)).toEqual(DONE);
    for (const each of [Id, NODE]) {
      expect((await call('GET', `/v1/gateways/${each}`)).status).toBe(404);
    }
  });

  it('has numbers and times in its strings', async () => {
    const { Gateways } = await got('GET', '/v1/gateways');
    const unknown = await got('POST', '/v1/gateways', {
      ...(await input()),
      Coordinates: { X: '0', Y: '0', Z: '0' },
    });
    for (const gateway of [...Gateways, unknown]) {
      const { X, Y, Z } = gateway.Coordinates;
      expect([X, Y, Z].filter((each) => !isNumber(each))).toEqual([]);
      expect([gateway.CreatedAt, gateway.UpdatedAt].filter((each) => !isTime(each))).toEqual([]);
      expect(gateway.MacAddress).toMatch(/^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/);
      expect(Object.values(gateway).filter((each) => each === null)).toHaveLength(
        gateway.Statistics === null ? 1 : 0,
      );
    }
    await got('DELETE', `/v1/gateways/${unknown.Id}`);
  });

  it('has statistics once it was connected, and a place by connection and health', async () => {
    const [gateway] = (await got('GET', '/v1/gateways')).Gateways;
    const statistics = await got('GET', `/v1/gateways/${gateway.Id}/statistics`);
    expect(statistics.ConnectionState).toBe('CNX');
    expect(isTime(statistics.LastUplinkTime)).toBe(true);
    const connection = await got('GET', '/v1/gateways/connection');
    expect(Object.keys(connection)).toEqual(['NeverConnected', 'Disconnected', 'Connected']);
    const health = await got('GET', '/v1/gateways/health');
    expect(Object.keys(health)).toEqual(['Initializing', 'ConnectError', 'RfError', 'Active']);
    const ids = (list: readonly Json[]) => list.map((each) => each.Id);
    expect(ids(connection.Connected)).toContain(gateway.Id);
    expect(ids(health.Active)).toContain(gateway.Id);
    const seen = await got('GET', `/v1/gateways/${gateway.NodeId}/devices?Days=1`);
    expect(seen.Devices.length).toBeGreaterThan(0);
    const { NodeID, Events } = await got('GET', `/v1/gateways/${gateway.NodeId}/events`);
    expect([NodeID, Array.isArray(Events)]).toEqual([gateway.NodeId, true]);
  });
});

describe('a gateway group', () => {
  it('is made, read with its gateways, changed, replaced and deleted', async () => {
    const [one, other] = (await got('GET', '/v1/gateways')).Gateways;
    const body = { Name: 'roofs', GatewayList: [one.NodeId, other.Id] };
    const { Id } = await got('POST', '/v1/groups/gateways', body);
    const path = `/v1/groups/gateways/${Id}`;
    const group = await got('GET', path);
    expect([group.Name, group.GatewayList]).toEqual(['roofs', [one.Id, other.Id]]);
    expect(group.Gateways.map((each) => each.NodeId)).toEqual([one.NodeId, other.NodeId]);
    expect(await got('PATCH', path, { GatewayList: [other.NodeId] })).toEqual(DONE);
    expect((await got('GET', path)).GatewayList).toEqual([other.Id]);
    expect(await got('PUT', path, { Name: 'none' })).toEqual(DONE);
    expect(await got('GET', path)).toEqual({ Id, Name: 'none', GatewayList: [], Gateways: [] });
    expect(await got('DELETE', path)).toEqual(DONE);
    expect((await call('GET', path)).status).toBe(404);
    expect((await got('GET', `/v1/gateways/${one.Id}`)).Id).toBe(one.Id);
  });
});

describe('a multicast group', () => {
  it('is made, read without its keys, changed, filled, emptied and deleted', async () => {
    const MulticastDevEUI = 'AC0FFEE000000001';
    const body = {
      Name: 'lamps',
      MulticastDevEUI,
      MulticastDevAddr: '0C0FFEE1',
      GroupType: 'C',
      MulticastNwkSKey: HEX.repeat(2),
      MulticastAppSKey: HEX.repeat(2),
      DataRate: 3,
      Frequency: 869_525_000,
    };
    expect(await got('POST', '/v0/multicastgroups', body)).toEqual(DONE);
    const path = `/v0/multicastgroups/${MulticastDevEUI}`;
    const { MulticastGroup } = await got('GET', path);
    expect(MulticastGroup).toMatchObject({ Name: 'lamps', GroupType: 'C', DataRate: 3 });
    expect(JSON.stringify(MulticastGroup)).not.toContain(HEX);
    expect(await got('PUT', path, { Name: 'street lamps' })).toEqual(DONE);
    expect((await got('GET', path)).MulticastGroup.Name).toBe('street lamps');
    const [device] = (await got('GET', '/v1/devices')).Devices;
    const [gateway] = (await got('GET', '/v1/gateways')).Gateways;
    const Devices = [device.DevEUI];
    const Gateways = [gateway.NodeId];
    expect(await got('POST', `${path}/devices/associate`, { Devices })).toEqual({
      DevicesAdded: Devices,
      DevicesIgnored: [],
    });
    expect(await got('POST', `${path}/gateways/associate`, { Gateways })).toEqual({
      GatewaysAdded: Gateways,
      GatewaysIgnored: [],
    });
    expect(await got('GET', `${path}/gateways`)).toEqual({ Gateways });
    expect(await got('POST', `${path}/gateways/deassociate`, { Gateways })).toEqual({
      GatewaysRemoved: Gateways,
      GatewaysIgnored: [],
    });
    expect(await got('POST', `${path}/devices/deassociate`, { Devices })).toEqual({
      DevicesRemoved: Devices,
      DevicesIgnored: [],
    });
    expect(await got('DELETE', path)).toEqual(DONE);
    expect((await call('GET', path)).status).toBe(404);
  });
});

describe('a device', () => {
  it('is made, read, changed and deleted', async () => {
    const body = {
      Name: 'pump',
      DevEUI: 'AC0FFEE000000002',
      ActivationType: 'OTAA',
      ServiceProfile: (await got('GET', '/v1/serviceprofiles')).ServiceProfiles[0].Id,
      DeviceProfile: (await got('GET', '/v1/deviceprofiles')).DeviceProfiles[0].Id,
      ApplicationEUI: HEX,
      ApplicationKey: HEX.repeat(2),
    };
    const profiles = (await got('GET', '/v1/deviceprofiles')).DeviceProfiles;
    body.DeviceProfile = profiles.find((each) => each.Name === 'Class A')!.Id;
    expect(await got('POST', '/v1/devices', body)).toEqual({ Id: body.DevEUI });
    const path = `/v1/devices/${body.DevEUI}`;
    const created = await got('GET', path.toLowerCase());
    expect(created).toMatchObject({ Name: 'pump', DevEUI: body.DevEUI, LastUplink: null });
    expect([created.CreatedAt, created.UpdatedAt].every(isTime)).toBe(true);
    expect(JSON.stringify(created)).not.toContain(body.ApplicationKey);
    expect(await got('PATCH', path, { Name: 'old pump' })).toEqual(DONE);
    expect((await got('GET', path)).Name).toBe('old pump');
    expect((await call('POST', `${path}/message`, { Payload: '01', TargetPort: '1' })).status).toBe(
      402,
    );
    expect(await got('DELETE', path)).toEqual(DONE);
    expect((await call('GET', path)).status).toBe(404);
  });

  it('has payloads, and times that are dates', async () => {
    const heard = (await got('GET', '/v1/devices')).Devices.find((each) => each.LastUplink)!;
    expect(isTime(heard.LastUplink)).toBe(true);
    const { Payloads } = await got('GET', `/v1/devices/${heard.DevEUI}/payloads`);
    expect(Payloads.length).toBeGreaterThan(0);
    expect(Payloads.every(({ Time }) => isTime(Time))).toBe(true);
  });
});

describe('logs', () => {
  /** Turns pages until one is empty. */
  async function all(query = ''): Promise<readonly Json[]> {
    const logs: Json[] = [];
    for (let page = 1; ; page++) {
      const { Logs } = await got('GET', `/v1/logs?Page=${page}${query}`);
      expect(Logs.length).toBeLessThanOrEqual(100);
      if (Logs.length === 0) return logs;
      logs.push(...Logs);
    }
  }

  it('are on pages of a hundred, the newest first, until one is empty', async () => {
    const logs = await all();
    expect(logs.length).toBeGreaterThan(200);
    const times = logs.map(({ Timestamp }) => Date.parse(Timestamp));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const frames = new Set(logs.map((each) => JSON.stringify(each)));
    expect(frames.size).toBe(logs.length);
  });

  it('have figures that are numbers once they are parsed', async () => {
    const up = (await all('&LogFrameFilter.Stream=UPSTREAM')).slice(0, 50);
    expect(up).toHaveLength(50);
    for (const log of up) {
      for (const name of ['RSSI', 'SNR', 'ESP'] as const) {
        expect(log[`PrimaryGateway${name}`]).toMatch(/^-?\d+\.\d{6}$/);
      }
      for (const each of [log.Airtime, log.SpreadingFactor, log.GatewayCount, log.FCnt]) {
        expect([each, isNumber(each)]).toEqual([each, true]);
      }
      expect([log.GatewayLatitide, log.GatewayLongitude].every(isNumber)).toBe(true);
      expect(log.GatewayList).toHaveLength(Number(log.GatewayCount));
      for (const { RSSI, Time } of log.GatewayList) {
        expect([isNumber(RSSI), isTime(Time)]).toEqual([true, true]);
      }
    }
  });

  it('of a device and of a gateway are among them', async () => {
    const [{ DevEUI }] = (await got('GET', '/v1/devices')).Devices;
    const [{ NodeId }] = (await got('GET', '/v1/gateways')).Gateways;
    const ofDevice = await all(`&DevEUI=${DevEUI.toLowerCase()}`);
    expect(new Set(ofDevice.map((each) => each.DevEUI))).toEqual(new Set([DevEUI]));
    const through = await all(`&GatewayID=${NodeId}`);
    expect(through.length).toBeGreaterThan(0);
    for (const { GatewayList } of through) {
      expect(GatewayList.map(({ GatewayNodeID }) => GatewayNodeID)).toContain(NodeId);
    }
  });
});
