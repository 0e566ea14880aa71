/** `/oauth/authorize`: RFC 6749 §4.1, RFC 7636, RFC 8252 §7.3; a page that no text breaks. */
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { drawBytes } from '../../api/host/accounts/secrets.ts';
import { Codes } from '../../api/http/auth/codes.ts';
import { AuthEntry, basic, challengeOf, FORM } from '../support/auth-server.ts';

const OWN = 'https://emulator.example:8443/docs/static/oauth2-redirect.html';
const START = 1_900_000_000_000;
let wallMs = START;
const entry = new AuthEntry({ wallNow: () => wallMs, ownRedirects: () => [OWN] });
const { first } = entry;
const second = entry.add({ name: 'Second' });
afterAll(() => entry.app.close());
beforeEach(() => {
  wallMs = START;
});

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const BACK = 'http://127.0.0.1:51004/back?kept=1';

const ASKED = {
  response_type: 'code',
  client_id: first.clientId,
  redirect_uri: BACK,
  state: 'st & "state"',
  code_challenge: challengeOf(VERIFIER),
  code_challenge_method: 'S256',
};
const SIGNED = { username: first.username, password: first.password.reveal() };

type Form = Readonly<Record<string, string>>;

const show = (more: Form = {}) =>
  entry.app.inject({ url: `/oauth/authorize?${new URLSearchParams({ ...ASKED, ...more })}` });

const send = (more: Form = {}) => {
  const payload = new URLSearchParams({ ...ASKED, ...SIGNED, ...more }).toString();
  return entry.app.inject({ method: 'POST', url: '/oauth/authorize', payload, headers: FORM });
};

type Answer = Awaited<ReturnType<typeof send>>;

/** Where the browser is sent, without what is reported there. */
const targetOf = ({ headers }: Answer): URL => new URL(String(headers.location));
const shownTo = (answer: Answer): Form => Object.fromEntries(targetOf(answer).searchParams);

const redeemForm = (code: string): Form => ({
  grant_type: 'authorization_code',
  client_id: first.clientId,
  client_secret: first.clientSecret.reveal(),
  redirect_uri: BACK,
  code,
  code_verifier: VERIFIER,
});
const codeOf = async (more: Form = {}): Promise<string> => shownTo(await send(more)).code!;

describe('a person who signs in', () => {
  it('is back at the application, with a code that becomes a token of the user', async () => {
    const page = await show();
    expect(page.statusCode).toBe(200);
    const answer = await send();
    expect(answer.statusCode).toBe(302);
    expect(targetOf(answer).origin).toBe('http://127.0.0.1:51004');
    const { code, ...rest } = shownTo(answer);
    expect(rest).toEqual({ kept: '1', state: 'st & "state"' });
    expect(code).toMatch(/^[\w-]{43}$/);
    const token = await entry.ask(redeemForm(code!));
    expect(token.json()).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const who = await entry.who(`Bearer ${token.json().access_token}`);
    const { permissions } = entry.accounts.ofUser(first.username)!;
    expect(who.json()).toEqual({
      subscriber: 'default',
      clientId: first.clientId,
      user: first.username,
      permissions,
    });
  });

  it('may give a part of what he may do', async () => {
    const token = await entry.ask(redeemForm(await codeOf({ scope: 'Device.Read' })));
    const who = await entry.who(`Bearer ${token.json().access_token}`);
    expect(who.json().permissions).toEqual(['Device.Read']);
  });

  it.each([
    ['a wrong password', { password: 'fw_x' }],
    ['no password', { password: '' }],
    ['no name', { username: '' }],
    ['the user of another subscriber', passwordOfSecond()],
  ])('with %s sees the form again, and no code is made', async (_, more) => {
    const answer = await send(more);
    expect(answer.statusCode).toBe(403);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.body).toContain('role="alert"');
    expect(answer.body).not.toContain(first.password.reveal());
  });

  it('too often wrongly has to wait, also with what is right', async () => {
    const fresh = new AuthEntry();
    const form = { ...ASKED, client_id: fresh.first.clientId, username: fresh.first.username };
    const statuses: number[] = [];
    for (const password of [...Array(5).fill('fw_x'), fresh.first.password.reveal()]) {
      const payload = new URLSearchParams({ ...form, password }).toString();
      const asked = { method: 'POST', url: '/oauth/authorize', payload, headers: FORM } as const;
      const answer = await fresh.app.inject(asked);
      statuses.push(answer.statusCode);
      if (answer.statusCode === 429) expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });

  it('may decline', async () => {
    const answer = await send({ decision: 'deny', username: '', password: '' });
    expect(shownTo(answer)).toMatchObject({ error: 'access_denied', state: ASKED.state });
  });
});

function passwordOfSecond(): Form {
  return { username: second.username, password: second.password.reveal() };
}

describe('a code', () => {
  const redeem = async (form: Form) => {
    const answer = await entry.ask(form);
    return answer.statusCode === 200 ? 200 : `${answer.statusCode} ${answer.json().error}`;
  };
  const REFUSED = '400 invalid_grant';

  it('is good once', async () => {
    const code = await codeOf();
    expect(await redeem(redeemForm(code))).toBe(200);
    expect(await redeem(redeemForm(code))).toBe(REFUSED);
  });

  it('is good for a minute of wall time', async () => {
    const [early, late] = [await codeOf(), await codeOf()];
    wallMs = START + 59_999;
    expect(await redeem(redeemForm(early))).toBe(200);
    wallMs = START + 60_000;
    expect(await redeem(redeemForm(late))).toBe(REFUSED);
  });

  it.each([
    ['another verifier', { code_verifier: `${VERIFIER.slice(1)}x` }],
    ['the challenge for a verifier', { code_verifier: ASKED.code_challenge }],
    ['a verifier that is too short', { code_verifier: 'x' }],
    ['another redirect', { redirect_uri: BACK.replace('51004', '51005') }],
    ['a redirect that is only written otherwise', { redirect_uri: `${BACK}&` }],
    ['another client', { client_id: second.clientId, client_secret: second.clientSecret.reveal() }],
  ])('is for one request: with %s it is refused, and used up', async (_, more) => {
    const code = await codeOf();
    expect(await redeem({ ...redeemForm(code), ...more })).toBe(REFUSED);
    expect(await redeem(redeemForm(code))).toBe(REFUSED);
  });

  it.each(['code', 'redirect_uri', 'code_verifier'])('wants %s', async (name) => {
    const { [name]: _, ...form } = redeemForm(await codeOf()) as Record<string, string>;
    expect(await redeem(form)).toBe('400 invalid_request');
  });

  it('wants the secret of its client, and is not used up without it', async () => {
    const code = await codeOf();
    const { client_id, client_secret, ...form } = redeemForm(code);
    expect(await redeem({ ...form, client_id: client_id! })).toBe('401 invalid_client');
    expect(await redeem({ ...redeemForm(code), client_secret: 'fw_x' })).toBe('401 invalid_client');
    expect(await redeem(form)).toBe('401 invalid_client');
    expect(await redeem({ ...form, client_id: 'nobody' })).toBe('401 invalid_client');
    const right = basic(client_id!, client_secret!);
    expect((await entry.ask(form, { authorization: right })).statusCode).toBe(200);
  });

  it('that is presented twice revokes the token that it became, and no other', async () => {
    const tokenOf = async (code: string) =>
      `Bearer ${(await entry.ask(redeemForm(code))).json().access_token}`;
    const code = await codeOf();
    const [token, other] = [await tokenOf(code), await tokenOf(await codeOf())];
    expect((await entry.who(token)).statusCode).toBe(200);
    expect(await redeem(redeemForm(code))).toBe(REFUSED);
    expect((await entry.who(token)).statusCode).toBe(401);
    expect((await entry.who(other)).statusCode).toBe(200);
  });

  it('that nobody made is refused', async () => {
    for (const code of ['x', 'x'.repeat(43), 'constructor']) {
      expect(await redeem(redeemForm(code))).toBe(REFUSED);
    }
  });

  it('ends with a new secret', async () => {
    const fresh = new AuthEntry();
    const form = { ...ASKED, client_id: fresh.first.clientId, username: fresh.first.username };
    const payload = new URLSearchParams({ ...form, password: fresh.first.password.reveal() });
    const asked = { method: 'POST', url: '/oauth/authorize', headers: FORM } as const;
    const answer = await fresh.app.inject({ ...asked, payload: payload.toString() });
    const client_secret = fresh.known.renewSecret(fresh.first).reveal();
    const own = { client_id: fresh.first.clientId, client_secret };
    const redeemed = { ...redeemForm(shownTo(answer).code!), ...own };
    expect((await fresh.ask(redeemed)).json().error).toBe('invalid_grant');
  });

  it('is one of ten thousand that may wait; the oldest goes first', () => {
    const codes = new Codes(
      drawBytes,
      () => START,
      () => '',
    );
    const { clientId } = first;
    const client = entry.accounts.ofClient(clientId)!;
    const user = entry.accounts.ofUser(first.username)!;
    const agreed = { client, user, redirectUri: BACK, challenge: challengeOf(VERIFIER) };
    const all = Array.from({ length: 10_001 }, () => codes.make(agreed));
    const redeemed = { clientId, redirectUri: BACK, verifier: VERIFIER };
    expect(codes.redeem(all[0]!, redeemed)).toBeUndefined();
    expect(codes.redeem(all[1]!, redeemed)).toMatchObject(agreed);
    expect(codes.redeem(all.at(-1)!, redeemed)).toMatchObject(agreed);
  });
});

describe('a request to sign in', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:1/a/b?c=d',
    'http://[::1]:51004/back',
    'http://localhost:65535/back',
    'https://localhost/back',
    'HTTP://LOCALHOST:8080/back',
    OWN,
  ])('may lead back to %s', async (redirect_uri) => {
    expect((await show({ redirect_uri })).statusCode).toBe(200);
    const answer = await send({ redirect_uri });
    expect(answer.statusCode).toBe(302);
    expect(targetOf(answer).origin).toBe(new URL(redirect_uri).origin);
  });

  it.each([
    '',
    'back',
    '/back',
    '//127.0.0.1/back',
    'https://evil.example/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://evil.example#@127.0.0.1/',
    'http://evil.example\\@127.0.0.1/',
    'http://user@127.0.0.1/',
    'http://127.0.0.1/#part',
    'http://127.0.0.1/#',
    'http://localhost.evil.example/',
    'http://localhost./',
    'http://127.0.0.2/',
    'http://0.0.0.0/',
    'http://[::ffff:10.0.0.1]/',
    'http://10.0.0.1/',
    'javascript:alert(1)',
    'javascript://127.0.0.1/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'app://127.0.0.1/',
    'http://127.0.0.1:99999/',
    `${OWN}?x=1`,
    OWN.replace('/docs/static', ''),
    `http://127.0.0.1/${'a'.repeat(2_048)}`,
  ])('leads nowhere if it is to lead to %s: the page says so', async (redirect_uri) => {
    for (const answer of [await show({ redirect_uri }), await send({ redirect_uri })]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.body).toContain('redirect_uri');
    }
  });

  it('of an unknown client is refused on the page', async () => {
    for (const answer of [await show({ client_id: 'x' }), await send({ client_id: 'x' })]) {
      expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
    }
  });

  it('with a parameter twice is refused on the page', async () => {
    const url = `/oauth/authorize?${new URLSearchParams(ASKED)}&client_id=x`;
    expect((await entry.app.inject({ url })).statusCode).toBe(400);
  });

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: '' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ scope: 'openid' }, 'invalid_scope'],
  ] as [Form, string][])('with %o is refused where the application waits', async (more, error) => {
    for (const answer of [await show(more), await send(more)]) {
      expect(answer.statusCode).toBe(302);
      expect(targetOf(answer).origin).toBe('http://127.0.0.1:51004');
      const response = shownTo(answer);
      expect(response).toMatchObject({ kept: '1', error, state: ASKED.state });
      expect(response.code).toBeUndefined();
    }
  });

  it.each(['PUT', 'PATCH', 'DELETE'] as const)('is no %s', async (method) => {
    const answer = await entry.app.inject({ method, url: '/oauth/authorize' });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('the page', () => {
  it('runs no script, stands in no frame, and is not stored', async () => {
    for (const page of [
      await show(),
      await show({ client_id: 'x' }),
      await send({ password: 'x' }),
    ]) {
      const policy = String(page.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|script-src|\*/);
      expect(page.headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(page.body).not.toMatch(/<script|javascript:|https?:\/\/(?!127\.0\.0\.1:51004)/i);
    }
  });

  it('lets its form be sent to itself and back to the application only', async () => {
    const policyOf = async (redirect_uri: string) =>
      /form-action [^;]*/.exec(
        String((await show({ redirect_uri })).headers['content-security-policy']),
      )?.[0];
    expect(await policyOf(BACK)).toBe("form-action 'self' http://127.0.0.1:51004");
    expect(await policyOf('http://[::1]:8080/')).toBe("form-action 'self' http:");
    const refused = await show({ client_id: 'x' });
    expect(refused.headers['content-security-policy']).toContain("form-action 'none'");
  });

  it('names its language, its title, and each field', async () => {
    const { body } = await show();
    expect(body).toContain('<html lang="en">');
    expect(body).toMatch(/<title>Sign in/);
    for (const [name, autocomplete] of [
      ['username', 'username'],
      ['password', 'current-password'],
    ]) {
      expect(body).toContain(`<label for="${name}">`);
      const field = new RegExp(`<input id="${name}"[^>]*autocomplete="${autocomplete}"`);
      expect(body).toMatch(field);
    }
  });

  it('shows any text as text, and carries it on as it was', async () => {
    const signs = fc.constantFrom('<', '>', '"', "'", '&', '&lt;', '</p>', '<img onerror=x>', '\n');
    const text = fc
      .array(fc.oneof(signs, fc.string()), { minLength: 1 })
      .map((all) => all.join(''));
    const tags = (body: string) => body.match(/<[a-z/!][^>]*?(?=[ >])/gi);
    const usual = tags((await show({ username: 'x' })).body);
    await fc.assert(
      fc.asyncProperty(text, text, async (state, username) => {
        const { body, statusCode } = await show({ state, username });
        expect(statusCode).toBe(200);
        expect(tags(body)).toEqual(usual);
        const carried = /name="state" value="([^"]*)"/.exec(body)?.[1] ?? '';
        expect(unescaped(carried)).toBe(
          new URLSearchParams(String(new URLSearchParams({ state }))).get('state'),
        );
      }),
    );
  });

  it('escapes the name of a subscriber', async () => {
    const third = entry.add({ name: '<b>"Third" & \'Sons\'</b>' });
    const { body } = await show({ client_id: third.clientId });
    expect(body).toContain('&lt;b&gt;&quot;Third&quot; &amp; &#39;Sons&#39;&lt;/b&gt;');
    expect(body).not.toContain('<b>');
  });
});

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
