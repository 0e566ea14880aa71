/** Cases of the fuzz as bytes on sockets with TLS, some of them damaged; crowds of connections. */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../api/emulator.ts';
import { IS_LONG } from '../support/long.ts';
import { casesOf, type Request, requestOf } from './fuzz/cases.ts';
import { FLEET_FILE, type Fleet, makeFleet } from './fuzz/fleet.ts';
import { type Pools, restock } from './fuzz/pools.ts';

const CASES = IS_LONG ? 200 : 25;

let emulator: Emulator;
/** Of the same scenario: its document makes the cases. */
let fleet: Fleet;
let pools: Pools;
let token = '';
const broken: unknown[] = [];
const sockets = new Set<TLSSocket>();

beforeAll(async () => {
  const onBroken = (error: unknown) => void broken.push(error);
  emulator = await startEmulator({ scenario: FLEET_FILE, paused: true, onBroken });
  fleet = await makeFleet();
  pools = await restock(fleet, 0);
  const { clientId, clientSecret } = emulator;
  const form = { grant_type: 'client_credentials', client_id: clientId };
  const body = `${new URLSearchParams({ ...form, client_secret: clientSecret })}`;
  const head = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`;
  const answer = await raw(
    `POST /oauth/token HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n\r\n${body}`,
  );
  token = /"access_token":"([^"]+)"/.exec(answer)![1]!;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await fleet.close();
  await emulator.stop();
});

async function dial(): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(emulator.url);
  const socket = connect({ host, port: Number(port), ca: emulator.ca });
  sockets.add(socket);
  socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  await once(socket, 'secureConnect');
  return socket;
}

/** Ends a connection that waits for more than it gets. */
const PATIENCE_MS = 300;

/** All that is answered to these bytes. */
async function raw(bytes: string | Buffer): Promise<string> {
  const socket = await dial();
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    // An answer has come; what is damaged may keep the connection open.
    setTimeout(() => socket.destroy(), PATIENCE_MS);
  });
  socket.write(bytes);
  setTimeout(() => socket.destroy(), 10 * PATIENCE_MS).unref();
  await once(socket, 'close');
  return text;
}

const statusesIn = (answers: string): number[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

function bytesOf({ method, url, headers, payload = Buffer.alloc(0) }: Request): Buffer {
  const { expect: _, ...sent } = headers;
  const lines = Object.entries({
    host: 'a',
    connection: 'close',
    'content-length': String(payload.length),
    ...sent,
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([
    Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    payload,
  ]);
}

/** A byte changed, left out or put in. */
function damaged(bytes: Buffer, nth: number): Buffer {
  const at = nth % bytes.length;
  const before = bytes.subarray(0, at);
  const odd = Buffer.from([[0x00, 0x0a, 0x0d, 0x20, 0x7f, 0xff][nth % 6]!]);
  const ways = [
    [before, odd, bytes.subarray(at + 1)],
    [before, bytes.subarray(at + 1)],
    [before, odd, bytes.subarray(at)],
    [before],
  ];
  return Buffer.concat(ways[nth % ways.length]!);
}

describe('bytes on a socket', () => {
  it('are answered as documented, or the connection ends, and the next is answered', async () => {
    // The clock stands still, nothing fails, and the application that asks keeps its token.
    const stored =
      /^(clock\.|apiFault\.create$|application\.(delete|refreshToken|replace|update)$)/;
    const operations = fleet.operations.filter(({ id }) => !stored.test(id));
    const cases = fc.sample(fc.oneof(...operations.map(casesOf)), { numRuns: CASES, seed: 7 });
    const heard = new Set<number>();
    const ask = async (i: number): Promise<void> => {
      const given = cases[i]!;
      const whole = bytesOf(requestOf(given, pools, token));
      const bytes = i % 3 === 0 ? damaged(whole, given.nth) : whole;
      const [status] = statusesIn(await raw(bytes));
      if (status !== undefined) heard.add(status);
      expect(status ?? 400, `${bytes.toString('latin1').slice(0, 1_000)}`).toBeLessThan(500);
    };
    for (let i = 0; i < CASES; i += 25) {
      await Promise.all(Array.from({ length: 25 }, (_, k) => ask(i + k)));
    }
    for (const status of [200, 400, 404]) expect([...heard]).toContain(status);
    expect(broken).toEqual([]);
    expect(statusesIn(await get('/sim/v1/health'))).toEqual([200]);
  });
});

const get = (path: string): Promise<string> =>
  raw(
    `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n` +
      `Authorization: Bearer ${token}\r\n\r\n`,
  );

describe('crowds', () => {
  it('hundreds of idle and dripping connections hold nobody up', async () => {
    const crowd = await Promise.all(Array.from({ length: 200 }, dial));
    const dripping = crowd.slice(0, 100);
    for (const socket of dripping) socket.write('POST /api/v3.2/images HTTP/1.1\r\nHost: a\r\n');
    for (let i = 0; i < 5; i++) {
      for (const socket of dripping) socket.write(`X-${i}: a\r\n`);
      expect(statusesIn(await get('/api/v3.2/images'))).toEqual([200]);
    }
    for (const socket of crowd) socket.destroy();
    expect(statusesIn(await get('/sim/v1/health'))).toEqual([200]);
  });

  it('requests that come at once on a connection are answered in their order', async () => {
    const socket = await dial();
    let text = '';
    socket.on('data', (chunk) => void (text += chunk));
    const ids = Array.from({ length: 300 }, (_, i) => `nobody-${i}`);
    const head = (id: string, last: boolean) =>
      `GET /sim/v1/jobs/${id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
      `${last ? 'Connection: close\r\n' : ''}\r\n`;
    socket.write(ids.map((id, i) => head(id, i === ids.length - 1)).join(''));
    await once(socket, 'close');
    const answered = [...text.matchAll(/"instance":"\/sim\/v1\/jobs\/(nobody-\d+)"/g)];
    expect(answered.map(([, id]) => id)).toEqual(ids);
  });
});
