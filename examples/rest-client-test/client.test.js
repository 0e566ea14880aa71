/** Each test has a world of its own: a fork of the one that `fleetwave exec` serves. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, upload } from 'fleetwave/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retrying, update } from './fleet-client.js';

const { FLEETWAVE_URL, FLEETWAVE_CA, FLEETWAVE_CLIENT_ID, FLEETWAVE_CLIENT_SECRET } = process.env;
const clientOf = (path = '') =>
  connect({
    url: FLEETWAVE_URL + path,
    ca: readFileSync(FLEETWAVE_CA, 'utf8'),
    clientId: FLEETWAVE_CLIENT_ID,
    clientSecret: FLEETWAVE_CLIENT_SECRET,
  });

const main = clientOf();
let world;
let client;

beforeAll(async () => {
  await main.POST('/sim/v1/clock:advance', { body: { by: 600 } }); // all devices join
});
beforeEach(async () => {
  ({ data: world } = await main.POST('/sim/v1/worlds', { body: { paused: true } }));
  client = clientOf(world.path);
});
afterEach(async () => {
  await client.close();
  await main.DELETE('/sim/v1/worlds/{world_id}', { params: { path: world } });
});
afterAll(() => main.close());

describe('the fleet', () => {
  it('has joined, and is heard every ten minutes', async () => {
    const { data: before } = await client.GET('/sim/v1/world');
    expect(before.joined).toBe(12);
    await client.POST('/sim/v1/clock:advance', { body: { by: 3600 } });
    const { data: after } = await client.GET('/sim/v1/world');
    expect(after.uplinks - before.uplinks).toBeGreaterThanOrEqual(70);
  });
});

describe('an update', () => {
  it('reaches every device, a day of virtual time later', async () => {
    const { data } = await client.GET('/v1/devices');
    const devices = data.Devices.map(({ DevEUI }) => DevEUI);
    await client.POST('/api/v3.2/images', upload('meter-2.0.0.bin', new Uint8Array(2_000)));
    const campaign_id = await update(client, { name: 'spring', image: 'meter-2.0.0.bin', devices });
    const until = { campaign_id, stage: 'FINISHED' };
    await client.POST('/sim/v1/clock:advance', { body: { until } });
    const params = { path: { campaign_id } };
    const { data: campaign } = await client.GET('/api/v3.2/campaigns/{campaign_id}', { params });
    expect(campaign).toMatchObject({ num_devices_success: 12, num_devices_fail: 0 });
  });
});

describe('a service that is busy', () => {
  it('is asked again until it answers', async () => {
    const fault = { method: 'GET', path: '/v1/devices', status: 503, count: 2, retry_after: 0 };
    await client.POST('/sim/v1/faults/api', { body: fault });
    const { response } = await retrying(() => client.GET('/v1/devices'));
    expect(response.status).toBe(200);
    const { data } = await client.GET('/sim/v1/faults/api');
    expect(data.faults[0].struck).toBe(2);
  });
});

describe('uplinks', () => {
  it('come to our webhook, once each', async () => {
    const got = [];
    const receiver = createServer((request, response) => {
      got.push(request.headers['webhook-id']);
      response.writeHead(200).end();
    });
    await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const URL = `http://127.0.0.1:${receiver.address().port}/uplinks`;
    // Forks deliver nothing: this one is the main world's.
    const RestParams = [{ URL, OutputFormat: 'simple' }];
    const { data } = await main.POST('/v1/outputprofiles', { body: { Name: 'app', RestParams } });
    const { data: devices } = await main.GET('/v1/devices');
    const Devices = devices.Devices.map(({ DevEUI }) => DevEUI);
    const params = { path: { output_profile_id: data.Id } };
    const body = { Id: data.Id, Devices };
    await main.PATCH('/v1/outputprofiles/{output_profile_id}/devices', { params, body });
    await main.POST('/sim/v1/clock:advance', { body: { by: 3600 } });
    await expect.poll(() => got.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(70);
    expect(new Set(got).size).toBe(got.length);
    receiver.close();
  }, 30_000);
});
