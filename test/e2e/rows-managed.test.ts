/** Rows 33 to 40 over HTTPS: managed campaigns, with every status that they document. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetwaveClient } from '../../api/client/client.ts';
import { upload } from '../../api/client/client.ts';
import { gatewayEui } from '../../scenarios/filling/identity.ts';
import { errorAt, errorOf, ServedEntry, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

const NEVER = '00000000-0000-4000-8000-000000000000';
const DAY_S = 86_400;
/** What devices of the town run, whose reports come within a minute of their start. */
const REPORTING = TOWN.replaceAll('adr: false\n', 'adr: false\n    versionReports: 1 d\n');

let entry: ServedEntry;
let ann: FleetwaveClient;
const [mast, tower] = [gatewayEui('mast', 1), gatewayEui('tower', 1)];

beforeAll(async () => {
  entry = await ServedEntry.open(REPORTING);
  ann = entry.client;
  // Every device has been heard, and has reported its version.
  await entry.advance(600);
  await ann.POST('/api/v3.2/images', upload('meter-2.0.0.bin', new Uint8Array(600).fill(1)));
  await ann.POST('/api/v3.2/images', upload('plain.bin', new Uint8Array(50)));
});
afterAll(async () => await entry.close());

const all = '/api/v3.2/managed_campaigns';
const one = '/api/v3.2/managed_campaigns/{managed_campaign_id}';
const problematic = '/api/v3.2/managed_campaigns/{managed_campaign_id}/problematic_devices';
const path = (managed_campaign_id: string) => ({ params: { path: { managed_campaign_id } } });
const input = () => ({
  include_versions: ['0100............'],
  image_name: 'meter-2.0.0.bin',
  gateways: [mast],
});
const create = (body: object = {}) => ann.POST(all, { body: { ...input(), ...body } });
const created = async (body: object = {}) => (await create(body)).data!.managed_campaign_id;
const halt = (id: string) =>
  ann.POST('/api/v3.2/managed_campaigns/{managed_campaign_id}/halt', path(id));

describe('a managed campaign from its creation to its end', () => {
  let id: string;

  it('managedCampaign.create: is answered with 200, its id and its initial state', async () => {
    const { response, data } = await create({ preferred_start_time_utc: '01:00:30' });
    expect(response.status).toBe(200);
    expect(data).toMatchObject({
      name: 'managed meter-2.0.0.bin',
      exclude_versions: [],
      expected_version: '02000000........',
      preferred_start_time_utc: '01:00',
      stop_when_no_match: false,
      run_until: '2026-03-08T00:10:00Z',
      whole_subscriber: false,
      next_update_session_time: '2026-03-01T01:00:00Z',
      updated_devices: {},
      stage: 0,
      stage_str: 'INITIALIZING',
      started_at: '2026-03-01T00:10:00Z',
    });
    const devices = [...(await entry.devEuisOf('meter')), ...(await entry.devEuisOf('sensor'))];
    expect(Object.keys(data!.scheduled_devices).sort()).toEqual(devices.sort());
    id = data!.managed_campaign_id;
  });

  it('managedCampaign.get: is answered with the devices that it updated, managedCampaign.list: listed without', async () => {
    await entry.advance(DAY_S / 2);
    const { response, data } = await ann.GET(one, path(id));
    expect(response.status).toBe(200);
    expect(data).toMatchObject({ stage: 1, stage_str: 'GATHERING_DEVICES' });
    expect(Object.keys(data!.updated_devices).length).toBeGreaterThan(5);
    const { scheduled_devices: _, updated_devices: __, ...summary } = data!;
    const list = await ann.GET(all);
    expect([list.response.status, list.data]).toEqual([200, [summary]]);
    const campaigns = (await ann.GET('/api/v3.2/campaigns')).data!.map(({ name }) => name);
    expect(campaigns).toEqual(['A', 'C'].map((of) => `managed meter-2.0.0.bin 2026-03-01 ${of}`));
  });

  it('managedCampaign.problematicDevices and clearProblematicDevices: problematic devices are listed by DevEUI, and cleared with 204', async () => {
    const read = await ann.GET(problematic, path(id));
    expect([read.response.status, read.data]).toEqual([200, {}]);
    const cleared = await entry.service('DELETE', `/managed_campaigns/${id}/problematic_devices`);
    expect([cleared.status, cleared.text]).toEqual([204, '']);
  });

  it('notFinished: managedCampaign.delete is 409 before it is finished, and 204 then', async () => {
    const { response, error } = await ann.DELETE(one, path(id));
    expect([response.status, error]).toEqual([409, errorOf('managedCampaign.not-finished')]);
    expect((await halt(id)).response.status).toBe(204);
    // A later halt is none.
    expect((await halt(id)).response.status).toBe(204);
    expect((await ann.GET(one, path(id))).data!.stage).toBe(7);
    expect((await ann.DELETE(one, path(id))).response.status).toBe(204);
    expect((await ann.GET(one, path(id))).response.status).toBe(404);
  });

  it('managedCampaign.create: is made once by an Idempotency-Key, which is 409 with another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const ask = async (body: object) =>
      await entry.service('POST', '/managed_campaigns', { headers, body });
    const first = await ask(input());
    expect((await ask(input())).text).toBe(first.text);
    expect((await ask({ ...input(), name: 'other' })).status).toBe(409);
  });

  it('campaignInUse: keeps its image from being deleted', async () => {
    const { response, error } = await ann.DELETE('/api/v3.2/images/{image_id}', {
      params: { path: { image_id: 'meter-2.0.0.bin' } },
    });
    expect([response.status, error]).toEqual([409, errorOf('image.in-use')]);
  });
});

describe('what a managed campaign is refused for', () => {
  it.each([
    [
      'malformedField',
      { include_versions: undefined },
      'managedCampaign.version',
      ['include_versions'],
    ],
    ['malformedField', { image_name: undefined }, 'managedCampaign.invalid', ['image_name']],
    [
      'malformedField',
      { run_until: '2026-01-01T00:00:00Z' },
      'managedCampaign.run-until',
      ['run_until'],
    ],
    [
      'wholeSubscriber',
      { whole_subscriber: true },
      'managedCampaign.whole-subscriber',
      ['whole_subscriber'],
    ],
    ['oneGateway', { gateways: undefined }, 'managedCampaign.gateways', ['gateways']],
    ['oneGateway', { gateways: [] }, 'managedCampaign.gateways', ['gateways']],
    ['unknownInBody', { image_name: 'none-1.0.0.bin' }, 'image.unknown', ['image_name']],
    [
      'unknownInBody',
      { gateways: ['00000000000000FF'] },
      'deviceGroup.unknown-gateway',
      ['gateways', 0],
    ],
    [
      'badStartTime',
      { preferred_start_time_utc: '25:00' },
      'managedCampaign.start-time',
      ['preferred_start_time_utc'],
    ],
    [
      'badPattern',
      { include_versions: ['01'] },
      'managedCampaign.version',
      ['include_versions', 0],
    ],
    ['badPattern', { exclude_versions: ['x'] }, 'managedCampaign.version', ['exclude_versions', 0]],
    ['badPattern', { expected_version: '1.2.0' }, 'managedCampaign.version', ['expected_version']],
    ['badPattern', { image_name: 'plain.bin' }, 'managedCampaign.version', ['expected_version']],
  ] as const)('managedCampaign.create, %s: 400 for %j', async (_, given, code, place) => {
    const { response, error } = await create(given);
    expect([response.status, error]).toEqual([400, errorAt(code, 'body', ...place)]);
  });

  it('oneGateway, foreignThing: two gateways are 400, and so is one of another subscriber', async () => {
    const two = await create({ gateways: [mast, tower] });
    expect([two.response.status, two.error]).toEqual([
      400,
      errorAt('managedCampaign.gateways', 'body', 'gateways'),
    ]);
    const foreign = await create({ gateways: [tower] });
    expect(foreign.error).toEqual(errorAt('deviceGroup.unknown-gateway', 'body', 'gateways', 0));
  });

  it('unknownId, foreignThing: managedCampaign.get to clearProblematicDevices are 404 to others, as for one that never was', async () => {
    const token = await entry.tokenOf('bob');
    for (const id of [await created(), NEVER]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/halt'],
        ['GET', '/problematic_devices'],
        ['DELETE', '/problematic_devices'],
      ] as const) {
        const { status, body } = await entry.service(method, `/managed_campaigns/${id}${rest}`, {
          token,
        });
        expect([status, body]).toEqual([404, errorOf('managedCampaign.unknown')]);
      }
    }
  });
});

describe('key.uploadDeprecated: the deprecated upload of keys', () => {
  const upload = async (body: unknown, version = 'v3.2') =>
    await entry.ask('POST', `/api/${version}/managed_campaigns/upload_multicast_keys`, { body });

  it('is 201, and says what takes its place', async () => {
    const [devEui] = await entry.devEuisOf('meter');
    const { status, text, headers } = await upload({ [devEui!]: '00'.repeat(16) });
    expect([status, text]).toEqual([201, '']);
    expect(headers.deprecation).toMatch(/^@\d+$/);
    expect(headers.link).toBe('</api/v3.2/key_management>; rel="successor-version"');
    const latest = await upload({}, 'latest');
    expect(latest.headers.link).toBe('</api/latest/key_management>; rel="successor-version"');
  });

  it('badEuiOrKey: is 400 for what is no key, as deprecated as ever', async () => {
    const { status, body, headers } = await upload({ '0123456789ABCDEF': '00' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'key.malformed' });
    expect(headers.deprecation).toMatch(/^@\d+$/);
    // The one that takes its place is not.
    const now = await entry.service('POST', '/key_management', { body: {} });
    expect([now.status, now.headers.deprecation]).toEqual([201, undefined]);
  });

  it('is marked so in the document', async () => {
    const { body } = await entry.ask('GET', '/openapi.json');
    const { paths } = body as { paths: Record<string, { post: { deprecated?: boolean } }> };
    const route = paths['/api/v3.2/managed_campaigns/upload_multicast_keys']!;
    expect(route.post.deprecated).toBe(true);
  });

  it('409 for an Idempotency-Key of another body', async () => {
    const headers = { 'idempotency-key': 'keys' };
    const path = '/managed_campaigns/upload_multicast_keys';
    await entry.service('POST', path, { headers, body: {} });
    const body = { '0123456789ABCDEF': '00'.repeat(16) };
    expect((await entry.service('POST', path, { headers, body })).status).toBe(409);
  });
});

describe('managedCampaign.list to clearProblematicDevices', () =>
  testStatuses(() => entry, [33, 34, 35, 36, 37, 38, 39, 40]));
