/** Rows 1 to 8 over HTTPS: campaigns, with every status that they document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetwaveClient } from '../../api/client/client.ts';
import { upload } from '../../api/client/client.ts';
import { errorAt, errorOf, ServedEntry, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const SUMMARY = [
  'campaign_id',
  'created_at',
  'device_group_id',
  'image_name',
  'name',
  'num_devices_fail',
  'num_devices_in_progress',
  'num_devices_success',
  'scheduled_start_at',
  'stage',
  'stage_str',
  'status',
];
const SETTINGS = [
  'acceptable_time_drift',
  'automatic_retry_count',
  'automatic_retry_interval',
  'completed_email_alert',
  'descriptor',
  'downlink_delay_rand_s',
  'expected_version',
  'force_initial_version_check',
  'frag_send_delay',
  'individual_fragment_retransmit',
  'is_debug',
  'is_troubleshooting',
  'max_final_version_check_retry',
  'mcast_deveui',
  'mcast_devaddr',
  'mcast_dr',
  'mcast_freq',
  'mcast_session_timeout',
  'min_downlink_delay',
  'min_timeout_delay',
  'multicast_setup_time',
  'redundancy',
  'sleep_after_frag_sent',
];
const STATE = ['devices', 'fragments', 'gateways', 'multicast_sessions', 'warnings'];
const DEVICE = [
  'attempts',
  'ended_at',
  'failure_reason',
  'final_version',
  'fragments_missing',
  'fragments_received',
  'fragments_retransmitted',
  'initial_version',
  'stage',
  'stage_str',
  'steps',
];
const NEVER = '00000000-0000-4000-8000-000000000000';
const keysOf = (value: object | undefined) => Object.keys(value ?? {}).sort();

let entry: ServedEntry;
let client: FleetwaveClient;
let group: string;
let meters: string[];

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  ({ client } = entry);
  meters = await entry.devEuisOf('meter');
  // Every device has been heard.
  await entry.advance(600);
  await client.POST('/api/v3.2/images', upload('meter-2.0.0.bin', new Uint8Array(600).fill(1)));
  await client.POST('/api/v3.2/images', upload('plain.bin', new Uint8Array(50)));
  group = await groupOf(meters.slice(0, 2));
});
afterAll(async () => await entry.close());

async function groupOf(devices: string[], by: FleetwaveClient = client): Promise<string> {
  const createdOne = await by.POST('/api/v3.2/device_groups', { body: { name: 'some', devices } });
  return createdOne.data!.device_group_id;
}

const input = () => ({ name: 'spring', image_name: 'meter-2.0.0.bin', device_group_id: group });
const path = (campaign_id: string) => ({ params: { path: { campaign_id } } });
const create = (body: object = {}) =>
  client.POST('/api/v3.2/campaigns', { body: { ...input(), ...body } });
const created = async (body: object = {}) => (await create(body)).data!.campaign_id;
const read = (id: string) => client.GET('/api/v3.2/campaigns/{campaign_id}', path(id));
const short = (id: string) =>
  client.GET('/api/v3.2/campaigns/{campaign_id}/short-status', path(id));
const halt = (id: string) => client.POST('/api/v3.2/campaigns/{campaign_id}/halt', path(id));
const restart = (id: string, body: object = {}) =>
  client.POST('/api/v3.2/campaigns/{campaign_id}/restart', { ...path(id), body });

describe('a campaign from its creation to its end', () => {
  let id: string;

  it('campaign.create: is accepted with 202, and its partial status', async () => {
    const { response, data } = await create();
    expect(response.status).toBe(202);
    expect(data).toEqual({
      campaign_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      stage: 0,
      stage_str: 'INITIALIZING',
    });
    id = data!.campaign_id;
  });

  it('campaign.get, campaign.shortStatus: are 202 with the partial status while it initializes, a second', async () => {
    const partial = { campaign_id: id, stage: 0, stage_str: 'INITIALIZING' };
    await entry.advance(0.9);
    for (const answer of [await read(id), await short(id)]) {
      expect(answer.response.status).toBe(202);
      expect(answer.data).toEqual(partial);
    }
    await entry.advance(0.2);
    for (const answer of [await read(id), await short(id)]) {
      expect(answer.response.status).toBe(200);
    }
  });

  it('campaign.get: is the full state, with debug and troubleshooting only when asked for', async () => {
    const { data } = await read(id);
    expect(keysOf(data)).toEqual([...SUMMARY, ...SETTINGS, ...STATE].sort());
    const { devices } = data as { devices: Record<string, object> };
    expect(keysOf(devices)).toEqual([...meters.slice(0, 2)].sort());
    for (const device of Object.values(devices)) expect(keysOf(device)).toEqual(DEVICE);

    const device_group_id = await groupOf(meters.slice(2, 4));
    const asked = await created({ device_group_id, is_debug: true, is_troubleshooting: true });
    await entry.advance(2);
    const more = (await read(asked)).data as { devices: Record<string, object> };
    for (const device of Object.values(more.devices)) {
      expect(keysOf(device)).toEqual([...DEVICE, 'debug', 'troubleshooting'].sort());
    }
    await halt(asked);
  });

  it('campaign.shortStatus: reports stage, attempts and reason of each device', async () => {
    const { data } = await short(id);
    expect(keysOf(data)).toEqual(['campaign_id', 'devices', 'stage', 'stage_str']);
    const { devices } = data as { devices: Record<string, object> };
    expect(keysOf(devices)).toEqual([...meters.slice(0, 2)].sort());
    for (const device of Object.values(devices)) {
      expect(keysOf(device)).toEqual(['attempts', 'failure_reason', 'stage', 'stage_str']);
    }
  });

  it('campaign.list: is a summary of twelve fields', async () => {
    const { response, data } = await client.GET('/api/v3.2/campaigns');
    expect(response.status).toBe(200);
    const mine = data!.find(({ campaign_id }) => campaign_id === id)!;
    expect(keysOf(mine)).toEqual(SUMMARY);
    expect(mine).toMatchObject({ ...input(), scheduled_start_at: null, status: '' });
  });

  it('campaign.list, bulkStatus and get: agree when it is finished', async () => {
    expect(await entry.advance({ campaign_id: id, stage: 'FINISHED' })).toBe(true);
    const counts = { num_devices_success: 2, num_devices_fail: 0, num_devices_in_progress: 0 };
    const over = { stage: 7, stage_str: 'FINISHED', ...counts };
    expect((await read(id)).data).toMatchObject(over);
    const { data } = await client.GET('/api/v3.2/campaigns');
    expect(data).toContainEqual(expect.objectContaining({ campaign_id: id, ...over }));
    const bulk = await entry.service('GET', `/campaigns/bulk-status?campaign_ids=${id}`);
    expect(bulk.body).toEqual({ [id]: [7, 2, 2] });
  });

  it('campaign.halt: is 409 for one that is over; campaign.restart: is 409 when nobody failed', async () => {
    const halted = await halt(id);
    expect([halted.response.status, halted.error]).toEqual([409, errorOf('campaign.not-running')]);
    const again = await restart(id);
    expect(again.response.status).toBe(409);
    expect(again.error).toEqual(errorOf('campaign.nothing-to-restart'));
  });

  it('campaign.delete: is deleted with 202 and no body, later, and its history with it', async () => {
    const history = async () =>
      (await client.GET('/api/v3.2/history/{deveui}', { params: { path: { deveui: meters[0]! } } }))
        .data!;
    const ofIt = async () => (await history()).filter(({ campaign_id }) => campaign_id === id);
    expect(await ofIt()).toHaveLength(1);
    const deletion = await entry.service('DELETE', `/campaigns/${id}`);
    expect([deletion.status, deletion.text]).toEqual([202, '']);
    await entry.advance(2);
    expect((await read(id)).response.status).toBe(404);
    expect(await ofIt()).toHaveLength(0);
  });
});

describe('campaign.bulkStatus: the bulk status', () => {
  it('takes ids repeated or with commas, and leaves unknown ones out', async () => {
    const [one, other] = [await created(), await created()];
    const ways = [
      `campaign_ids=${one}&campaign_ids=${other}&campaign_ids=${NEVER}`,
      `campaign_ids=${one},${other},${NEVER}`,
      `campaign_ids=${one}%2C${other}&campaign_ids=${NEVER}`,
    ];
    for (const query of ways) {
      const { status, body } = await entry.service('GET', `/campaigns/bulk-status?${query}`);
      expect([status, keysOf(body as object)]).toEqual([200, [one, other].sort()]);
    }
    await entry.advance(1);
    const { data } = await client.GET('/api/v3.2/campaigns/bulk-status', {
      params: { query: { campaign_ids: [one] } },
    });
    expect(data).toEqual({ [one]: [expect.any(Number), 0, 2] });
  });

  it('malformedField: is 400 without ids', async () => {
    const { status, body } = await entry.service('GET', '/campaigns/bulk-status');
    expect(status).toBe(400);
    expect(body).toMatchObject({ detail: [{ loc: ['query', 'campaign_ids'] }] });
  });

  it('takes a query of 64 kB', async () => {
    const ids = Array.from({ length: 1_500 }, () => NEVER).join(',');
    const start = `${'/campaigns/bulk-status'}?campaign_ids=`;
    expect(ids.length).toBeGreaterThan(50_000);
    const { status, body } = await entry.service('GET', start + ids);
    expect([status, body]).toEqual([200, {}]);
  });
});

describe('campaign.create: a creation is refused', () => {
  const hour = (h: number) => new Date(Date.UTC(2026, 2, 1, h)).toISOString();
  const key = '00112233445566778899AABBCCDDEEFF';
  const eui = 'FF00000000000001';

  it.each([
    ['malformedField', { name: undefined }, 'campaign.name', 'name'],
    ['malformedField', { is_debug: 'yes' }, 'campaign.invalid', 'is_debug'],
    [
      'startNotAhead',
      { scheduled_start_at: '2026-02-28T23:59:59Z' },
      'campaign.start',
      'scheduled_start_at',
    ],
    ['startNotAhead', { scheduled_start_at: 'tomorrow' }, 'campaign.start', 'scheduled_start_at'],
    [
      'halfMulticastGroup',
      { mcast_deveui: eui, mcast_devaddr: '01020304' },
      'campaign.multicast-group',
      'mcast_mc_key',
    ],
    [
      'halfMulticastGroup',
      { mcast_deveui: eui, mcast_mc_key: key },
      'campaign.multicast-group',
      'mcast_devaddr',
    ],
    ['badMcastDr', { mcast_dr: 0 }, 'campaign.invalid', 'mcast_dr'],
    ['badMcastDr', { mcast_dr: 15 }, 'campaign.invalid', 'mcast_dr'],
    ['badMcastFreq', { mcast_freq: 0 }, 'campaign.invalid', 'mcast_freq'],
    ['badMcastFreq', { mcast_freq: 1000 }, 'campaign.invalid', 'mcast_freq'],
    ['badRedundancy', { redundancy: -0.1 }, 'campaign.invalid', 'redundancy'],
    ['badRedundancy', { redundancy: 1.1 }, 'campaign.invalid', 'redundancy'],
    [
      'badSessionTimeout',
      { mcast_session_timeout: 100 },
      'campaign.invalid',
      'mcast_session_timeout',
    ],
    [
      'badSessionTimeout',
      { mcast_session_timeout: 65_536 },
      'campaign.invalid',
      'mcast_session_timeout',
    ],
    ['timeoutTooShort', { min_timeout_delay: 5 }, 'campaign.invalid', 'min_timeout_delay'],
    ['badDescriptor', { descriptor: '0102' }, 'campaign.descriptor', 'descriptor'],
    [
      'badMulticastKey',
      { mcast_deveui: eui, mcast_devaddr: '01020304', mcast_mc_key: '00' },
      'campaign.multicast-group',
      'mcast_mc_key',
    ],
    ['badVersion', { expected_version: '1.2' }, 'campaign.version', 'expected_version'],
    ['badVersion', { image_name: 'plain.bin' }, 'campaign.version', 'expected_version'],
    ['unknownInBody', { image_name: 'never.bin' }, 'image.unknown', 'image_name'],
    ['unknownInBody', { device_group_id: 'never1' }, 'deviceGroup.unknown', 'device_group_id'],
  ])('%s: 400 for %j', async (_, body, code, field) => {
    const { status, body: error } = await entry.service('POST', '/campaigns', {
      body: { ...input(), ...body },
    });
    expect([status, error]).toEqual([400, errorAt(code, 'body', field)]);
  });

  it('with 402 where it is valid and cannot be done', async () => {
    const wrong = await create({ mcast_freq: 433.05 });
    expect(wrong.response.status).toBe(402);
    expect(wrong.error).toEqual(errorAt('campaign.frequency', 'body', 'mcast_freq'));
    const rate = await create({ mcast_dr: 14 });
    expect(rate.response.status).toBe(402);
    expect(rate.error).toEqual(errorAt('campaign.data-rate', 'body', 'mcast_dr'));
  });

  it('with 409 where another campaign has the group address', async () => {
    const body = { mcast_deveui: eui, mcast_devaddr: '01020304', mcast_mc_key: key };
    const first = await create(body);
    expect(first.response.status).toBe(202);
    const { response, error } = await create(body);
    expect(response.status).toBe(409);
    expect(error).toEqual(errorAt('campaign.address-in-use', 'body', 'mcast_devaddr'));
  });

  it('never for hexadecimal digits in lower case, which are answered in upper case', async () => {
    const id = await created({
      mcast_deveui: 'ff0000000000abcd',
      mcast_devaddr: '0a0b0c0d',
      mcast_mc_key: key.toLowerCase(),
      descriptor: 'abcdef01',
      expected_version: '0a000000........',
      scheduled_start_at: hour(40),
    });
    await entry.advance(1);
    const { data } = await read(id);
    expect(data).toMatchObject({
      mcast_deveui: 'FF0000000000ABCD',
      mcast_devaddr: '0A0B0C0D',
      descriptor: 'ABCDEF01',
      expected_version: '0A000000........',
    });
    expect(JSON.stringify(data).toUpperCase()).not.toContain(key);
  });
});

describe('campaign.halt and restart: a campaign that is halted', () => {
  it('keeps its state, and is tried again with 202 and its partial status', async () => {
    const id = await created();
    await entry.advance(10);
    const halted = await entry.service('POST', `/campaigns/${id}/halt`);
    expect([halted.status, halted.text]).toEqual([204, '']);
    const { data } = await read(id);
    expect(data).toMatchObject({ stage: 8, stage_str: 'HALTED', num_devices_fail: 2 });
    const again = await restart(id, { gateways: [], redundancy: 0.5, automatic_retry_count: null });
    expect(again.response.status).toBe(202);
    expect(keysOf(again.data)).toEqual(['campaign_id', 'stage', 'stage_str']);
    expect(await entry.advance({ campaign_id: id, stage: 'FINISHED' })).toBe(true);
    expect((await read(id)).data).toMatchObject({ num_devices_success: 2, redundancy: 0.5 });
  });

  it('campaign.restart: takes no body, an empty one with a JSON content type, and null', async () => {
    for (const asked of [{}, { headers: { 'content-type': 'application/json' }, body: '' }]) {
      const id = await created();
      await entry.advance(10);
      await halt(id);
      expect((await entry.service('POST', `/campaigns/${id}/restart`, asked)).status).toBe(202);
      await halt(id);
    }
  });

  it.each([
    [
      'startNotAhead',
      { scheduled_start_at: '2026-02-01T00:00:00Z' },
      'campaign.start',
      ['scheduled_start_at'],
    ],
    ['badRedundancy', { redundancy: 2 }, 'campaign.invalid', ['redundancy']],
    [
      'unknownInBody',
      { gateways: ['FFFFFFFFFFFFFFFF'] },
      'deviceGroup.unknown-gateway',
      ['gateways', 0],
    ],
    [
      'tooManyGateways',
      { gateways: Array.from({ length: 11 }, (_, i) => `00000000000000${i + 10}`) },
      'deviceGroup.too-many-gateways',
      ['gateways'],
    ],
  ])('campaign.restart: %s is 400 for %j', async (_, body, code, place) => {
    const id = await created();
    await entry.advance(10);
    await halt(id);
    const { response, error } = await restart(id, body);
    expect([response.status, error]).toEqual([400, errorAt(code, 'body', ...place)]);
  });

  it('campaign.restart: is 402 without a gateway; campaign.create too, and for a group that is empty now', async () => {
    const carol = entry.clientOf('carol');
    await carol.POST('/api/v3.2/images', upload('pump-2.0.0.bin', new Uint8Array(50)));
    const pumps = await entry.devEuisOf('pump', 'carol');
    const body = {
      name: 'drained',
      image_name: 'pump-2.0.0.bin',
      device_group_id: await groupOf(pumps.slice(0, 1), carol),
    };
    const gone = await groupOf(pumps.slice(1), carol);
    const { data } = await carol.POST('/api/v3.2/campaigns', { body });
    await carol.POST('/api/v3.2/campaigns/{campaign_id}/halt', path(data!.campaign_id));
    await entry.ask('POST', '/sim/v1/clock:advance', { body: { to: hourOf(7) } });
    const again = await carol.POST('/api/v3.2/campaigns/{campaign_id}/restart', {
      ...path(data!.campaign_id),
      body: {},
    });
    expect([again.response.status, again.error]).toEqual([402, errorOf('campaign.no-gateway')]);
    const another = await carol.POST('/api/v3.2/campaigns', { body });
    expect(another.response.status).toBe(402);
    const empty = await carol.POST('/api/v3.2/campaigns', {
      body: { ...body, device_group_id: gone },
    });
    expect(empty.response.status).toBe(402);
    expect(empty.error).toEqual(errorAt('campaign.empty-group', 'body', 'device_group_id'));
  });
});

const hourOf = (h: number) => new Date(Date.UTC(2026, 2, 1, h)).toISOString();

describe('unknownId: campaign.get to shortStatus for a campaign that never was', () => {
  it('are 404 in the words of the service, and as RFC 9457 where that is accepted', async () => {
    const asked = [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/halt'],
      ['POST', '/restart'],
      ['GET', '/short-status'],
    ] as const;
    for (const [method, verb] of asked) {
      const { status, body } = await entry.service(method, `/campaigns/${NEVER}${verb}`);
      expect([status, body]).toEqual([404, errorOf('campaign.unknown')]);
    }
    const problem = await entry.service('GET', `/campaigns/${NEVER}`, {
      headers: { accept: 'application/problem+json' },
    });
    expect(problem.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(problem.body).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: expect.any(String),
      instance: `/api/v3.2/campaigns/${NEVER}`,
      code: 'campaign.unknown',
    });
  });
});

describe('what a creation does not name', () => {
  it('is ignored and never stored: knobs of scenario files, ids and owners', async () => {
    const plain = await created();
    const knobs = {
      owner: 'bob',
      id: NEVER,
      campaign_id: NEVER,
      frag_size: 40,
      gateway_timing: 'simultaneous',
      multicastSession: 'classB',
      pingSlotPeriodicity: 3,
      unheard: { of: ['anything'] },
    };
    const more = await created(knobs);
    expect(more).not.toBe(NEVER);
    await entry.advance(10);
    const stripped = async (id: string) => {
      const {
        campaign_id: _,
        devices: __,
        ...state
      } = (await read(id)).data as never as Record<string, unknown>;
      return { ...state, created_at: '' };
    };
    const [one, other] = [await stripped(plain), await stripped(more)];
    expect(keysOf(other)).toEqual(keysOf(one));
    expect(JSON.stringify(other)).not.toMatch(/frag_size|gateway_timing|multicastSession|unheard/);
    const sessions = (other as { multicast_sessions?: { lora_class: string }[] })
      .multicast_sessions;
    expect(sessions?.every(({ lora_class }) => lora_class === 'C')).toBe(true);
  });
});

describe('campaign.list to shortStatus', () => testStatuses(() => entry, [1, 2, 3, 4, 5, 6, 7, 8]));
