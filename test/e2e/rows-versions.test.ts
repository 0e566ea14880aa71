/** Rows 17 to 21, 31 and 32 over HTTPS: versions, history, keys, with every documented status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FleetwaveClient, upload } from '../../api/client/client.ts';
import { errorAt, errorOf, ServedEntry, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const VERSION = {
  version_hex: '0200000001000000',
  reported_at: expect.stringMatching(/^2026-03-01T\d\d:\d\d:\d\d(\.\d+)?Z$/),
  firmware_version: '2.0.0.0',
};
const KEY = '00112233445566778899aabbccddeeff';

let entryPoint: ServedEntry;
let client: FleetwaveClient;
let meters: string[];
let campaign: string;

beforeAll(async () => {
  entryPoint = await ServedEntry.open(TOWN);
  ({ client } = entryPoint);
  meters = await entryPoint.devEuisOf('meter');
  await entryPoint.advance(600);
  campaign = await updated(meters.slice(0, 2));
});
afterAll(async () => await entryPoint.close());

/** The id of a campaign that updated these devices to 2.0.0. */
async function updated(devices: string[]): Promise<string> {
  await client.POST('/api/v3.2/images', upload('meter-2.0.0.bin', new Uint8Array(100).fill(1)));
  const group = await client.POST('/api/v3.2/device_groups', { body: { name: 'some', devices } });
  const { data } = await client.POST('/api/v3.2/campaigns', {
    body: {
      name: 'spring',
      image_name: 'meter-2.0.0.bin',
      device_group_id: group.data!.device_group_id,
    },
  });
  const { campaign_id } = data!;
  expect(await entryPoint.advance({ campaign_id, stage: 'FINISHED' })).toBe(true);
  return campaign_id;
}

describe('reported versions', () => {
  it('deviceVersion.several: are keyed by DevEUI; who is unknown or reported none is left out', async () => {
    const { response, data } = await client.GET('/api/v3.2/device_version', {
      params: { query: { deveuis: [meters[0]!, meters[1]!, meters[2]!, 'FFFFFFFFFFFFFFFF'] } },
    });
    expect(response.status).toBe(200);
    expect(data).toEqual({ [meters[0]!]: VERSION, [meters[1]!]: VERSION });
  });

  it('deviceVersion.several: are asked for by repeated parameters, by commas, and in any case', async () => {
    const [one, other] = meters.map((each) => each.toLowerCase());
    for (const query of [`deveuis=${one}&deveuis=${other}`, `deveuis=${one},${other}`]) {
      const { status, body } = await entryPoint.service('GET', `/device_version?${query}`);
      expect([status, Object.keys(body as object)]).toEqual([200, meters.slice(0, 2)]);
    }
  });

  it('deviceVersion.several, malformedField: are 400 without DevEUIs, and for what is none', async () => {
    const none = await entryPoint.service('GET', '/device_version');
    expect([none.status, none.body]).toEqual([
      400,
      expect.objectContaining({ detail: [expect.objectContaining({ loc: ['query', 'deveuis'] })] }),
    ]);
    const wrong = await entryPoint.service('GET', `/device_version?deveuis=${meters[0]},xyz`);
    expect([wrong.status, wrong.body]).toEqual([
      400,
      errorAt('eui.malformed', 'query', 'deveuis', 1),
    ]);
  });

  it('deviceVersion.all: are those of all devices that ever reported one', async () => {
    const { response, data } = await client.GET('/api/v3.2/device_version/all');
    expect(response.status).toBe(200);
    expect(data).toEqual({ [meters[0]!]: VERSION, [meters[1]!]: VERSION });
  });

  it('deviceVersion.all, notDelegated: are 404 where nothing is delegated', async () => {
    for (const subscriber of ['bob', 'nobody', 'ann']) {
      const answer = await entryPoint.service(
        'GET',
        `/device_version/all?delegated_subscriber_id=${subscriber}`,
      );
      expect([answer.status, answer.body]).toEqual([404, errorOf('delegation.none')]);
    }
  });

  it('deviceVersion.all, delegationEnded: are those that are delegated, until it expires', async () => {
    const hour = 3_600_000;
    const now = Date.parse((await client.GET('/sim/v1/clock')).data!.now);
    await client.POST('/api/v3.2/upgrade_delegation', {
      body: {
        delegate_to: 'bob',
        expires_at: new Date(now + hour).toISOString(),
        include_devices: [meters[0]!],
      },
    });
    const asked = { token: await entryPoint.tokenOf('bob') };
    const path = '/device_version/all?delegated_subscriber_id=ann';
    const { status, body } = await entryPoint.service('GET', path, asked);
    expect([status, body]).toEqual([200, { [meters[0]!]: VERSION }]);
    await entryPoint.advance(3_601);
    const expired = await entryPoint.service('GET', path, asked);
    expect([expired.status, expired.body]).toEqual([404, errorOf('delegation.none')]);
  });

  it('deviceVersion.get: are one by one, for a DevEUI in any case', async () => {
    for (const deveui of [meters[0]!, meters[0]!.toLowerCase()]) {
      const { response, data } = await client.GET('/api/v3.2/device_version/{deveui}', {
        params: { path: { deveui } },
      });
      expect([response.status, data]).toEqual([200, VERSION]);
    }
  });

  it('deviceVersion.get: are 404 where none was reported (noVersion), and of no device (unknownId)', async () => {
    const none = await entryPoint.service('GET', `/device_version/${meters[5]}`);
    expect([none.status, none.body]).toEqual([404, errorOf('deviceVersion.none')]);
    const unknown = await entryPoint.service('GET', '/device_version/FFFFFFFFFFFFFFFF');
    expect([unknown.status, unknown.body]).toEqual([404, errorOf('device.unknown')]);
  });

  it('deviceVersion.get, malformedField: is 400 for what is no DevEUI', async () => {
    const { status, body } = await entryPoint.service('GET', '/device_version/0102');
    expect([status, body]).toEqual([400, errorAt('eui.malformed', 'path', 'deveui')]);
  });
});

describe('the update history', () => {
  const entry = () => ({
    entry_date: expect.stringMatching(/^2026-03-01T/),
    status: 'success',
    reason: '',
    initial_version: null,
    post_update_version: '0200000001000000',
    expected_version: '02000000........',
    campaign_id: campaign,
  });

  it('history.all: is keyed by DevEUI, of devices that have some', async () => {
    const { response, data } = await client.GET('/api/v3.2/history');
    expect(response.status).toBe(200);
    expect(data).toEqual({ [meters[0]!]: [entry()], [meters[1]!]: [entry()] });
  });

  it('history.get: is a list of entries of seven fields, for a DevEUI in any case', async () => {
    for (const deveui of [meters[0]!, meters[0]!.toLowerCase()]) {
      const { response, data } = await client.GET('/api/v3.2/history/{deveui}', {
        params: { path: { deveui } },
      });
      expect([response.status, data]).toEqual([200, [entry()]]);
    }
    const none = await entryPoint.service('GET', `/history/${meters[5]}`);
    expect([none.status, none.body]).toEqual([200, []]);
  });

  it('history.get, unknownId: is 404 for a device that never was', async () => {
    const { status, body } = await entryPoint.service('GET', '/history/FFFFFFFFFFFFFFFF');
    expect([status, body]).toEqual([404, errorOf('device.unknown')]);
  });
});

describe('keys', () => {
  const ask = async (method: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await entryPoint.service(method, '/key_management', { headers, body });
    return [answer.status, answer.body];
  };

  it('key.upload: are taken with 201 and no body, in any case', async () => {
    const answer = await entryPoint.service('POST', '/key_management', {
      body: { [meters[0]!]: KEY, [meters[1]!.toLowerCase()]: KEY.toUpperCase() },
    });
    expect([answer.status, answer.text]).toEqual([201, '']);
    expect(await ask('POST', {})).toEqual([201, undefined]);
  });

  it('key.delete: are deleted with 204 and no body; one without a key is no error', async () => {
    const body = [meters[0]!.toLowerCase(), 'FFFFFFFFFFFFFFFF'];
    const answer = await entryPoint.service('DELETE', '/key_management', { body });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await ask('DELETE', [])).toEqual([204, undefined]);
  });

  it('key.upload, badEuiOrKey: are 400 with the place of what is wrong, and none is taken', async () => {
    const [one] = meters;
    expect(await ask('POST', { xyz: KEY })).toEqual([400, errorAt('eui.malformed', 'body', 'xyz')]);
    expect(await ask('POST', { [one!]: '00' })).toEqual([
      400,
      errorAt('key.malformed', 'body', one!),
    ]);
    expect((await ask('POST', ['x']))[0]).toBe(400);
    expect((await ask('POST', 'null'))[0]).toBe(400);
  });

  it('key.delete, badEuiOrKey: are 400 for what is no list of DevEUIs', async () => {
    expect(await ask('DELETE', ['0102'])).toEqual([400, errorAt('eui.malformed', 'body', 0)]);
    for (const body of [{}, 'null', { [meters[0]!]: KEY }]) {
      expect((await ask('DELETE', body))[0]).toBe(400);
    }
  });

  it('key.upload: ten thousand are taken at once', async () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => [i.toString(16).padStart(16, 'A'), KEY]);
    expect(await ask('POST', Object.fromEntries(keys))).toEqual([201, undefined]);
    expect(
      await ask(
        'DELETE',
        keys.map(([devEui]) => devEui),
      ),
    ).toEqual([204, undefined]);
  });

  it('key.upload: are 409 under an Idempotency-Key that came with others', async () => {
    const headers = { 'idempotency-key': 'keys' };
    const put = async (body: object) =>
      (await entryPoint.service('POST', '/key_management', { headers, body })).status;
    expect(await put({ [meters[0]!]: KEY })).toBe(201);
    expect(await put({ [meters[0]!]: KEY })).toBe(201);
    expect(await put({ [meters[1]!]: KEY })).toBe(409);
  });

  it('key.upload and delete: are reported by no answer', async () => {
    await ask('POST', { [meters[0]!]: KEY });
    for (const path of ['/device_groups', '/device_version/all', '/history', '/campaigns']) {
      expect((await entryPoint.service('GET', path)).text.toLowerCase()).not.toContain(KEY);
    }
  });
});

describe('deviceVersion.several to history.get, key.upload and delete', () =>
  testStatuses(() => entryPoint, [17, 18, 19, 20, 21, 31, 32]));
