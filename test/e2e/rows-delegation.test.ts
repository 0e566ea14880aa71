/** Rows 47 to 51 over HTTPS: upgrade delegation, with every status that they document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FleetwaveClient, upload } from '../../api/client/client.ts';
import { errorAt, errorOf, ServedEntry, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

let entry: ServedEntry;
let ann: FleetwaveClient;
let bob: FleetwaveClient;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  [ann, bob] = [entry.client, entry.clientOf('bob')];
});
afterAll(async () => await entry.close());

const NEVER = '00000000-0000-4000-8000-000000000000';
const INPUT = {
  delegate_to: 'bob',
  expires_at: '2026-04-01T00:00:00Z',
  include_devices: ['02............01'],
};
const path = (delegation_id: string) => ({ params: { path: { delegation_id } } });
const one = '/api/v3.2/upgrade_delegation/{delegation_id}';
const create = (body: object = {}) =>
  ann.POST('/api/v3.2/upgrade_delegation', { body: { ...INPUT, ...body } });
const created = async () => (await create()).data!.delegation_id;

describe('a delegation', () => {
  it('delegation.create: is answered with 200 and nine fields', async () => {
    const { response, data } = await create();
    expect(response.status).toBe(200);
    expect(data).toEqual({
      delegation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      delegate_from: 'ann',
      delegate_to: 'bob',
      expires_at: '2026-04-01T00:00:00Z',
      include_devices: ['02............01'],
      exclude_devices: [],
      include_gateways: [],
      exclude_gateways: [],
      created_at: '2026-03-01T00:00:00Z',
    });
  });

  it('delegation.create: has patterns in any case, and gateways without effect', async () => {
    const { data } = await create({
      include_devices: ['0a..............'.slice(0, 16)],
      exclude_devices: ['0ab.............'.slice(0, 16)],
      include_gateways: ['any'],
      exclude_gateways: ['text'],
      owner: 'carol',
      delegate_from: 'carol',
      delegation_id: NEVER,
    });
    expect(data).toMatchObject({
      delegate_from: 'ann',
      include_devices: ['0A..............'],
      exclude_devices: ['0AB.............'],
      include_gateways: ['any'],
      exclude_gateways: ['text'],
    });
    expect(data!.delegation_id).not.toBe(NEVER);
  });

  it('delegation.create: is made once by an Idempotency-Key, which is 409 with another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const ask = async (body: object) =>
      await entry.service('POST', '/upgrade_delegation', { headers, body });
    const first = await ask(INPUT);
    const again = await ask(INPUT);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await ask({ ...INPUT, delegate_to: 'carol' })).status).toBe(409);
  });

  it('delegation.list and get: is seen by its two parties alone', async () => {
    const id = await created();
    const { data } = await ann.GET(one, path(id));
    const mine = await ann.GET('/api/v3.2/upgrade_delegation');
    expect(mine.response.status).toBe(200);
    expect(Object.keys(mine.data!).sort()).toEqual(['delegated_from', 'delegated_to']);
    expect(mine.data!.delegated_to).toContainEqual(data);
    expect(mine.data!.delegated_from).toEqual([]);
    const his = await bob.GET('/api/v3.2/upgrade_delegation');
    expect(his.data!.delegated_from).toContainEqual(data);
    expect(his.data!.delegated_to).toEqual([]);
    const read = await bob.GET(one, path(id));
    expect([read.response.status, read.data]).toEqual([200, data]);
    const carol = entry.clientOf('carol');
    const none = await carol.GET('/api/v3.2/upgrade_delegation');
    expect(none.data).toEqual({ delegated_to: [], delegated_from: [] });
  });

  it.each([
    { expires_at: '2026-05-01T00:00:00Z' },
    { include_devices: ['FFFFFFFFFFFFFFFF'] },
    { exclude_devices: ['................'] },
    { include_gateways: ['a'], exclude_gateways: ['b'] },
    {},
  ])('delegation.update: changes only what is given, as %j', async (body) => {
    const { data } = await create();
    const changed = await ann.PATCH(one, { ...path(data!.delegation_id), body });
    expect([changed.response.status, changed.data]).toEqual([200, { ...data, ...body }]);
  });

  it('delegation.update: keeps its end where null is given', async () => {
    const { data } = await create();
    const body = { expires_at: null };
    const { data: changed } = await ann.PATCH(one, { ...path(data!.delegation_id), body });
    expect(changed).toEqual(data);
  });

  it('delegation.delete: is deleted with 204 and no body', async () => {
    const id = await created();
    const { status, text } = await entry.service('DELETE', `/upgrade_delegation/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await bob.GET(one, path(id))).response.status).toBe(404);
  });
});

describe('what a delegation is refused for', () => {
  it.each([
    ['malformedField', { delegate_to: undefined }, 'delegation.delegate-to', ['delegate_to']],
    ['malformedField', { delegate_to: 'ann' }, 'delegation.delegate-to', ['delegate_to']],
    ['malformedField', { expires_at: undefined }, 'delegation.expires-at', ['expires_at']],
    [
      'malformedField',
      { expires_at: '2026-03-01T00:00:00Z' },
      'delegation.expires-at',
      ['expires_at'],
    ],
    ['malformedField', { include_devices: undefined }, 'delegation.pattern', ['include_devices']],
    ['malformedField', { include_devices: [] }, 'delegation.pattern', ['include_devices']],
    ['malformedField', { include_devices: ['..'] }, 'delegation.pattern', ['include_devices', 0]],
    ['malformedField', { exclude_devices: ['x'] }, 'delegation.pattern', ['exclude_devices', 0]],
  ] as const)('delegation.create, %s: 400 for %j', async (_, given, code, place) => {
    const { response, error } = await create(given);
    expect([response.status, error]).toEqual([400, errorAt(code, 'body', ...place)]);
  });

  it('delegation.update: 400 for what is of no known form', async () => {
    const id = await created();
    const { response, error } = await ann.PATCH(one, {
      ...path(id),
      body: { include_devices: ['x'] },
    });
    const wrong = errorAt('delegation.pattern', 'body', 'include_devices', 0);
    expect([response.status, error]).toEqual([400, wrong]);
  });

  it('changeByOther, deleteByOther: delegation.update and delete are 403 for its receiver, who did not create it', async () => {
    const id = await created();
    const change = await bob.PATCH(one, { ...path(id), body: {} });
    expect([change.response.status, change.error]).toEqual([
      403,
      errorOf('delegation.not-creator'),
    ]);
    const end = await bob.DELETE(one, path(id));
    expect([end.response.status, end.error]).toEqual([403, errorOf('delegation.not-creator')]);
  });

  it('unknownId, thirdParty: delegation.get to delete are 404 to others, as for one that never was', async () => {
    const token = await entry.tokenOf('carol');
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      for (const id of [await created(), NEVER]) {
        const asked = method === 'PATCH' ? { token, body: {} } : { token };
        const { status, body } = await entry.service(method, `/upgrade_delegation/${id}`, asked);
        expect([status, body]).toEqual([404, errorOf('delegation.unknown')]);
      }
    }
  });
});

describe('what a delegation grants', () => {
  const campaigns = '/api/v3.2/campaigns';
  const groups = '/api/v3.2/device_groups';
  /** Words about a device, whichever it is. */
  const without = (text: string, devEui: string) => text.replaceAll(devEui, 'X');

  /** What a subscriber is answered who makes a group of these devices. */
  const grouped = async (who: FleetwaveClient, devices: string[]) =>
    await who.POST(groups, { body: { name: 'delegated', devices } });

  it('deviceVersion.all, notDelegated: versions of one that delegates none are 404', async () => {
    const asked = await entry.service('GET', '/device_version/all?delegated_subscriber_id=carol');
    expect([asked.status, asked.body]).toEqual([404, errorOf('delegation.none')]);
  });

  it('deviceGroup.create, campaign.create and restart: its devices are grouped and updated, until it ends: then 403', async () => {
    // No delegation of the tests above has covered these.
    const [first, second] = (await entry.devEuisOf('meter')).slice(2) as [string, string];
    await entry.advance(600);
    const id = (await create({ include_devices: [first] })).data!.delegation_id;
    const createdOne = await grouped(bob, [first]);
    expect([createdOne.response.status, createdOne.data?.devices]).toEqual([200, [first]]);
    const { device_group_id } = createdOne.data!;

    // The other meter, which ann has, answers bob as one that never was; all of them do so carol.
    const carol = entry.clientOf('carol');
    const never = 'FFFFFFFFFFFFFFFF';
    const missing = await grouped(bob, [never]);
    expect(missing.response.status).toBe(400);
    const words = without(JSON.stringify(missing.error), never);
    for (const [who, devEui] of [
      [bob, second],
      [carol, first],
    ] as const) {
      const foreign = await grouped(who, [devEui]);
      expect(foreign.response.status).toBe(400);
      expect(without(JSON.stringify(foreign.error), devEui)).toBe(words);
    }

    const image = upload('app-1.2.3.bin', new Uint8Array(500));
    await bob.POST('/api/v3.2/images', image);
    const campaign = { name: 'hers', image_name: 'app-1.2.3.bin', device_group_id };
    const begun = await bob.POST(campaigns, { body: campaign });
    expect(begun.response.status).toBe(202);
    const { campaign_id } = begun.data!;
    const one = { params: { path: { campaign_id } } };
    const foreign = await ann.GET(`${campaigns}/{campaign_id}`, one);
    expect([foreign.response.status, foreign.error]).toEqual([404, errorOf('campaign.unknown')]);
    await entry.advance(60);
    await bob.POST(`${campaigns}/{campaign_id}/halt`, one);
    await entry.advance(60);
    const history = async (who: FleetwaveClient) =>
      (await who.GET('/api/v3.2/history/{deveui}', { params: { path: { deveui: first } } })).data;
    expect(await history(ann)).toMatchObject([{ campaign_id, reason: 'halted' }]);
    expect(await history(bob)).toEqual(await history(ann));

    await entry.service('DELETE', `/upgrade_delegation/${id}`);
    const regrouped = await grouped(bob, [first]);
    const ended = errorAt('delegation.ended', 'body', 'devices', 0);
    expect([regrouped.response.status, regrouped.error]).toEqual([403, ended]);
    const again = await bob.POST(campaigns, { body: campaign });
    const inGroup = errorAt('delegation.ended', 'body', 'device_group_id');
    expect([again.response.status, again.error]).toEqual([403, inGroup]);
    const restarted = await bob.POST(`${campaigns}/{campaign_id}/restart`, { ...one, body: {} });
    expect([restarted.response.status, restarted.error]).toEqual([
      403,
      errorOf('delegation.ended'),
    ]);
    for (const { error } of [regrouped, again, restarted]) {
      expect(JSON.stringify(error)).toContain(first);
    }
    await create({ include_devices: [first] });
    const then = await bob.POST(`${campaigns}/{campaign_id}/restart`, { ...one, body: {} });
    expect(then.response.status).toBe(202);
  });
});

describe('delegation.list to delete', () => testStatuses(() => entry, [47, 48, 49, 50, 51]));
