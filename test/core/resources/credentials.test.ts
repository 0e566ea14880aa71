/** Output credentials (data delivery): rows 125 to 129. */
import { describe, expect, it } from 'vitest';
import { testIsolation } from './isolation.ts';
import { failureOf, type Subscriber, service } from './service.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n';
const STORED = '********';
const NEVER = '00000000-0000-4000-8000-000000000000';

const BASIC = { username: 'ann', password: 'opensesame' };
const SAMPLES = {
  basic_auth: BASIC,
  client_credentials: {
    token_url: 'https://login.example.org/token',
    client_id: 'fleet',
    client_secret: 'opensesame',
    scopes: ['events', 'alarms'],
  },
  x509_certificate: { certificate: CERTIFICATE, private_key: PRIVATE_KEY },
  cloud_b_shared_access_policy: { policy_name: 'device', key: 'opensesame' },
} as const;
type Type = keyof typeof SAMPLES;
const TYPES = Object.keys(SAMPLES) as Type[];
const SECRETS = {
  basic_auth: 'password',
  client_credentials: 'client_secret',
  x509_certificate: 'private_key',
  cloud_b_shared_access_policy: 'key',
} as const;

const credentialsOf = (type: Type = 'basic_auth', data: object = SAMPLES[type]) => ({
  name: 'door',
  type,
  data: data as typeof BASIC,
});
const create = (type?: Type, data?: object) =>
  ({ kind: 'credentials.create', credentials: credentialsOf(type, data) }) as const;
const createNew = (us: Subscriber, type?: Type, data?: object): string =>
  us.do(create(type, data)).id;
const read = (us: Subscriber, credentials_id: string) =>
  us.ask({ kind: 'credentials.get', credentials_id });
const replace = (credentials_id: string, type?: Type, data?: object) =>
  ({
    kind: 'credentials.replace',
    credentials_id,
    credentials: credentialsOf(type, data),
  }) as const;
const savedOf = ({ bench }: Subscriber) => bench.platform.save().resources.credentials;
const dataIn = (us: Subscriber, id: string) => savedOf(us).find((each) => each.id === id)?.data;

describe('credentials', () => {
  it.each(TYPES)(
    'credentials.create: of %s are made, and answered as id, name and type',
    (type) => {
      const us = service();
      const answer = us.do(create(type));
      expect(answer).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'door', type });
      expect(dataIn(us, answer.id)).toEqual(SAMPLES[type]);
    },
  );

  it.each(TYPES)('credentials.get: of %s are reported without their secret', (type) => {
    const us = service();
    const id = createNew(us, type);
    const data = { ...SAMPLES[type], [SECRETS[type]]: STORED };
    expect(read(us, id)).toEqual({ id, owner_id: 'default', name: 'door', type, data });
    expect(read(us, id.toUpperCase())).toEqual(read(us, id));
  });

  it('credentials.list: are listed in the order of ids, page by page, without secrets', () => {
    const us = service();
    const ids = Array.from({ length: 5 }, () => createNew(us)).sort();
    const list = { kind: 'credentials.list' } as const;
    const first = us.ask({ ...list, limit: 3 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(first.meta.more).toBe(true);
    const page_token = first.meta.next_page_token!;
    const rest = us.ask({ ...list, limit: 3, page_token });
    expect(rest).toEqual({
      data: ids.slice(3).map((id) => read(us, id)),
      meta: { more: false, next_page_token: null },
    });
    expect(JSON.stringify([first, rest])).not.toContain('opensesame');
  });

  it('credentials.list, badPage: refuse a token of another list, and a limit below 1', () => {
    const us = service();
    for (let i = 0; i < 2; i++) createNew(us);
    const list = { kind: 'credentials.list' } as const;
    const page_token = us.ask({ ...list, limit: 1 }).meta.next_page_token!;
    expect(us.refusedQuery({ ...list, page_token: `${page_token}0` })).toBe('credentials.page');
    expect(us.refusedQuery({ kind: 'alert.list', page_token })).toBe('alert.page');
    expect(us.refusedQuery({ ...list, limit: 0 })).toBe('credentials.page');
    expect(us.ask({ ...list, limit: 1_000_000 }).data).toHaveLength(2);
  });

  it.each(TYPES)('credentials.replace: of %s keep the secret that asterisks stand for', (type) => {
    const us = service();
    const id = createNew(us, type);
    const { name: _, data } = read(us, id);
    const answer = us.do(replace(id, type, data));
    expect(answer).toEqual(read(us, id));
    expect(dataIn(us, id)).toEqual(SAMPLES[type]);
  });

  it('credentials.replace: are replaced whole, with another secret and another name', () => {
    const us = service();
    const id = createNew(us);
    const credentials = { ...credentialsOf(), name: 'gate', data: { ...BASIC, password: 'other' } };
    us.do({ kind: 'credentials.replace', credentials_id: id, credentials });
    expect(read(us, id)).toMatchObject({ id, name: 'gate', data: { username: 'ann' } });
    expect(dataIn(us, id)).toEqual({ ...BASIC, password: 'other' });
    us.do(replace(id, 'client_credentials'));
    expect(dataIn(us, id)).toEqual(SAMPLES.client_credentials);
  });

  it('credentials.replace: keep nothing of what another type had, and make nothing of asterisks alone', () => {
    const us = service();
    const id = createNew(us);
    const before = savedOf(us);
    const wrong = [
      create('basic_auth', { ...BASIC, password: STORED }),
      replace(id, 'cloud_b_shared_access_policy', { policy_name: 'device', key: STORED }),
    ];
    for (const command of wrong) {
      const field = command.kind === 'credentials.create' ? 'password' : 'key';
      const { code, path } = failureOf(us.try(command));
      expect([code, path]).toEqual(['credentials.data', `/data/${field}`]);
    }
    expect(savedOf(us)).toEqual(before);
  });

  it('credentials.delete: are gone for good once they are deleted', () => {
    const us = service();
    const id = createNew(us);
    us.do({ kind: 'credentials.delete', credentials_id: id });
    expect(us.refusedQuery({ kind: 'credentials.get', credentials_id: id })).toBe(
      'credentials.unknown',
    );
    expect(us.refused({ kind: 'credentials.delete', credentials_id: id })).toBe(
      'credentials.unknown',
    );
  });

  it('ignore what their type has not', () => {
    const us = service();
    const id = createNew(us, 'basic_auth', { ...BASIC, key: 'x', client_id: 'y', owner: 'bob' });
    expect(dataIn(us, id)).toEqual(BASIC);
  });

  it('of client_credentials have no scopes unless some are given', () => {
    const us = service();
    const { scopes: _, ...data } = SAMPLES.client_credentials;
    expect(read(us, createNew(us, 'client_credentials', data)).data.scopes).toEqual([]);
  });
});

describe('what credentials are refused for', () => {
  const WRONG: readonly (readonly [Type, object, string])[] = [
    ...TYPES.flatMap((type) =>
      Object.keys(SAMPLES[type])
        .filter((field) => field !== 'scopes')
        .map((field) => [type, { [field]: undefined }, `/data/${field}`] as const),
    ),
    ['basic_auth', { username: 'a:b' }, '/data/username'],
    ['basic_auth', { password: '' }, '/data/password'],
    ['basic_auth', { password: 7 }, '/data/password'],
    ['basic_auth', { username: 'a\nb' }, '/data/username'],
    ['client_credentials', { token_url: 'ftp://x.example' }, '/data/token_url'],
    ['client_credentials', { token_url: 'https://a:b@x.example' }, '/data/token_url'],
    ['client_credentials', { scopes: 'events' }, '/data/scopes'],
    ['x509_certificate', { certificate: 'no certificate' }, '/data/certificate'],
    ['x509_certificate', { certificate: PRIVATE_KEY }, '/data/certificate'],
    ['x509_certificate', { private_key: CERTIFICATE }, '/data/private_key'],
    ['x509_certificate', { private_key: `${PRIVATE_KEY}\u0000-----` }, '/data/private_key'],
  ];

  it.each(WRONG)('credentials.create: %s with %j, at %s', (type, wrong, path) => {
    const us = service();
    const failure = failureOf(us.try(create(type, { ...SAMPLES[type], ...wrong })));
    expect([failure.code, failure.path]).toEqual(['credentials.data', path]);
    expect(failure.message).not.toMatch(/opensesame|MIIE/);
    expect(savedOf(us)).toEqual([]);
  });

  it.each([
    [{ name: '' }, 'credentials.name', '/name'],
    [{ name: undefined }, 'credentials.name', '/name'],
    [{ type: 'api_key' }, 'credentials.type', '/type'],
    [{ type: undefined }, 'credentials.type', '/type'],
    [{ data: undefined }, 'credentials.data', '/data'],
    [{ data: 'x' }, 'credentials.data', '/data'],
  ])('credentials.create: %j with %s', (wrong, code, path) => {
    const us = service();
    const credentials = { ...credentialsOf(), ...wrong } as ReturnType<typeof credentialsOf>;
    const failure = failureOf(us.try({ kind: 'credentials.create', credentials }));
    expect([failure.code, failure.path]).toEqual([code, path]);
  });

  it('an id that there is', () => {
    const us = service();
    us.do({ ...create(), id: NEVER });
    expect(us.refused({ ...create(), id: NEVER })).toBe('credentials.exists');
  });

  it('one more than ten thousand', () => {
    const us = service();
    us.do({ ...create(), id: NEVER });
    for (let i = 1; i < 10_000; i++) us.do(create());
    expect(us.refused(create())).toBe('credentials.too-many');
    us.do({ kind: 'credentials.delete', credentials_id: NEVER });
    expect(us.try(create()).ok).toBe(true);
  });
});

testIsolation('credentials', (ann) => ({ credentials_id: createNew(ann) }), {
  'credentials.list': () => ({}),
  'credentials.create': () => ({ credentials: credentialsOf() }),
  'credentials.get': (its) => its,
  'credentials.replace': (its) => ({ ...its, credentials: { ...credentialsOf(), name: 'gate' } }),
  'credentials.delete': (its) => its,
});
