/** Bodies that are read at once: what they may have together, and what is reported beyond. */
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundBodies } from '../../api/http/body-budget.ts';
import { Refusal } from '../../api/http/refusal.ts';

const KIB = 1024;

describe('bodies that are read at once', () => {
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers } = error as Refusal;
    return reply
      .code(error instanceof Refusal ? status : 500)
      .headers(headers)
      .send();
  });
  boundBodies(app, 100 * KIB);
  app.post('/', () => ({}));
  beforeAll(async () => void (await app.listen()));
  afterAll(() => app.close());

  /** A request that has reported its length and sent nothing yet. */
  const begun = (headers: Readonly<Record<string, string | number>>) => {
    const { port } = app.server.address() as AddressInfo;
    const asked = request({ port, method: 'POST', headers });
    const answered = new Promise<number>((resolve) => {
      asked.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode!));
        if (response.statusCode === 503) expect(response.headers['retry-after']).toBe('1');
      });
      asked.on('error', () => resolve(0));
    });
    asked.flushHeaders();
    return { asked, answered };
  };
  /** The same, when the server has begun to answer it. */
  const taken = async (headers: Parameters<typeof begun>[0]) => {
    const came = once(app.server, 'request');
    const asking = begun(headers);
    const [, reply] = (await came) as [IncomingMessage, ServerResponse];
    await new Promise(setImmediate);
    return { ...asking, reply };
  };
  const body = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
  const json = (bytes: number) => ({
    'content-type': 'application/json',
    'content-length': bytes,
  });
  const send = (bytes: number) => {
    const { asked, answered } = begun(json(bytes));
    asked.end(body(bytes));
    return answered;
  };

  it('have place for each other; what finds none is to come again', async () => {
    const slow = await taken(json(60 * KIB));
    expect(await send(40 * KIB)).toBe(200);
    expect(await send(41 * KIB)).toBe(503);
    slow.asked.end(body(60 * KIB));
    expect(await slow.answered).toBe(200);
    expect(await send(100 * KIB)).toBe(200);
  });

  it('give their place back when anyone who sends them goes away', async () => {
    const gone = await taken(json(90 * KIB));
    expect(await send(20 * KIB)).toBe(503);
    gone.asked.destroy();
    await once(gone.reply, 'close');
    expect(await send(20 * KIB)).toBe(200);
  });

  it('may be as large as any, where their length is not reported', async () => {
    const { asked, answered } = begun({ 'content-type': 'application/json' });
    asked.end(body(20 * KIB));
    expect(await answered).toBe(503);
  });

  it('are not counted while they are small', async () => {
    const slow = await taken(json(100 * KIB));
    expect(await send(16 * KIB)).toBe(200);
    slow.asked.destroy();
  });
});
