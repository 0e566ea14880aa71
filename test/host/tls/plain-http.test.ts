/** What a port of HTTPS says to those who speak no TLS, and that those who do notice nothing. */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type LocalCertificates,
  localCertificates,
  TLS_OPTIONS,
} from '../../../api/host/tls/local-ca.ts';
import { refusePlainHttp } from '../../../api/host/tls/plain-http.ts';
import { HANG_MS } from '../../support/cost.ts';
import { sampled, some } from '../../support/long.ts';

let certificates: LocalCertificates;
let server: Server;

beforeAll(async () => {
  const created = await localCertificates(undefined, { names: [], now: new Date() });
  if (!created.ok) throw new Error(created.failure.message);
  certificates = created.value;
});

const openSockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of openSockets) socket.destroy();
  openSockets.clear();
  server.closeAllConnections();
  if (server.listening) await new Promise((closed) => server.close(closed));
});

async function serve(patienceMs?: number): Promise<void> {
  server = createServer({ ...certificates, ...TLS_OPTIONS }, (_, reply) => reply.end('good'));
  refusePlainHttp(server, patienceMs);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
}

const port = (): number => (server.address() as AddressInfo).port;

async function dial(): Promise<Socket> {
  const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
  openSockets.add(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the server closes. */
async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  if (!socket.closed) await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  return text;
}

const get = (over?: () => Duplex): Promise<string> =>
  new Promise((done, fail) => {
    const { ca } = certificates;
    const asked = request(
      {
        port: port(),
        host: '127.0.0.1',
        ca,
        ...(over ? { createConnection: over } : { agent: false }),
      },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        reply.on('end', () => done(`${reply.statusCode} ${text}`));
      },
    );
    asked.on('error', fail).end();
  });

const ANSWER = /^HTTP\/1\.1 400 Bad Request\r\n(?:[\w-]+: .+\r\n)*Connection: close\r\n\r\n(.+)\n$/;

async function connections(): Promise<number> {
  return new Promise((done, fail) =>
    server.getConnections((error, count) => (error ? fail(error) : done(count))),
  );
}

async function noneLeft(): Promise<number> {
  for (let i = 0; i < 200 && (await connections()) > 0; i++) await pause(10);
  return connections();
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('plain HTTP', () => {
  it('gets 400 with one line that says to use https, and the connection is closed', async () => {
    await serve();
    const socket = await dial();
    socket.write('GET /v1/devices HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [, text] = ANSWER.exec(await heard(socket)) ?? [];
    expect(text).toContain('https://');
    expect(text).not.toContain('\n');
    socket.end();
    expect(await noneLeft()).toBe(0);
  });

  it('has a length that fits the text', async () => {
    await serve();
    const answer = await fetch(`http://127.0.0.1:${port()}/`);
    expect(answer.status).toBe(400);
    const text = await answer.text();
    expect(answer.headers.get('content-length')).toBe(`${text.length}`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('is reported so even if it sends a large body first', async () => {
    await serve();
    const answer = await fetch(`http://127.0.0.1:${port()}/`, {
      method: 'POST',
      body: new Uint8Array(4 << 20),
    });
    expect(answer.status).toBe(400);
  });

  it('is anything that does not begin with a handshake', async () => {
    await serve();
    for (let first = 0; first < 256; first++) {
      const socket = await dial();
      socket.write(Uint8Array.of(first));
      if (first === 0x16) socket.end();
      const answer = await heard(socket);
      if (first === 0x16) expect(answer).toBe('');
      else expect(answer).toMatch(ANSWER);
      socket.destroy();
    }
  });

  it('may go on sending for a time only', async () => {
    await serve(100);
    const socket = await dial();
    const closed = new Promise((closing) => socket.once('close', closing));
    const writing = setInterval(() => socket.write('GET / HTTP/1.1\r\n'), 5);
    await closed;
    clearInterval(writing);
    expect(await noneLeft()).toBe(0);
  });
});

describe('TLS', () => {
  it('goes on as if nobody had looked', async () => {
    await serve();
    expect(await get()).toBe('200 good');
  });

  it('goes on when its bytes come one at a time', async () => {
    await serve();
    const raw = await dial();
    raw.setNoDelay(true);
    const slow = new Duplex({
      read() {},
      write(chunk: Buffer, _, done) {
        void (async () => {
          for (const byte of chunk) {
            raw.write(Uint8Array.of(byte));
            await pause(0);
          }
          done();
        })();
      },
    });
    raw.on('data', (chunk) => slow.push(chunk)).on('end', () => slow.push(null));
    const over = () => connectTls({ socket: slow, ca: certificates.ca, servername: 'localhost' });
    expect(await get(over)).toBe('200 good');
  });

  it('goes on when the first byte comes late', async () => {
    await serve(HANG_MS);
    const raw = await dial();
    await pause(300);
    const over = () => connectTls({ socket: raw, ca: certificates.ca, servername: 'localhost' });
    expect(await get(over)).toBe('200 good');
  });
});

describe('who says nothing', () => {
  it('is let go after the time-out, and no sooner', async () => {
    await serve(150);
    const began = performance.now();
    const socket = await dial();
    await heard(socket);
    const waitedMs = performance.now() - began;
    expect(waitedMs).toBeGreaterThan(140);
    expect(await noneLeft()).toBe(0);
  });

  it('is not waited for by a server that stops', async () => {
    await serve(HANG_MS);
    for (let i = 0; i < 10; i++) await dial();
    while ((await connections()) < 10) await pause(5);
    const began = performance.now();
    await new Promise((closed) => server.close(closed));
    expect(performance.now() - began).toBeLessThan(HANG_MS);
  });
});

describe('a thousand connections leave nothing behind', () => {
  const kinds: [what: string, talk: (socket: Socket) => unknown][] = [
    ['of plain HTTP', (socket) => socket.end('GET / HTTP/1.1\r\n\r\n')],
    ['that say nothing and leave', (socket) => socket.end()],
    ['that break at once', (socket) => socket.resetAndDestroy()],
    ['that begin a handshake and leave', (socket) => socket.end(Uint8Array.of(0x16, 3, 1))],
    [
      'that begin a handshake and break',
      (socket) => {
        socket.write(Uint8Array.of(0x16, 3, 1), () => socket.resetAndDestroy());
      },
    ],
    ['that are half open', (socket) => setTimeout(() => socket.destroy(), 50)],
    [
      'of plain HTTP that break',
      (socket) => {
        socket.write('GET / HTTP/1.1\r\n\r\n', () => socket.resetAndDestroy());
      },
    ],
  ];

  it.each(sampled(kinds, ([what]) => what.includes(' break')))('%s', async (_, talk) => {
    await serve();
    const timersBefore = timers();
    for (let i = 0; i < some(10, 5); i++) {
      const hundred = await Promise.all(Array.from({ length: 100 }, dial));
      await Promise.all(
        hundred.map(async (socket) => {
          socket.resume();
          talk(socket);
          if (!socket.closed) await once(socket, 'close');
        }),
      );
    }
    expect(await noneLeft()).toBe(0);
    expect(timers()).toBeLessThanOrEqual(timersBefore + 2);
    expect(await get()).toBe('200 good');
  });

  it('of TLS: two hundred are enough', async () => {
    await serve();
    const timersBefore = timers();
    for (let i = 0; i < 4; i++) {
      const fifty = await Promise.all(Array.from({ length: 50 }, () => get()));
      expect(new Set(fifty)).toEqual(new Set(['200 good']));
    }
    expect(await noneLeft()).toBe(0);
    expect(timers()).toBeLessThanOrEqual(timersBefore + 2);
  });
});
