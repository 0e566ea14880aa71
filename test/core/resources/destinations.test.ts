/** Output destinations (data delivery): rows 120 to 124. */
import { describe, expect, it } from 'vitest';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, NORTH, type Subscriber, service } from './service.ts';

const STORED = '********';
const NEVER = '00000000-0000-4000-8000-000000000000';
const URL = 'https://hooks.example.org/in?x=1';

const SAMPLES = {
  webhook: { url: URL, headers: [{ header: 'X-Site', value: 'north 1' }] },
  mqtt: { host: 'broker.example.org:8883', topic: 'gateways/up', ssl: true, client_id: 'fleet' },
  cloud_a_iot_core: { endpoint: 'abc-ats.iot.eu-west-1.example.com', topic: 'gateways' },
  cloud_b_iot_hub: {
    host: 'hub1.devices.example.net',
    api_version: '2016-11-14',
    output_format: 'raw',
  },
} as const;
type Type = keyof typeof SAMPLES;
const TYPES = Object.keys(SAMPLES) as Type[];

const destinationOf = (type: Type = 'webhook', more: object = {}, data: object = SAMPLES[type]) =>
  ({ name: 'desk', type, data, ...more }) as { name: string; type: Type; data: object };
const create = (...given: Parameters<typeof destinationOf>) =>
  ({ kind: 'destination.create', destination: destinationOf(...given) }) as const;
const replace = (destination_id: string, ...given: Parameters<typeof destinationOf>) =>
  ({
    kind: 'destination.replace',
    destination_id,
    destination: destinationOf(...given),
  }) as const;
const createNew = (us: Subscriber, ...given: Parameters<typeof destinationOf>): string =>
  us.do(create(...given)).id;
const read = (us: Subscriber, destination_id: string) =>
  us.ask({ kind: 'destination.get', destination_id });
const savedOf = ({ bench }: Subscriber) => bench.platform.save().resources.destination;
const dataIn = (us: Subscriber, id: string) => savedOf(us).find((each) => each.id === id)?.data;

const CREDENTIALS = {
  basic_auth: { username: 'ann', password: 'opensesame' },
  client_credentials: {
    token_url: 'https://login.example.org/',
    client_id: 'fleet',
    client_secret: 'opensesame',
  },
  x509_certificate: {
    certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    private_key: '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----',
  },
  cloud_b_shared_access_policy: { policy_name: 'device', key: 'opensesame' },
} as const;
type CredentialType = keyof typeof CREDENTIALS;
const credentialsOf = (type: CredentialType) => ({ name: 'door', type, data: CREDENTIALS[type] });
const withCredentials = (us: Subscriber, type: CredentialType): string =>
  us.do({ kind: 'credentials.create', credentials: credentialsOf(type) }).id;

describe('a destination', () => {
  it.each(TYPES)('destination.create and get: of %s is answered as it is reported', (type) => {
    const us = service();
    const answer = us.do(create(type));
    expect(answer).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      owner_id: 'default',
      name: 'desk',
      type,
      enabled: true,
      credentials_id: null,
      data: SAMPLES[type],
    });
    expect(read(us, answer.id.toUpperCase())).toEqual(answer);
  });

  it.each([
    ['webhook', { url: URL }, { url: URL, headers: [] }],
    [
      'mqtt',
      { host: 'broker', topic: 't', client_id: null },
      { host: 'broker', topic: 't', ssl: false },
    ],
    [
      'cloud_b_iot_hub',
      { host: 'h.example.net' },
      { host: 'h.example.net', api_version: '2016-11-14', output_format: 'raw' },
    ],
  ] as const)('destination.create: of %s with %j has the usual rest', (type, data, response) => {
    const us = service();
    expect(us.do(create(type, {}, data)).data).toEqual(response);
  });

  it('destination.create: ignores what its type has not', () => {
    const us = service();
    const more = { ...SAMPLES.mqtt, url: URL, secret: 'x', owner: 'bob' };
    expect(dataIn(us, createNew(us, 'mqtt', {}, more))).toEqual(SAMPLES.mqtt);
  });

  it('destination.list: is listed in the order of ids, page by page', () => {
    const us = service();
    const ids = Array.from({ length: 5 }, () => createNew(us)).sort();
    const list = { kind: 'destination.list' } as const;
    const first = us.ask({ ...list, limit: 2 });
    expect(first.data).toEqual(ids.slice(0, 2).map((id) => read(us, id)));
    const page_token = first.meta.next_page_token!;
    us.do({ kind: 'destination.delete', destination_id: ids[1]! });
    const rest = us.ask({ ...list, page_token });
    expect(rest.data.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(rest.meta).toEqual({ more: false, next_page_token: null });
  });

  it('destination.list, badPage: refuses a token that is not ours, and a limit below 1', () => {
    const us = service();
    const list = { kind: 'destination.list' } as const;
    expect(us.refusedQuery({ ...list, page_token: 'x' })).toBe('destination.page');
    expect(us.refusedQuery({ ...list, limit: -1 })).toBe('destination.page');
  });

  it('destination.replace: is replaced whole: what is not given is as by default', () => {
    const us = service();
    const credentials_id = withCredentials(us, 'basic_auth');
    const id = createNew(us, 'webhook', { enabled: false, credentials_id });
    expect(read(us, id)).toMatchObject({ enabled: false, credentials_id });
    const answer = us.do(replace(id, 'webhook', { name: 'other' }, { url: URL }));
    expect(answer).toEqual(read(us, id));
    expect(answer).toMatchObject({ id, name: 'other', enabled: true, credentials_id: null });
    expect(answer.data).toEqual({ url: URL, headers: [] });
    expect(us.do(replace(id, 'mqtt'))).toMatchObject({ id, type: 'mqtt', data: SAMPLES.mqtt });
  });

  it('destination.delete: is deleted for good, taken off all alerts, and its credentials stay', () => {
    const us = service();
    const credentials_id = withCredentials(us, 'basic_auth');
    const [one, other] = [createNew(us, 'webhook', { credentials_id }), createNew(us)];
    const alertOf = (...destination_ids: string[]) =>
      us.do({
        kind: 'alert.create',
        alert: {
          name: 'x',
          type: 'gateway_connectivity',
          data: { node_ids: [NORTH] },
          destination_ids,
        },
      }).id;
    const [both, alone] = [alertOf(one, other), alertOf(one)];
    us.do({ kind: 'destination.delete', destination_id: one });
    const idsOf = (alert_id: string) => us.ask({ kind: 'alert.get', alert_id }).destination_ids;
    expect([idsOf(both), idsOf(alone)]).toEqual([[other], []]);
    expect(us.refusedQuery({ kind: 'destination.get', destination_id: one })).toBe(
      'destination.unknown',
    );
    expect(us.ask({ kind: 'credentials.get', credentials_id }).id).toBe(credentials_id);
  });

  it('reports that it is signed, and not by what; asterisks keep that', () => {
    const us = service();
    const id = createNew(us, 'webhook', {}, { url: URL, secret: 'opensesame' });
    expect(read(us, id).data).toEqual({ url: URL, headers: [], secret: STORED });
    us.do(replace(id, 'webhook', {}, read(us, id).data));
    expect(dataIn(us, id)).toEqual({ url: URL, headers: [], secret: 'opensesame' });
    us.do(replace(id, 'webhook', {}, { url: URL, secret: null }));
    expect(dataIn(us, id)).toEqual({ url: URL, headers: [] });
    const none = failureOf(us.try(replace(id, 'webhook', {}, { url: URL, secret: STORED })));
    expect([none.code, none.path]).toEqual(['destination.data', '/data/secret']);
  });

  it.each(['Authorization', 'X-Api-Key', 'x-auth', 'Cookie', 'X-Client-Secret', 'X-TOKEN'])(
    'does not tell the value of the header %s; asterisks keep it by its name',
    (header) => {
      const us = service();
      const headers = [
        { header: 'X-Site', value: 'north' },
        { header, value: 'opensesame' },
      ];
      const id = createNew(us, 'webhook', {}, { url: URL, headers });
      const response = read(us, id).data;
      expect(response.headers).toEqual([headers[0], { header, value: STORED }]);
      const turned = { url: URL, headers: [...response.headers!].reverse() };
      us.do(replace(id, 'webhook', {}, turned));
      expect(dataIn(us, id)).toEqual({ url: URL, headers: [...headers].reverse() });
      const gone = { url: URL, headers: [{ header: 'X-Other-Key', value: STORED }] };
      const failure = failureOf(us.try(replace(id, 'webhook', {}, gone)));
      expect(failure.path).toBe('/data/headers/0/value');
    },
  );

  it('takes asterisks as they are in a header that is reported', () => {
    const us = service();
    const headers = [{ header: 'X-Stars', value: STORED }];
    expect(dataIn(us, createNew(us, 'webhook', {}, { url: URL, headers }))).toEqual({
      url: URL,
      headers,
    });
  });
});

describe('badCredentials: a destination and its credentials', () => {
  const FIT: readonly (readonly [Type, readonly CredentialType[]])[] = [
    ['webhook', ['basic_auth', 'client_credentials']],
    ['mqtt', ['basic_auth']],
    ['cloud_a_iot_core', ['x509_certificate']],
    ['cloud_b_iot_hub', ['cloud_b_shared_access_policy']],
  ];
  const ALL = Object.keys(CREDENTIALS) as CredentialType[];
  const pairs = FIT.flatMap(([type, fitting]) =>
    ALL.map((each) => [type, each, fitting.includes(each)] as const),
  );

  it.each(pairs)('destination.create and replace: %s with %s: %s', (type, credentialType, fits) => {
    const us = service();
    const credentials_id = withCredentials(us, credentialType);
    const id = createNew(us, type);
    for (const command of [
      create(type, { credentials_id }),
      replace(id, type, { credentials_id }),
    ]) {
      const answer = us.try(command);
      expect(answer.ok).toBe(fits);
      if (answer.ok) expect(answer.value).toMatchObject({ credentials_id });
      else expect(failureOf(answer)).toMatchObject({ code: 'destination.credentials' });
    }
  });

  it('destination.create and replace: does not take credentials that there are not, or another’s', () => {
    const [ann, bob] = annAndBob();
    const his = withCredentials(bob, 'basic_auth');
    const id = createNew(ann);
    for (const credentials_id of [NEVER, his, '']) {
      const { code, path } = failureOf(ann.try(create('webhook', { credentials_id })));
      expect([code, path]).toEqual(['destination.credentials', '/credentials_id']);
      expect(ann.refused(replace(id, 'webhook', { credentials_id }))).toBe(
        'destination.credentials',
      );
    }
  });

  it('credentials.replace: keeps the type of credentials that fits it; another one is a conflict', () => {
    const us = service();
    const credentials_id = withCredentials(us, 'basic_auth');
    createNew(us, 'webhook', { credentials_id, name: 'desk' });
    const change = (type: CredentialType) =>
      ({ kind: 'credentials.replace', credentials_id, credentials: credentialsOf(type) }) as const;
    expect(us.try(change('client_credentials')).ok).toBe(true);
    expect(us.try(change('basic_auth')).ok).toBe(true);
    createNew(us, 'mqtt', { credentials_id, name: 'broker' });
    const failure = failureOf(us.try(change('client_credentials')));
    expect([failure.code, failure.path]).toEqual(['credentials.in-use', '/type']);
    expect(failure.message).toContain('broker');
    expect(failure.message).not.toContain('desk');
    expect(us.ask({ kind: 'credentials.get', credentials_id }).type).toBe('basic_auth');
  });

  it('credentials.delete: goes on without credentials that are deleted', () => {
    const us = service();
    const [one, other] = [withCredentials(us, 'basic_auth'), withCredentials(us, 'basic_auth')];
    const ids = [one, one, other].map((credentials_id) =>
      createNew(us, 'webhook', { credentials_id }),
    );
    us.do({ kind: 'credentials.delete', credentials_id: one });
    const left = ids.map((id) => read(us, id).credentials_id);
    expect(left).toEqual([null, null, other]);
  });

  it('has no Authorization of its own beside credentials', () => {
    const us = service();
    const credentials_id = withCredentials(us, 'basic_auth');
    const data = { url: URL, headers: [{ header: 'authorization', value: 'Bearer x' }] };
    expect(us.try(create('webhook', {}, data)).ok).toBe(true);
    const failure = failureOf(us.try(create('webhook', { credentials_id }, data)));
    expect([failure.code, failure.path]).toEqual(['destination.data', '/data/headers/0/header']);
  });
});

describe('what a destination is refused for', () => {
  const header = (header: string, value: string = 'x') => ({ headers: [{ header, value }] });
  const WRONG: readonly (readonly [Type, object, string])[] = [
    ['webhook', { url: undefined }, '/data/url'],
    ...[
      'hooks.example.org/in',
      'ftp://hooks.example.org',
      'https://',
      'https:///in',
      'https://ann:x@hooks.example.org/',
      'https://ann@hooks.example.org/',
      'https://hooks.example.org:0/',
      'https://hooks.example.org:65536/',
      'https://hooks.example.org/#top',
      'https://hooks.example.org/ in',
      'https://hooks.example.org\\@evil.example',
      'https://hooks.example.org/\r\nX: y',
      'https://-x.example',
      'https://x..example',
      `https://x.example/${'a'.repeat(2048)}`,
    ].map((url) => ['webhook', { url }, '/data/url'] as const),
    ...[
      'Host',
      'content-length',
      'Transfer-Encoding',
      'Connection',
      'keep-alive',
      'upgrade',
      'webhook-id',
      'Webhook-Signature',
      'X Site',
      'X:Site',
      '',
      'X\r\nY',
      'Größe',
    ].map((name) => ['webhook', header(name), '/data/headers/0/header'] as const),
    ...['a\r\nX: y', 'a\nb', 'ä', ' x', 'x ', 'a'.repeat(4097), '\u0000'].map(
      (value) => ['webhook', header('X-Site', value), '/data/headers/0/value'] as const,
    ),
    ['webhook', { headers: { 'X-Site': 'x' } }, '/data/headers'],
    [
      'webhook',
      { headers: [...header('X-Site').headers, ...header('x-site').headers] },
      '/data/headers/1/header',
    ],
    [
      'webhook',
      { headers: Array.from({ length: 51 }, (_, i) => ({ header: `x-${i}`, value: '' })) },
      '/data/headers',
    ],
    ['webhook', { secret: '' }, '/data/secret'],
    ['mqtt', { host: undefined }, '/data/host'],
    ['mqtt', { host: 'mqtt://broker.example.org' }, '/data/host'],
    ['mqtt', { host: 'broker:0' }, '/data/host'],
    ['mqtt', { host: 'ann@broker' }, '/data/host'],
    ['mqtt', { topic: undefined }, '/data/topic'],
    ['mqtt', { topic: 'a/#' }, '/data/topic'],
    ['mqtt', { topic: 'a/+/b' }, '/data/topic'],
    ['mqtt', { ssl: 'yes' }, '/data/ssl'],
    ['mqtt', { client_id: '' }, '/data/client_id'],
    ['cloud_a_iot_core', { endpoint: undefined }, '/data/endpoint'],
    ['cloud_a_iot_core', { endpoint: 'https://a.iot.eu.example.com' }, '/data/endpoint'],
    ['cloud_a_iot_core', { endpoint: 'a.iot.eu.example.com:8883' }, '/data/endpoint'],
    ['cloud_a_iot_core', { endpoint: 'a.mqtt.eu.example.com' }, '/data/endpoint'],
    ['cloud_a_iot_core', { topic: undefined }, '/data/topic'],
    ['cloud_b_iot_hub', { host: undefined }, '/data/host'],
    ['cloud_b_iot_hub', { host: 'hub1' }, '/data/host'],
    ['cloud_b_iot_hub', { host: 'hub1.example.net:443' }, '/data/host'],
    ['cloud_b_iot_hub', { output_format: 'xml' }, '/data/output_format'],
  ];

  it.each(WRONG)('destination.create and replace: %s with %j', (type, wrong, path) => {
    const us = service();
    const id = createNew(us, type);
    const before = savedOf(us);
    const data = { ...SAMPLES[type], ...wrong };
    for (const command of [create(type, {}, data), replace(id, type, {}, data)]) {
      const failure = failureOf(us.try(command));
      expect([failure.code, failure.path]).toEqual(['destination.data', path]);
      expect(failure.message).not.toContain('ann:x');
    }
    expect(savedOf(us)).toEqual(before);
  });

  it.each([
    [{ name: '' }, 'destination.name', '/name'],
    [{ type: 'smtp' }, 'destination.type', '/type'],
    [{ type: undefined }, 'destination.type', '/type'],
    [{ data: undefined }, 'destination.data', '/data'],
    [{ data: [] }, 'destination.data', '/data'],
    [{ enabled: 'no' }, 'destination.data', '/enabled'],
    [{ credentials_id: 7 }, 'destination.credentials', '/credentials_id'],
  ])('destination.create and replace: %j with %s', (wrong, code, path) => {
    const us = service();
    const failure = failureOf(us.try(create('webhook', wrong)));
    expect([failure.code, failure.path]).toEqual([code, path]);
  });

  it.each([
    'http://127.0.0.1:8080/in',
    'https://[::1]/x',
    'HTTPS://EXAMPLE.ORG',
    'http://my_service:80?a=%20b&c=$',
    'http://0x7f.1/',
  ])('destination.create: not %s: where it leads shows at the delivery', (url) => {
    expect(service().try(create('webhook', {}, { url })).ok).toBe(true);
  });

  it('destination.create: one more than ten thousand, and an id that there is', () => {
    const us = service();
    us.do({ ...create(), id: NEVER });
    expect(us.refused({ ...create(), id: NEVER })).toBe('destination.exists');
    for (let i = 1; i < 10_000; i++) createNew(us);
    expect(us.refused(create())).toBe('destination.too-many');
    us.do({ kind: 'destination.delete', destination_id: NEVER });
    expect(us.try(create()).ok).toBe(true);
  });
});

testIsolation('destination', (ann) => ({ destination_id: createNew(ann) }), {
  'destination.list': () => ({}),
  'destination.create': () => ({ destination: destinationOf() }),
  'destination.get': (its) => its,
  'destination.replace': (its) => ({ ...its, destination: destinationOf('mqtt') }),
  'destination.delete': (its) => its,
});
