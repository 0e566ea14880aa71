/** What holds for every path over HTTPS: aliases, methods, heads, bodies, colons, plain HTTP. */
import { request as plainRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceEui } from '../../scenarios/filling/identity.ts';
import { DOCUMENTED_ROWS } from '../support/documented-rows.ts';
import { HttpReceiver } from '../support/http-receivers.ts';
import {
  errorAt,
  type ListedOperation,
  listedStatuses,
  type OpenApi,
  operationsOf,
  refusalAt,
  SERVICE,
  ServedEntry,
  TOWN,
} from '../support/served-http.ts';

const OF_UPDATES = DOCUMENTED_ROWS.filter(({ path }) => path.startsWith(SERVICE));
const PROBLEM = 'application/problem+json';
const JSON_TYPE = { 'content-type': 'application/json' };

const EVENTS = '/sim/v1/events';

let entry: ServedEntry;
let receiver: HttpReceiver;
let operations: readonly ListedOperation[];

beforeAll(async () => {
  receiver = await HttpReceiver.open({ behaviour: 'is gone' });
  entry = await ServedEntry.open(TOWN, { deliver: 'real' });
  operations = operationsOf((await entry.ask('GET', '/openapi.json')).body as OpenApi);
});
afterAll(async () => {
  await entry.close();
  await receiver.close();
});

const filled = (path: string) => path.replaceAll(/\{\w+\}/g, '0123456789ABCDEF');

describe('the documented operations', () => {
  it('are the 51 rows that the documents number', () => {
    const served = operations.filter(({ path }) => path.startsWith(SERVICE));
    expect(served.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      OF_UPDATES.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(served).toHaveLength(51);
  });

  it('are served, the 93 of management and delivery, too', () => {
    const served = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    const missing = DOCUMENTED_ROWS.filter(
      ({ method, path }) => !served.has(`${method} ${path}`),
    ).map(({ row, method, path }) => `${row} ${method} ${path}`);
    expect(missing).toEqual([]);
    expect(DOCUMENTED_ROWS.length - OF_UPDATES.length).toBe(93);
  });

  it('answer under /api/latest as under their version', async () => {
    for (const { method, path } of OF_UPDATES) {
      const one = await entry.ask(method, filled(path));
      const latest = filled(path).replace(SERVICE, '/api/latest');
      const other = await entry.ask(method, latest);
      expect([method, path, other.status, other.text]).toEqual([
        method,
        path,
        one.status,
        one.text,
      ]);
    }
  });
});

describe('a path', () => {
  it('is 405 for what it does not have, with Allow, by every method', async () => {
    for (const path of new Set(operations.map((each) => each.path))) {
      const ofPath = operations.filter((each) => each.path === path);
      const has = ofPath.map(({ method }) => method);
      const allowed = has.includes('GET') ? [...has, 'HEAD'] : has;
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (has.includes(method)) continue;
        const { status, headers, body } = await entry.ask(method, filled(path), { token: null });
        expect([method, path, status]).toEqual([method, path, 405]);
        expect(headers.allow!.split(', ').sort()).toEqual(allowed.toSorted());
        expect(body).toEqual(refusalAt(path, 405, 'method.not-allowed'));
      }
    }
  });

  it('has HEAD where it has GET: the same headers, and no body', async () => {
    // A stream reports no length: test/http/watching/events.test.ts.
    const gets = operations.filter(({ method, path }) => method === 'GET' && path !== EVENTS);
    for (const { path } of gets) {
      const get = await entry.ask('GET', filled(path));
      const head = await entry.ask('HEAD', filled(path));
      expect([path, head.status, head.text]).toEqual([path, get.status, '']);
      // undici closes the connection after a HEAD.
      const report = ({ connection: _, 'keep-alive': __, ...headers }: typeof get.headers) =>
        headers;
      expect(report(head.headers)).toEqual(report(get.headers));
    }
  });

  it.each([
    '/',
    '/api',
    '/api/v3.2',
    '/api/v3.2/',
    '/api/v3.2/campaign',
    '/api/v3.2/campaigns/a/b/c',
    '/api/v3.1/campaigns',
    '/API/V3.2/campaigns',
    '/sim/v2/clock',
    '/sim/v1/clock:forward',
    '/v1/nothing',
    '/api/v3.2//campaigns',
    '/api/v3.2/..%2f..%2fsim/v1/clock',
  ])('is 404 in the words of its family when there is no %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body } = await entry.ask(method, path);
      const refusal = refusalAt(path, 404, 'path.unknown');
      expect([method, status, body]).toEqual([method, 404, refusal]);
    }
  });

  it('has its colons as they are, or as %3A in either case', async () => {
    for (const path of [
      '/sim/v1/clock:advance',
      '/sim/v1/clock%3Aadvance',
      '/sim/v1/clock%3aadvance',
    ]) {
      const { status, body } = await entry.ask('POST', path, { body: { by: 0 } });
      expect([path, status]).toEqual([path, 200]);
      expect(body).toMatchObject({ reached: true });
    }
  });
});

describe('a body', () => {
  it('may be empty with a JSON content type: it is a map without keys', async () => {
    const refused = await entry.service('POST', '/campaigns', { headers: JSON_TYPE, body: '' });
    expect([refused.status, refused.body]).toEqual([400, errorAt('campaign.name', 'body', 'name')]);
    const clock = await entry.ask('PUT', '/sim/v1/clock', { headers: JSON_TYPE, body: '' });
    expect(clock.status).toBe(200);
    for (const [method, path] of [
      ['POST', '/campaigns/never/halt'],
      ['DELETE', '/campaigns/never'],
      ['GET', '/campaigns/never'],
    ] as const) {
      const { status } = await entry.service(method, path, { headers: JSON_TYPE, body: '' });
      expect([path, status]).toEqual([path, 404]);
    }
  });

  it.each([
    ['no JSON', '{"name":'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['an array where a map is wanted', '[]'],
    ['a string where a map is wanted', '"x"'],
    ['a key that would be a prototype', '{"__proto__": {"name": "x"}}'],
    ['a thousand arrays within each other', '['.repeat(1_000)],
  ])('is 400 when it is %s', async (_, body) => {
    const { status, body: error } = await entry.service('POST', '/device_groups', {
      headers: JSON_TYPE,
      body,
    });
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: expect.stringMatching(/\.malformed$/) });
  });

  it('may have any JSON media type, and a charset', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/vnd.x+json']) {
      const headers = { 'content-type': type };
      const { status } = await entry.service('POST', '/key_management', { headers, body: '{}' });
      expect([type, status]).toEqual([type, 201]);
    }
  });
});

describe('an error', () => {
  it('is of RFC 9457 for who accepts that, in every class', async () => {
    const asked = [
      ['GET', `${SERVICE}/campaigns/never`, {}, 404],
      ['POST', `${SERVICE}/device_groups`, { body: { name: 7 } }, 400],
      ['GET', `${SERVICE}/campaigns`, { token: null }, 401],
      ['GET', `${SERVICE}/campaigns`, { token: 'User.Read' }, 403],
      ['PUT', `${SERVICE}/campaigns`, {}, 405],
      ['GET', `${SERVICE}/nowhere`, {}, 404],
      ['POST', '/sim/v1/clock:advance', { body: { by: -1 } }, 400],
    ] as const;
    for (const [method, path, options, status] of asked) {
      const scope = 'token' in options ? options.token : undefined;
      const token = scope?.includes('.') ? await entry.tokenOf(undefined, scope) : scope;
      const answer = await entry.ask(method, path, {
        ...('body' in options ? { body: options.body } : {}),
        ...(token === undefined ? {} : { token }),
        headers: { accept: PROBLEM },
      });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers['content-type']).toBe(`${PROBLEM}; charset=utf-8`);
      expect(answer.body).toMatchObject({
        type: 'about:blank',
        title: expect.any(String),
        status,
        detail: expect.any(String),
        instance: path,
        code: expect.stringMatching(/^[a-z][\w-]*\.[\w-]+$/i),
      });
    }
  });

  it('reports places of a body as JSON pointers in a problem', async () => {
    const { body } = await entry.service('POST', '/device_groups', {
      headers: { accept: PROBLEM },
      body: { name: 'x', devices: ['FFFFFFFFFFFFFFFF'] },
    });
    expect(body).toMatchObject({
      errors: [{ detail: expect.any(String), pointer: '/devices/0' }],
    });
  });
});

describe('every answer', () => {
  it('reports the virtual time, and is stored by nobody', async () => {
    await entry.advance(0.5);
    for (const path of [`${SERVICE}/images`, '/sim/v1/health', '/nowhere', '/openapi.json']) {
      const { headers } = await entry.ask('GET', path);
      expect(headers['x-sim-time']).toMatch(/^2026-03-01T00:00:00\.\d{6}Z$/);
      expect(headers.date).toBe('Sun, 01 Mar 2026 00:00:00 GMT');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('plainHttp: is refused over plain HTTP', async () => {
    const { port } = new URL(entry.emulator.url);
    const status = await new Promise((resolve, reject) => {
      const sent = plainRequest({ port, path: `${SERVICE}/campaigns` }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on('error', reject).end();
    });
    expect(status).toBe(400);
  });
});

type Ask = (method: string, path: string, body?: object) => Promise<number>;

/** A target that something was emitted to. */
async function anyTarget(): Promise<string> {
  const RestParams = [{ URL: receiver.url(), OutputFormat: 'simple' }];
  const outputProfile = { Name: 'watched', RestParams };
  const created = await entry.ask('POST', '/v1/outputprofiles', { body: outputProfile });
  const { Id } = created.body as { Id: string };
  const body = { Devices: [deviceEui('meter', 1)] };
  await entry.ask('PATCH', `/v1/outputprofiles/${Id}/devices`, { body });
  await entry.advance(3_600);
  const listed = await entry.ask('GET', '/sim/v1/deliveries');
  return (listed.body as { targets: [{ id: string }] }).targets[0].id;
}

/** Receivers, deliveries, settings and codecs below /sim/v1. */
async function askDeliveryAndCodecs(ask: Ask): Promise<void> {
  expect(await ask('GET', '/deliveries')).toBe(200);
  expect(await ask('POST', '/deliveries/targets/never/disable')).toBe(404);
  const target = await anyTarget();
  await askOutbox(ask, target);
  expect(await ask('POST', `/deliveries/targets/${target}/disable`)).toBe(204);
  expect(await ask('PUT', '/receivers/desk', { at: 'https://desk.example/*' })).toBe(204);
  expect(await ask('GET', '/receivers')).toBe(200);
  expect(await ask('DELETE', '/receivers/desk')).toBe(204);
  expect(await ask('DELETE', '/receivers/desk')).toBe(404);
  expect(await ask('GET', `/devices/${deviceEui('meter', 1)}/settings`)).toBe(200);
  expect(await ask('GET', '/devices/never/settings')).toBe(404);
  const codec = { name: 'own', script: 'function decodeUplink() { return { data: {} }; }' };
  const created = await entry.ask('POST', '/sim/v1/decoders', { body: codec });
  expect(created.status).toBe(201);
  const own = `/decoders/${(created.body as { Id: string }).Id}`;
  expect(await ask('GET', '/decoders')).toBe(200);
  expect(await ask('GET', own)).toBe(200);
  expect(await ask('PUT', own, codec)).toBe(204);
  expect(await ask('DELETE', own)).toBe(204);
  for (const method of ['GET', 'DELETE']) expect(await ask(method, own)).toBe(404);
  expect(await ask('PUT', own, codec)).toBe(404);
}

/** What has left the world for a receiver that is gone. */
async function askOutbox(ask: Ask, target: string): Promise<void> {
  const own = `/deliveries/outbox/${target}`;
  await receiver.hasSeen(1);
  expect(await ask('GET', '/deliveries/outbox')).toBe(200);
  for (const path of [own, `${own}/messages`]) expect(await ask('GET', path)).toBe(200);
  for (const path of [`${own}/pause`, `${own}/resume`]) expect(await ask('POST', path)).toBe(200);
  for (const path of ['', '/messages']) {
    expect(await ask('GET', `/deliveries/outbox/never${path}`)).toBe(404);
  }
  for (const verb of ['pause', 'resume']) {
    expect(await ask('POST', `/deliveries/outbox/never/${verb}`)).toBe(404);
  }
  const message = `/deliveries/messages/${receiver.seen[0]!.id}`;
  expect(await ask('GET', message)).toBe(200);
  expect(await ask('POST', `${message}/redeliver`)).toBe(200);
  expect(await ask('GET', '/deliveries/messages/never')).toBe(404);
  expect(await ask('POST', '/deliveries/messages/never/redeliver')).toBe(404);
}

/** What devices really are, and physical faults. */
async function askGroundTruthAndFaults(ask: Ask): Promise<void> {
  const [device, never] = [`/devices/${deviceEui('meter', 1)}`, '/devices/never'];
  const { body } = await entry.ask('GET', '/v1/gateways');
  const [{ NodeId }] = (body as { Gateways: [{ NodeId: string }] }).Gateways;
  expect(await ask('GET', '/truth')).toBe(200);
  expect(await ask('GET', '/faults')).toBe(200);
  expect(await ask('GET', `${device}/truth`)).toBe(200);
  expect(await ask('GET', `${never}/truth`)).toBe(404);
  expect(await ask('POST', `${device}/reboot`)).toBe(204);
  expect(await ask('POST', `${never}/reboot`)).toBe(404);
  expect(await ask('POST', `${device}/clock`, { seconds: 5 })).toBe(204);
  expect(await ask('POST', `${never}/clock`, { seconds: 5 })).toBe(404);
  for (const thing of [device, `/gateways/${NodeId}`]) {
    expect(await ask('PUT', `${thing}/faults/attenuation`, { decibels: 3 })).toBe(204);
    expect(await ask('DELETE', `${thing}/faults/attenuation`)).toBe(204);
  }
  for (const thing of [never, '/gateways/never']) {
    expect(await ask('PUT', `${thing}/faults/radio`)).toBe(404);
    expect(await ask('DELETE', `${thing}/faults/radio`)).toBe(404);
  }
}

/** What an operator sees of clients. */
async function askWatching(ask: Ask): Promise<void> {
  for (const path of ['/requests', '/coverage', '/faults/api']) {
    expect([path, await ask('GET', path)]).toEqual([path, 200]);
    expect([path, await ask('DELETE', path)]).toEqual([path, 204]);
  }
  expect(await ask('GET', '/events?to=2020-01-01T00:00:00Z')).toBe(200);
  expect(await ask('POST', '/faults/api', { operation: 'role.get', latency_ms: 1 })).toBe(201);
  expect(await ask('DELETE', '/faults/api/1')).toBe(204);
  expect(await ask('DELETE', '/faults/api/1')).toBe(404);
}

/** Whole worlds; the last one is a fresh one. */
async function askWorlds(ask: Ask): Promise<void> {
  for (const path of ['/world', '/worlds', '/snapshots', '/result.json', '/report.html']) {
    expect([path, await ask('GET', path)]).toEqual([path, 200]);
  }
  expect(await ask('POST', '/timeline', { entries: [{ removeDevice: 'never' }] })).toBe(200);
  expect(await ask('POST', '/snapshots', { name: 'here' })).toBe(201);
  expect(await ask('POST', '/worlds', { snapshot: 'here' })).toBe(201);
  const { body } = await entry.ask('GET', '/sim/v1/worlds');
  const { world_id } = (body as { worlds: { world_id: string }[] }).worlds.at(-1)!;
  for (const [method, status] of [
    ['GET', 200],
    ['DELETE', 204],
    ['GET', 404],
    ['DELETE', 404],
  ] as const) {
    expect(await ask(method, `/worlds/${world_id}`)).toBe(status);
  }
  for (const [name, status] of [
    ['here', 200],
    ['never', 404],
  ] as const) {
    expect(await ask('GET', `/snapshots/${name}`)).toBe(status);
    expect(await ask('POST', `/snapshots/${name}/restore`)).toBe(status);
  }
  expect(await ask('DELETE', '/snapshots/here')).toBe(204);
  expect(await ask('DELETE', '/snapshots/here')).toBe(404);
  expect(await ask('POST', '/world:reset')).toBe(200);
}

describe('the simulator’s own operations', () => {
  it('show the statuses that the document lists', async () => {
    const ask = async (method: string, path: string, body?: object, more: object = {}) =>
      (await entry.ask(method, `/sim/v1${path}`, { ...(body && { body }), ...more })).status;
    expect(await ask('PUT', '/clock', { speed: 2, paused: true, until: null })).toBe(200);
    expect(await ask('PUT', '/clock', { speed: 0 })).toBe(400);
    expect(await ask('PUT', '/clock', { until: '2026-02-01T00:00:00Z' })).toBe(400);
    expect(await ask('POST', '/clock:advance', { by: 1, until: 'idle' })).toBe(400);
    expect(await ask('POST', '/clock:advance', { to: '2026-02-01T00:00:00Z' })).toBe(400);
    const until = { campaign_id: 'never', stage: 'FINISHED' };
    expect(await ask('POST', '/clock:advance', { until })).toBe(400);
    const prefer = { headers: { prefer: 'respond-async' } };
    expect(await ask('POST', '/clock:advance', { by: 86_400 * 300 }, prefer)).toBe(202);
    expect(await ask('PUT', '/clock', { speed: 3 })).toBe(409);
    expect(await ask('POST', '/clock:advance', { by: 1 })).toBe(409);
    const { body } = await entry.ask('GET', '/sim/v1/jobs');
    const { job_id } = (body as { jobs: { job_id: string }[] }).jobs.at(-1)!;
    expect(await ask('GET', `/jobs/${job_id}`)).toBe(200);
    expect(await ask('DELETE', `/jobs/${job_id}`)).toBe(200);
    expect(await ask('DELETE', `/jobs/${job_id}`)).toBe(409);
    expect(await ask('GET', '/jobs/never')).toBe(404);
    expect(await ask('DELETE', '/jobs/never')).toBe(404);
    expect(await ask('POST', '/subscribers', { name: 'new' })).toBe(201);
    expect(await ask('POST', '/subscribers', { name: 7 })).toBe(400);
    const token = await entry.tokenOf(undefined, 'Simulator.Create');
    expect(await ask('POST', '/subscribers', { permissions: ['Device.Read'] }, { token })).toBe(
      403,
    );
    const behaviour = (eui: string) => `/devices/${eui}/behaviour`;
    expect(await ask('GET', behaviour(deviceEui('meter', 1)))).toBe(200);
    expect(await ask('PUT', behaviour(deviceEui('meter', 1)), {})).toBe(204);
    expect(await ask('GET', behaviour('never'))).toBe(404);
    expect(await ask('PUT', behaviour('never'), {})).toBe(404);
    for (const path of ['/health', '/clock', '/subscribers', '/session.yaml', '/devices']) {
      expect([path, await ask('GET', path)]).toEqual([path, 200]);
    }
    await askDeliveryAndCodecs(ask);
    await askGroundTruthAndFaults(ask);
    await askWatching(ask);
    await askWorlds(ask);
    // What tokens and bodies bring about is seen elsewhere; 507 needs ten thousand subscribers.
    const elsewhere = new Set([400, 401, 403, 409, 413, 415]);
    for (const operation of operations.filter(({ path }) => path.startsWith('/sim/'))) {
      const seen = entry.seen.get(`${operation.method} ${operation.path}`)!;
      const missing = listedStatuses(operation).filter((each) => !seen.has(each));
      expect([operation.path, missing.filter((each) => !elsewhere.has(each))]).toEqual([
        operation.path,
        [],
      ]);
    }
  });
});
