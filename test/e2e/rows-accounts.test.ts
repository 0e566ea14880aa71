/** Rows 52 to 63 over HTTPS: account, applications and roles, with every documented status. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type FleetwaveClient } from '../../api/client/client.ts';
import { ServedEntry, TOWN } from '../support/served-http.ts';
import { testStatuses } from '../support/statuses-covered.ts';

let entry: ServedEntry;
let ann: FleetwaveClient;
let bob: FleetwaveClient;

beforeAll(async () => {
  entry = await ServedEntry.open(TOWN);
  [ann, bob] = [entry.client, entry.clientOf('bob')];
});
afterAll(async () => await entry.close());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** What the token operation answers. */
async function grant(form: Readonly<Record<string, string>>) {
  const body = new URLSearchParams(form).toString();
  return await entry.ask('POST', '/oauth/token', { token: null, headers: FORM, body });
}

const tokenIn = ({ body }: { readonly body: unknown }) =>
  (body as { readonly access_token: string }).access_token;

const byPassword = (username: string, password: string, scope = '') =>
  grant({ grant_type: 'password', username, password, ...(scope && { scope }) });

const bySecret = (client_id: string, client_secret: string) =>
  grant({ grant_type: 'client_credentials', client_id, client_secret });

/** The token of somebody's user, who has his first password. */
async function userToken(who = 'ann', scope = ''): Promise<string> {
  const { username, password } = entry.credentialsOf(who);
  return tokenIn(await byPassword(username, password, scope));
}

interface Account {
  readonly UserInfo: Readonly<Record<string, unknown>> | null;
  readonly SubscriberInfo: Readonly<Record<string, unknown>>;
  readonly AccountSettings: Readonly<Record<string, unknown>>;
}

const account = async (token?: string) =>
  (await entry.ask('GET', '/v1/account', token === undefined ? {} : { token })).body as Account;

const roleId = async (name: string, who: FleetwaveClient = ann) =>
  (await who.GET('/v1/roles')).data!.Roles.find(({ Name }) => Name === name)!.Id;

/** An application of Ann's, its secret and a token of it. */
async function create(...roles: string[]) {
  const Roles = await Promise.all(roles.map((each) => roleId(each)));
  const { data } = await ann.POST('/v1/applications', { body: { Name: 'made', Roles } });
  const token = tokenIn(await bySecret(data!.UUID, data!.ClientSecret));
  return { ...data!, token, path: { params: { path: { Id: data!.Id } } } };
}

/** The body of a refusal: its code, and the field that it is about. */
const refused = (reason: string, field?: string) => ({
  message: expect.any(String),
  details: [{ reason, ...(field === undefined ? {} : { field }) }],
});

const one = '/v1/applications/{Id}';
const refresh = '/v1/applications/{Id}/refreshToken';
const DONE = { Response: true };

describe('account.get: GET /v1/account', () => {
  it('reports a user’s token of user, subscriber and settings', async () => {
    const response = await account(await userToken());
    expect(Object.keys(response)).toEqual(['UserInfo', 'SubscriberInfo', 'AccountSettings']);
    expect(response.UserInfo).toEqual({
      Id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      Email: 'user-1@example.org',
      Username: 'user-1',
      FirstName: 'User',
      LastName: '1',
      PhoneNumber: '',
      Roles: [await roleId('Administrator')],
    });
    const empty = { Address: '', Address2: '', City: '', State: '', Country: '', PostalCode: '' };
    expect(response.SubscriberInfo).toEqual({ Id: 'ann', Name: 'ann', ...empty });
    expect(response.AccountSettings).toEqual({
      Timezone: 'UTC',
      TemperatureUnit: 'CELSIUS',
      TimeFormat: '24H',
    });
  });

  it('has no user where an application asks, and none of another (foreignThing)', async () => {
    const response = await account();
    expect([response.UserInfo, response.SubscriberInfo.Id]).toEqual([null, 'ann']);
    const his = await account(await userToken('bob'));
    expect([his.UserInfo!.Username, his.SubscriberInfo.Id]).toEqual(['user-2', 'bob']);
  });

  it('needs no permission at all, nor does account.permissions', async () => {
    const token = await userToken('ann', 'Gateway.Delete');
    for (const path of ['/v1/account', '/v1/account/permissions']) {
      expect((await entry.ask('GET', path, { token })).status).toBe(200);
    }
  });
});

describe('account.patchUserInfo and updateUserInfo', () => {
  const change = async (method: string, path: string, body: unknown, token?: string) =>
    await entry.ask(method, `/v1/account/${path}`, { token: token ?? (await userToken()), body });
  const infoOf = async (who: string) => (await account(await userToken(who))).UserInfo;

  it('change what is given, by keys in any case, or all; what is omitted is reset', async () => {
    const [before, his] = [await infoOf('ann'), await infoOf('bob')];
    const patched = await change('PATCH', 'patchUserInfo', { phonenumber: '+49 731 1', x: 1 });
    expect([patched.status, patched.body]).toEqual([200, DONE]);
    expect(await infoOf('ann')).toEqual({ ...before, PhoneNumber: '+49 731 1' });
    const user = { Email: 'ann@example.org', FirstName: 'Ann', LastName: 'Other' };
    const replaced = await change('PUT', 'updateUserInfo', user);
    expect([replaced.status, replaced.body]).toEqual([200, DONE]);
    expect(await infoOf('ann')).toEqual({ ...before, ...user, PhoneNumber: '' });
    expect((await change('PATCH', 'patchUserInfo', undefined)).status).toBe(200);
    expect(await infoOf('bob')).toEqual(his);
  });

  it.each(['', 'ann', 'ann@', 'a b@example.org', 'a@b@c', 'ä@example.org', 7])(
    'badEmail: are 400 for the address %o, and change nothing',
    async (Email) => {
      const before = await infoOf('ann');
      const wrong = refused('account.email', 'Email');
      const patch = await change('PATCH', 'patchUserInfo', { Email });
      expect([patch.status, patch.body]).toMatchObject([400, wrong]);
      const user = { Email, FirstName: 'Ann', LastName: 'Other' };
      const put = await change('PUT', 'updateUserInfo', user);
      expect([put.status, put.body]).toMatchObject([400, wrong]);
      expect(await infoOf('ann')).toEqual(before);
    },
  );

  it.each(['Email', 'FirstName', 'LastName'])(
    'namelessUser: account.updateUserInfo is 400 without %s',
    async (missing) => {
      const { [missing]: _, ...user } = {
        Email: 'ann@example.org',
        FirstName: 'Ann',
        LastName: 'Other',
      } as Record<string, string>;
      const { status, text } = await change('PUT', 'updateUserInfo', user);
      expect(status).toBe(400);
      expect(text).toContain(missing);
    },
  );

  it('are 403 to an application, as is account.changePassword', async () => {
    const token = await entry.tokenOf();
    const user = { Email: 'a@b', FirstName: 'A', LastName: 'B' };
    const passwords = { CurrentPassword: 'x', NewPassword: 'Correct-Horse-1' };
    for (const { status, body } of [
      await change('PATCH', 'patchUserInfo', user, token),
      await change('PUT', 'updateUserInfo', user, token),
      await change('PUT', 'passwordReset', passwords, token),
    ]) {
      expect([status, body]).toMatchObject([403, refused('account.not-user')]);
    }
  });
});

describe('account.changePassword: PUT /v1/account/passwordReset', () => {
  const reset = async (CurrentPassword: string, NewPassword: string, token: string) =>
    await entry.ask('PUT', '/v1/account/passwordReset', {
      token,
      body: { CurrentPassword, NewPassword },
    });

  it('badPassword: keeps four rules, and never returns a password, right or wrong', async () => {
    const { username, password } = entry.credentialsOf('bob');
    const token = await userToken('bob');
    for (const [current, next, code, place] of [
      [password, 'Short-Pass1', 'account.password-short', 'NewPassword'],
      [password, 'lower-case-only', 'account.password-classes', 'NewPassword'],
      ['wrong', 'Correct-Horse-1', 'account.wrong-password', 'CurrentPassword'],
      [password, password, 'account.password-used', 'NewPassword'],
    ] as const) {
      const { status, body, text } = await reset(current, next, token);
      const wrong = refused(code, place);
      expect([next, status, body]).toMatchObject([next, 400, wrong]);
      expect(text).not.toContain(next);
    }
    expect((await byPassword(username, password)).status).toBe(200);
  });

  it('changes it at once: the old one and its tokens are dead, however one signs in', async () => {
    const { username, password } = entry.credentialsOf('bob');
    const token = await userToken('bob');
    const done = await reset(password, 'Correct-Horse-1', token);
    expect([done.status, done.body]).toEqual([200, DONE]);
    expect((await entry.ask('GET', '/v1/account', { token })).status).toBe(401);
    expect((await byPassword(username, password)).status).toBe(400);
    const next = tokenIn(await byPassword(username, 'Correct-Horse-1'));
    expect((await account(next)).UserInfo!.Username).toBe(username);
    for (const used of [password, 'Correct-Horse-1']) {
      const again = await reset('Correct-Horse-1', used, next);
      expect(again.body).toMatchObject(refused('account.password-used', 'NewPassword'));
    }
    // His application has a secret of its own.
    expect((await bob.GET('/v1/account')).response.status).toBe(200);
    const { status } = await byPassword('user-1', entry.credentialsOf('ann').password);
    expect(status).toBe(200);
  });

  it('is done once by two who ask at the same time with one password', async () => {
    const { username, password } = entry.credentialsOf('carol');
    const token = await userToken('carol');
    const both = await Promise.all([
      reset(password, 'First-of-two-1', token),
      reset(password, 'Other-of-two-2', token),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const right = await Promise.all(
      ['First-of-two-1', 'Other-of-two-2'].map((each) => byPassword(username, each)),
    );
    expect(right.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('stands in the session without any password', async () => {
    const { text } = await entry.ask('GET', '/sim/v1/session.yaml');
    expect(text).toContain('account.changePassword');
    const all = ['ann', 'bob', 'carol'].map((each) => entry.credentialsOf(each));
    const secrets = all.flatMap(({ password, clientSecret }) => [password, clientSecret]);
    for (const secret of [...secrets, 'Correct-Horse-1', 'First-of-two-1']) {
      expect(text).not.toContain(secret);
    }
  });

  it('is 429 after five wrong tries in a minute, with the right one, too', async () => {
    const guessed = await ServedEntry.open(TOWN);
    const { username, password } = guessed.emulator;
    const form = new URLSearchParams({ grant_type: 'password', username, password }).toString();
    const asked = { token: null, headers: FORM, body: form };
    const token = tokenIn(await guessed.ask('POST', '/oauth/token', asked));
    const statuses: number[] = [];
    const tryOne = (CurrentPassword: string) =>
      guessed.ask('PUT', '/v1/account/passwordReset', {
        token,
        body: { CurrentPassword, NewPassword: 'Correct-Horse-1' },
      });
    for (let i = 0; i < 5; i++) statuses.push((await tryOne(`wrong-${i}`)).status);
    const last = await tryOne(password);
    await guessed.close();
    expect([...statuses, last.status]).toEqual([400, 400, 400, 400, 400, 429]);
    expect(last.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('account.permissions: GET /v1/account/permissions', () => {
  it('reports six objects with four flags each, of anyone who asks', async () => {
    const { data, response } = await ann.GET('/v1/account/permissions');
    expect(response.status).toBe(200);
    const all = { Create: true, Read: true, Update: true, Delete: true };
    expect(data).toEqual({
      Device: all,
      Gateway: all,
      User: all,
      SubscriberAdmin: all,
      NetworkOperator: all,
      SysAdmin: all,
    });
    const { token } = await create('Device operator');
    const { body } = await entry.ask('GET', '/v1/account/permissions', { token });
    const none = { Create: false, Read: false, Update: false, Delete: false };
    expect(body).toMatchObject({ Device: all, Gateway: none, SubscriberAdmin: none });
  });
});

describe('application.list to refreshToken: applications', () => {
  it('application.create, namelessApplication: has its secret shown once, by which it gets a token', async () => {
    const { data, response } = await ann.POST('/v1/applications', { body: { Name: 'new' } });
    expect([response.status, Object.keys(data!)]).toEqual([
      200,
      ['Id', 'Name', 'UUID', 'ClientSecret'],
    ]);
    const { Id, UUID, ClientSecret } = data!;
    expect((await bySecret(UUID, ClientSecret)).status).toBe(200);
    const report = await ann.GET(one, { params: { path: { Id } } });
    expect(report.data).toEqual({
      Id,
      Name: 'new',
      UUID,
      Roles: [await roleId('Read-only')],
      SubscriberId: 'ann',
    });
    const { text } = await entry.ask('GET', '/v1/applications');
    expect(JSON.parse(text).Applications).toContainEqual(report.data);
    expect(text).not.toContain(ClientSecret);
    const session = await entry.ask('GET', '/sim/v1/session.yaml');
    expect(session.text).not.toContain(ClientSecret);
  });

  it('application.create, namelessApplication, malformedField: is 400 without a name, and with roles that nobody has', async () => {
    for (const [body, code, place] of [
      [{}, 'application.name', 'Name'],
      [{ Name: '' }, 'application.name', 'Name'],
      [{ Name: 'x', Roles: 'x' }, 'application.roles', 'Roles'],
      [{ Name: 'x', Roles: ['nothing1'] }, 'application.unknown-role', 'Roles[0]'],
    ] as const) {
      const answer = await entry.ask('POST', '/v1/applications', { body });
      const wrong = refused(code, place);
      expect([answer.status, answer.body]).toMatchObject([400, wrong]);
    }
  });

  it('application.create: is made once by an Idempotency-Key, which is 409 with another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const ask = async (Name: string) =>
      await entry.ask('POST', '/v1/applications', { headers, body: { Name } });
    const [first, again, other] = [await ask('a'), await ask('a'), await ask('b')];
    expect([again.text, other.status]).toEqual([first.text, 409]);
  });

  it('application.create: returns a secret again only to its first reader, with equal permission', async () => {
    const ask = async (token: string) => {
      const headers = { 'idempotency-key': 'shown-once' };
      const body = { Name: 'again', Roles: [await roleId('Administrator')] };
      const { status, text } = await entry.ask('POST', '/v1/applications', {
        token,
        headers,
        body,
      });
      return { status, secret: /fw_[\w-]+/.exec(text)?.[0] };
    };
    const first = await ask(await userToken());
    expect(await ask(await userToken())).toEqual(first);
    const scoped = await userToken('ann', 'SubscriberAdmin.Create');
    expect(await ask(scoped)).toEqual({ status: 409, secret: undefined });
    const other = await ask((await create('Administrator')).token);
    expect([other.status, other.secret === first.secret]).toEqual([200, false]);
  });

  it('application.replace and update: is replaced or changed, and its token permits what it may now', async () => {
    const { path, token } = await create('Device operator');
    const statusOf = async (url: string) => (await entry.ask('GET', url, { token })).status;
    expect([await statusOf('/v1/devices'), await statusOf('/v1/roles')]).toEqual([200, 403]);
    const Roles = [await roleId('Read-only')];
    const patched = await ann.PATCH(one, { ...path, body: { Roles } });
    expect([patched.response.status, patched.data]).toEqual([200, DONE]);
    expect([await statusOf('/v1/devices'), await statusOf('/v1/roles')]).toEqual([200, 200]);
    const put = await ann.PUT(one, { ...path, body: { Name: 'other', Roles: [] } });
    expect([put.response.status, put.data]).toEqual([200, DONE]);
    expect([await statusOf('/v1/devices'), await statusOf('/v1/account')]).toEqual([403, 200]);
    const { data } = await ann.GET(one, path);
    expect(data).toMatchObject({ Name: 'other', Roles: [] });
    const named = await ann.PUT(one, { ...path, body: { Name: '' } });
    expect(named.error).toMatchObject(refused('application.name', 'Name'));
    expect((await ann.PATCH(one, { ...path, body: {} })).response.status).toBe(200);
    expect((await ann.PATCH(one, { ...path, body: { Name: '' } })).response.status).toBe(400);
  });

  it('application.delete: is gone with its tokens', async () => {
    const { path, token, UUID, ClientSecret } = await create('Administrator');
    expect((await entry.ask('GET', '/v1/account', { token })).status).toBe(200);
    const deleted = await ann.DELETE(one, path);
    expect([deleted.response.status, deleted.data]).toEqual([200, DONE]);
    expect((await entry.ask('GET', '/v1/account', { token })).status).toBe(401);
    expect((await bySecret(UUID, ClientSecret)).status).toBe(401);
    expect((await ann.GET(one, path)).response.status).toBe(404);
    expect((await ann.DELETE(one, path)).response.status).toBe(404);
  });

  it('application.refreshToken, namelessApplication: has another secret at once; the old one and its tokens are dead', async () => {
    const { path, token, UUID, ClientSecret, Id } = await create('Administrator');
    const { data, response } = await ann.POST(refresh, path);
    expect([response.status, Object.keys(data!)]).toEqual([200, ['ClientSecret']]);
    expect((await entry.ask('GET', '/v1/account', { token })).status).toBe(401);
    expect((await bySecret(UUID, ClientSecret)).status).toBe(401);
    const next = await bySecret(UUID, data!.ClientSecret);
    expect(next.status).toBe(200);
    // With an empty body, too, and by itself.
    const own = { token: tokenIn(next), body: {} };
    const again = await entry.ask('POST', `/v1/applications/${Id}/refreshToken`, own);
    expect(again.status).toBe(200);
    expect((await bySecret(UUID, data!.ClientSecret)).status).toBe(401);
  });

  it('noPermission: nobody gives what his roles or token lack, nor takes such a secret', async () => {
    const weak = await create('Read-only', 'Device operator');
    const admin = await create('Administrator');
    const scope = 'SubscriberAdmin.Create SubscriberAdmin.Update Device.Read';
    const narrow = await userToken('ann', scope);
    const Roles = [await roleId('Device operator')];

    for (const [method, path, body] of [
      ['POST', '/v1/applications', { Name: 'x', Roles }],
      ['PUT', `/v1/applications/${admin.Id}`, { Name: 'x', Roles }],
      ['PATCH', `/v1/applications/${admin.Id}`, { Roles }],
      ['POST', `/v1/applications/${weak.Id}/refreshToken`, {}],
    ] as const) {
      const { status, body: response } = await entry.ask(method, path, { token: narrow, body });
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(response).toMatchObject({ details: [{ reason: 'application.forbidden' }] });
    }
    // The admin has the secret that it had.
    expect((await bySecret(admin.UUID, admin.ClientSecret)).status).toBe(200);
  });

  it('unknownId, foreignThing: application.get to refreshToken are 404 for another’s, as for what never was', async () => {
    const { Id } = await create('Read-only');
    const { text: before } = await entry.ask('GET', `/v1/applications/${Id}`);
    const token = await entry.tokenOf('bob');
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { Name: 'x' }],
      ['PATCH', '', {}],
      ['DELETE', ''],
      ['POST', '/refreshToken', {}],
    ] as const) {
      const ask = async (id: string) => {
        const asked = body === undefined ? { token } : { token, body };
        const { status, text } = await entry.ask(method, `/v1/applications/${id}${path}`, asked);
        return [status, text.replaceAll(id, 'ID')];
      };
      const [foreign, never] = [await ask(Id), await ask('nothing1')];
      expect(foreign).toEqual(never);
      expect(foreign[0]).toBe(404);
    }
    expect((await entry.ask('GET', `/v1/applications/${Id}`)).text).toBe(before);
    const { data } = await bob.GET('/v1/applications');
    expect(data!.Applications.map(({ SubscriberId }) => SubscriberId)).toEqual(['bob']);
  });

  it('of a plan can be refreshed and deleted like any other: its client is gone', async () => {
    const { data } = await ann.POST('/sim/v1/subscribers', { body: { name: 'dora' } });
    const { ca, url } = entry.emulator;
    const [clientId, clientSecret] = [data!.client_id, data!.client_secret];
    const dora = connect({ url, ca, clientId, clientSecret });
    const { data: list } = await dora.GET('/v1/applications');
    const { Id } = list!.Applications[0]!;
    expect((await dora.DELETE(one, { params: { path: { Id } } })).response.status).toBe(200);
    expect((await bySecret(clientId, clientSecret)).status).toBe(401);
    await dora.close();
    const { data: all } = await ann.GET('/sim/v1/subscribers');
    const response = all!.subscribers.find(({ id }) => id === data!.id)!;
    expect(response.client_id).toBe('');
    expect((await byPassword(response.username, data!.password)).status).toBe(200);
  });
});

describe('roles', () => {
  it('are listed with their permission objects, and found by their ids', async () => {
    const { data } = await ann.GET('/v1/roles');
    expect(data!.Roles.map(({ Name }) => Name)).toEqual([
      'Administrator',
      'Read-only',
      'Device operator',
      'Gateway operator',
      'Firmware operator',
    ]);
    for (const role of data!.Roles) {
      const { data: response } = await ann.GET('/v1/roles/{Id}', {
        params: { path: { Id: role.Id } },
      });
      expect(response).toEqual(role);
    }
    const none = await ann.GET('/v1/roles/{Id}', { params: { path: { Id: 'nothing1' } } });
    expect([none.response.status, none.error]).toMatchObject([404, refused('role.unknown')]);
  });
});

testStatuses(() => entry, [52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]);
