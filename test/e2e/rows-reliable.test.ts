/** Rows 41 to 46 over HTTPS: reliable downlink jobs, with every status that they document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetwaveClient } from '../../api/client/client.ts';
import { errorAt, errorOf, ServedEntry, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

let entry: ServedEntry;
let ann: FleetwaveClient;
let devices: readonly string[];

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  ann = entry.client;
  devices = await entry.devEuisOf('meter');
  await entry.advance(600);
});
afterAll(async () => await entry.close());

const NEVER = '00000000-0000-4000-8000-000000000000';
const INPUT = {
  name: 'ping',
  downlink_hex: 'c0ffee',
  downlink_fport: 20,
  expected_uplink_hex: 'c0ffee',
  expected_uplink_fport: 20,
};
const path = (job_id: string) => ({ params: { path: { job_id } } });
const all = '/api/v3.2/reliable_downlinks';
const one = '/api/v3.2/reliable_downlinks/{job_id}';
const create = (body: object) => ann.POST(all, { body: { ...INPUT, ...body } });
const created = async (body: object = { devices }) => (await create(body)).data!.job_id;
const stop = (id: string) => ann.PUT(`${one}/stop`, path(id));
const restart = (id: string) => ann.PUT(`${one}/restart`, path(id));
const groupOf = async (members: readonly string[]) => {
  const body = { name: 'some', devices: [...members] };
  const { data } = await ann.POST('/api/v3.2/device_groups', { body });
  return data!.device_group_id;
};

describe('a reliable downlink job', () => {
  it('reliableDownlink.create: is answered with 200, what was given and how far each device is', async () => {
    const device_group_id = await groupOf(devices.slice(0, 2));
    const { response, data } = await create({ devices: [devices[2]!], device_group_id });
    expect(response.status).toBe(200);
    expect(data).toMatchObject({
      ...INPUT,
      downlink_hex: 'C0FFEE',
      expected_uplink_hex: 'C0FFEE',
      device_group_id,
      max_retries: 3,
      retry_interval: 300,
      created_at: '2026-03-01T00:10:00Z',
      status: 'running',
      num_devices_pending: 3,
      num_devices_success: 0,
      num_devices_fail: 0,
    });
    expect(Object.keys(data!.devices).sort()).toEqual(devices.slice(0, 3));
    const group = { params: { path: { device_group_id } } };
    const used = await ann.DELETE('/api/v3.2/device_groups/{device_group_id}', group);
    expect([used.response.status, used.error]).toEqual([409, errorOf('deviceGroup.in-use')]);
  });

  it('reliableDownlink.create: is made once by an Idempotency-Key, which is 409 with another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const ask = async (body: object) =>
      await entry.service('POST', '/reliable_downlinks', { headers, body });
    const first = await ask({ ...INPUT, devices });
    const again = await ask({ ...INPUT, devices });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await ask({ ...INPUT, devices, name: 'other' })).status).toBe(409);
  });

  it('reliableDownlink.list and get: is listed and read by its own subscriber', async () => {
    const id = await created();
    const { response, data } = await ann.GET(one, path(id));
    expect(response.status).toBe(200);
    const list = await ann.GET(all);
    expect(list.response.status).toBe(200);
    expect(list.data).toContainEqual(data);
    const his = await entry.clientOf('bob').GET(all);
    expect(his.data).toEqual([]);
  });

  it('reliableDownlink.stop: is stopped with 200, and with 409 when it is not running', async () => {
    const id = await created();
    const { response, data } = await stop(id);
    expect(response.status).toBe(200);
    expect(data).toMatchObject({ status: 'stopped', num_devices_fail: 8 });
    expect(data!.devices[devices[0]!]).toMatchObject({ state: 'failed', reason: 'stopped' });
    const again = await stop(id);
    expect([again.response.status, again.error]).toEqual([
      409,
      errorOf('reliableDownlink.not-running'),
    ]);
  });

  it('reliableDownlink.restart, jobState: is restarted with 200, and with 409 while a device is pending', async () => {
    const id = await created();
    const running = await restart(id);
    expect([running.response.status, running.error]).toEqual([
      409,
      errorOf('reliableDownlink.running'),
    ]);
    await stop(id);
    const { response, data } = await restart(id);
    expect(response.status).toBe(200);
    expect(data).toMatchObject({ status: 'running', num_devices_pending: 8 });
  });

  it('reliableDownlink.delete: is deleted with 204 and no body, and drops what waits of it alone', async () => {
    const [sensor] = (await entry.devEuisOf('sensor')) as [string];
    const [id, other] = [
      await created({ devices: [sensor], name: 'x' }),
      await created({ devices: [sensor] }),
    ];
    const { status, text } = await entry.service('DELETE', `/reliable_downlinks/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await ann.GET(one, path(id))).response.status).toBe(404);
    expect((await ann.GET(one, path(other))).data!.status).toBe('running');
    await stop(other);
  });
});

describe('what a reliable downlink job is refused for', () => {
  const REFUSED = [
    ['jobDevices', {}, 'reliableDownlink.devices', ['devices']],
    ['jobDevices', { devices: [] }, 'reliableDownlink.devices', ['devices']],
    ['jobDevices', { devices: ['AB', 'AB'] }, 'eui.malformed', ['devices', 0]],
    [
      'unknownInBody',
      { devices: ['FFFFFFFFFFFFFFFF'] },
      'reliableDownlink.unknown-device',
      ['devices', 0],
    ],
    ['unknownInBody', { device_group_id: 'never1' }, 'deviceGroup.unknown', ['device_group_id']],
    ['malformedField', { downlink_hex: 'abc' }, 'reliableDownlink.payload', ['downlink_hex']],
    [
      'malformedField',
      { expected_uplink_hex: undefined },
      'reliableDownlink.payload',
      ['expected_uplink_hex'],
    ],
    ['malformedField', { downlink_fport: 224 }, 'reliableDownlink.port', ['downlink_fport']],
    [
      'malformedField',
      { expected_uplink_fport: 0 },
      'reliableDownlink.port',
      ['expected_uplink_fport'],
    ],
    ['malformedField', { max_retries: -1 }, 'reliableDownlink.invalid', ['max_retries']],
    ['malformedField', { retry_interval: 0.5 }, 'reliableDownlink.invalid', ['retry_interval']],
    ['malformedField', { name: '' }, 'reliableDownlink.name', ['name']],
  ] as const;

  it.each(REFUSED)('reliableDownlink.create, %s: 400 for %j', async (_, given, code, place) => {
    const { response, error } = await create(given);
    expect([response.status, error]).toEqual([400, errorAt(code, 'body', ...place)]);
  });

  it('reliableDownlink.create, jobDevices: 400 for a DevEUI that stands twice, in whatever case', async () => {
    const [first] = devices as [string];
    const { response, error } = await create({ devices: [first, first.toLowerCase()] });
    const wrong = errorAt('reliableDownlink.devices', 'body', 'devices', 1);
    expect([response.status, error]).toEqual([400, wrong]);
  });

  it('reliableDownlink.create, foreignThing: 400 for a device of another subscriber, as for one that never was', async () => {
    const [his] = await entry.devEuisOf('valve', 'bob');
    const { response, error } = await create({ devices: [his] });
    const wrong = errorAt('reliableDownlink.unknown-device', 'body', 'devices', 0);
    expect([response.status, error]).toEqual([400, wrong]);
  });

  it('reliableDownlink.create: 402 for a group without devices', async () => {
    const carol = entry.clientOf('carol');
    const gone = await entry.devEuisOf('pump', 'carol');
    const body = { name: 'one', devices: [gone[1]!] };
    const { data } = await carol.POST('/api/v3.2/device_groups', { body });
    await entry.advance(6 * 3_600);
    const { device_group_id } = data!;
    const { response, error } = await carol.POST(all, { body: { ...INPUT, device_group_id } });
    const empty = errorAt('reliableDownlink.empty-group', 'body', 'device_group_id');
    expect([response.status, error]).toEqual([402, empty]);
  });

  it('unknownId, foreignThing: reliableDownlink.get to stop are 404 to others, as for one that never was', async () => {
    const token = await entry.tokenOf('bob');
    const id = await created();
    for (const each of [id, NEVER]) {
      for (const [method, more] of [
        ['GET', ''],
        ['DELETE', ''],
        ['PUT', '/restart'],
        ['PUT', '/stop'],
      ] as const) {
        const url = `/reliable_downlinks/${each}${more}`;
        const { status, body } = await entry.service(method, url, { token });
        expect([method, status, body]).toEqual([method, 404, errorOf('reliableDownlink.unknown')]);
      }
    }
  });
});

describe('reliableDownlink.list to stop', () =>
  testStatuses(() => entry, [41, 42, 43, 44, 45, 46]));
