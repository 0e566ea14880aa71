/** The log of requests as an operator asks for it: what is in it, what is not, and its bounds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeLogger } from '../../../api/host/process/logger.ts';
import type { RequestEntry } from '../../../api/host/watching/request-log.ts';
import { type Fleet, makeFleet } from '../fuzz/fleet.ts';
import { devicesOf } from '../fuzz/pools.ts';

const LOG = '/sim/v1/requests';
const SERVICE = '/api/v3.2';

let fleet: Fleet;

beforeAll(async () => {
  fleet = await makeFleet(makeLogger({ level: 'silent' }));
});
beforeEach(async () => {
  const { statusCode } = await fleet.send('ann', 'DELETE', LOG, {});
  expect(statusCode).toBe(204);
});
afterAll(() => fleet.close());

async function logged(query = ''): Promise<readonly RequestEntry[]> {
  const answer = await fleet.get('ann', LOG + query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ requests: RequestEntry[] }>().requests;
}

const group = (name: string) => ({ name, devices: devicesOf(fleet, 'ann').slice(0, 1) });

describe('GET /sim/v1/requests', () => {
  it('reports who asked for what, and what came of it', async () => {
    const body = group('one');
    const created = await fleet.send('ann', 'POST', `${SERVICE}/device_groups?a=b`, body);
    const [entry, ...others] = await logged();
    expect(others).toEqual([]);
    expect(entry).toEqual({
      id: expect.any(Number),
      at: created.headers['x-sim-time'],
      wall_ms: expect.any(Number),
      method: 'POST',
      path: `${SERVICE}/device_groups?a=b`,
      operation: 'deviceGroup.create',
      subscriber: 'ann',
      client_id: expect.any(String),
      status: 200,
      request: { bytes: JSON.stringify(body).length, text: JSON.stringify(body), cut: false },
      answer: { bytes: created.body.length, text: created.body, cut: false },
    });
    expect(entry!.wall_ms).toBeGreaterThan(0);
  });

  it('has the latest first, and refusals as they were reported', async () => {
    await fleet.get('ann', `${SERVICE}/images`);
    await fleet.get('ann', `${SERVICE}/campaigns/nobody`);
    await fleet.get('ann', '/nowhere');
    await fleet.ask({ method: 'GET', url: '/v1/devices', headers: {} });
    const entries = await logged();
    expect(
      entries.map(({ operation, status, subscriber }) => [operation, status, subscriber]),
    ).toEqual([
      ['endDevice.list', 401, null],
      [null, 404, null],
      ['campaign.get', 404, 'ann'],
      ['image.list', 200, 'ann'],
    ]);
    expect(entries.map(({ answer }) => JSON.parse(answer.text!).code)).toEqual([
      16,
      'path.unknown',
      'campaign.unknown',
      undefined,
    ]);
  });

  it('does not have itself', async () => {
    await logged();
    await logged('?limit=1');
    expect(await logged()).toEqual([]);
  });

  it.each([
    ['?method=POST', ['POST /a']],
    ['?path=/v1', ['GET /v1/roles']],
    ['?status=404', ['POST /a']],
    ['?status=2xx', ['GET /v1/roles', 'GET /api/latest/images']],
    ['?operation=image.list', ['GET /api/latest/images']],
    ['?limit=2', ['POST /a', 'GET /v1/roles']],
    ['?status=4xx&method=GET', []],
  ])('is filtered: %s', async (query, expected) => {
    await fleet.get('ann', '/api/latest/images');
    await fleet.get('bob', '/v1/roles');
    await fleet.send('bob', 'POST', '/a', {});
    const found = await logged(query);
    expect(found.map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
  });

  it('is asked for what came since the last look', async () => {
    await fleet.get('ann', `${SERVICE}/images`);
    const [last] = await logged();
    await fleet.get('bob', `${SERVICE}/images`);
    const since = await logged(`?since=${last!.id}`);
    expect(since.map(({ id, subscriber }) => [id, subscriber])).toEqual([[last!.id + 1, 'bob']]);
  });

  it.each(['?status=4x', '?status=900', '?limit=0', '?limit=1001', '?method=GOT'])(
    'refuses %s',
    async (query) => {
      const { statusCode } = await fleet.get('ann', LOG + query);
      expect(statusCode).toBe(400);
    },
  );
});

describe('a body', () => {
  it('is cut at 4 KiB, at a whole character, and its size is reported', async () => {
    const name = `${'ä'.repeat(3_000)}`;
    const sent = JSON.stringify(group(name));
    await fleet.send('ann', 'POST', `${SERVICE}/device_groups`, group(name));
    const [{ request } = {} as RequestEntry] = await logged();
    expect(request.bytes).toBe(Buffer.byteLength(sent));
    expect(request.cut).toBe(true);
    expect(sent.startsWith(request.text!)).toBe(true);
    expect(Buffer.byteLength(request.text!)).toBeGreaterThan(4_090);
    expect(Buffer.byteLength(request.text!)).toBeLessThanOrEqual(4_096);
  });

  it('of an answer is cut, too', async () => {
    const { body } = await fleet.get('ann', '/sim/v1/coverage');
    const [{ answer } = {} as RequestEntry] = await logged();
    expect(answer).toEqual({
      bytes: Buffer.byteLength(body),
      text: body.slice(0, 4_096),
      cut: true,
    });
  });

  it('of a file is reported by its size', async () => {
    await fleet.upload('ann', 'new.bin', Buffer.alloc(500));
    const [{ request, status } = {} as RequestEntry] = await logged();
    expect([request.text, status]).toEqual([null, 201]);
    expect(request.bytes).toBeGreaterThan(500);
  });

  it('that is no JSON is reported by its size', async () => {
    const { body } = await fleet.get('ann', '/sim/v1/session.yaml');
    const [{ answer } = {} as RequestEntry] = await logged();
    expect(answer).toEqual({ bytes: Buffer.byteLength(body), text: null, cut: false });
  });
});

describe('secrets in the log', () => {
  const KEY = 'CAFEBABE0123456789ABCDEFDEADBEEF';

  it('are left out by the rows of their operations', async () => {
    const [device] = devicesOf(fleet, 'bob');
    await fleet.send('bob', 'POST', `${SERVICE}/key_management`, { [device!]: KEY });
    const device_list = { DevEUI: 'C0FFEE0000000001', ApplicationKey: KEY, applicationkey: KEY };
    await fleet.send('bob', 'POST', '/v1/devices', { Name: 'new', ...device_list });
    const [devices, keys] = await logged();
    expect(keys!.request.text).toBe('[redacted]');
    expect(devices!.request.text).toContain('"Name":"new","DevEUI":"C0FFEE0000000001"');
    expect(devices!.request.text).toContain('"ApplicationKey":"[redacted]"');
    expect(JSON.stringify([devices, keys])).not.toContain(KEY);
  });

  it('are left out of answers that tell them once', async () => {
    const { body } = await fleet.send('ann', 'POST', '/sim/v1/subscribers', { name: 'eve' });
    const { client_id, client_secret, password } = JSON.parse(body);
    const [entry] = await logged();
    expect(entry!.answer.text).toContain(client_id);
    expect(JSON.parse(entry!.answer.text!)).toMatchObject({
      client_secret: '[redacted]',
      password: '[redacted]',
    });
    for (const secret of [client_secret, password]) {
      expect(JSON.stringify(entry)).not.toContain(secret);
    }
  });

  it('of OAuth are all that there is in its bodies', async () => {
    const payload = Buffer.from('grant_type=password&username=ann&password=hunter2');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await fleet.ask({ method: 'POST', url: '/oauth/token', headers, payload });
    const [entry] = await logged();
    expect([entry!.status, entry!.request, entry!.answer.text]).toEqual([
      400,
      { bytes: payload.length, text: '[redacted]', cut: false },
      '[redacted]',
    ]);
  });

  it('are left out of queries, and of bodies that break off', async () => {
    const url = `${SERVICE}/images?access_token=abc&client%5Fsecret=def&tag=x`;
    await fleet.ask({ method: 'GET', url, headers: {} });
    const headers = { ...fleet.headersOf('ann'), 'content-type': 'application/json' };
    const payload = Buffer.from(`{"ApplicationKey": "${KEY}", "Name`);
    await fleet.ask({ method: 'POST', url: '/v1/devices', headers, payload });
    const [body, query] = await logged();
    expect(query!.path).toBe(
      `${SERVICE}/images?access_token=[redacted]&client%5Fsecret=[redacted]&tag=x`,
    );
    expect([body!.status, body!.request.text]).toEqual([400, '[redacted]']);
  });
});

describe('DELETE /sim/v1/requests', () => {
  it('empties the log, whose ids go on', async () => {
    await fleet.get('ann', `${SERVICE}/images`);
    const [before] = await logged();
    await fleet.send('ann', 'DELETE', LOG, {});
    expect(await logged()).toEqual([]);
    await fleet.get('ann', `${SERVICE}/images`);
    const [after] = await logged();
    expect(after!.id).toBeGreaterThan(before!.id);
  });
});
