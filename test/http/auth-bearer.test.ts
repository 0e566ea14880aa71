/** Bearer tokens on requests: RFC 6750, RFC 7519, RFC 8725. */
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Accounts } from '../../api/host/accounts/accounts.ts';
import { MOST_CHARACTERS, Tokens } from '../../api/http/auth/tokens.ts';
import type { Principal } from '../../core/management/accounts/principal.ts';
import { AuthEntry, clientForm } from '../support/auth-server.ts';
import { awaitedCostMs, growsTooMuch } from '../support/cost.ts';

/** Whole seconds of the operator's clock, in ms. */
const START = 1_900_000_000_000;
let nowMs = START;
const entry = new AuthEntry({ now: () => nowMs });
const { first } = entry;
const second = entry.add({});
let token = '';
beforeAll(async () => {
  token = await entry.tokenOf();
});
afterAll(() => entry.app.close());

type Answer = Awaited<ReturnType<AuthEntry['who']>>;

function expectRefused(answer: Answer, code: string, status = 401): void {
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="fleetwave"/);
}

/** A token as ours, signed with our key, with these changes. */
async function signed(claims: object, header: object = {}, key?: Uint8Array): Promise<string> {
  const ours = signingKeyOf(entry);
  return await new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'HS256', ...header })
    .sign(key ?? ours);
}

/** The key that is derived for signing; recomputed by RFC 5869. */
function signingKeyOf({ key }: AuthEntry): Uint8Array {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(key).digest();
  const info = 'fleetwave token signing\x01';
  return createHmac('sha256', extracted).update(info).digest();
}

describe('a token', () => {
  it('names issuer, receiver, purpose, time and lifetime', () => {
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'at+jwt' });
    expect(decodeProtectedHeader(token).kid).toMatch(/^[\w-]{12}$/);
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      iss: 'urn:fleetwave',
      aud: 'urn:fleetwave:api',
      sub: first.clientId,
      client_id: first.clientId,
      iat: START / 1000,
      exp: START / 1000 + 3600,
    });
    expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is another one each time', async () => {
    const drawn = await Promise.all(Array.from({ length: 20 }, () => entry.tokenOf()));
    expect(new Set(drawn).size).toBe(20);
  });

  it('made like ours is taken, so what follows is refused for its fault alone', async () => {
    expect((await entry.who(`Bearer ${await signed({})}`)).statusCode).toBe(200);
  });

  const later = START / 1000 + 3600;
  it.each([
    ['another issuer', { iss: 'urn:other' }, {}],
    ['a foreign audience', { aud: 'urn:other' }, {}],
    ['no audience', { aud: undefined }, {}],
    ['no subject', { sub: undefined }, {}],
    ['no expiry', { exp: undefined }, {}],
    ['no id', { jti: undefined }, {}],
    ['no start', { iat: undefined }, {}],
    ['an unknown client', { client_id: 'nobody' }, {}],
    ['the name of a property for a client', { client_id: 'constructor' }, {}],
    ['a client that is no text', { client_id: { a: 1 } }, {}],
    ['the generation of another', { generation: 'x' }, {}],
    ['more than an hour', { exp: later + 1 }, {}],
    ['a start that is too far ahead', { iat: START / 1000 + 6 }, {}],
    ['a wrong key id', {}, { kid: 'x' }],
    ['no key id', {}, { kid: undefined }],
    ['another type', {}, { typ: 'JWT' }],
    ['a critical header', {}, { crit: ['x'], x: 1 }],
  ])('with %s is invalid', async (_, claims, header) => {
    if ('crit' in header) {
      const [, payload, signature] = token.split('.');
      const head = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(token), ...header }));
      const created = `${head.toString('base64url')}.${payload}.${signature}`;
      return expectRefused(await entry.who(`Bearer ${created}`), 'token.invalid');
    }
    expectRefused(await entry.who(`Bearer ${await signed(claims, header)}`), 'token.invalid');
  });

  it('that starts a little ahead is valid: a wall clock may be set back', async () => {
    const created = await signed({ iat: START / 1000 + 5 });
    expect((await entry.who(`Bearer ${created}`)).statusCode).toBe(200);
  });

  it('of another key, another algorithm or none is invalid', async () => {
    const none = new UnsecuredJWT(decodeJwt(token)).encode();
    const [head, payload, signature] = token.split('.');
    const noneLikeOurs = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const others = [
      none,
      noneLikeOurs,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      await signed({}, {}, new Uint8Array(32)),
      await signed({}, {}, entry.key),
      await signed({}, { alg: 'HS512' }, new Uint8Array(64)),
    ];
    for (const other of others) {
      const answer = await entry.who(`Bearer ${other}`);
      expect([other, answer.statusCode]).toEqual([other, 401]);
    }
  });

  it('holds until its last millisecond, known or not, and not one longer', async () => {
    const other = await entry.tokenOf();
    const [endMs, codes] = [START + 3_600_000, [] as unknown[]];
    for (nowMs of [endMs - 1_000, endMs - 1, endMs, endMs + 1_000]) {
      const answer = await entry.who(`Bearer ${token}`);
      codes.push(answer.statusCode);
      if (nowMs >= endMs) {
        expectRefused(answer, 'token.expired');
        expectRefused(await entry.who(`Bearer ${other}`), 'token.expired');
        expect(answer.headers['www-authenticate']).toBe(
          'Bearer realm="fleetwave", error="invalid_token", ' +
            'error_description="The token has expired."',
        );
      }
    }
    nowMs = START;
    expect(codes).toEqual([200, 200, 401, 401]);
  });

  it('ends with a new secret, and that of another client does not', async () => {
    const fresh = new AuthEntry();
    const other = fresh.add({});
    const [one, two] = [await fresh.tokenOf(), await fresh.tokenOf(other)];
    expect((await fresh.who(`Bearer ${one}`)).statusCode).toBe(200);
    fresh.known.renewSecret(fresh.first);
    expectRefused(await fresh.who(`Bearer ${one}`), 'token.invalid');
    expect((await fresh.who(`Bearer ${two}`)).json().subscriber).toBe(other.subscriber);
    await fresh.app.close();
  });

  it('is void in a process that has the same key and names, but not the same secrets', async () => {
    const [one, other] = [new AuthEntry(), new AuthEntry()];
    other.key.set(one.key);
    const { key, accounts } = one;
    const now = Date.now;
    const again = new Tokens({ accounts: other.accounts, key, now });
    expect(other.first.clientId).toBe(one.first.clientId);
    const created = await one.tokenOf();
    expect((await new Tokens({ accounts, key, now }).verify(created)).ok).toBe(true);
    expect((await again.verify(created)).ok).toBe(false);
  });

  it('gives what its account has now, though it was verified before', async () => {
    const fresh = new AuthEntry();
    const client = fresh.accounts.ofClient(fresh.first.clientId)!;
    const narrowed = { ...client, permissions: ['Device.Read'] as const };
    let now: Principal = client;
    const accounts = new Proxy(fresh.accounts, {
      get: (target, name) => {
        if (name === 'ofClient') return () => now;
        if (name === 'generationOf') return () => 'one';
        const of = target[name as keyof Accounts] as (id: string) => unknown;
        return of.bind(target);
      },
    });
    const tokens = new Tokens({ accounts, key: fresh.key, now: Date.now });
    const created = await tokens.issue({ bearer: { client } });
    const permissionsNow = async () => {
      const verified = await tokens.verify(created);
      return verified.ok && verified.value.permissions;
    };
    const all = [await permissionsNow(), await permissionsNow()];
    expect(all).toEqual([client.permissions, client.permissions]);
    now = narrowed;
    expect(await permissionsNow()).toEqual(['Device.Read']);
    expect(tokens.known(created)?.ok).toBe(true);
  });

  it('lives for an hour at most, or as long as it is reported', async () => {
    expect(() => new AuthEntry({ lifetime: 3601 })).toThrow('an hour');
    expect(() => new AuthEntry({ lifetime: 0 })).toThrow('1 s');
    const short = new AuthEntry({ lifetime: 60 });
    expect((await short.ask(clientForm(short.first))).json().expires_in).toBe(60);
  });

  it('of two subscribers stands for each its own', async () => {
    const both = [await entry.tokenOf(first), await entry.tokenOf(second)];
    const ids = both.map(async (each) => (await entry.who(`Bearer ${each}`)).json().subscriber);
    expect(await Promise.all(ids)).toEqual([first.subscriber, second.subscriber]);
  });

  it('costs, once it is known, a tenth of the first time at most', async () => {
    const tokens = new Tokens({ accounts: entry.accounts, key: entry.key, now: () => START });
    const client = entry.accounts.ofClient(first.clientId)!;
    const created: string[] = [];
    for (let i = 0; i < 200; i++) created.push(await tokens.issue({ bearer: { client } }));
    const costOf = async (look: (token: string) => unknown) => {
      const start = process.hrtime.bigint();
      for (const each of created) await look(each);
      return Number(process.hrtime.bigint() - start);
    };
    expect(created.map((each) => tokens.known(each))).toEqual(created.map(() => undefined));
    const once = await costOf((each) => tokens.verify(each));
    expect(created.filter((each) => tokens.known(each)?.ok)).toHaveLength(200);
    const again: number[] = [];
    for (let i = 0; i < 20; i++) again.push(await costOf((each) => tokens.known(each)));
    expect(Math.min(...again)).toBeLessThan(once / 10);
  });
});

describe('a header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('may begin with %s', async (scheme) => {
    expect((await entry.who(`${scheme} ${token}`)).statusCode).toBe(200);
  });

  it('that is missing or of another scheme is answered with a plain challenge', async () => {
    for (const header of [undefined, `Basic ${btoa('a:b')}`, token, `Token ${token}`, 'Bear']) {
      const answer = await entry.who(header);
      expectRefused(answer, 'token.missing');
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="fleetwave"');
    }
  });

  it.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer "a"',
    'Bearer a,b',
    'Bearer ä',
    'Bearer null',
    'Bearer ..',
    'Bearer e30.e30.e30',
  ])('%s is answered 401', async (header) => {
    expectRefused(await entry.who(header), 'token.invalid');
  });

  it('of any text is answered 401, never anything else', async () => {
    const part = fc.oneof(fc.string(), fc.base64String(), fc.constantFrom(...token.split('.')));
    const text = fc.oneof(
      part,
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (garbage) => {
        fc.pre(garbage !== token && /^[\x20-\x7e]*$/.test(garbage));
        expect((await entry.who(`Bearer ${garbage}`)).statusCode).toBe(401);
      }),
    );
  });

  it('that is very long is answered 401, in a time that its length takes', async () => {
    expectRefused(await entry.who(`Bearer ${'a'.repeat(MOST_CHARACTERS + 1)}`), 'token.invalid');
    for (const filler of ['a', ' ', '=', 'a ', '. ']) {
      const costOf = (length: number) =>
        awaitedCostMs(async () => {
          const answer = await entry.who(`Bearer ${filler.repeat(length)}`);
          expect(answer.statusCode).toBe(401);
        });
      expect(await growsTooMuch(costOf, 10_000)).toBe(false);
    }
  });
});

describe('the URL', () => {
  it('carries no token: such a one is refused', async () => {
    const answer = await entry.who(undefined, `/who?access_token=${token}`);
    expectRefused(answer, 'token.missing');
    expect(answer.json().message).toContain('URL');
  });

  it('and a header do not carry a token both', async () => {
    const answer = await entry.who(`Bearer ${token}`, `/who?a=b&access_token=${token}`);
    expectRefused(answer, 'token.repeated', 400);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_request"');
  });
});

describe('over a socket', () => {
  const exchange = async (lines: readonly string[]): Promise<string> => {
    const { port } = entry.app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write(lines.join('\r\n'));
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    return answer;
  };
  const get = (...headers: string[]) =>
    exchange(['GET /who HTTP/1.1', 'Host: a', 'Connection: close', ...headers, '', '']);
  beforeAll(() => entry.app.listen({ port: 0, host: '127.0.0.1' }));

  it('a token is taken, and two Authorization headers are refused', async () => {
    const header = `Authorization: Bearer ${token}`;
    expect(await get(header)).toMatch(/^HTTP\/1.1 200 /);
    expect(await get(header, header)).toMatch(/^HTTP\/1.1 400 .*token\.repeated/s);
    expect(await get(header, 'authorization: Basic YTpi')).toMatch(/^HTTP\/1.1 400 /);
    expect(await get('AUTHORIZATION: Basic YTpi', header)).toMatch(/^HTTP\/1.1 400 /);
    expect(await get()).toMatch(/^HTTP\/1.1 401 .*www-authenticate: Bearer/is);
  });

  it('two Authorization headers are refused by the token operation, too', async () => {
    const body = 'grant_type=client_credentials';
    const answer = await exchange([
      'POST /oauth/token HTTP/1.1',
      'Host: a',
      'Content-Type: application/x-www-form-urlencoded',
      'Authorization: Basic YTpi',
      'Authorization: Basic YTpi',
      'Connection: close',
      `Content-Length: ${body.length}`,
      '',
      body,
    ]);
    expect(answer).toMatch(/^HTTP\/1.1 400 .*"error":"invalid_request"/s);
  });

  it('a header that is too long is refused by the server itself', async () => {
    expect(await get(`Authorization: Bearer ${'a'.repeat(100_000)}`)).toMatch(/^HTTP\/1.1 431 /);
  });
});
