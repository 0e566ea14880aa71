/** Limits that an operator sets: requests of clients, connections, bodies. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { EmulatorOptions } from '../../api/emulator.ts';
import { fromFile } from '../../api/host/settings/read.ts';
import { ServedEntry, TOWN } from '../support/served-http.ts';

const entries: ServedEntry[] = [];
afterEach(async () => {
  for (const entry of entries.splice(0)) await entry.close();
});

async function served(options: EmulatorOptions): Promise<ServedEntry> {
  const entry = await ServedEntry.open(TOWN, { http: true, ...options });
  entries.push(entry);
  return entry;
}

/** Answers to that many requests that come within a second. */
async function answersOf(entry: ServedEntry, subscriber: string, count: number) {
  const token = await entry.tokenOf(subscriber);
  const asked = Array.from({ length: count }, () =>
    entry.ask('GET', '/api/v3.2/images', { token }),
  );
  return await Promise.all(asked);
}

/** Their tokens are known from now on: until then anyone who asks is counted by address. */
async function known(entry: ServedEntry, ...subscribers: readonly string[]): Promise<void> {
  for (const each of subscribers) expect(await statusesOf(entry, each, 1)).toEqual([200]);
}

const statusesOf = async (...of: Parameters<typeof answersOf>) =>
  (await answersOf(...of)).map(({ status }) => status);

const isAll = (status: number, statuses: readonly number[]) =>
  statuses.every((each) => each === status);

describe('requests in a second', () => {
  it('are limited for one client, by his application’s name, and not for another', async () => {
    const entry = await served({ clients: [{ name: 'bob', requests_per_second: 3 }] });
    await known(entry, 'ann', 'bob');
    const refused = (await answersOf(entry, 'bob', 100)).find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'request.too-many' });
    expect(refused?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '3',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    });
    expect(isAll(200, await statusesOf(entry, 'ann', 100))).toBe(true);
  });

  it('are limited for all, and not for a client whose limit is 0, by his id', async () => {
    const { clientId } = (await served({})).credentialsOf('carol');
    const clients = [{ client_id: clientId, requests_per_second: 0 }];
    const entry = await served({ requestsPerSecond: 20, clients });
    await known(entry, 'ann', 'carol');
    expect(await statusesOf(entry, 'ann', 200)).toContain(429);
    expect(isAll(200, await statusesOf(entry, 'carol', 200))).toBe(true);
  });
});

describe('connections', () => {
  it('beyond what is set are closed at once', async () => {
    const entry = await served({ connections: 4 });
    const { port } = new URL(entry.emulator.url);
    const open: Socket[] = [];
    const closed: Socket[] = [];
    for (let i = 0; i < 8; i++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      socket.on('close', () => closed.push(socket));
      await once(socket, 'connect');
      open.push(socket);
    }
    await expect.poll(() => closed.length).toBeGreaterThanOrEqual(4);
    for (const socket of open) socket.destroy();
  });
});

describe('bodies', () => {
  const ORDINARY = '/api/v3.2/campaigns';
  const BULK = '/api/v3.2/device_groups';

  it('have as many bytes as are set', async () => {
    const entry = await served({ http: false, bodyBytes: 2_048 });
    const statusOf = async (path: string, letters: number) =>
      (await entry.ask('POST', path, { body: { name: 'x'.repeat(letters) } })).status;
    for (const path of [ORDINARY, BULK]) {
      expect([await statusOf(path, 1_900), await statusOf(path, 2_048)]).toEqual([400, 413]);
    }
  });

  it('have no more than their operation takes, and forms no more than ever', async () => {
    const entry = await served({ http: false, bodyBytes: 16_777_216 });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `grant_type=${'x'.repeat(20_000)}`;
    const { status } = await entry.ask('POST', '/oauth/token', { token: null, headers, body });
    expect(status).toBe(413);
    expect(await entry.announce('POST', ORDINARY, 1_048_577)).toBe(413);
    expect(await entry.announce('POST', BULK, 16_777_217)).toBe(413);
  });
});

describe('clients in a file of settings', () => {
  const problemsOf = (text: string) => fromFile('f.yaml', text).problems;

  it('have an id or a name, and a limit, which null says is none', () => {
    const text =
      'clients:\n' +
      '  - { client_id: 7f0c, requests_per_second: 5 }\n' +
      '  - { name: bob, requests_per_second: null }\n';
    expect(fromFile('f.yaml', text).said.get('clients')).toEqual({
      value: [
        { client_id: '7f0c', requests_per_second: 5 },
        { name: 'bob', requests_per_second: 0 },
      ],
      by: 'f.yaml:1',
    });
  });

  it.each([
    ['[{ name: bob }]', 'f.yaml:1:11  /clients/0/requests_per_second  is missing; allowed: 1 to '],
    [
      '[{ requests_per_second: 5 }]',
      'f.yaml:1:11  /clients/0  names no client; allowed: client_id',
    ],
    [
      '[{ name: a, client_id: b, requests_per_second: 5 }]',
      'f.yaml:1:11  /clients/0  names a client twice; allowed: client_id, or name',
    ],
    ['[{ nam: bob, requests_per_second: 5 }]', 'f.yaml:1:13  /clients/0/nam  "nam" is not a known'],
    [
      '[{ name: bob, requests_per_second: -1 }]',
      'f.yaml:1:45  /clients/0/requests_per_second  -1 ',
    ],
    ['bob', 'f.yaml:1:10  /clients  "bob" is not a list; allowed: a list of clients'],
  ])('%s are reported to be wrong', (given, begins) => {
    const [line, ...more] = problemsOf(`clients: ${given}\n`);
    expect([line?.slice(0, begins.length), more]).toEqual([begins, []]);
  });
});
