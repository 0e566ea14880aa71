/** `POST /oauth/token` and `/oauth2/token`: RFC 6749, sections 2.3.1, 3.2, 4.3, 4.4, 5.1, 5.2. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { TOKEN_PATHS } from '../../api/http/auth/security-schemes.ts';
import { Refusal } from '../../api/http/refusal.ts';
import { PERMISSIONS } from '../../core/rows/permissions.ts';
import { AuthEntry, basic, clientForm, FORM, passwordForm } from '../support/auth-server.ts';

const entry = new AuthEntry();
const { first } = entry;
const second = entry.add({ name: 'Second' });
afterAll(() => entry.app.close());

const [id, secret] = [first.clientId, first.clientSecret.reveal()];
const GRANT = { grant_type: 'client_credentials' };

type Answer = Awaited<ReturnType<AuthEntry['ask']>>;

function expectError(answer: Answer, status: number, error: string): void {
  expect([answer.statusCode, answer.json().error]).toEqual([status, error]);
  expect(Object.keys(answer.json())).toEqual(['error', 'error_description']);
  // RFC 6749 §5.2: %x20-21 / %x23-5B / %x5D-7E.
  expect(answer.json().error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers.pragma).toBe('no-cache');
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const challenge = answer.headers['www-authenticate'];
  if (status === 401) expect(challenge).toMatch(/^Basic realm="/);
  else expect(challenge).toBeUndefined();
}

describe.each(TOKEN_PATHS)('the token operation at %s', (path) => {
  it('answers credentials in the form with a token that nobody stores', async () => {
    const answer = await entry.ask(clientForm(first), {}, path);
    expect(answer.statusCode).toBe(200);
    const { access_token, ...rest } = answer.json();
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600 });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers.pragma).toBe('no-cache');
    const who = await entry.who(`Bearer ${access_token}`);
    const { id: as } = entry.accounts.ofClient(id)!;
    const permissions = PERMISSIONS;
    expect(who.json()).toEqual({ subscriber: 'default', clientId: id, as, permissions });
  });

  it('answers credentials in HTTP Basic', async () => {
    const answer = await entry.ask(GRANT, { authorization: basic(id, secret) }, path);
    expect(answer.statusCode).toBe(200);
  });
});

describe('client authentication', () => {
  it.each([
    ['bASIC in any case', (text: string) => text.replace('Basic', 'bASIC')],
    ['percent-encoded', () => `Basic ${btoa(`${id.replace('-', '%2d')}:${encodeAll(secret)}`)}`],
    ['with spaces around', (text: string) => text.replace(' ', '   ') + ' '],
  ])('reads Basic %s', async (_, change) => {
    const answer = await entry.ask(GRANT, { authorization: change(basic(id, secret)) });
    expect(answer.statusCode).toBe(200);
  });

  it('takes a client_id in the form beside Basic if it is the same', async () => {
    const authorization = basic(id, secret);
    const same = await entry.ask({ ...GRANT, client_id: id }, { authorization });
    expect(same.statusCode).toBe(200);
    const other = await entry.ask({ ...GRANT, client_id: second.clientId }, { authorization });
    expectError(other, 400, 'invalid_request');
  });

  it('is never done in both ways at once, right or wrong', async () => {
    const authorization = basic(id, secret);
    expectError(await entry.ask(clientForm(first), { authorization }), 400, 'invalid_request');
  });

  const right = basic(id, secret);
  it.each([
    ['nothing', {}, {}],
    ['an id alone', { client_id: id }, {}],
    ['an empty secret', { client_id: id, client_secret: '' }, {}],
    ['an unknown id', { client_id: 'nobody', client_secret: secret }, {}],
    ['the secret of another', { client_id: second.clientId, client_secret: secret }, {}],
    ['a Bearer header', {}, { authorization: `Bearer ${secret}` }],
    ['Basic of nothing', {}, { authorization: 'Basic' }],
    ['Basic without a colon', {}, { authorization: `Basic ${btoa(id)}` }],
    ['Basic of an empty pair', {}, { authorization: basic('', '') }],
    ['Basic without an id', {}, { authorization: `Basic ${btoa(`:${secret}`)}` }],
    ['Basic that is not base64', {}, { authorization: `Basic ?${right.slice(7)}` }],
    ['Basic that is badly encoded', {}, { authorization: `Basic ${btoa(`${id}:%zz`)}` }],
    ['a NUL in the secret', { client_id: id, client_secret: `${secret}\0` }, {}],
  ] as const)('fails with %s', async (_, form, headers) => {
    const fresh = new AuthEntry();
    expectError(await fresh.ask({ ...GRANT, ...form }, headers), 401, 'invalid_client');
    await fresh.app.close();
  });

  it('with a secret but without an id is no request', async () => {
    expectError(await entry.ask({ ...GRANT, client_secret: secret }), 400, 'invalid_request');
  });

  it('says the same of an unknown client and of a wrong secret', async () => {
    const wrong = await entry.ask({ ...GRANT, client_id: id, client_secret: 'fw_x' });
    const unknown = await entry.ask({ ...GRANT, client_id: 'x', client_secret: 'fw_x' });
    expect([wrong.statusCode, wrong.body]).toEqual([unknown.statusCode, unknown.body]);
  });
});

describe('a request', () => {
  it.each([
    ['no grant type', { client_id: id, client_secret: secret }, 'invalid_request'],
    ['an empty grant type', { ...clientForm(first), grant_type: '' }, 'invalid_request'],
    ['an unknown grant type', { ...clientForm(first), grant_type: 'x' }, 'unsupported_grant_type'],
    ['one of another case', { grant_type: 'PASSWORD' }, 'unsupported_grant_type'],
    ['the name of a property', { grant_type: 'constructor' }, 'unsupported_grant_type'],
    ['a parameter that is too long', { grant_type: 'x'.repeat(5_000) }, 'invalid_request'],
    ['an unknown scope', { ...clientForm(first), scope: 'openid' }, 'invalid_scope'],
    ['nothing', {}, 'invalid_request'],
  ])('with %s is refused', async (_, form, error) => {
    expectError(await entry.ask(form), 400, error);
  });

  it.each(['grant_type', 'client_id', 'client_secret'] as const)(
    'that has %s twice is refused',
    async (name) => {
      const form = clientForm(first);
      const twice = `${new URLSearchParams(form)}&${new URLSearchParams({ [name]: form[name] })}`;
      expectError(await entry.ask(twice), 400, 'invalid_request');
    },
  );

  it('may have parameters that nobody knows', async () => {
    const answer = await entry.ask({ ...clientForm(first), audience: 'x', __proto__x: 'y' });
    expect(answer.statusCode).toBe(200);
  });

  it.each([
    ['application/json', JSON.stringify(clientForm(first))],
    ['text/plain', new URLSearchParams(clientForm(first)).toString()],
    ['multipart/form-data; boundary=x', '--x--'],
    ['nonsense', 'x'],
  ])('of type %s is refused', async (type, body) => {
    expectError(await entry.ask(body, { 'content-type': type }), 400, 'invalid_request');
  });

  it('may say a character set with its type', async () => {
    const type = 'application/x-www-form-urlencoded; charset=utf-8';
    const answer = await entry.ask(clientForm(first), { 'content-type': type });
    expect(answer.statusCode).toBe(200);
  });

  it('without a body is refused', async () => {
    const answer = await entry.app.inject({ method: 'POST', url: '/oauth/token' });
    expectError(answer, 400, 'invalid_request');
  });

  it('has at most 16 384 bytes', async () => {
    const filled = (count: number) => {
      const base = `${new URLSearchParams(clientForm(first))}`;
      return `${base}${'&a='.padEnd(count - base.length, '&')}`;
    };
    expect((await entry.ask(filled(16_384))).statusCode).toBe(200);
    expectError(await entry.ask(filled(16_385)), 413, 'invalid_request');
  });

  it('puts nothing into the URL', async () => {
    const url = `/oauth/token?${new URLSearchParams(clientForm(first))}`;
    expectError(await entry.ask('', {}, url), 400, 'invalid_request');
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('is no %s', async (method) => {
    const answer = await entry.app.inject({ method, url: '/oauth/token' });
    expectError(answer, 405, 'invalid_request');
    expect(answer.headers.allow).toBe('POST');
  });
});

describe('what the entry point itself refuses', () => {
  it.each([
    [414, 'invalid_request'],
    [429, 'slow_down'],
  ])('with %i is reported by %s', async (status, error) => {
    const other = new AuthEntry();
    other.app.addHook('onRequest', async () => {
      throw new Refusal(status, { code: 'some.code', message: 'It is "ä".' });
    });
    const answer = await other.ask(clientForm(other.first));
    expectError(answer, status, error);
    expect(answer.json().error_description).toBe('It is ....');
  });

  it('by a fault of its own is no word of OAuth', async () => {
    const other = new AuthEntry();
    other.app.addHook('onRequest', async () => {
      throw new Error('a fault');
    });
    expect((await other.ask(clientForm(other.first))).statusCode).toBe(500);
  });
});

describe('the password grant', () => {
  it('gives the token of the user, without a client or with its own', async () => {
    const ways = [
      await entry.ask(passwordForm(first)),
      await entry.ask({ ...passwordForm(first), client_id: id }),
      await entry.ask({ ...passwordForm(first), client_id: id, client_secret: secret }),
      await entry.ask(passwordForm(first), { authorization: basic(id, secret) }),
      await entry.ask(passwordForm(first), { authorization: basic('', '') }),
    ];
    // A user is who asks by default: he needs no name.
    const user = { subscriber: 'default', user: 'user-1', permissions: PERMISSIONS };
    const reports = await Promise.all(
      ways.map(async ({ statusCode, json }) => {
        expect(statusCode).toBe(200);
        return (await entry.who(`Bearer ${json().access_token}`)).json();
      }),
    );
    // Without a client the user is his own.
    const clients = ['user-1', id, id, id, 'user-1'];
    expect(reports).toEqual(clients.map((clientId) => ({ ...user, clientId })));
  });

  it('wants name and password', async () => {
    const { username, password } = passwordForm(first);
    for (const form of [{ username }, { password }, {}]) {
      const answer = await entry.ask({ grant_type: 'password', ...form } as Record<string, string>);
      expectError(answer, 400, 'invalid_request');
    }
  });

  it('says the same of an unknown user and of a wrong password', async () => {
    const wrong = await entry.ask({ ...passwordForm(first), password: 'fw_x' });
    const unknown = await entry.ask({ ...passwordForm(first), username: 'nobody' });
    expectError(wrong, 400, 'invalid_grant');
    expect([wrong.statusCode, wrong.body]).toEqual([unknown.statusCode, unknown.body]);
  });

  it('with a client that is wrong fails, though the user is right', async () => {
    const form = { ...passwordForm(first), client_id: id, client_secret: 'fw_x' };
    expectError(await entry.ask(form), 401, 'invalid_client');
    expectError(
      await entry.ask({ ...passwordForm(first), client_id: 'nobody' }),
      401,
      'invalid_client',
    );
  });

  it('gives no token of a user to the client of another subscriber', async () => {
    const form = passwordForm(first);
    const authorization = basic(second.clientId, second.clientSecret.reveal());
    expectError(await entry.ask(form, { authorization }), 400, 'invalid_grant');
  });
});

describe('a scope', () => {
  const permissionsOf = async (token: string) =>
    (await entry.who(`Bearer ${token}`)).json().permissions;

  it('narrows a token to permissions that the account has', async () => {
    const scope = 'Device.Read Gateway.Read';
    const token = await entry.tokenOf(first, { scope });
    expect(await permissionsOf(token)).toEqual(['Device.Read', 'Gateway.Read']);
    expect(await permissionsOf(await entry.tokenOf(first))).toEqual(PERMISSIONS);
    expect(await permissionsOf(await entry.tokenOf(second))).toHaveLength(24);
  });

  it('is refused if the account has not got all of it', async () => {
    const form = { ...clientForm(second), scope: 'Device.Read Simulator.Read' };
    expectError(await entry.ask(form), 400, 'invalid_scope');
  });
});

describe('anything else', () => {
  it('is answered in the words of RFC 6749, never by a fault', async () => {
    const names = ['grant_type', 'client_id', 'client_secret', 'username', 'password', 'scope'];
    const more = ['code', 'redirect_uri', 'code_verifier', '__proto__', 'toString'];
    const types = ['client_credentials', 'password', 'authorization_code'];
    const name = fc.oneof(fc.constantFrom(...names, ...more), fc.string());
    const value = fc.oneof(
      fc.constantFrom(...types, id, secret, first.username, '%', '+'),
      fc.string(),
    );
    const pair = fc
      .tuple(name, value)
      .map(([key, text]) => `${new URLSearchParams({ [key]: text })}`);
    const body = fc.oneof(
      fc.array(pair).map((pairs) => pairs.join('&')),
      fc.string(),
    );
    const header = fc.option(fc.oneof(fc.base64String(), fc.constant(basic(id, secret).slice(6))));
    await fc.assert(
      fc.asyncProperty(body, header, async (payload, pairs) => {
        const authorization = pairs === null ? {} : { authorization: `Basic ${pairs}` };
        const answer = await entry.ask(payload, authorization as Record<string, string>);
        if (answer.statusCode === 200) expect(answer.json().token_type).toBe('Bearer');
        else expectError(answer, answer.statusCode, answer.json().error);
        expect([200, 400, 401, 429]).toContain(answer.statusCode);
      }),
      { numRuns: 300 },
    );
  });

  it('may be bytes that are no text', async () => {
    const asked = { method: 'POST', url: '/oauth/token', headers: FORM } as const;
    for (const bytes of [[0xff, 0xfe], [0], [0x25, 0x66, 0x66, 0x3d, 0xc3]]) {
      expectError(
        await entry.app.inject({ ...asked, payload: Buffer.from(bytes) }),
        400,
        'invalid_request',
      );
    }
  });
});

const encodeAll = (text: string): string =>
  [...text].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
