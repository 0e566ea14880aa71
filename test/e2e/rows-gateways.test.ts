/**
 * Rows 97, 98, 101 to 104 and 114 over HTTPS: gateways of device and gateway management, and what
 * they refer to, with every status that they document.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const NEVER = 'FFFFFFFFFFFFFFFF';
const RESPONSE = { Response: true };
const IMEI = '490154203237518';
const ICCID = '89490200001234567890';

let entry: ServedEntry;
const profiles = new Map<string, string>();
const regions = new Map<string, string>();
let createdOne = 0;

type Named = { readonly Id: string; readonly Name: string };
type Gateway = Readonly<Record<string, unknown>> & {
  readonly Id: string;
  readonly NodeId: string;
  readonly Name: string;
};

const send = async (method: string, path: string, body?: object, who = 'ann') =>
  await entry.ask(method, `/v1${path}`, {
    token: await entry.tokenOf(who),
    ...(body === undefined ? {} : { body }),
  });
const get = async (path: string, who = 'ann') => await send('GET', path, undefined, who);

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  const { body } = await get('/gatewayprofiles');
  for (const { Id, Name } of (body as { readonly GatewayProfiles: Named[] }).GatewayProfiles) {
    profiles.set(Name, Id);
  }
  const answer = await get('/rfregions');
  for (const { Id, Name } of (answer.body as { readonly RfRegions: Named[] }).RfRegions) {
    regions.set(Name, Id);
  }
});
afterAll(async () => await entry.close());

/** The creation input of another gateway. */
const input = (more: object = {}) => {
  createdOne++;
  return {
    GatewayProfile: profiles.get('standard'),
    MacAddress: '00:16:3e:00:00:01',
    NodeId: `C0FFEE${createdOne.toString(16).toUpperCase().padStart(10, '0')}`,
    Name: `gateway ${createdOne}`,
    AntennaGain: '2.15',
    LocationType: 'OUTDOOR',
    Coordinates: { X: '48.001', Y: '11.001', Z: '12' },
    ...more,
  };
};
const replacement = (more: object = {}) => {
  const { NodeId: _, MacAddress: __, ...others } = input();
  return { ...others, ...more };
};
const created = async (more: object = {}): Promise<Gateway> => {
  const { status, body } = await send('POST', '/gateways', input(more));
  expect(status).toBe(200);
  return body as Gateway;
};
const read = async (id: string) => (await get(`/gateways/${id}`)).body as Gateway;
const all = async (who = 'ann') =>
  ((await get('/gateways', who)).body as { readonly Gateways: Gateway[] }).Gateways;

describe('what gateways refer to', () => {
  it('gatewayProfile.list: gateway profiles are answered with 200, wrapped', async () => {
    const { status, body } = await get('/gatewayprofiles');
    expect(status).toBe(200);
    expect(Object.keys(body as object)).toEqual(['GatewayProfiles']);
    const [first] = (body as { readonly GatewayProfiles: object[] }).GatewayProfiles;
    expect(Object.keys(first!)).toEqual(['Id', 'Name', 'Description']);
  });

  it('RF regions are answered with 200, those of the regional plans', async () => {
    const { status, body } = await get('/rfregions');
    expect(status).toBe(200);
    const { RfRegions } = body as { readonly RfRegions: object[] };
    expect(Object.keys(RfRegions[0]!)).toEqual(['Id', 'Name', 'GatewayModels']);
    expect([...regions.keys()]).toEqual(expect.arrayContaining(['EU868', 'US915', 'AS923-1']));
  });
});

describe('a gateway', () => {
  it('baseStation.create: is answered with 200, whole', async () => {
    const gateway = input();
    const { status, body } = await send('POST', '/gateways', gateway);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...gateway,
      MacAddress: '00:16:3E:00:00:01',
      Id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      GPSEnabled: false,
      CellularEnabled: false,
      IMEI: '',
      ICCID: '',
      CreatedAt: expect.stringMatching(/^2026-03-01T.*Z$/),
      UpdatedAt: expect.stringMatching(/^2026-03-01T.*Z$/),
      UpdatedBy: expect.stringMatching(/./),
      Manufacturer: expect.any(String),
      Model: expect.any(String),
      RfRegion: regions.get('EU868'),
      Statistics: null,
    });
  });

  it('baseStation.create: takes keys of the body and hexadecimal digits in any case', async () => {
    const { NodeId, Coordinates, ...others } = input();
    const lower = Object.entries(others).map(([key, value]) => [key.toLowerCase(), value]);
    const { X, Y, Z } = Coordinates;
    const body = {
      ...Object.fromEntries(lower),
      nodeid: NodeId.toLowerCase(),
      coordinates: { x: X, y: Y, z: Z },
    };
    const answer = await send('POST', '/gateways', body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ NodeId, Coordinates });
  });

  it('baseStation.get: is answered with 200 by its Id and by its NodeId in any case', async () => {
    const { Id, NodeId } = await created();
    const one = await get(`/gateways/${Id}`);
    expect(one.status).toBe(200);
    for (const id of [NodeId, NodeId.toLowerCase()]) expect(await read(id)).toEqual(one.body);
  });

  it('baseStation.list: is listed as it is read, in the order of the NodeIds', async () => {
    const { Id } = await created();
    const { status } = await get('/gateways');
    expect(status).toBe(200);
    const Gateways = await all();
    expect(Gateways).toContainEqual(await read(Id));
    const euis = Gateways.map(({ NodeId }) => NodeId);
    expect(euis).toEqual([...euis].sort());
    const his = (await all('bob')).map(({ NodeId }) => NodeId);
    expect(euis.filter((eui) => his.includes(eui))).toEqual([]);
  });

  it('baseStation.replace: is replaced with 200; what is not given is as by default', async () => {
    const { Id, NodeId } = await created({ CellularEnabled: true, IMEI, ICCID, GPSEnabled: true });
    const answer = await send(
      'PUT',
      `/gateways/${Id}`,
      replacement({ Name: 'new', NodeId: NEVER }),
    );
    expect([answer.status, answer.body]).toEqual([200, RESPONSE]);
    expect(await read(Id)).toMatchObject({
      NodeId,
      Name: 'new',
      GPSEnabled: false,
      CellularEnabled: false,
      IMEI: '',
      ICCID: '',
    });
  });

  it('baseStation.update: is changed with 200 in what is given alone', async () => {
    const { Id, NodeId } = await created({ CellularEnabled: true, IMEI });
    const before = await read(Id);
    const changes = [{}, { AntennaGain: '6 dBi' }, { RfRegion: regions.get('US915') }];
    for (const body of [...changes, { GatewayProfile: profiles.get('indoor-SX1302') }]) {
      const answer = await send('PATCH', `/gateways/${NodeId}`, body);
      expect([answer.status, answer.body]).toEqual([200, RESPONSE]);
    }
    expect((await send('PATCH', `/gateways/${Id}`)).status).toBe(200);
    expect(await read(Id)).toEqual({
      ...before,
      AntennaGain: '6',
      RfRegion: regions.get('US915'),
      GatewayProfile: profiles.get('indoor-SX1302'),
      Model: 'FW-IN-1302',
      UpdatedAt: expect.any(String),
    });
  });

  it('baseStation.delete: is deleted with 200, and no more', async () => {
    const { Id, NodeId } = await created();
    const answer = await send('DELETE', `/gateways/${Id}`);
    expect([answer.status, answer.body]).toEqual([200, RESPONSE]);
    expect((await get(`/gateways/${NodeId}`)).status).toBe(404);
  });

  it('connects: it then has statistics', async () => {
    const { Id } = await created({ Coordinates: { X: '48', Y: '11', Z: '0' } });
    await entry.advance(120);
    expect(await read(Id)).toMatchObject({ Statistics: { ConnectionState: 'CNX' } });
  });
});

describe('what a gateway is refused for', () => {
  const malformed = 'command.malformed';

  it.each([
    [{ Name: '' }, malformed, 'Name'],
    [{ Name: undefined }, malformed, 'Name'],
    [{ GatewayProfile: undefined }, malformed, 'GatewayProfile'],
    [{ MacAddress: undefined }, malformed, 'MacAddress'],
    [{ MacAddress: '00163e000001' }, malformed, 'MacAddress'],
    [{ NodeId: undefined }, 'eui.malformed', 'NodeId'],
    [{ NodeId: 'C0FFEE' }, 'eui.malformed', 'NodeId'],
  ] as const)('baseStation.create, badGateway: 400 for %j', async (wrong, code, field) => {
    const { status, body } = await send('POST', '/gateways', input(wrong));
    expect([status, body]).toEqual([400, statusErrorOf(3, code, field)]);
  });

  it.each([
    [{ LocationType: 'ROOF' }, malformed, 'LocationType'],
    [{ AntennaGain: 'high' }, malformed, 'AntennaGain'],
    [{ Coordinates: { X: '91', Y: '0', Z: '0' } }, malformed, 'Coordinates/X'],
    [{ Coordinates: { X: '-48', Y: '-169', Z: '0' } }, 'baseStation.coordinates', 'Coordinates'],
    [{ CellularEnabled: true, IMEI: '49015420323751' }, malformed, 'IMEI'],
    [{ CellularEnabled: true, ICCID: '1' }, malformed, 'ICCID'],
    [{ IMEI }, 'baseStation.cellular', 'IMEI'],
    [{ GatewayProfile: 'nothing0' }, 'gatewayProfile.unknown', 'GatewayProfile'],
  ] as const)(
    'baseStation.create, replace and update, badGateway: 400 for %j',
    async (wrong, code, pointer) => {
      const { Id } = await created();
      const before = await read(Id);
      for (const [method, path, body] of [
        ['POST', '/gateways', input(wrong)],
        ['PUT', `/gateways/${Id}`, replacement(wrong)],
        ['PATCH', `/gateways/${Id}`, wrong],
      ] as const) {
        const answer = await send(method, path, body);
        expect([method, answer.status]).toEqual([method, 400]);
        expect(answer.body).toMatchObject({ code: 3, details: [{ reason: code }] });
        expect(answer.text).toContain(pointer.split('/')[0]);
      }
      expect(await read(Id)).toEqual(before);
    },
  );

  it('baseStation.create and replace, badGateway: 400 without Coordinates, unless GPSEnabled is true', async () => {
    const { Id } = await created();
    const { Coordinates: _, ...without } = input();
    const wrong = statusErrorOf(3, 'baseStation.coordinates', 'Coordinates');
    for (const [method, path] of [
      ['POST', '/gateways'],
      ['PUT', `/gateways/${Id}`],
    ] as const) {
      const refused = await send(method, path, without);
      expect([refused.status, refused.body]).toEqual([400, wrong]);
      expect((await send(method, path, { ...without, GPSEnabled: true })).status).toBe(200);
    }
  });

  it('baseStation.update: 400 for an RF region that there is not', async () => {
    const { Id } = await created();
    const { status, body } = await send('PATCH', `/gateways/${Id}`, { RfRegion: 'nothing0' });
    expect([status, body]).toEqual([400, statusErrorOf(3, 'rfRegion.unknown', 'RfRegion')]);
  });

  it('baseStation.create, takenId: 409 for a NodeId that is taken, without telling whose it is', async () => {
    const [his] = await all('bob');
    const { NodeId } = await created();
    for (const taken of [NodeId, NodeId.toLowerCase(), his!.NodeId]) {
      const answer = await send('POST', '/gateways', input({ NodeId: taken }));
      expect([answer.status, answer.body]).toEqual([409, statusErrorOf(6, 'gateway.exists')]);
      expect(answer.text).not.toMatch(/ann|bob/);
    }
  });

  it('unknownId, foreignThing: baseStation.get to delete are 404 for what never was, and for what is another’s', async () => {
    const [his] = await all('bob');
    for (const id of [NEVER, 'nothing0', his!.NodeId, his!.Id]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const sent = method === 'PUT' || method === 'PATCH' ? replacement() : undefined;
        const { status, body } = await send(method, `/gateways/${id}`, sent);
        expect([method, status, body]).toEqual([method, 404, statusErrorOf(5, 'gateway.unknown')]);
      }
    }
    expect((await all('bob'))[0]).toMatchObject({ Id: his!.Id, Name: his!.Name });
  });
});

describe('baseStation.list, create, get to delete and gatewayProfile.list', () =>
  testStatuses(() => entry, [97, 98, 101, 102, 103, 104, 114]));
