/** Each limit of the entry point, at the limit and beyond, as raw bytes on a socket. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { acceptJson, bodyRefusal, takesBody } from '../../api/http/json-body.ts';
import {
  BULK_BODIES,
  fastifyOptions,
  headRefusal,
  limitServer,
  ORDINARY_BODY,
  SERVER_LIMITS,
  type ServerLimits,
  serverOptions,
} from '../../api/http/limits.ts';
import { Refusal } from '../../api/http/refusal.ts';
import { HANG_MS } from '../support/cost.ts';

let app: FastifyInstance;
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await app.close();
});

/** An entry point with one path for ordinary bodies and one for bulk, with these limits changed. */
async function serve(changed: Partial<ServerLimits> = {}): Promise<void> {
  const limits = { ...SERVER_LIMITS, stopMs: 0, ...changed };
  app = fastify({
    ...fastifyOptions(limits),
    serverFactory: (handle) => {
      const server = createServer(serverOptions(limits), handle);
      limitServer(server, limits);
      return server;
    },
  });
  app.addHook('onRequest', async ({ raw }) => {
    const refusal = headRefusal(raw, limits);
    if (refusal !== undefined) throw refusal;
  });
  app.setErrorHandler((error, _, reply) => {
    const refusal = error instanceof Refusal ? error : bodyRefusal(error);
    return reply.code(refusal?.status ?? 500).send(refusal?.failure);
  });
  acceptJson(app);
  app.get('/devices/:name', async ({ params }) => params);
  app.get('/devices', async () => 'good');
  app.post('/devices', async () => 'good');
  app.get('/slow', async () => await pause(300, 'good'));
  app.put('/keys', takesBody(BULK_BODIES.keys), async () => 'good');
  await app.listen({ port: 0, host: '127.0.0.1' });
}

async function dial(): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.add(socket);
  socket.setEncoding('utf8').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the server closes. */
async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((closed) => socket.once('close', closed));
  return text;
}

const statuses = (answers: string): number[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** The status of the answer to one request, on a connection of its own. */
async function ask(head: string, body = ''): Promise<number | undefined> {
  const socket = await dial();
  const [first, ...lines] = head.split('\r\n');
  socket.write([first, 'Host: a', 'Connection: close', ...lines, '\r\n'].join('\r\n'));
  socket.write(body);
  return statuses(await heard(socket))[0];
}

describe('what comes before a body', () => {
  it('a URL of 64 KiB is answered, one byte more is 414', async () => {
    await serve();
    const get = (bytes: number) => ask(`GET ${'/devices?a='.padEnd(bytes, 'a')} HTTP/1.1`);
    expect(await get(65_536)).toBe(200);
    expect(await get(65_537)).toBe(414);
  });

  it('a segment of 128 characters is answered, one more is 414, in any encoding', async () => {
    await serve();
    const get = (name: string) => ask(`GET /devices/${name} HTTP/1.1`);
    for (const character of ['a', '%61', '%C3%A4', '%F0%9D%92%9C']) {
      expect(await get(character.repeat(128)), character).toBe(200);
      expect(await get(character.repeat(129)), character).toBe(414);
    }
    expect(await ask(`GET /nobody/knows/${'a'.repeat(129)} HTTP/1.1`)).toBe(414);
    expect(await ask(`GET /devices/${'%C3'.repeat(129)} HTTP/1.1`)).toBe(400);
  });

  it('80 KiB of first line and headers are answered, more is 431', async () => {
    await serve();
    const get = (bytes: number) => ask(`GET /devices HTTP/1.1\r\nX-A: ${'a'.repeat(bytes)}`);
    expect(await get(80 * 1024 - 100)).toBe(200);
    expect(await get(80 * 1024)).toBe(431);
  });

  it('64 header lines are answered, one more is 431, and none is left out unseen', async () => {
    await serve();
    // `Host` and `Connection` are two of them.
    const get = (lines: number) => ask(`GET /devices HTTP/1.1${'\r\nX-A: a'.repeat(lines - 2)}`);
    expect(await get(64)).toBe(200);
    expect(await get(65)).toBe(431);
    expect(await get(5_000)).toBe(431);
  });
});

describe('time', () => {
  it('headers that do not end within the header time-out are 408', async () => {
    await serve({ headersMs: 200, requestMs: HANG_MS, checkMs: 20 });
    const began = performance.now();
    const socket = await dial();
    const answer = heard(socket);
    socket.write('GET /devices HTTP/1.1\r\n');
    const drip = setInterval(() => socket.write('X-A: a\r\n'), 20);
    expect(statuses(await answer)).toEqual([408]);
    clearInterval(drip);
    expect(performance.now() - began).toBeGreaterThan(190);
    expect(performance.now() - began).toBeLessThan(HANG_MS);
  });

  it('a body that does not end within the request time-out is 408', async () => {
    await serve({ headersMs: 900, requestMs: 1_000, checkMs: 20 });
    const socket = await dial();
    const answer = heard(socket);
    const began = performance.now();
    const type = 'Content-Type: application/json\r\nContent-Length: 1000';
    socket.write(`POST /devices HTTP/1.1\r\nHost: a\r\n${type}\r\n\r\n`);
    const drip = setInterval(() => socket.write(' '), 20);
    expect(statuses(await answer)).toEqual([408]);
    clearInterval(drip);
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  it('slow ones within the times are answered', async () => {
    await serve({ headersMs: HANG_MS, requestMs: HANG_MS + 1, checkMs: 20 });
    const socket = await dial();
    const answer = heard(socket);
    for (const part of ['GET /devices ', 'HTTP/1.1\r\nHost: a\r\n', 'Connection: close\r\n\r\n']) {
      socket.write(part);
      await pause(80);
    }
    expect(statuses(await answer)).toEqual([200]);
  });

  it('a connection lives for the keep-alive time after an answer', async () => {
    await serve({ keepAliveMs: 2_000, checkMs: 20 });
    const socket = await dial();
    const answers = heard(socket);
    const get = () => socket.write('GET /devices HTTP/1.1\r\nHost: a\r\n\r\n');
    get();
    await pause(150);
    get();
    const began = performance.now();
    expect(statuses(await answers)).toEqual([200, 200]);
    expect(performance.now() - began).toBeGreaterThan(1_950);
  });
});

describe('connections', () => {
  it('there are as many as the limit says, and one more is closed at once', async () => {
    await serve({ connections: 3 });
    const three = [await dial(), await dial(), await dial()];
    const fourth = await dial();
    expect(await heard(fourth)).toBe('');
    for (const socket of three) {
      socket.write('GET /devices HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      expect(statuses(await heard(socket))).toEqual([200]);
    }
    expect(await ask('GET /devices HTTP/1.1')).toBe(200);
  });

  it('the last request of a connection is answered with its end, the next is 503', async () => {
    await serve({ requestsPerConnection: 3, keepAliveMs: 50 });
    const socket = await dial();
    const answers = heard(socket);
    socket.write('GET /devices HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
    const text = await answers;
    expect(statuses(text)).toEqual([200, 200, 200, 503]);
    expect(text.split('HTTP/1.1').map((one) => /^connection: close/im.test(one))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('a server that closes waits for answers for the stop time, and no longer', async () => {
    await serve({ stopMs: 1_500 });
    const [silent, asking, dripping] = [await dial(), await dial(), await dial()];
    asking.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    dripping.write('GET /devices HTTP/1.1\r\n');
    await pause(50);
    const answers = [silent, asking, dripping].map(heard);
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeGreaterThan(1_400);
    expect(performance.now() - began).toBeLessThan(HANG_MS);
    expect((await Promise.all(answers)).map(statuses)).toEqual([[], [200], []]);
  });

  it('a server has the limits of the table', async () => {
    await serve();
    const { server } = app;
    expect({
      connections: server.maxConnections,
      requestsPerConnection: server.maxRequestsPerSocket,
      headersMs: server.headersTimeout,
      requestMs: server.requestTimeout,
      keepAliveMs: server.keepAliveTimeout,
    }).toEqual({
      connections: 12_000,
      requestsPerConnection: 10_000,
      headersMs: 10_000,
      requestMs: 60_000,
      keepAliveMs: 5_000,
    });
    expect(serverOptions()).toMatchObject({
      connectionsCheckingInterval: 2_000,
      handshakeTimeout: 10_000,
      maxHeaderSize: 81_920,
    });
  });
});

describe('bodies', () => {
  const json = (bytes: number): string => `"${'a'.repeat(bytes - 2)}"`;
  const send = (request: string, body: string, framing: string) =>
    ask(`${request} HTTP/1.1\r\nContent-Type: application/json\r\n${framing}`, body);
  const sized = (request: string, body: string) =>
    send(request, body, `Content-Length: ${body.length}`);
  const chunked = (request: string, body: string) => {
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    return send(request, chunks, 'Transfer-Encoding: chunked');
  };

  it.each([
    ['POST /devices', ORDINARY_BODY.bytes, 1024 * 1024],
    ['PUT /keys', BULK_BODIES.keys.bytes, 640 * 1024],
  ])(
    'of %s have at most the bytes that the route says; more is 413',
    async (route, limit, bytes) => {
      await serve();
      expect(limit).toBe(bytes);
      for (const way of [sized, chunked]) {
        expect(await way(route, json(bytes))).toBe(200);
        expect(await way(route, json(bytes + 1))).toBe(413);
      }
    },
  );

  it('are refused by their length before a byte of them has come', async () => {
    await serve();
    expect(await send('POST /devices', '', 'Content-Length: 1048577')).toBe(413);
  });

  it('of a GET are passed over, and the next request on the connection is its own', async () => {
    await serve();
    const socket = await dial();
    const answers = heard(socket);
    const hidden = 'DELETE /devices HTTP/1.1\r\nHost: a\r\n\r\n';
    const length = `Content-Type: application/json\r\nContent-Length: ${hidden.length}`;
    socket.write(`GET /devices HTTP/1.1\r\nHost: a\r\n${length}\r\n\r\n${hidden}`);
    socket.write('GET /devices?b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(statuses(await answers)).toEqual([200, 200]);
  });
});
