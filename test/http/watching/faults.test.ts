/**
 * Faults of the API as a client of the served emulator meets them: what it sees, and whether the
 * operation was carried out all the same.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestEntry } from '../../../api/host/watching/request-log.ts';
import { type Answer, type Asked, ServedEntry, TOWN } from '../../support/served-http.ts';

const FAULTS = '/sim/v1/faults/api';
const GROUPS = '/api/v3.2/device_groups';

let entryPoint: ServedEntry;
let devices: readonly string[];

beforeAll(async () => {
  entryPoint = await ServedEntry.open(TOWN, { http: true });
  devices = (await entryPoint.devEuisOf('meter')).slice(0, 2);
});
afterEach(async () => {
  expect((await entryPoint.ask('DELETE', FAULTS)).status).toBe(204);
});
afterAll(() => entryPoint.close());

/** The id of the new fault. */
async function fault(asked: object): Promise<string> {
  const { status, text, body } = await entryPoint.ask('POST', FAULTS, { body: asked });
  expect(status, text).toBe(201);
  return (body as { readonly id: string }).id;
}

const make = (name: string, asked: Asked = {}): Promise<Answer> =>
  entryPoint.ask('POST', GROUPS, { body: { name, devices }, ...asked });

/** Whether there is a group of this name: what the world itself says. */
async function isCreated(name: string): Promise<boolean> {
  const { body } = await entryPoint.ask('GET', GROUPS);
  return (body as { name: string }[]).some((each) => each.name === name);
}

async function reportOf(
  id: string,
): Promise<{ readonly matched: number; readonly struck: number }> {
  const { body } = await entryPoint.ask('GET', FAULTS);
  const { faults } = body as { faults: { id: string; matched: number; struck: number }[] };
  const { matched, struck } = faults.find((each) => each.id === id)!;
  return { matched, struck };
}

const latest = async (query: string): Promise<RequestEntry> => {
  const { body } = await entryPoint.ask('GET', `/sim/v1/requests?limit=1&${query}`);
  return (body as { requests: RequestEntry[] }).requests[0]!;
};

describe('a status', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])('%s the operation: it is carried out: %s', async (when, expected) => {
    const name = `status ${when}`;
    await fault({ operation: 'deviceGroup.create', when, status: 503 });
    const { status, headers, body } = await make(name);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(body).toEqual({ detail: expect.any(String), code: 'apiFault.struck' });
    expect(await isCreated(name)).toBe(expected);
  });

  /** E37: 402; E38: 424 and 429; E40: 500 and above. */
  it.each([
    [402, 9],
    [424, 9],
    [429, 8],
    [500, 13],
    [502, 2],
    [503, 14],
    [504, 4],
  ])('%i is reported in the words of each family', async (status, grpc) => {
    await fault({ path: '/*', status });
    const known = expect.any(String);
    const problem = { type: 'about:blank', title: known, status, detail: known, code: known };
    const platform = { code: grpc, message: known, details: [{ reason: 'apiFault.struck' }] };
    for (const [path, words] of [
      ['/api/v3.2/campaigns', { detail: known, code: 'apiFault.struck' }],
      ['/api/latest/campaigns', { detail: known, code: 'apiFault.struck' }],
      ['/v0/multicastgroups', platform],
      ['/v1/devices', platform],
      ['/v2/devices', platform],
    ] as const) {
      const answer = await entryPoint.ask('GET', path);
      expect([path, answer.status, answer.body]).toEqual([path, status, words]);
      const accept = { accept: 'application/problem+json' };
      const other = await entryPoint.ask('GET', path, { headers: accept });
      expect(other.headers['content-type']).toContain('application/problem+json');
      expect(other.body).toEqual({ ...problem, instance: path });
    }
  });

  it('has the Retry-After that was asked for, and none of its own', async () => {
    await fault({ operation: 'image.list', status: 429, retry_after: 17 });
    await fault({ operation: 'campaign.list', status: 402 });
    const images = await entryPoint.ask('GET', '/api/v3.2/images');
    const campaigns = await entryPoint.ask('GET', '/api/v3.2/campaigns');
    expect(images.headers['retry-after']).toBe('17');
    expect(images.headers).toMatchObject({
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '17',
    });
    expect(campaigns.headers['ratelimit-limit']).toBeUndefined();
    expect(campaigns.headers['retry-after']).toBeUndefined();
  });

  it('after the operation reports nothing of what came of it', async () => {
    const asked = { headers: { 'idempotency-key': 'replayed' } };
    await make('replayed', asked);
    await fault({ operation: 'deviceGroup.create', when: 'after', status: 500 });
    const { headers, text } = await make('replayed', asked);
    expect(Object.keys(headers).sort()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
      'keep-alive',
      'x-content-type-options',
      'x-sim-time',
    ]);
    expect(text).not.toContain('device_group_id');
  });
});

describe('a body that breaks off', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])('%s the operation: it is carried out: %s', async (when, expected) => {
    const name = `broken ${when}`;
    await fault({ operation: 'deviceGroup.create', when, broken_body: true });
    const { status, headers, text } = await make(name);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(await isCreated(name)).toBe(expected);
  });

  it('is half of the true one', async () => {
    const whole = await entryPoint.ask('GET', '/v1/roles');
    await fault({ operation: 'role.list', when: 'after', broken_body: true });
    const half = await entryPoint.ask('GET', '/v1/roles');
    expect(half.text).toBe(whole.text.slice(0, Math.ceil(whole.text.length / 2)));
  });

  it('is none, after an operation that answers without one', async () => {
    const path = '/v2/output/destinations';
    const destination = { name: 'a', type: 'webhook', data: { url: 'https://a.example/' } };
    const created = await entryPoint.ask('POST', path, { body: destination });
    await fault({ operation: 'destination.delete', when: 'after', broken_body: true });
    const one = `${path}/${(created.body as { id: string }).id}`;
    const { status, headers, text } = await entryPoint.ask('DELETE', one);
    expect([created.status, status, text]).toEqual([201, 204, '']);
    expect(headers).not.toHaveProperty('content-type');
  });

  it('is the beginning of a list that would be streamed', async () => {
    await fault({ operation: 'endDeviceV2.list', when: 'after', broken_body: true });
    const { status, text } = await entryPoint.ask('GET', '/v2/devices');
    expect(status).toBe(200);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });
});

describe('a connection that is closed', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])('%s the operation: it is carried out: %s', async (when, expected) => {
    const name = `closed ${when}`;
    await fault({ operation: 'deviceGroup.create', when, count: 1, close_connection: true });
    await expect(make(name)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await isCreated(name)).toBe(expected);
    const entry = await latest('method=POST&path=/api');
    expect([entry.status, entry.answer]).toEqual([null, { bytes: 0, text: '', cut: false }]);
  });
});

describe('a wait', () => {
  it('adds to another, on both sides of the operation, and goes with a status', async () => {
    await fault({ operation: 'deviceGroup.create', latency_ms: 60 });
    await fault({ operation: 'deviceGroup.create', status: 503, when: 'after' });
    await fault({ operation: 'deviceGroup.create', latency_ms: 50, when: 'after' });
    const beganMs = performance.now();
    const { status } = await make('slow');
    // Timers may be early by one.
    expect(performance.now() - beganMs).toBeGreaterThan(108);
    expect([status, await isCreated('slow')]).toEqual([503, true]);
    expect((await latest('method=POST&path=/api')).wall_ms).toBeGreaterThan(108);
  });
});

describe('of several faults', () => {
  it('the first that is no wait counts, and those after it do not look', async () => {
    const first = await fault({ path: '/v1/roles', status: 500, count: 1 });
    const second = await fault({ operation: 'role.list', status: 503 });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await entryPoint.ask('GET', '/v1/roles')).status);
    expect(statuses).toEqual([500, 503, 503]);
    expect(await reportOf(first)).toEqual({ matched: 1, struck: 1 });
    expect(await reportOf(second)).toEqual({ matched: 2, struck: 2 });
  });
});

describe('a fault is about', () => {
  const statusOf = async (method: string, path: string) =>
    (await entryPoint.ask(method, path)).status;

  it.each([
    [{ method: 'GET' }, [500, 500, 500, 404]],
    [{ path: '/v1/roles' }, [500, 200, 404, 404]],
    [{ path: '/v1/roles/{Id}' }, [200, 200, 404, 404]],
    [{ path: '/api/v3.2/campaigns/{campaign_id}' }, [200, 200, 500, 500]],
    [{ path: '/api/latest/campaigns' }, [200, 500, 404, 404]],
    [{ path: '/api/*' }, [200, 500, 500, 500]],
    [{ operation: 'campaign.delete' }, [200, 200, 404, 500]],
    [{ operation: 'campaign.get', method: 'POST' }, [200, 200, 404, 404]],
  ])('%j', async (about, expected) => {
    await fault({ ...about, status: 500 });
    expect([
      await statusOf('GET', '/v1/roles'),
      await statusOf('GET', '/api/v3.2/campaigns'),
      await statusOf('GET', '/api/v3.2/campaigns/nobody'),
      await statusOf('DELETE', '/api/v3.2/campaigns/nobody'),
    ]).toEqual(expected);
  });

  it('the services, and what is the simulator’s only by its name', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const token = async () =>
      (await entryPoint.ask('POST', '/oauth/token', { token: null, headers: form, body: 'a=b' }))
        .status;
    const seen = async () => [
      await statusOf('GET', '/sim/v1/clock'),
      await token(),
      await statusOf('GET', '/openapi.json'),
      await statusOf('GET', FAULTS),
    ];
    for (const about of [{}, { path: '/*' }, { operation: 'clock.get' }, { path: '/s*' }]) {
      await fault({ ...about, status: 500 });
    }
    expect(await seen()).toEqual([200, 400, 200, 200]);
    await fault({ path: '/sim/v1/*', status: 501 });
    await fault({ path: '/oauth/token', status: 502 });
    expect(await seen()).toEqual([501, 502, 200, 200]);
  });

  it('who may ask: 401 and 403 are as ever', async () => {
    await fault({ status: 500 });
    const read = await entryPoint.tokenOf(undefined, 'Gateway.Read');
    expect((await entryPoint.ask('GET', '/v1/roles', { token: null })).status).toBe(401);
    expect((await entryPoint.ask('GET', '/v1/roles', { token: read })).status).toBe(403);
    expect((await entryPoint.ask('GET', '/v1/roles')).status).toBe(500);
  });

  it('a window of virtual time', async () => {
    const { body } = await entryPoint.ask('GET', '/sim/v1/clock');
    const nowMs = Date.parse((body as { now: string }).now);
    const at = (s: number) => new Date(nowMs + 1_000 * s).toISOString().replace('Z', '+00:00');
    await fault({ operation: 'role.list', from: at(10), to: at(20), status: 500 });
    const statuses = [];
    for (const seconds of [0, 9.999999, 0.000001, 9.999999, 0.000001]) {
      if (seconds > 0) await entryPoint.advance(seconds);
      statuses.push(await statusOf('GET', '/v1/roles'));
    }
    expect(statuses).toEqual([200, 200, 500, 500, 200]);
  });
});

describe('a probability', () => {
  const drawn = async (seed: string) => {
    const other = await ServedEntry.open(TOWN, { http: true, seed });
    await other.ask('POST', FAULTS, { body: { path: '/v1/*', probability: 0.3, status: 500 } });
    const statuses = [];
    for (let i = 0; i < 100; i++) statuses.push((await other.ask('GET', '/v1/roles')).status);
    await other.close();
    return statuses;
  };

  it('strikes the same requests of the same seed, and others of another', async () => {
    const statuses = await drawn('served');
    expect(await drawn('served')).toEqual(statuses);
    expect(await drawn('other')).not.toEqual(statuses);
    const struck = statuses.filter((status) => status === 500).length;
    expect(struck).toBeGreaterThan(15);
    expect(struck).toBeLessThan(45);
  });

  it('of 0 never strikes, and the requests are counted', async () => {
    const id = await fault({ operation: 'role.list', probability: 0, status: 500 });
    for (let i = 0; i < 3; i++) expect((await entryPoint.ask('GET', '/v1/roles')).status).toBe(200);
    expect(await reportOf(id)).toEqual({ matched: 3, struck: 0 });
  });
});

describe('a client that tries again with its Idempotency-Key', () => {
  it.each([{ status: 503 }, { broken_body: true }, { close_connection: true }])(
    'after %j gets the first answer, and has made one thing',
    async (kind) => {
      const name = `again ${JSON.stringify(kind)}`;
      const headers = { 'idempotency-key': Object.keys(kind)[0]! };
      const id = await fault({ operation: 'deviceGroup.create', when: 'after', count: 1, ...kind });
      await make(name, { headers }).catch(() => undefined);
      const again = await make(name, { headers });
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect((again.body as { name: string }).name).toBe(name);
      const { body } = await entryPoint.ask('GET', GROUPS);
      const created = (body as { name: string }[]).filter((each) => each.name === name);
      expect(created).toEqual([expect.objectContaining({ name })]);
      expect(await reportOf(id)).toEqual({ matched: 1, struck: 1 });
    },
  );

  it('before the operation makes the thing with the second try', async () => {
    await fault({ operation: 'deviceGroup.create', count: 1, status: 503 });
    const headers = { 'idempotency-key': 'before' };
    expect((await make('tried', { headers })).status).toBe(503);
    const again = await make('tried', { headers });
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });
});

describe('POST /sim/v1/faults/api', () => {
  it.each([
    [{}, 'apiFault.malformed'],
    [{ broken_body: false }, 'apiFault.malformed'],
    [{ status: 500, latency_ms: 5 }, 'apiFault.malformed'],
    [{ status: 200 }, 'apiFault.malformed'],
    [{ latency_ms: 30_001 }, 'apiFault.malformed'],
    [{ status: 500, probability: 1.1 }, 'apiFault.malformed'],
    [{ status: 500, when: 'later' }, 'apiFault.malformed'],
    [{ status: 500, path: '/v1/nothing' }, 'apiFault.unknown-path'],
    [{ status: 500, path: 'v1/*' }, 'apiFault.malformed'],
    [{ status: 500, operation: 'nothing.get' }, 'apiFault.unknown-operation'],
  ])('refuses %j', async (asked, code) => {
    const { status, body } = await entryPoint.ask('POST', FAULTS, { body: asked });
    expect([status, (body as { code: string }).code]).toEqual([400, code]);
  });

  it('takes a hundred at a time', async () => {
    for (let i = 0; i < 100; i++) await fault({ operation: 'role.get', latency_ms: 1 });
    const { status, body } = await entryPoint.ask('POST', FAULTS, { body: { status: 500 } });
    expect([status, (body as { code: string }).code]).toEqual([507, 'apiFault.too-many']);
  });
});

describe('DELETE /sim/v1/faults/api', () => {
  it('ends one, or all of them', async () => {
    const id = await fault({ operation: 'role.list', status: 500 });
    await fault({ operation: 'role.list', status: 503 });
    const ask = async () => (await entryPoint.ask('GET', '/v1/roles')).status;
    const seen = [await ask()];
    expect((await entryPoint.ask('DELETE', `${FAULTS}/${id}`)).status).toBe(204);
    seen.push(await ask());
    expect((await entryPoint.ask('DELETE', FAULTS)).status).toBe(204);
    seen.push(await ask());
    expect(seen).toEqual([500, 503, 200]);
    expect((await entryPoint.ask('DELETE', `${FAULTS}/${id}`)).status).toBe(404);
  });
});
