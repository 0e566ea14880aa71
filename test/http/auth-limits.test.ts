/** How often somebody may try, and ask; nothing secret is ever reported. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawBytes } from '../../api/host/accounts/secrets.ts';
import { Codes } from '../../api/http/auth/codes.ts';
import { failureKey, Limits } from '../../api/http/auth/limits.ts';
import { TokenOperation } from '../../api/http/auth/token-operation.ts';
import { Tokens } from '../../api/http/auth/tokens.ts';
import { Refusal } from '../../api/http/refusal.ts';
import { AuthEntry, clientForm, FORM, passwordForm } from '../support/auth-server.ts';
import { KnownAccounts } from '../support/known-accounts.ts';
import { IS_LONG } from '../support/long.ts';
import { separability } from '../support/separability.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 1_900_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const wrongly = <Form extends object>(form: Form) =>
  'password' in form ? { ...form, password: 'fw_x' } : { ...form, client_secret: 'fw_x' };

describe('after five failures in a minute', () => {
  it.each([
    ['a client', clientForm, 401],
    ['a user', passwordForm, 400],
  ] as const)(
    '%s is answered 429, with the right secret too, and another is not',
    async (...on) => {
      const [, formOf, status] = on;
      const entry = new AuthEntry();
      const second = entry.add({});
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        statuses.push((await entry.ask(wrongly(formOf(entry.first)))).statusCode);
        vi.advanceTimersByTime(1_000);
      }
      expect(statuses).toEqual(Array(5).fill(status));
      const refused = await entry.ask(formOf(entry.first));
      expect(refused.statusCode).toBe(429);
      expect(refused.json().error).toBe('slow_down');
      expect(refused.headers).toMatchObject({
        'retry-after': '55',
        'ratelimit-limit': '5',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '55',
        'cache-control': 'no-store',
      });
      expect((await entry.ask(formOf(second))).statusCode).toBe(200);
      vi.advanceTimersByTime(54_999);
      expect((await entry.ask(formOf(entry.first))).statusCode).toBe(429);
      vi.advanceTimersByTime(1);
      expect((await entry.ask(formOf(entry.first))).statusCode).toBe(200);
    },
  );

  it('the user may still be right where the client is not, and the other way round', async () => {
    const entry = new AuthEntry();
    for (let i = 0; i < 6; i++) await entry.ask(wrongly(clientForm(entry.first)));
    expect((await entry.ask(clientForm(entry.first))).statusCode).toBe(429);
    expect((await entry.ask(passwordForm(entry.first))).statusCode).toBe(200);
  });

  it('tokens that were given out before hold', async () => {
    const entry = new AuthEntry();
    const token = await entry.tokenOf();
    for (let i = 0; i < 6; i++) await entry.ask(wrongly(clientForm(entry.first)));
    expect((await entry.who(`Bearer ${token}`)).statusCode).toBe(200);
  });

  it('successes are no failures', async () => {
    const entry = new AuthEntry();
    for (let i = 0; i < 20; i++) await entry.tokenOf();
    for (let i = 0; i < 4; i++) await entry.ask(wrongly(clientForm(entry.first)));
    expect((await entry.ask(clientForm(entry.first))).statusCode).toBe(200);
  });

  it('both token paths are one', async () => {
    const entry = new AuthEntry();
    for (let i = 0; i < 5; i++) {
      const path = i % 2 === 0 ? '/oauth/token' : '/oauth2/token';
      await entry.ask(wrongly(clientForm(entry.first)), {}, path);
    }
    expect((await entry.ask(clientForm(entry.first), {}, '/oauth2/token')).statusCode).toBe(429);
  });

  it('an unknown client is answered as a known one is', async () => {
    const entry = new AuthEntry();
    const unknown = { ...clientForm(entry.first), client_id: 'nobody' };
    const bodies: string[][] = [];
    for (let i = 0; i < 7; i++) {
      const both = [await entry.ask(wrongly(clientForm(entry.first))), await entry.ask(unknown)];
      bodies.push(both.map(({ statusCode, body }) => `${statusCode} ${body}`));
    }
    for (const [known, other] of bodies) expect(other).toBe(known);
  });
});

describe('guesses', () => {
  const { accounts, key, first } = new KnownAccounts();
  const operation = (failuresAMinute?: number) => {
    const limits = new Limits({ requestsASecond: null, failuresAMinute });
    const tokens = new Tokens({ accounts, key, now: Date.now });
    const codes = new Codes(drawBytes, Date.now, () => '');
    return new TokenOperation({ accounts, tokens, codes, limits });
  };
  const client_id = first.clientId;
  const statusOf = async (asked: TokenOperation, client: string, client_secret: string) => {
    const form = { grant_type: 'client_credentials', client_id: client, client_secret };
    try {
      await asked.answer({ authorization: [], form });
      return 200;
    } catch (error) {
      return error instanceof Refusal ? error.status : error;
    }
  };

  it('of a secret, however many, end in 429 after five', async () => {
    const GUESSES = IS_LONG ? 100_000 : 10_000;
    const asked = operation();
    const counts = new Map<unknown, number>();
    for (let i = 0; i < GUESSES; i++) {
      const status = await statusOf(asked, client_id, `fw_${i}`);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    expect([...counts]).toEqual([
      [401, 5],
      [429, GUESSES - 5],
    ]);
  });

  it('that come all at once are five as well', async () => {
    const asked = operation();
    const all = Array.from({ length: 1_000 }, (_, i) => statusOf(asked, client_id, `fw_${i}`));
    const statuses = await Promise.all(all);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(995);
  });

  it('of names fill no memory: names that nobody has share their counters', () => {
    const keys = new Set<string>();
    for (let i = 0; i < 80_000; i++) keys.add(failureKey('client', `guess ${i}`, false));
    expect(keys.size).toBeLessThanOrEqual(65_536);
    expect(keys.size).toBeGreaterThan(40_000);
    expect(failureKey('client', 'a', true)).not.toBe(failureKey('user', 'a', true));
    for (const shared of keys)
      expect(shared.startsWith(failureKey('client', '', true))).toBe(false);
  });

  it('take as long whether somebody has the name or not, until there is an answer', async () => {
    vi.useRealTimers();
    const asked = operation(1e9);
    const known = () => statusOf(asked, client_id, 'fw_guess');
    const unknown = () => statusOf(asked, `${client_id.slice(1)}0`, 'fw_guess');
    expect([await known(), await unknown()]).toEqual([401, 401]);
    expect(await separability(known, unknown)).toBeLessThan(0.1);
  });
});

describe('requests', () => {
  const limited = (requestsASecond: number | null) =>
    new AuthEntry({ limits: { requestsASecond } });

  it('are a thousand a second for each client, and no more, where there is a limit', async () => {
    const entry = limited(1_000);
    const second = entry.add({});
    const tokens = [await entry.tokenOf(), await entry.tokenOf(second)];
    for (const token of tokens) await entry.who(`Bearer ${token}`);
    vi.advanceTimersByTime(1_000);
    const answers: number[] = [];
    for (let i = 0; i < 1_001; i++) {
      answers.push((await entry.who(`Bearer ${tokens[0]}`)).statusCode);
    }
    expect(answers.filter((status) => status === 200)).toHaveLength(1_000);
    const refused = await entry.who(`Bearer ${tokens[0]}`);
    expect(refused.statusCode).toBe(429);
    expect(refused.json().code).toBe('request.too-many');
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '1000',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    });
    expect((await entry.who(`Bearer ${tokens[1]}`)).statusCode).toBe(200);
    vi.advanceTimersByTime(1_000);
    expect((await entry.who(`Bearer ${tokens[0]}`)).statusCode).toBe(200);
  });

  it('have no limit on loopback', async () => {
    const entry = limited(null);
    const token = await entry.tokenOf();
    for (let i = 0; i < 1_500; i++) {
      expect((await entry.who(`Bearer ${token}`)).statusCode).toBe(200);
    }
  });

  it('may have another limit for a client', async () => {
    const [{ clientId }] = [new AuthEntry().first];
    const requestsOf = (id: string) => (id === clientId ? 2 : null);
    const entry = new AuthEntry({ limits: { requestsASecond: 1_000, requestsOf } });
    const second = entry.add({});
    const statusesOf = async (token: string, count: number) => {
      const statuses: number[] = [];
      await entry.who(`Bearer ${token}`);
      for (let i = 0; i < count; i++)
        statuses.push((await entry.who(`Bearer ${token}`)).statusCode);
      return statuses;
    };
    expect(await statusesOf(await entry.tokenOf(), 3)).toEqual([200, 200, 429]);
    const others = await statusesOf(await entry.tokenOf(second), 1_500);
    expect(others.every((status) => status === 200)).toBe(true);
  });

  it('with tokens that are not known, or none, are counted by address', async () => {
    const entry = limited(3);
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await entry.who(`Bearer ${i}`)).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const page = await entry.app.inject({ url: '/oauth/authorize' });
    expect(page.statusCode).toBe(429);
  });
});

describe('what is secret', () => {
  it('stands in no answer, log line or error, however it is sent', async () => {
    const entry = new AuthEntry();
    const { first, app } = entry;
    const [secret, password] = [first.clientSecret.reveal(), first.password.reveal()];
    const canary = 'fw_CANARY-canary-CANARY';
    const shown: string[] = [];
    const token = await entry.tokenOf();
    const forms: Record<string, string>[] = [
      { ...clientForm(first), scope: canary },
      { ...clientForm(first), client_secret: canary },
      { ...clientForm(first), client_id: canary },
      { ...clientForm(first), grant_type: canary },
      { ...passwordForm(first), username: canary },
      { ...passwordForm(first), password: canary },
      { grant_type: 'authorization_code', code: canary, redirect_uri: canary, client_id: canary },
    ];
    for (const form of forms) shown.push((await entry.ask(form)).body);
    for (let i = 0; i < 7; i++) shown.push((await entry.ask(forms[1]!)).body);
    shown.push((await entry.who(`Bearer ${canary}`)).body);
    shown.push((await entry.ask(canary, { 'content-type': 'text/plain' })).body);
    const payload = new URLSearchParams({ ...passwordForm(first), password: canary }).toString();
    for (const method of ['POST', 'PUT'] as const) {
      const asked = { method, url: '/oauth/authorize', payload, headers: FORM };
      shown.push((await app.inject(asked)).body);
    }
    for (const answer of [app.log, entry.accounts, first]) shown.push(JSON.stringify(answer) ?? '');
    const all = shown.join('\n') + entry.log.text;
    expect(entry.log.text).toContain('/oauth/token');
    for (const hidden of [canary, secret, password, token]) expect(all).not.toContain(hidden);
  });
});
