/** Rows 9 to 16 over HTTPS: device groups, with every status that they document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FleetwaveClient, upload } from '../../api/client/client.ts';
import { errorAt, errorOf, ServedEntry, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

let entry: ServedEntry;
let client: FleetwaveClient;
let meters: string[];
let sensors: string[];

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  ({ client } = entry);
  [meters, sensors] = [await entry.devEuisOf('meter'), await entry.devEuisOf('sensor')];
  // Every device has been heard.
  await entry.advance(600);
});
afterAll(async () => await entry.close());

const path = (device_group_id: string) => ({ params: { path: { device_group_id } } });
const create = (body: object = {}) =>
  client.POST('/api/v3.2/device_groups', { body: { name: 'meters', devices: meters, ...body } });
const created = async (body: object = {}) => (await create(body)).data!.device_group_id;
const read = async (id: string) =>
  (await client.GET('/api/v3.2/device_groups/{device_group_id}', path(id))).data;

describe('a device group', () => {
  it('deviceGroup.create: is answered with 200, all its fields and an id of 6 alphanumerics', async () => {
    const { response, data } = await create();
    expect(response.status).toBe(200);
    expect(data).toEqual({
      name: 'meters',
      lora_class: 'C',
      gateways: [],
      device_group_id: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
      devices: meters,
    });
  });

  it('deviceGroup.create: takes EUIs in any case and answers them in upper case', async () => {
    const gateways = await gatewaysOfAnn();
    const { data } = await create({
      devices: meters.map((each) => each.toLowerCase()),
      gateways: gateways.map((each) => each.toLowerCase()),
    });
    expect(data).toMatchObject({ devices: meters, gateways });
  });

  it('deviceGroup.list, deviceGroup.get: are listed and read as they were answered', async () => {
    const { data: createdOne } = await create({ name: 'listed', lora_class: 'A' });
    const one = await client.GET(
      '/api/v3.2/device_groups/{device_group_id}',
      path(createdOne!.device_group_id),
    );
    expect([one.response.status, one.data]).toEqual([200, createdOne]);
    const { response, data } = await client.GET('/api/v3.2/device_groups');
    expect(response.status).toBe(200);
    expect(data).toContainEqual(createdOne);
    expect(new Set(data!.map((each) => Object.keys(each).sort().join())).size).toBe(1);
  });

  it('deviceGroup.replace: is replaced under its id, and what is not given is as in a new one', async () => {
    const id = await created({ lora_class: 'A', gateways: await gatewaysOfAnn() });
    const { response, data } = await client.PUT('/api/v3.2/device_groups/{device_group_id}', {
      ...path(id),
      body: { name: 'others', devices: meters.slice(0, 1) },
    });
    expect(response.status).toBe(200);
    expect(data).toEqual({
      name: 'others',
      lora_class: 'C',
      gateways: [],
      device_group_id: id,
      devices: meters.slice(0, 1),
    });
    expect(await read(id)).toEqual(data);
  });

  it.each([
    { name: 'renamed' },
    { lora_class: 'A' as const },
    { gateways: [] },
    { devices: ['first'] },
    {},
  ])('deviceGroup.update: changes only what is given, as %j', async (given) => {
    const id = await created({ lora_class: 'C', gateways: await gatewaysOfAnn() });
    const before = await read(id);
    const body = 'devices' in given ? { devices: meters.slice(0, 1) } : given;
    const { response, data } = await client.PATCH('/api/v3.2/device_groups/{device_group_id}', {
      ...path(id),
      body,
    });
    expect([response.status, data]).toEqual([200, { ...before, ...body }]);
  });

  it('deviceGroup.addDevices: gets more devices, each once', async () => {
    const id = await created({ devices: meters.slice(0, 2) });
    const { response, data } = await client.PATCH(
      '/api/v3.2/device_groups/{device_group_id}/add_devices',
      { ...path(id), body: { devices: meters.slice(1, 4) } },
    );
    expect([response.status, data!.devices]).toEqual([200, meters.slice(0, 4)]);
  });

  it('deviceGroup.keygenAddDevices: gets more devices, and a key for each', async () => {
    const id = await created({ devices: meters.slice(0, 1) });
    const { response, data } = await client.PATCH(
      '/api/v3.2/device_groups/keygen/{device_group_id}/add_devices',
      { ...path(id), body: { keygen_type: 'vendor', devices: meters.slice(1, 3) } },
    );
    expect([response.status, data]).toEqual([200, await read(id)]);
    expect(data!.devices).toEqual(meters.slice(0, 3));
  });

  it('deviceGroup.delete: is deleted with 204 and no body', async () => {
    const id = await created();
    const { status, text } = await entry.service('DELETE', `/device_groups/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await entry.service('GET', `/device_groups/${id}`)).status).toBe(404);
  });

  it('deviceGroup.delete, groupInUse: is not deleted while a campaign uses it', async () => {
    await client.POST('/api/v3.2/images', upload('meter-2.0.0.bin', new Uint8Array(50)));
    const id = await created();
    const campaign = { name: 'spring', image_name: 'meter-2.0.0.bin', device_group_id: id };
    await client.POST('/api/v3.2/campaigns', { body: campaign });
    const { status, body } = await entry.service('DELETE', `/device_groups/${id}`);
    expect([status, body]).toEqual([409, errorOf('deviceGroup.in-use')]);
    expect(await read(id)).toBeDefined();
  });

  it('deviceGroup.create to keygenAddDevices: keep nothing that they do not name', async () => {
    const more = { owner: 'bob', id: 'abcdef', device_group_id: 'abcdef', unheard: [1] };
    const { data } = await create(more);
    expect(data!.device_group_id).not.toBe('abcdef');
    const names = ['device_groups', 'devices', 'gateways', 'lora_class', 'name'];
    expect(Object.keys(data!).sort()).toEqual(names.toSpliced(0, 1, 'device_group_id'));
    const patched = await entry.service('PATCH', `/device_groups/${data!.device_group_id}`, {
      body: more,
    });
    expect(patched.body).toEqual(data);
  });
});

async function gatewaysOfAnn(): Promise<string[]> {
  await client.POST('/api/v3.2/images', upload('any-1.0.0.bin', new Uint8Array(50)));
  const device_group_id = await created();
  const { data } = await client.POST('/api/v3.2/campaigns', {
    body: { name: 'asks', image_name: 'any-1.0.0.bin', device_group_id },
  });
  await entry.advance(2);
  const campaign = { params: { path: { campaign_id: data!.campaign_id } } };
  const full = await client.GET('/api/v3.2/campaigns/{campaign_id}', campaign);
  await client.POST('/api/v3.2/campaigns/{campaign_id}/halt', campaign);
  const { gateways } = full.data as { gateways: { gateway_id: string }[] };
  return gateways.map(({ gateway_id }) => gateway_id);
}

const eleven = Array.from({ length: 11 }, (_, i) => `00000000000000${i + 10}`);

describe('what a group is refused for', () => {
  const cases = [
    ['malformedField', { devices: undefined }, 'deviceGroup.empty', ['devices']],
    ['malformedField', { devices: [] }, 'deviceGroup.empty', ['devices']],
    ['malformedField', { name: '' }, 'deviceGroup.name', ['name']],
    ['malformedField', { lora_class: 'B' }, 'deviceGroup.class', ['lora_class']],
    ['malformedField', { devices: ['0102'] }, 'eui.malformed', ['devices', 0]],
    ['mixedClasses', { devices: 'mixed' }, 'deviceGroup.mixed-classes', ['devices']],
    [
      'mixedClasses',
      { devices: 'mixed', lora_class: null },
      'deviceGroup.mixed-classes',
      ['devices'],
    ],
    ['tooManyGateways', { gateways: eleven }, 'deviceGroup.too-many-gateways', ['gateways']],
    [
      'unknownInBody',
      { devices: ['FFFFFFFFFFFFFFFF'] },
      'deviceGroup.unknown-device',
      ['devices', 0],
    ],
    [
      'unknownInBody',
      { gateways: ['FFFFFFFFFFFFFFFF'] },
      'deviceGroup.unknown-gateway',
      ['gateways', 0],
    ],
  ] as const;
  const bodyOf = (given: object) => ({
    name: 'meters',
    devices: meters,
    ...given,
    ...('devices' in given && given.devices === 'mixed'
      ? { devices: [...meters, ...sensors] }
      : {}),
  });

  it.each(cases)(
    'deviceGroup.create and replace: %s: 400 for %j',
    async (_, given, code, place) => {
      const id = await created();
      const before = await read(id);
      const error = [400, errorAt(code, 'body', ...place)];
      const one = await entry.service('POST', '/device_groups', { body: bodyOf(given) });
      expect([one.status, one.body]).toEqual(error);
      const other = await entry.service('PUT', `/device_groups/${id}`, { body: bodyOf(given) });
      expect([other.status, other.body]).toEqual(error);
      expect(await read(id)).toEqual(before);
    },
  );

  it.each(cases.slice(1))('deviceGroup.update: %s: 400 for %j', async (_, given, code, place) => {
    const id = await created();
    const { name: _name, ...body } = { ...bodyOf(given), ...given, devices: bodyOf(given).devices };
    const answer = await entry.service('PATCH', `/device_groups/${id}`, {
      body: 'name' in given ? { name: given.name } : body,
    });
    expect([answer.status, answer.body]).toEqual([400, errorAt(code, 'body', ...place)]);
  });

  it('mixedClasses: mixed classes are taken where a class is asked for', async () => {
    const { response, data } = await create({ devices: [...meters, ...sensors], lora_class: 'A' });
    expect([response.status, data!.lora_class]).toEqual([200, 'A']);
  });

  it('deviceGroup.addDevices and keygenAddDevices: malformedField, mixedClasses, badKeygenType, unknownInBody', async () => {
    const id = await created();
    const add = async (route: string, body: object) => {
      const answer = await entry.service('PATCH', `/device_groups/${route}/add_devices`, { body });
      return [answer.status, answer.body];
    };
    const keygen_type = 'vendor';
    const missing = { devices: meters };
    expect(await add(`keygen/${id}`, missing)).toEqual([
      400,
      errorAt('key.keygen-type', 'body', 'keygen_type'),
    ]);
    expect(await add(`keygen/${id}`, { ...missing, keygen_type: 'random' })).toEqual([
      400,
      errorAt('key.keygen-type', 'body', 'keygen_type'),
    ]);
    for (const route of [id, `keygen/${id}`]) {
      const empty = await add(route, { keygen_type });
      expect(empty).toEqual([400, errorAt('deviceGroup.empty', 'body', 'devices')]);
      const mixed = await add(route, { keygen_type, devices: sensors });
      expect(mixed).toEqual([400, errorAt('deviceGroup.mixed-classes', 'body', 'devices')]);
      const unknown = await add(route, { keygen_type, devices: ['FFFFFFFFFFFFFFFF'] });
      expect(unknown).toEqual([400, errorAt('deviceGroup.unknown-device', 'body', 'devices', 0)]);
    }
  });

  it('unknownId: deviceGroup.get to keygenAddDevices are 404 for a group that never was', async () => {
    const body = { name: 'x', devices: meters, keygen_type: 'vendor' };
    for (const [method, route] of [
      ['GET', 'never1'],
      ['PUT', 'never1'],
      ['PATCH', 'never1'],
      ['DELETE', 'never1'],
      ['PATCH', 'never1/add_devices'],
      ['PATCH', 'keygen/never1/add_devices'],
    ] as const) {
      const asked = method === 'GET' || method === 'DELETE' ? {} : { body };
      const answer = await entry.service(method, `/device_groups/${route}`, asked);
      expect([answer.status, answer.body]).toEqual([404, errorOf('deviceGroup.unknown')]);
    }
  });

  it('deviceGroup.create: takes ten thousand devices at once, and says which it does not know', async () => {
    const devices = Array.from({ length: 10_000 }, (_, i) => i.toString(16).padStart(16, '0'));
    const answer = await entry.service('POST', '/device_groups', {
      body: { name: 'all', devices },
    });
    const error = errorAt('deviceGroup.unknown-device', 'body', 'devices', 0);
    expect([answer.status, answer.body]).toEqual([400, error]);
  });
});

describe('an Idempotency-Key', () => {
  it('deviceGroup.create: makes one group, and is 409 with another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { name: 'once', devices: meters };
    const first = await entry.service('POST', '/device_groups', { headers, body });
    const again = await entry.service('POST', '/device_groups', { headers, body });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = { headers, body: { ...body, name: 'other' } };
    const refused = await entry.service('POST', '/device_groups', other);
    expect([refused.status, refused.body]).toEqual([409, errorOf('idempotency.reused')]);
  });
});

describe('deviceGroup.list to keygenAddDevices', () =>
  testStatuses(() => entry, [9, 10, 11, 12, 13, 14, 15, 16]));
