/**
 * Who may ask for what: every operation of the OpenAPI document by every permission, and by tokens
 * that are none. GET needs Read, a POST that makes something Create, DELETE Delete, all else
 * Update; the update service is about devices, and what is below /sim/v1 about the simulator.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upload } from '../../api/client/client.ts';
import { sampled } from '../support/long.ts';
import {
  type Asked,
  type ListedOperation,
  type OpenApi,
  operationsOf,
  refusalAt,
  ServedEntry,
  TOWN,
} from '../support/served-http.ts';

const OBJECTS = [
  'Device',
  'Gateway',
  'User',
  'SubscriberAdmin',
  'NetworkOperator',
  'SysAdmin',
  'Simulator',
];
const PERMISSIONS = OBJECTS.flatMap((object) =>
  ['Create', 'Read', 'Update', 'Delete'].map((action) => `${object}.${action}`),
);

/** Verbs at the end of a path: they make nothing. */
const CHANGES = new RegExp(
  String.raw`(:\w+|/(de)?associate|/(disable|halt|message|pause|timeline|clock)|` +
    '/re(start|store|boot|sume|deliver|freshToken))$',
);

/** What is no device, by the beginning of its path. */
const OBJECT_OF = [
  ['/sim/', 'Simulator'],
  ['/v1/account', 'User'],
  ['/v1/applications', 'SubscriberAdmin'],
  ['/v1/roles', 'SubscriberAdmin'],
  ['/v2/output/alerts', 'Gateway'],
  ['/v2/output/', 'SubscriberAdmin'],
  ['/v1/gateways', 'Gateway'],
  ['/v1/gatewayprofiles', 'Gateway'],
  ['/v1/groups/gateways', 'Gateway'],
  ['/v1/rfregions', 'Gateway'],
] as const;

/** It goes on until the world has gone beyond an instant. */
const EVENTS = '/sim/v1/events';
const OVER = '?to=2020-01-01T00:00:00Z';

/** Whatever it permits, any token does. */
const ANY_TOKEN = ['/v1/account', '/v1/account/permissions'];

function neededFor({ method, path }: ListedOperation): string {
  // One's own devices, and news of them.
  if (path === '/sim/v1/devices' || path === EVENTS) return 'Device.Read';
  const [, object = 'Device'] = OBJECT_OF.find(([prefix]) => path.startsWith(prefix)) ?? [];
  if (method === 'GET') return `${object}.Read`;
  if (method === 'POST' && !CHANGES.test(path)) return `${object}.Create`;
  return `${object}.${method === 'DELETE' ? 'Delete' : 'Update'}`;
}

let entry: ServedEntry;
let operations: readonly ListedOperation[];
let closed: readonly ListedOperation[];
let guarded: readonly ListedOperation[];
/** By the names of the paths: things that there are, so that a hole would show. */
let ids: Record<string, string>;
let bodies: Record<string, unknown>;
/** What is answered before somebody is refused, and after. */
let untouched: readonly unknown[];

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  operations = operationsOf((await entry.ask('GET', '/openapi.json')).body as OpenApi);
  closed = operations.filter(({ security }) => security === undefined);
  guarded = closed.filter(({ path }) => !ANY_TOKEN.includes(path));
  await seed();
  untouched = await everything();
});
afterAll(async () => await entry.close());

async function seed(): Promise<void> {
  const { client } = entry;
  const devices = await entry.devEuisOf('meter');
  await entry.advance(600);
  const name = 'meter-2.0.0.bin';
  await client.POST('/api/v3.2/images', upload(name, new Uint8Array(50), ['tag']));
  const group = await client.POST('/api/v3.2/device_groups', { body: { name: 'all', devices } });
  const device_group_id = group.data!.device_group_id;
  const campaign = { name: 'spring', image_name: name, device_group_id };
  const { data } = await client.POST('/api/v3.2/campaigns', { body: campaign });
  const delegation = {
    delegate_to: 'bob',
    expires_at: '2026-04-01T00:00:00Z',
    include_devices: devices,
  };
  const delegated = await client.POST('/api/v3.2/upgrade_delegation', { body: delegation });
  const reliable = {
    name: 'ping',
    downlink_hex: '01',
    downlink_fport: 5,
    expected_uplink_hex: '01',
    expected_uplink_fport: 5,
    devices,
  };
  const sends = await client.POST('/api/v3.2/reliable_downlinks', { body: reliable });
  const job = await entry.ask('POST', '/sim/v1/clock:advance', {
    headers: { prefer: 'respond-async' },
    body: { by: 1 },
  });
  // Until it is over, the world is another one from moment to moment.
  let state = 'running';
  while (state === 'running') {
    const { body } = await entry.ask('GET', String(job.headers.location));
    ({ state } = body as { state: string });
  }
  ids = {
    campaign_id: data!.campaign_id,
    device_group_id,
    deveui: devices[0]!,
    image_name: name,
    image_id: name,
    delegation_id: delegated.data!.delegation_id,
    reliable_id: sends.data!.job_id,
    job_id: (job.body as { job_id: string }).job_id,
  };
  bodies = {
    'campaign.create': campaign,
    'deviceGroup.create': { name: 'more', devices },
    'deviceGroup.replace': { name: 'other', devices },
    'deviceGroup.update': { name: 'other' },
    'deviceGroup.addDevices': { devices },
    'deviceGroup.keygenAddDevices': { devices, keygen_type: 'vendor' },
    'image.replaceTags': ['other'],
    'image.addTags': ['other'],
    'image.removeTags': ['tag'],
    'key.upload': { [devices[0]!]: '00'.repeat(16) },
    'key.delete': devices,
    'reliableDownlink.create': reliable,
    'delegation.create': delegation,
    'delegation.update': { include_devices: ['................'] },
    'clock.set': { speed: 7 },
    'clock.advance': { by: 60 },
    'subscriber.create': { name: 'another', permissions: [] },
    'application.create': { Name: 'another', Roles: [] },
    'application.replace': { Name: 'another', Roles: [] },
  };
}

/** The operation as one asks for it who may. */
const pathOf = ({ path }: ListedOperation) =>
  path
    .replace('reliable_downlinks/{job_id}', 'reliable_downlinks/{reliable_id}')
    .replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? 'none'))
    .replace(EVENTS, EVENTS + OVER);
const bodyOf = ({ operationId, requestBody }: ListedOperation): Asked =>
  requestBody === undefined ? {} : { body: bodies[operationId] ?? {} };
const ask = (operation: ListedOperation, token: string | null, asked: Asked = bodyOf(operation)) =>
  entry.ask(operation.method, pathOf(operation), { ...asked, token });

/** What reports of the requests themselves is another thing after each of them. */
const OF_REQUESTS = ['/sim/v1/requests', '/sim/v1/coverage'];

/** What all other GETs answer. */
async function everything(): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  const asked = operations.filter(({ method, path }) => {
    return method === 'GET' && !OF_REQUESTS.includes(path);
  });
  for (const operation of asked) {
    const { status, text } = await ask(operation, await entry.tokenOf());
    answers.push([operation.path, status, text]);
  }
  return answers;
}

describe('an operation', () => {
  it('is any token’s only where that is said: one’s own account', async () => {
    for (const operation of closed.filter(({ path }) => ANY_TOKEN.includes(path))) {
      for (const scope of PERMISSIONS) {
        const { status } = await ask(operation, await entry.tokenOf(undefined, scope));
        expect([operation.path, scope, status]).toEqual([operation.path, scope, 200]);
      }
    }
  });

  it('needs no token only where that is said: health and version', () => {
    const open = operations.filter((each) => !closed.includes(each));
    expect(open.map(({ path }) => path)).toEqual(['/v1/version', '/sim/v1/health']);
    expect(closed.length).toBeGreaterThanOrEqual(37 + 10);
  });

  it('noToken: is 401 without a token, with garbage, and with that of another emulator', async () => {
    const other = await ServedEntry.open(TOWN);
    const foreign = await other.tokenOf();
    await other.close();
    const own = await entry.tokenOf();
    const tampered = `${own.slice(0, -2)}${own.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const operation of sampled(closed, ({ path }) => path.length % 4 === 0)) {
      for (const token of [null, 'garbage', tampered, foreign]) {
        const { status, headers, body } = await ask(operation, token);
        expect([operation.path, token, status]).toEqual([operation.path, token, 401]);
        expect(headers['www-authenticate']).toMatch(/^Bearer realm=/);
        const code = token === null ? 'token.missing' : expect.stringMatching(/^token\./);
        expect(body).toEqual(refusalAt(operation.path, 401, code));
      }
    }
    expect(await everything()).toEqual(untouched);
  });

  it('is 401 with a token that has expired', async () => {
    const timed = await ServedEntry.open(TOWN, { tokenClock: 'virtual' });
    try {
      const token = await timed.tokenOf();
      await timed.advance(3_599);
      expect((await timed.ask('GET', '/sim/v1/clock', { token })).status).toBe(200);
      await timed.advance(2);
      for (const operation of closed) {
        const { status } = await timed.ask(operation.method, pathOf(operation), { token });
        expect([operation.path, status]).toEqual([operation.path, 401]);
      }
    } finally {
      await timed.close();
    }
  });

  it('is 403 with each of the permissions that it does not need, and with all', async () => {
    expect(PERMISSIONS).toHaveLength(28);
    for (const [nth, operation] of guarded.entries()) {
      const needed = neededFor(operation);
      const others = PERMISSIONS.filter((each) => each !== needed);
      // In short runs each operation meets one of them, the next one another, and all at once.
      const alone = sampled(others, (each) => others.indexOf(each) === nth % others.length);
      for (const scope of [...alone, others.join(' ')]) {
        const { status, body } = await ask(operation, await entry.tokenOf(undefined, scope));
        expect([operation.operationId, scope, status]).toEqual([operation.operationId, scope, 403]);
        const code = 'asker.forbidden';
        expect(body).toEqual(refusalAt(operation.path, 403, code));
      }
    }
    expect(await everything()).toEqual(untouched);
  });

  it('is refused in the order 401, 403, 400, 404', async () => {
    const wrong: Asked = { headers: { 'content-type': 'application/json' }, body: '{"broken' };
    const known = ids;
    ids = Object.fromEntries(Object.keys(known).map((name) => [name, 'FFFFFFFFFFFFFFFF']));
    // In short runs half of them: without a permission each is refused above.
    for (const operation of sampled(guarded, ({ path }) => path.length % 2 === 0)) {
      const scopes = PERMISSIONS.filter((each) => each !== neededFor(operation)).join(' ');
      const lacking = await entry.tokenOf(undefined, scopes);
      const sent = operation.method === 'GET' ? {} : wrong;
      const statuses = [
        (await ask(operation, 'garbage', sent)).status,
        (await ask(operation, lacking, sent)).status,
      ];
      expect([operation.operationId, statuses]).toEqual([operation.operationId, [401, 403]]);
      if (operation.requestBody === undefined) continue;
      const { status } = await ask(operation, await entry.tokenOf(), wrong);
      expect([operation.operationId, status]).toEqual([operation.operationId, 400]);
    }
    ids = known;
    expect(await everything()).toEqual(untouched);
  });

  it('is 400 before 404: for a wrong field of a thing that never was', async () => {
    const wrong = {
      'deviceGroup.replace': { name: 'x', devices: 7 },
      'deviceGroup.update': { devices: 7 },
      'deviceGroup.addDevices': { devices: 7 },
      'deviceGroup.keygenAddDevices': { devices: 7, keygen_type: 'vendor' },
      'image.replaceTags': [7],
      'image.addTags': ['a b'],
      'image.removeTags': [7],
      'delegation.update': { include_devices: 7 },
      'campaign.restart': { redundancy: 7 },
    } as Record<string, unknown>;
    for (const operation of closed.filter(({ operationId }) => operationId in wrong)) {
      const path = operation.path.replaceAll(/\{\w+\}/g, 'never1');
      const body = wrong[operation.operationId];
      const { status } = await entry.ask(operation.method, path, { body });
      expect([operation.operationId, status]).toEqual([operation.operationId, 400]);
    }
  });

  it('is neither 401 nor 403 with the one permission that it needs', async () => {
    // Of the users' own rows applications have none (rows-accounts.test.ts).
    const ofUsers = guarded.filter((each) => neededFor(each) === 'User.Update');
    expect(ofUsers).toHaveLength(3);
    for (const operation of guarded.filter((each) => !ofUsers.includes(each))) {
      const token = await entry.tokenOf(undefined, neededFor(operation));
      const { status } = await ask(operation, token);
      expect([401, 403, 500], `${operation.operationId}: ${status}`).not.toContain(status);
    }
  });
});
