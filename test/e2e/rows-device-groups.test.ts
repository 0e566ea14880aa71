/** Rows 78 to 84 over HTTPS: device groups of management, with every status that they document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetwaveClient } from '../../api/client/client.ts';
import { ServedEntry, statusErrorOf, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const GROUPS = '/v1/groups/devices';
const ONE = '/v1/groups/devices/{Id}';
const NEVER = 'FFFFFFFFFFFFFFFF';

let entry: ServedEntry;
let client: FleetwaveClient;
let bob: FleetwaveClient;
let meters: string[];
let valves: string[];

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  ({ client } = entry);
  bob = entry.clientOf('bob');
  [meters, valves] = [await entry.devEuisOf('meter'), await entry.devEuisOf('valve', 'bob')];
  await entry.advance(600);
});
afterAll(async () => await entry.close());

const path = (Id: string) => ({ params: { path: { Id } } });
const create = (body: object = {}) =>
  client.POST(GROUPS, { body: { Name: 'roof', DeviceList: meters, ...body } });
const created = async (body: object = {}) => (await create(body)).data!.Id;
const read = async (Id: string) => (await client.GET(ONE, path(Id))).data!;

describe('a device group of management', () => {
  it('endDeviceGroup.create: is answered with 200 and its id alone', async () => {
    const { response, data } = await create();
    expect(response.status).toBe(200);
    expect(data).toEqual({ Id: expect.stringMatching(/^[0-9A-Za-z]{8}$/) });
  });

  it('endDeviceGroup.create: takes keys in any case, and ignores those that it has not', async () => {
    const body = { NAME: 'any', deviceList: [meters[0]!.toLowerCase()], Id: 'mine', Owner: 'bob' };
    const { status, body: createdOne } = await entry.ask('POST', GROUPS, { body });
    expect(status).toBe(200);
    const { Id } = createdOne as { Id: string };
    expect(Id).not.toBe('mine');
    expect(await read(Id)).toMatchObject({ Id, Name: 'any', DeviceList: [meters[0]] });
  });

  it('endDeviceGroup.create: is made once by an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const ask = (body: object) => entry.ask('POST', GROUPS, { headers, body });
    const first = await ask({ Name: 'once' });
    expect((await ask({ Name: 'once' })).text).toBe(first.text);
    expect((await ask({ Name: 'twice' })).status).toBe(409);
  });

  it('endDeviceGroup.list and get: is listed and read alike, with its devices as they are', async () => {
    const DeviceList = [meters[3]!, meters[1]!];
    const Id = await created({ DeviceList: [...DeviceList, meters[3]!] });
    const { response, data } = await client.GET(ONE, path(Id));
    expect(response.status).toBe(200);
    expect(data).toMatchObject({ Id, Name: 'roof', DeviceList });
    expect(data!.Devices.map(({ DevEUI }) => DevEUI)).toEqual(DeviceList);
    expect(data!.Devices.map(({ Name }) => Name)).toEqual(['meter-4', 'meter-2']);
    const list = await client.GET(GROUPS);
    expect(list.response.status).toBe(200);
    expect(Object.keys(list.data!)).toEqual(['DeviceGroups']);
    expect(list.data!.DeviceGroups).toContainEqual(data);
    const ids = list.data!.DeviceGroups.map((each) => each.Id);
    expect(ids).toEqual([...ids].sort());
  });

  it('endDeviceGroup.replace: has another name and list in the place of its own', async () => {
    const Id = await created();
    const body = { Name: 'cellar', DeviceList: [meters[5]!] };
    const { response, data } = await client.PUT(ONE, { ...path(Id), body });
    expect([response.status, data]).toEqual([200, { Response: true }]);
    expect(await read(Id)).toMatchObject(body);
    await client.PUT(ONE, { ...path(Id), body: { Name: 'empty' } });
    expect(await read(Id)).toEqual({ Id, Name: 'empty', DeviceList: [], Devices: [] });
  });

  it.each([{ Name: 'other' }, { DeviceList: [] }, {}])(
    'endDeviceGroup.update: changes only what is given, as %j',
    async (body) => {
      const Id = await created();
      const { Devices: _, ...before } = await read(Id);
      const { response, data } = await client.PATCH(ONE, { ...path(Id), body });
      expect([response.status, data]).toEqual([200, { Response: true }]);
      const { Devices: __, ...after } = await read(Id);
      expect(after).toEqual({ ...before, ...body });
    },
  );

  it('endDeviceGroup.update: changes nothing where there is no body', async () => {
    const Id = await created();
    const before = await read(Id);
    expect((await entry.ask('PATCH', `${GROUPS}/${Id}`)).status).toBe(200);
    expect(await read(Id)).toEqual(before);
  });

  it('endDeviceGroup.delete: is deleted with 200, and its devices stay', async () => {
    const Id = await created();
    const { response, data } = await client.DELETE(ONE, path(Id));
    expect([response.status, data]).toEqual([200, { Response: true }]);
    expect((await client.GET(ONE, path(Id))).response.status).toBe(404);
    expect(await entry.devEuisOf('meter')).toEqual(meters);
  });
});

describe('what a device group of management is refused for', () => {
  const WRONG = [
    ['namelessGroup', { Name: '' }, 'endDeviceGroup.name', 'Name'],
    ['namelessGroup', { Name: null }, 'endDeviceGroup.name', 'Name'],
    ['namelessGroup', { Name: 7 }, 'endDeviceGroup.name', 'Name'],
    ['malformedField', { DeviceList: NEVER }, 'endDeviceGroup.devices', 'DeviceList'],
    ['malformedField', { DeviceList: ['D0'] }, 'eui.malformed', 'DeviceList[0]'],
    ['unknownInBody', { DeviceList: [NEVER] }, 'endDeviceGroup.unknown-device', 'DeviceList[0]'],
  ] as const;

  it.each(WRONG)(
    'endDeviceGroup.create, replace and update, %s: 400 for %j',
    async (_, given, code, field) => {
      const Id = await created();
      const before = await read(Id);
      const body = { Name: 'x', ...given };
      for (const [method, at] of [
        ['POST', GROUPS],
        ['PUT', `${GROUPS}/${Id}`],
        ['PATCH', `${GROUPS}/${Id}`],
      ] as const) {
        const answer = await entry.ask(method, at, { body });
        expect([answer.status, answer.body]).toEqual([400, statusErrorOf(3, code, field)]);
      }
      expect(await read(Id)).toEqual(before);
    },
  );

  it('namelessGroup: endDeviceGroup.create and replace are 400 without a name', async () => {
    const error = statusErrorOf(3, 'endDeviceGroup.name', 'Name');
    for (const [method, at] of [
      ['POST', GROUPS],
      ['PUT', `${GROUPS}/${await created()}`],
    ] as const) {
      for (const asked of [{}, { body: {} }, { body: { DeviceList: [] } }]) {
        const { status, body } = await entry.ask(method, at, asked);
        expect([status, body]).toEqual([400, error]);
      }
    }
  });

  it('foreignThing: a device of another is 400 in the words for one that never was', async () => {
    const wordsFor = async (devEui: string) => {
      const { status, text } = await entry.ask('POST', GROUPS, {
        body: { Name: 'x', DeviceList: [meters[0], devEui] },
      });
      return [status, text.replaceAll(devEui, 'X')];
    };
    expect(await wordsFor(valves[0]!)).toEqual(await wordsFor(NEVER));
  });

  it('unknownId, foreignThing: endDeviceGroup.get to recent are 404 for what never was, and for what is another’s', async () => {
    const Id = await created();
    const error = statusErrorOf(5, 'endDeviceGroup.unknown');
    const before = await read(Id);
    for (const [who, id] of [
      ['ann', 'never000'],
      ['bob', Id],
    ] as const) {
      const token = await entry.tokenOf(who);
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const sent = method === 'GET' || method === 'DELETE' ? {} : { body: { Name: 'x' } };
        const { status, body } = await entry.ask(method, `${GROUPS}/${id}`, { token, ...sent });
        expect([method, status, body]).toEqual([method, 404, error]);
      }
      const { status, body } = await entry.ask('GET', `${GROUPS}/${id}/recent`, { token });
      expect([status, body]).toEqual([404, error]);
    }
    expect(await read(Id)).toEqual(before);
    expect((await bob.GET(GROUPS)).data).toEqual({ DeviceGroups: [] });
  });
});

describe('the recent search', () => {
  const RECENT = '/v1/groups/devices/{Id}/recent';
  const search = async (Id: string, query: object = {}) =>
    await client.GET(RECENT, { params: { path: { Id }, query } });

  it('endDeviceGroup.recent: answers 200 with DevEUIs of those that sent the payload in the time', async () => {
    const Id = await created();
    const any = await search(Id);
    expect([any.response.status, any.data]).toEqual([200, { DeviceList: meters }]);
    // The devices echo what they are sent.
    const DevEUI = meters[2]!;
    const body = { Payload: 'ABCD', TargetPort: '9' };
    await client.POST('/v1/devices/{DevEUI}/message', { params: { path: { DevEUI } }, body });
    await entry.advance(1_200);
    expect((await search(Id, { Payload: 'abcd' })).data).toEqual({ DeviceList: [DevEUI] });
    const StartTime = '2026-03-01T00:00:00Z';
    const before = { Payload: 'ABCD', StartTime, EndTime: '2026-03-01T00:10:00Z' };
    expect((await search(Id, before)).data).toEqual({ DeviceList: [] });
    const empty = await created({ DeviceList: [] });
    expect((await search(empty)).data).toEqual({ DeviceList: [] });
  });

  it('endDeviceGroup.recent: takes the names of its query in any case', async () => {
    const path = `${GROUPS}/${await created()}/recent`;
    const { status, body } = await entry.ask('GET', `${path}?payload=FFFF&starttime=x`);
    expect([status, body]).toEqual([400, statusErrorOf(3, 'command.malformed', 'StartTime')]);
  });

  it.each([
    ['malformedField', 'Payload=0', 'endDeviceGroup.payload', 'Payload'],
    ['malformedField', 'StartTime=2026', 'command.malformed', 'StartTime'],
    [
      'endBeforeStart',
      'StartTime=2026-03-01T00:00:01Z&EndTime=2026-03-01T00:00:00Z',
      'payload.range',
      'EndTime',
    ],
  ])('endDeviceGroup.recent, endBeforeStart: 400 by %s for %s', async (_, query, code, field) => {
    const answer = await entry.ask('GET', `${GROUPS}/${await created()}/recent?${query}`);
    expect([answer.status, answer.body]).toEqual([400, statusErrorOf(3, code, field)]);
  });
});

describe('endDeviceGroup.list to recent', () =>
  testStatuses(() => entry, [78, 79, 80, 81, 82, 83, 84]));
