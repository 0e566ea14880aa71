/** Requests that are sent again, as a client of the entry point sees them. */

import fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnswerStore } from '../../api/host/requests/response-store.ts';
import { answerOnce, fingerprintOf } from '../../api/http/idempotency.ts';
import { Refusal } from '../../api/http/refusal.ts';

const DAY_MS = 86_400_000;
let app: FastifyInstance;
let nowMs: number;
/** How many requests are or were carried out, and how many things they have made. */
let begun: number;
let created: number;
/** What the operation answers next; or it waits until `answerNow`. */
let status: number;
let wait: Promise<void> | undefined;

beforeEach(() => {
  nowMs = 1_000;
  begun = 0;
  created = 0;
  status = 201;
  wait = undefined;
  app = fastify();
  app.setErrorHandler((error, _, reply) => {
    const refusal = error instanceof Refusal ? error : undefined;
    return reply.code(refusal?.status ?? 500).send(refusal?.failure ?? { message: `${error}` });
  });
  const answeredBefore = answerOnce(app, new AnswerStore(() => nowMs));
  app.addHook('onSend', async (_, reply) => {
    reply.header('x-sim-time', `${nowMs}`);
  });
  app.post('/things/:kind', async (request, reply) => {
    const { body, headers, params, query } = request;
    const subscriber = `${headers['x-by'] ?? 'one'}`;
    const asked = { body, params, query };
    if (answeredBefore(request, reply, { subscriber, caller: '', asked })) return reply;
    begun++;
    await wait;
    created++;
    if (status === 599) throw new Error('a fault of ours');
    if (status === 204) return reply.code(204).send();
    return reply
      .code(status)
      .header('location', `/things/${created}`)
      .header('ratelimit-remaining', `${created}`)
      .send({ id: created, name: 'ä' });
  });
});
afterEach(() => app.close());

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((later) => setTimeout(later, 5));
}

const connections = (): Promise<number> =>
  new Promise((done, fail) =>
    app.server.getConnections((error, count) => (error ? fail(error) : done(count))),
  );

interface Sent {
  readonly key?: string | string[];
  readonly by?: string;
  readonly url?: string;
  readonly body?: unknown;
}

async function send({ key = 'k', by = 'one', url = '/things/a', body = { a: 1 } }: Sent = {}) {
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: { 'idempotency-key': key, 'x-by': by },
    payload: body as object,
  });
  const { 'idempotency-replayed': replayed, ...headers } = answer.headers;
  return { status: answer.statusCode, body: answer.body, headers, replayed };
}

const codeOf = ({ body }: { body: string }): string => JSON.parse(body).code;

describe('a request that is sent again with its key', () => {
  it('gets the first answer again: status, headers and body, and makes nothing', async () => {
    const first = await send();
    nowMs += 5_000;
    const again = await send();
    expect(first.replayed).toBeUndefined();
    expect(again.replayed).toBe('true');
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.location).toBe('/things/1');
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(created).toBe(1);
  });

  it('makes one thing, however often it is sent', async () => {
    for (let i = 0; i < 100; i++) await send();
    expect(created).toBe(1);
  });

  it('has headers of its own moment', async () => {
    await send();
    nowMs += 5_000;
    const again = await send();
    expect(again.headers['x-sim-time']).toBe('6000');
    expect(again.headers['ratelimit-remaining']).toBeUndefined();
  });

  it('may have its keys in another order', async () => {
    await send({ body: { a: 1, b: [2] } });
    expect((await send({ body: { b: [2], a: 1 } })).replayed).toBe('true');
  });

  it('gets an answer without a body again', async () => {
    status = 204;
    expect(await send()).toMatchObject({ status: 204, body: '', replayed: undefined });
    expect(await send()).toMatchObject({ status: 204, body: '', replayed: 'true' });
  });

  it('is carried out anew after 24 hours', async () => {
    await send();
    nowMs += DAY_MS - 1;
    expect((await send()).replayed).toBe('true');
    nowMs += 1;
    expect((await send()).replayed).toBeUndefined();
    expect(created).toBe(2);
  });
});

describe('a request without a key', () => {
  it('is carried out each time', async () => {
    for (let i = 0; i < 3; i++) {
      await app.inject({ method: 'POST', url: '/things/a', payload: { a: 1 } });
    }
    expect(created).toBe(3);
  });
});

describe('a key', () => {
  it('that comes with another request is 409, and nothing is made', async () => {
    await send();
    for (const other of [{ body: { a: 2 } }, { url: '/things/a?b=1' }, { body: {} }]) {
      const answer = await send(other);
      expect([answer.status, codeOf(answer)]).toEqual([409, 'idempotency.reused']);
    }
    expect(created).toBe(1);
    expect((await send()).replayed).toBe('true');
  });

  it('is another one for another subscriber and another path', async () => {
    await send();
    expect((await send({ by: 'two' })).replayed).toBeUndefined();
    expect((await send({ url: '/things/b' })).replayed).toBeUndefined();
    expect((await send({ key: 'K' })).replayed).toBeUndefined();
    expect(created).toBe(4);
  });

  it('of a request that is underway is 409, and answers again when that is done', async () => {
    let answerNow = () => {};
    wait = new Promise((resolve) => {
      answerNow = resolve;
    });
    const first = send();
    await until(() => begun === 1);
    const second = await send();
    expect([second.status, codeOf(second)]).toEqual([409, 'idempotency.underway']);
    const other = await send({ body: { a: 2 } });
    expect([other.status, codeOf(other)]).toEqual([409, 'idempotency.reused']);
    answerNow();
    expect((await first).status).toBe(201);
    expect((await send()).replayed).toBe('true');
    expect(created).toBe(1);
  });

  it.each(['!', '~', 'a'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"'])(
    'has visible ASCII characters, 255 at most: %j',
    async (key) => {
      expect((await send({ key })).status).toBe(201);
      expect((await send({ key })).replayed).toBe('true');
    },
  );

  it.each(['', 'a b', 'a'.repeat(256), 'ä', 'a\tb', '\x7f'])('is not %j: 400', async (key) => {
    const answer = await send({ key });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'idempotency.malformed']);
    expect(created).toBe(0);
  });

  it('is not two, which Node joins', async () => {
    expect((await send({ key: 'a, b' })).status).toBe(400);
  });
});

describe('an answer', () => {
  it.each([200, 201, 202, 204, 400, 402, 404, 409, 412, 507])('of %i', async (answered) => {
    status = answered;
    await send();
    const isRemembered = answered < 500;
    expect((await send()).replayed).toBe(isRemembered ? 'true' : undefined);
  });

  it.each([401, 403, 429, 500, 503, 599])(
    'of %i is not remembered: the next request is carried out',
    async (answered) => {
      status = answered;
      await send();
      status = 201;
      expect(await send()).toMatchObject({ status: 201, replayed: undefined });
      expect(created).toBe(2);
      expect((await send()).replayed).toBe('true');
    },
  );

  it('is remembered when nobody was there any more to hear it', async () => {
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    let answerNow = () => {};
    wait = new Promise((resolve) => {
      answerNow = resolve;
    });
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' };
    const given = { method: 'POST', headers, body: '{"a":1}' };
    const gone = new AbortController();
    const first = fetch(`${address}/things/a`, { ...given, signal: gone.signal });
    await until(() => begun === 1);
    gone.abort();
    await expect(first).rejects.toThrow();
    await until(async () => (await connections()) === 0);
    answerNow();
    await until(() => created === 1);
    const again = await fetch(`${address}/things/a`, given);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(created).toBe(1);
    // What is not read holds its connection, and the end of the server waits for it.
    await again.text();
  });
});

describe('the fingerprint of what is asked', () => {
  const values = fc.anything({
    values: [fc.string(), fc.integer(), fc.boolean(), fc.uint8Array({ maxLength: 4 })],
    maxDepth: 3,
  });

  it('is equal where values are, in whatever order their keys are', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
      const entries = Object.entries(value).toReversed();
      return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]));
    };
    fc.assert(
      fc.property(values, (value) => {
        expect(fingerprintOf(reversed(value))).toBe(fingerprintOf(value));
      }),
    );
  });

  it('differs where values do', () => {
    const pairs: [unknown, unknown][] = [
      [1, '1'],
      [null, 'null'],
      [[], {}],
      [['a', 'b'], ['ab']],
      [[['a'], 'b'], [['a', 'b']]],
      [{ a: 'b' }, ['a', 'b']],
      [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
      ['ab', Buffer.from('ab')],
      [Buffer.from([1]), [1]],
      [true, 1],
      [{ a: null }, {}],
    ];
    for (const [one, other] of pairs) expect(fingerprintOf(one)).not.toBe(fingerprintOf(other));
  });
});
