/** Attacks by name, as raw bytes where a client would tidy them up. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLogger } from '../../api/host/process/logger.ts';
import { type Front, makeFront } from '../../api/http/front.ts';
import { type Asked, type Fleet, formOf, makeFleet, NAMES } from './fuzz/fleet.ts';
import { answersOf, firstDifference } from './fuzz/laws.ts';
import { devicesOf, poolsOf, restock } from './fuzz/pools.ts';

let fleet: Fleet;
let logged = '';
let port = 0;
let front: Front;

beforeAll(async () => {
  const destination = { write: (line: string) => void (logged += line) };
  fleet = await makeFleet(makeLogger({ level: 'debug', destination }));
  await fleet.advance(3_600);
  await restock(fleet, 0);
  const { app: entry, served } = fleet.parts.current();
  const main = () => ({ entry, served });
  front = makeFront({ certificates: undefined, entryOf: () => undefined, mainEntry: main });
  ({ port } = await front.listen(0, '127.0.0.1'));
});
afterAll(async () => {
  await front.close();
  await fleet.close();
});

/** All that is answered to these bytes. */
async function raw(bytes: string | Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.on('data', (chunk) => void (text += chunk)).on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

const statusesIn = (answers: string): number[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const headOf = (method: string, path: string, more: readonly string[] = []): string => {
  const { authorization } = fleet.headersOf('ann');
  const lines = ['Host: a', 'Connection: close', `Authorization: ${authorization}`, ...more];
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
};

const get = (path: string): Promise<string> => raw(headOf('GET', path));

describe('paths', () => {
  it.each([
    '//api/v3.2/images',
    '/api//v3.2/images',
    '/api/v3.2/../v3.2/images',
    '/sim/v1/../../api/v3.2/images',
    '/api/v3.2/%2e%2e/v3.2/images',
    '/api/v3.2/images/',
    '/api/v3.2/images/.',
    '/API/v3.2/images',
    '/api/v3.2/Images',
    '/api/v3.2/images%00',
    '/api/v3.2/images;a=b',
    '/api/v3.2/imag%65s%2f',
    '/api%2fv3.2%2fimages',
    '/docs/../../../../etc/passwd',
    '/docs/static/%2e%2e/%2e%2e/package.json',
    '/docs/static/..%2f..%2fpackage.json',
    '/docs/static/..%5c..%5cpackage.json',
    '/.git/config',
    '/package.json',
  ])('%s leads nowhere', async (path) => {
    const answer = await get(path);
    // An empty name is one of nobody's; static files refuse to be climbed out of.
    const status = path.includes('/images/') ? 405 : path.includes('/static/') ? '40[34]' : 404;
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(statusesIn(answer)).toHaveLength(1);
    expect(answer).not.toMatch(/root:|"dependencies"|meter-2\.0\.0/);
  });

  it('a name with dots and slashes is a name that nobody has', async () => {
    for (const name of ['..%2f..%2fetc%2fpasswd', '%2e%2e', '%252e%252e', 'C%3A%5C']) {
      expect(statusesIn(await get(`/api/v3.2/images/tags/${name}`)), name).toEqual([404]);
    }
  });

  it('a name with a control character is none', async () => {
    expect(statusesIn(await get('/api/v3.2/images/tags/%00'))).toEqual([400]);
  });

  it('what cannot be decoded is 400, what is too long 414, in words of the family', async () => {
    const long = '😀'.repeat(150);
    for (const [path, status, code] of [
      ['/api/v3.2/images%C3', 400, 'path.malformed'],
      ['/api/v3.2/images/%zz', 400, 'path.malformed'],
      [`/api/v3.2/images/tags/${encodeURIComponent(long)}`, 414, 'url.too-long'],
      [`/api/v3.2/images/tags/${'%61'.repeat(300)}`, 414, 'url.too-long'],
    ] as const) {
      const answer = await fleet.get('ann', path);
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toEqual({ detail: expect.any(String), code });
      expect(answer.headers['x-sim-time']).toBe(fleet.served.simTime);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('a whole address is its path (RFC 9112 §3.2.2), and nothing is passed on', async () => {
    expect(statusesIn(await get('*'))).toEqual([404]);
    expect(statusesIn(await get('http://evil.example/api/v3.2/nothing'))).toEqual([404]);
    const health = await get('http://evil.example/sim/v1/health');
    expect(health).toContain('"scenario":"fuzzed-fleet"');
    expect(await raw('CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('');
  });
});

describe('requests that smuggle another one', () => {
  const inner = 'DELETE /api/v3.2/images/meter-2.0.0.bin HTTP/1.1\r\nHost: a\r\n\r\n';
  const json = 'Content-Type: application/json';

  it.each([
    ['length and chunks', [json, 'Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['two lengths', [json, 'Content-Length: 0', `Content-Length: ${inner.length}`]],
    ['a length with a sign', [json, 'Content-Length: +5']],
    ['a length that is negative', [json, 'Content-Length: -5']],
    ['a coding that is none', [json, 'Transfer-Encoding: xchunked']],
    ['a coding twice', [json, 'Transfer-Encoding: chunked, identity']],
    ['a line that is folded', [json, 'X-A: b\r\n c']],
    ['a name with a space', [json, 'Content-Length : 5']],
  ])('%s: one answer of 400', async (_, lines) => {
    const answer = await raw(headOf('PUT', '/api/v3.2/images/tags/a.bin', lines) + inner);
    expect(statusesIn(answer)).toEqual([400]);
    expect((await fleet.get('ann', '/api/v3.2/images')).body).toContain('meter-2.0.0.bin');
  });

  it('a line end alone is none', async () => {
    const bytes = headOf('GET', '/sim/v1/health').replaceAll('\r\n', '\n') + inner;
    expect(statusesIn(await raw(bytes))).toEqual([400]);
  });
});

describe('bodies of multipart', () => {
  const file = { name: 'image', fileName: 'broken-1.0.0.bin', bytes: Buffer.alloc(200, 7) };
  const post = (body: Buffer, type: string): Asked => ({
    method: 'POST',
    url: '/api/v3.2/images',
    headers: { ...fleet.headersOf('ann'), 'content-type': type },
    payload: body,
  });

  it('that break off anywhere are 400, and leave nothing', async () => {
    const { type, body } = formOf([file, { name: 'tags', bytes: Buffer.from('a') }]);
    for (let end = 1; end < body.length - 4; end += 5) {
      const answer = await fleet.ask(post(body.subarray(0, end), type));
      expect(answer.statusCode, `${end} of ${body.length} bytes`).toBe(400);
      expect(answer.json()).toHaveProperty('code');
    }
    expect((await fleet.get('ann', '/api/v3.2/images')).body).not.toContain('broken-1.0.0.bin');
  });

  it('without a boundary, or with one that is too long, are 400', async () => {
    const { body } = formOf([file]);
    for (const boundary of ['', '; boundary=', `; boundary=${'b'.repeat(300)}`, '; boundary="']) {
      const answer = await fleet.ask(post(body, `multipart/form-data${boundary}`));
      expect(answer.statusCode, boundary).toBe(400);
    }
  });
});

describe('mass assignment', () => {
  /** Names of what records hold beside what callers give. */
  const INTERNAL = (
    'id owner by kind subscriber permissions state stage created_at createdAtUs atUs ' +
    'steppedOver hash sha256 bytes seed frag_size ignore_clock_rates ' +
    'gateway_timing multicastSession ' +
    'multicastDataRate pingSlotPeriodicity device_group_id_ campaign_id job_id ' +
    'delegation_id delegated_from delegate_from client_id devEui client_secret password ' +
    'username isAdmin tenant constructor toString'
  ).split(' ');

  it('what no row names changes nothing, in no body of any operation', async () => {
    const worlds = await Promise.all([makeFleet(), makeFleet()]);
    const [plain, attacked] = worlds as [Fleet, Fleet];
    const extra = Object.fromEntries(INTERNAL.map((name) => [name, 'bob']));
    for (const world of worlds) {
      const more = world === attacked ? extra : {};
      const own = devicesOf(world, 'ann');
      await world.upload('ann', 'one-1.2.3.bin', Buffer.alloc(99, 1));
      const send = async (method: string, url: string, body: object) => {
        const answer = await world.send('ann', method, `/api/v3.2${url}`, { ...more, ...body });
        expect(answer.statusCode, `${method} ${url} ${answer.body}`).toBeLessThan(300);
        return answer.json<Record<string, string>>();
      };
      const group = await send('POST', '/device_groups', { name: 'g', devices: own.slice(0, 2) });
      const groupUrl = `/device_groups/${group.device_group_id}`;
      await send('PATCH', groupUrl, { name: 'h' });
      await send('PUT', groupUrl, { name: 'i', devices: own.slice(0, 3) });
      await send('PATCH', `${groupUrl}/add_devices`, { devices: own.slice(3) });
      const of = { image_name: 'one-1.2.3.bin', device_group_id: group.device_group_id };
      const campaign = await send('POST', '/campaigns', { name: 'c', ...of });
      expect(campaign).toHaveProperty('campaign_id');
      const delegation = { delegate_to: 'bob', expires_at: '2030-01-01T00:00:00Z' };
      await send('POST', '/upgrade_delegation', { ...delegation, include_devices: own });
      const downlink = { downlink_hex: '01', downlink_fport: 5 };
      const expected = { expected_uplink_hex: '01', expected_uplink_fport: 5 };
      const job = { name: 'j', ...downlink, ...expected, devices: own };
      const { job_id } = await send('POST', '/reliable_downlinks', job);
      await send('PUT', `/reliable_downlinks/${job_id}/stop`, {});
      await send('PUT', `/reliable_downlinks/${job_id}/restart`, {});
    }
    const [before, after] = await Promise.all(
      worlds.map(async (world) => answersOf(world, await poolsOf(world))),
    );
    expect(firstDifference(before!, after!)).toBeUndefined();
    expect(attacked.served.digest()).toEqual(plain.served.digest());
    for (const world of worlds) await world.close();
  });
});

describe('secrets', () => {
  it('are in no answer, no error and no line of the log, wherever somebody put them', async () => {
    const devices = devicesOf(fleet, 'ann');
    const key = 'CAFEBABE0123456789ABCDEFDEADBEEF';
    const put = await fleet.send('ann', 'POST', '/api/v3.2/key_management', { [devices[0]!]: key });
    expect(put.statusCode).toBe(201);
    const created = await fleet.send('ann', 'POST', '/sim/v1/subscribers', { name: 'eve' });
    const { client_id, client_secret, password } = created.json<Record<string, string>>();
    const canaries = [key, client_secret!, password!, fleet.parts.tokens.ann];
    const answers: string[] = [];
    const hear = async (asked: Asked) => {
      const { body, headers } = await fleet.ask(asked);
      answers.push(body, JSON.stringify(headers));
    };
    const headers = { ...fleet.headersOf('ann'), 'content-type': 'application/json' };
    for (const { method, path } of fleet.operations) {
      // Both repeat the world, and need a permission of their own.
      if (path.endsWith('session.yaml') || path.endsWith('result.json')) continue;
      await hear({ method, url: path, headers });
    }
    // A key that stands in a wrong place, or has a wrong form, is not repeated.
    for (const [name, value] of [
      [key, devices[0]],
      [devices[0], `${key}0`],
      [devices[0], [key]],
      [devices[0], { key }],
      [`${key}${key}`, key],
    ]) {
      const payload = Buffer.from(JSON.stringify({ [name as string]: value }));
      await hear({ method: 'POST', url: '/api/v3.2/key_management', headers, payload });
      await hear({ method: 'DELETE', url: '/api/v3.2/key_management', headers, payload });
      await hear({ method: 'POST', url: '/api/v3.2/device_groups', headers, payload });
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = {
      grant_type: 'client_credentials',
      client_id: client_id!,
      client_secret: password!,
    };
    const payload = Buffer.from(`${new URLSearchParams(body)}`);
    await hear({ method: 'POST', url: '/oauth/token', headers: form, payload });
    const query = `access_token=${fleet.parts.tokens.ann}&client_secret=${client_secret}`;
    await hear({ method: 'GET', url: `/api/v3.2/images?${query}`, headers: {} });
    for (const name of NAMES) {
      for (const answer of (await answersOf(fleet, await poolsOf(fleet))).values()) {
        answers.push(answer);
      }
      answers.push(name);
    }
    expect(logged.length).toBeGreaterThan(1_000);
    for (const canary of canaries) {
      for (const text of [...answers, logged]) {
        expect(text.toLowerCase()).not.toContain(canary.toLowerCase());
      }
    }
  });
});
