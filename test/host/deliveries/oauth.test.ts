/** Deliveries with a token: OAuth 2.0 client credentials (RFC 6749 §4.4). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sent } from '../../../api/host/deliveries/network/attempt-result.ts';
import { Egress } from '../../../api/host/deliveries/network/egress.ts';
import type { Sender } from '../../../api/host/deliveries/senders/sender.ts';
import { webhookSender } from '../../../api/host/deliveries/senders/webhook.ts';
import type { TokenGrant, WebhookRoute } from '../../../core/delivery/targets/webhook.ts';
import { type Behave, HttpReceiver, says } from '../../support/http-receivers.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { deliveryOf, needsOf, routeTo } from '../../support/sending.ts';

/** Its stopwatch goes with the wall. */
class Clock extends ManualTime {
  override elapsedMs(): number {
    return this.wall;
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };
const SECRET = 'canary secret';

let time: Clock;
let sender: Sender<WebhookRoute>;
/** What the two do; by itself, tokens are t1, t2 … for an hour, and the receiver takes them all. */
let grants: Behave;
let takes: Behave;
let granted: number;
let tokenServer: HttpReceiver;
let receiver: HttpReceiver;

beforeEach(async () => {
  time = new Clock();
  sender = webhookSender(needsOf({ time }));
  granted = 0;
  grants = grantsFor(3_600);
  takes = says(204);
  const behaviour = 'accepts';
  tokenServer = await HttpReceiver.open({ behaviour, behaves: (...all) => grants(...all) });
  receiver = await HttpReceiver.open({ behaviour, behaves: (...all) => takes(...all) });
});
afterEach(async () => {
  await Promise.all([sender.close(), tokenServer.close(), receiver.close()]);
});

function grantsFor(livesS: number | undefined): Behave {
  return (...all) => {
    const body = { access_token: `t${++granted}`, token_type: 'Bearer', expires_in: livesS };
    says(200, JSON_TYPE, JSON.stringify(body))(...all);
  };
}

/** The receiver accepts no token but these. */
const takesOnly =
  (...tokens: string[]): Behave =>
  (answer, seen, ...rest) =>
    says(tokens.includes(bearerOf(seen.headers)) ? 204 : 401)(answer, seen, ...rest);

const bearerOf = (headers: { readonly authorization?: string | undefined }): string =>
  headers.authorization!.replace(/^Bearer /, '');

const grantOf = (changes: Partial<TokenGrant> = {}): TokenGrant => ({
  tokenUrl: tokenServer.url('/token'),
  clientId: 'desk:1',
  clientSecret: SECRET,
  scopes: [],
  ...changes,
});

function send(
  changes: Partial<TokenGrant> = {},
  target = '1',
  signal?: AbortSignal,
): Promise<Sent> {
  const route = routeTo(receiver.url(), { grant: grantOf(changes) });
  return sender.send(deliveryOf({ target }), route, signal ?? new AbortController().signal);
}

const used = (): string[] => receiver.seen.map(({ headers }) => bearerOf(headers));

describe('a token', () => {
  it('is asked for with the credentials of the client, and is the Authorization', async () => {
    await expect(send({ scopes: ['hooks', 'write'] })).resolves.toMatchObject({ answer: 204 });
    const [asked] = tokenServer.seen;
    expect(Object.fromEntries(new URLSearchParams(asked!.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'hooks write',
    });
    // Each is form-encoded first (RFC 6749 §2.3.1).
    const basic = Buffer.from('desk%3A1:canary+secret').toString('base64');
    expect(asked!.headers.authorization).toBe(`Basic ${basic}`);
    expect(receiver.seen[0]!.headers.authorization).toBe('Bearer t1');
  });

  it('is asked for once, however many wait for it', async () => {
    await Promise.all(Array.from({ length: 20 }, () => send()));
    await send();
    expect(granted).toBe(1);
    expect(used()).toEqual(Array.from({ length: 21 }, () => 't1'));
  });

  it.each([
    [3_600, 3_569_000, 2_000],
    [100, 89_500, 1_000],
  ])('that lives for %i s is used until shortly before', async (livesS, useMs, restMs) => {
    grants = grantsFor(livesS);
    await send();
    time.pass(useMs);
    await send();
    time.pass(restMs);
    await send();
    expect(used()).toEqual(['t1', 't1', 't2']);
  });

  it('that says nothing of its end is used on and on', async () => {
    grants = grantsFor(undefined);
    await send();
    time.pass(30 * 86_400_000);
    await send();
    expect(used()).toEqual(['t1', 't1']);
  });

  it('is of one target with one grant, and gone with it', async () => {
    await send();
    await send({}, '2');
    await send({ scopes: ['other'] });
    await sender.forget('1');
    await send({ scopes: ['other'] });
    await send({}, '2');
    expect(used()).toEqual(['t1', 't2', 't3', 't4', 't2']);
  });
});

describe('a receiver that answers 401', () => {
  it('is asked again with another token, once', async () => {
    takes = takesOnly('t2');
    const first = await send();
    expect(first).toEqual({ answer: 'no token', retryAfterS: 0, says: '401' });
    await expect(send()).resolves.toMatchObject({ answer: 204 });
    expect(used()).toEqual(['t1', 't2']);
  });

  it('for the second time means it', async () => {
    takes = takesOnly();
    await expect(send()).resolves.toMatchObject({ answer: 'no token' });
    await expect(send()).resolves.toMatchObject({ answer: 401 });
    await expect(send()).resolves.toMatchObject({ answer: 401 });
    expect(used()).toEqual(['t1', 't2', 't3']);
  });

  it('for the first time since it took one is asked again as well', async () => {
    takes = takesOnly('t2');
    await send();
    await send();
    takes = takesOnly('t3');
    await expect(send()).resolves.toMatchObject({ answer: 'no token' });
    await expect(send()).resolves.toMatchObject({ answer: 204 });
    expect(used()).toEqual(['t1', 't2', 't2', 't3']);
  });

  it('to ten at a time costs one token, and none of the ten', async () => {
    await send();
    takes = takesOnly('t2');
    const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(new Set(answers.map(({ answer }) => answer))).toEqual(new Set(['no token']));
    const again = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(new Set(again.map(({ answer }) => answer))).toEqual(new Set([204]));
    expect(granted).toBe(2);
  });

  it('without a grant is final', async () => {
    takes = says(401);
    const sent = sender.send(deliveryOf(), routeTo(receiver.url()), new AbortController().signal);
    await expect(sent).resolves.toMatchObject({ answer: 401 });
  });

  it('and echoes the token does not give it away', async () => {
    grants = says(200, JSON_TYPE, '{"access_token":"canary-7","token_type":"bearer"}');
    takes = (answer, seen) => void answer.writeHead(401).end(seen.headers.authorization);
    await expect(send()).resolves.toMatchObject({ says: '401 Bearer ********' });
  });
});

describe('no token', () => {
  it.each([
    [
      'refuses the client',
      says(401, JSON_TYPE, `{"error":"invalid_client","error_description":"not ${SECRET}"}`),
      'The token server answers 401: {"error":"invalid_client","error_description":"not ********"}',
    ],
    [
      'challenges the client',
      says(401, { 'www-authenticate': 'Basic realm="x"' }, 'No.'),
      'The token server answers 401: No.',
    ],
    ['fails', says(500, {}, 'Out of order.'), 'The token server answers 500: Out of order.'],
    ['redirects', says(307, { location: '/secret' }), 'The token server answers 307:'],
    ['answers a page', says(200, { 'content-type': 'text/html' }, '<p>'), /what is no token: /],
    ['answers half of it', says(200, JSON_TYPE, '{"access_token":'), /what is no token: /],
    [
      'grants one of another kind',
      says(200, JSON_TYPE, '{"access_token":"a","token_type":"mac"}'),
      /what is no token: unsupported/,
    ],
    [
      'grants one of two lines',
      says(200, JSON_TYPE, '{"access_token":"a\\r\\nx: y","token_type":"bearer"}'),
      /what is no token: its token is none that a header may have\.$/,
    ],
    [
      'hangs up',
      ({ socket }) => void socket!.destroy(),
      'The token server: It hung up without an answer.',
    ],
  ] satisfies [string, Behave, string | RegExp][])(
    'comes of a server that %s, and nothing goes to the receiver',
    async (_, behave, response) => {
      grants = behave;
      const sent = await send();
      expect(sent).toMatchObject({ answer: 'no token', retryAfterS: 0, isUnsent: true });
      if (typeof response === 'string') expect(sent.says).toBe(response);
      else expect(sent.says).toMatch(response);
      expect(receiver.connections).toBe(0);
      expect(tokenServer.seen).toHaveLength(1);
    },
  );

  it('comes of a server that hangs for ten seconds, to all who wait', async () => {
    grants = () => undefined;
    const first = send();
    const second = send();
    await tokenServer.hasSeen(1);
    time.pass(9_999);
    grants = grantsFor(60);
    time.pass(1);
    const timeout = {
      answer: 'no token',
      retryAfterS: 0,
      says: 'The token server: There was no answer within 10 s.',
      isUnsent: true,
    };
    await expect(first).resolves.toEqual(timeout);
    await expect(second).resolves.toEqual(timeout);
    await expect(send()).resolves.toMatchObject({ answer: 204 });
  });

  it('keeps nobody waiting whose attempt is cut off', async () => {
    grants = () => undefined;
    const cut = new AbortController();
    const first = send({}, '1', cut.signal);
    await tokenServer.hasSeen(1);
    cut.abort();
    await expect(first).resolves.toMatchObject({ answer: 'connection failed' });
  });

  it('comes of an address where nothing may be delivered', async () => {
    const allowed = [`127.0.0.1:${receiver.port}`];
    sender = webhookSender(needsOf({ egress: new Egress({ toOwnMachine: false, allowed }), time }));
    await expect(send()).resolves.toMatchObject({
      answer: 'address refused',
      says: expect.stringContaining('127.0.0.1 is a loopback address, '),
    });
    expect([tokenServer.connections, receiver.connections]).toEqual([0, 0]);
  });

  it.each(['file:///etc/passwd', 'hooks', 'http://a:b@127.0.0.1/'])(
    'comes of what is no URL of HTTP: %j',
    async (tokenUrl) => {
      await expect(send({ tokenUrl })).resolves.toMatchObject({ answer: 'not possible' });
    },
  );
});
