/**
 * Output profiles (data delivery: Output profile; rows 116 to 119, E60, E61): what targets have to
 * be, what a PUT keeps, and which devices get a profile.
 */
import { describe, expect, it } from 'vitest';
import type { ArrayName } from '../../../core/delivery/targets/kinds.ts';
import { BROKER, CLOUD_A, CLOUD_B, TO_WEB, WEBHOOK } from '../../support/targets.ts';
import { testIsolation } from './isolation.ts';
import { annAndBob, failureOf, type Subscriber, service } from './service.ts';

const ALL = {
  RestParams: [{ ...WEBHOOK, TokenType: 'Bearer', TokenValue: 's3cret' }],
  MqttParams: [BROKER],
  CloudAParams: [CLOUD_A],
  CloudBParams: [CLOUD_B],
} as const satisfies Record<ArrayName, readonly object[]>;

const make = (us: Subscriber, targets: object = TO_WEB) =>
  us.do({ kind: 'outputProfile.create', outputProfile: { Name: 'out', ...targets } }).Id;

const get = (us: Subscriber, Id: string) => us.ask({ kind: 'outputProfile.get', Id });

const refusal = (targets: object) => {
  const us = service();
  const before = JSON.stringify(us.bench.platform.save());
  const refused = failureOf(
    us.try({ kind: 'outputProfile.create', outputProfile: { Name: 'out', ...targets } }),
  );
  expect(JSON.stringify(us.bench.platform.save())).toBe(before);
  return refused;
};

describe('outputProfile.create: an output profile', () => {
  it('outputProfile.create and list: may have several targets of all kinds, with their settings', () => {
    const us = service();
    const Id = make(us, { ...ALL, RestParams: [...ALL.RestParams, WEBHOOK] });
    expect(Id).toMatch(/^[0-9A-Za-z]{8}$/);
    const DestinationId = expect.stringMatching(/^[0-9A-Za-z]{8}$/);
    const usual = { DestinationId, Active: true };
    const none = { TokenType: '', TokenValue: '', Secret: '' };
    const response = get(us, Id);
    expect(response).toEqual({
      Id,
      Name: 'out',
      RestParams: [
        { ...WEBHOOK, ...none, ...usual, TokenType: 'Bearer', TokenValue: '********' },
        { ...WEBHOOK, ...none, ...usual },
      ],
      MqttParams: [{ ...BROKER, ...usual, Password: '********', SSL: false, ClientId: '' }],
      CloudAParams: [{ ...CLOUD_A, ...usual, PrivateKey: '********' }],
      CloudBParams: [{ ...CLOUD_B, ...usual, SharedAccessKey: '********', OutputFormat: 'raw' }],
    });
    expect(us.ask({ kind: 'outputProfile.list' })).toEqual({ OutputProfiles: [response] });
    const ids = [...response.RestParams, ...response.MqttParams, ...response.CloudAParams].map(
      (each) => each.DestinationId,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('needs a name and at least one target', () => {
    expect(refusal({ Name: undefined, ...TO_WEB })).toMatchObject({ path: '/Name' });
    const needs = { code: 'outputProfile.no-target', path: '/RestParams' };
    expect(refusal({})).toMatchObject(needs);
    expect(refusal({ RestParams: [], MqttParams: [] })).toMatchObject(needs);
  });

  it('reports no secret, in no answer, no list and no refusal', () => {
    const us = service();
    const Id = make(us, ALL);
    const answers = [
      get(us, Id),
      us.ask({ kind: 'outputProfile.list' }),
      us.try({
        kind: 'outputProfile.update',
        Id,
        outputProfile: { MqttParams: [{ ...BROKER, Password: 'pa55word\u0000' }] },
      }),
    ];
    const text = JSON.stringify(answers);
    for (const secret of ['s3cret', 'pa55word', 'c2VjcmV0', 'PRIVATE KEY']) {
      expect(text).not.toContain(secret);
    }
  });

  it('takes the ends of lines in PEM as they are, or as two characters', () => {
    const written = (text: string) => text.replaceAll('\n', '\\n');
    const us = service();
    const given = { x509Certificate: written(CLOUD_A.x509Certificate) };
    const PrivateKey = written(CLOUD_A.PrivateKey);
    const Id = make(us, { CloudAParams: [{ ...CLOUD_A, ...given, PrivateKey }] });
    expect(get(us, Id).CloudAParams[0]).toMatchObject({
      x509Certificate: CLOUD_A.x509Certificate,
    });
  });
});

describe('badTarget: a target is refused, with its place,', () => {
  const rest = (wrong: object) => ({ RestParams: [WEBHOOK, { ...WEBHOOK, ...wrong }] });
  const mqtt = (wrong: object) => ({ MqttParams: [{ ...BROKER, ...wrong }] });
  const cloudA = (wrong: object) => ({ CloudAParams: [{ ...CLOUD_A, ...wrong }] });
  const cloudB = (wrong: object) => ({ CloudBParams: [{ ...CLOUD_B, ...wrong }] });
  const topic = (name: string) => `up/$\{${name}}`;

  it.each([
    ['a URL without a scheme', rest({ URL: 'example.com/in' }), '/RestParams/1/URL'],
    ['a URL of another scheme', rest({ URL: 'ftp://example.com/in' }), '/RestParams/1/URL'],
    ['a URL with a user', rest({ URL: 'https://me:pw@example.com/' }), '/RestParams/1/URL'],
    ['a URL without a host', rest({ URL: 'https:///in' }), '/RestParams/1/URL'],
    ['a URL with a port past 65535', rest({ URL: 'http://a.b:65536/' }), '/RestParams/1/URL'],
    ['a URL with a space', rest({ URL: 'http://a.b/x y' }), '/RestParams/1/URL'],
    ['no URL', { RestParams: [{ OutputFormat: 'simple' }] }, '/RestParams/0/URL'],
    ['another format', rest({ OutputFormat: 'raw' }), '/RestParams/1/OutputFormat'],
    ['no format', { RestParams: [{ URL: WEBHOOK.URL }] }, '/RestParams/0/OutputFormat'],
    ['a token type of two words', rest({ TokenType: 'a b' }), '/RestParams/1/TokenType'],
    ['a token with a line in it', rest({ TokenValue: 'a\r\nb: c' }), '/RestParams/1/TokenValue'],
    ['another environment', rest({ Environment: 'test' }), '/RestParams/1/Environment'],
    ['an Active that is no flag', rest({ Active: 'yes' }), '/RestParams/1/Active'],
    ['a broker with a scheme', mqtt({ Host: 'mqtt://b.c:1883' }), '/MqttParams/0/Host'],
    ['a broker without a port', mqtt({ Host: 'b.c' }), '/MqttParams/0/Host'],
    ['a broker with port 0', mqtt({ Host: 'b.c:0' }), '/MqttParams/0/Host'],
    ['no user of a broker', mqtt({ Username: undefined }), '/MqttParams/0/Username'],
    ['no password', mqtt({ Password: undefined }), '/MqttParams/0/Password'],
    ['no topic', mqtt({ Topic: '' }), '/MqttParams/0/Topic'],
    ['a topic with a wildcard', mqtt({ Topic: 'up/#' }), '/MqttParams/0/Topic'],
    ['an unknown variable', mqtt({ Topic: topic('NAME') }), '/MqttParams/0/Topic'],
    ['a variable in lower case', mqtt({ Topic: topic('deveui') }), '/MqttParams/0/Topic'],
    ['a variable without an end', mqtt({ Topic: 'up/${DEVEUI' }), '/MqttParams/0/Topic'],
    ['FPORT in a client id', mqtt({ ClientId: topic('FPORT') }), '/MqttParams/0/ClientId'],
    [
      'an endpoint with a scheme',
      cloudA({ Endpoint: `https://${CLOUD_A.Endpoint}` }),
      '/CloudAParams/0/Endpoint',
    ],
    [
      'an endpoint with a port',
      cloudA({ Endpoint: `${CLOUD_A.Endpoint}:8883` }),
      '/CloudAParams/0/Endpoint',
    ],
    ['an endpoint without iot', cloudA({ Endpoint: 'a.b.c.d' }), '/CloudAParams/0/Endpoint'],
    [
      'a certificate that is none',
      cloudA({ x509Certificate: 'MIIB' }),
      '/CloudAParams/0/x509Certificate',
    ],
    ['a key that is none', cloudA({ PrivateKey: 'MIIB' }), '/CloudAParams/0/PrivateKey'],
    ['a hub with a scheme', cloudB({ Host: 'https://hub.b.example' }), '/CloudBParams/0/Host'],
    ['a hub with a port', cloudB({ Host: 'hub.b.example:443' }), '/CloudBParams/0/Host'],
    ['a hub without a domain', cloudB({ Host: 'hub' }), '/CloudBParams/0/Host'],
    [
      'no policy',
      cloudB({ SharedAccessPolicyName: undefined }),
      '/CloudBParams/0/SharedAccessPolicyName',
    ],
    ['no key of a hub', cloudB({ SharedAccessKey: undefined }), '/CloudBParams/0/SharedAccessKey'],
    ['no version of a hub', cloudB({ ApiVersion: undefined }), '/CloudBParams/0/ApiVersion'],
    ['a version that is no date', cloudB({ ApiVersion: '1' }), '/CloudBParams/0/ApiVersion'],
    ['a format of a webhook', cloudB({ OutputFormat: 'simple' }), '/CloudBParams/0/OutputFormat'],
  ])('%s', (_, targets, path) => {
    expect(refusal(targets).path).toBe(path);
  });

  it.each([
    rest({ URL: 'http://10.0.0.1:8080' }),
    rest({ URL: 'HTTPS://Example.com/a@b?token=1' }),
    rest({ URL: 'http://[::1]:9000/in' }),
    rest({ OutputFormat: 'extended', Environment: 'staging', Active: false }),
    rest({ TokenType: null, TokenValue: null, Environment: null, Active: null }),
    mqtt({ Host: '192.168.0.1:1883', Topic: 'plain', SSL: true, ClientId: topic('DEVEUI') }),
    mqtt({ Topic: topic('FPORT') }),
    cloudB({ OutputFormat: 'cloud_b' }),
  ])('and is not where it is right: %o', (targets) => {
    expect(make(service(), targets)).toMatch(/^[0-9A-Za-z]{8}$/);
  });
});

describe('outputProfile.replace: PUT', () => {
  const put = (us: Subscriber, Id: string, targets: object) =>
    us.try({ kind: 'outputProfile.replace', Id, outputProfile: { Name: 'out', ...targets } });

  it('replaces name and all arrays', () => {
    const us = service();
    const Id = make(us, ALL);
    const outputProfile = { Name: 'other', MqttParams: [BROKER] };
    expect(us.do({ kind: 'outputProfile.replace', Id, outputProfile })).toEqual({ Response: true });
    expect(get(us, Id)).toMatchObject({ Name: 'other', RestParams: [], CloudAParams: [] });
    expect(get(us, Id).MqttParams).toHaveLength(1);
  });

  it('keeps the DestinationId of an entry that it names, wherever that leads', () => {
    const us = service();
    const Id = make(us, { RestParams: [WEBHOOK, { ...WEBHOOK, URL: 'https://b.example/' }] });
    const [first, second] = get(us, Id).RestParams;
    put(us, Id, {
      RestParams: [
        { ...WEBHOOK, URL: 'https://c.example/', DestinationId: second!.DestinationId },
        { ...WEBHOOK, DestinationId: first!.DestinationId },
      ],
    });
    expect(get(us, Id).RestParams).toMatchObject([
      { URL: 'https://c.example/', DestinationId: second!.DestinationId },
      { URL: WEBHOOK.URL, DestinationId: first!.DestinationId },
    ]);
  });

  it('else keeps that of the first with its address, each once; what is new has a new one', () => {
    const us = service();
    const Id = make(us, { RestParams: [WEBHOOK, WEBHOOK] });
    const [first, second] = get(us, Id).RestParams.map((each) => each.DestinationId);
    put(us, Id, { RestParams: [{ ...WEBHOOK, URL: 'https://b.example/' }, WEBHOOK, WEBHOOK] });
    const after = get(us, Id).RestParams.map((each) => each.DestinationId);
    expect(after.slice(1)).toEqual([first, second]);
    expect([first, second]).not.toContain(after[0]);
    // What is gone for a while is another when it returns.
    put(us, Id, { MqttParams: [BROKER] });
    put(us, Id, { RestParams: [WEBHOOK] });
    expect([first, second, after[0]]).not.toContain(get(us, Id).RestParams[0]!.DestinationId);
  });

  it('refuses a DestinationId that no entry has, or that two have', () => {
    const us = service();
    const Id = make(us, { RestParams: [WEBHOOK] });
    const { DestinationId } = get(us, Id).RestParams[0]!;
    for (const [RestParams, at] of [
      [[{ ...WEBHOOK, DestinationId: 'nothing0' }], 0],
      [[WEBHOOK, { ...WEBHOOK, DestinationId }, { ...WEBHOOK, DestinationId }], 2],
    ] as const) {
      expect(failureOf(put(us, Id, { RestParams }))).toMatchObject({
        code: 'outputProfile.unknown-destination',
        path: `/RestParams/${at}/DestinationId`,
      });
    }
  });

  /** What is stored is seen in what is saved alone. */
  const secretsOf = (us: Subscriber) => {
    const [profile] = us.bench.platform.save().resources.outputProfile;
    return {
      token: profile!.RestParams[0]?.TokenValue,
      password: profile!.MqttParams[0]?.Password,
      key: profile!.CloudAParams[0]?.PrivateKey,
      hub: profile!.CloudBParams[0]?.SharedAccessKey,
    };
  };

  it('keeps a secret for which eight asterisks are given, and takes another', () => {
    const us = service();
    const Id = make(us, ALL);
    const { Name, ...response } = get(us, Id);
    expect(put(us, Id, response).ok).toBe(true);
    const secrets = secretsOf(us);
    expect(secrets).toEqual({
      token: 's3cret',
      password: 'pa55word',
      key: CLOUD_A.PrivateKey,
      hub: 'c2VjcmV0',
    });
    put(us, Id, { ...response, RestParams: [{ ...response.RestParams[0], TokenValue: 'n3w' }] });
    expect(secretsOf(us)).toEqual({ ...secrets, token: 'n3w' });
    put(us, Id, { ...response, RestParams: [WEBHOOK] });
    expect(secretsOf(us)).toEqual({ ...secrets, token: '' });
  });

  it('refuses asterisks where there is no secret, or one of another host', () => {
    const us = service();
    const Id = make(us, { RestParams: [{ ...ALL.RestParams[0] }] });
    const [stored] = get(us, Id).RestParams;
    const wrong = [
      { ...stored, URL: 'https://evil.example/in' },
      { ...stored, DestinationId: '', URL: 'https://evil.example/in' },
      { ...stored, Secret: '********' },
    ];
    for (const each of wrong) {
      expect(failureOf(put(us, Id, { RestParams: [each] })).code).toBe('outputProfile.secret');
    }
    expect(put(us, Id, { RestParams: [{ ...stored, URL: 'https://example.com/other' }] }).ok).toBe(
      true,
    );
    expect(refusal({ MqttParams: [{ ...BROKER, Password: '********' }] })).toMatchObject({
      code: 'outputProfile.secret',
      path: '/MqttParams/0/Password',
    });
  });
});

describe('beyond the rows, a profile', () => {
  it('is changed by PATCH in the arrays that are given alone', () => {
    const us = service();
    const Id = make(us, ALL);
    const before = get(us, Id);
    us.do({
      kind: 'outputProfile.update',
      Id,
      outputProfile: { RestParams: [], Name: 'patched' },
    });
    expect(get(us, Id)).toEqual({ ...before, Name: 'patched', RestParams: [] });
    const none = { RestParams: [], MqttParams: [], CloudAParams: [], CloudBParams: [] };
    expect(us.refused({ kind: 'outputProfile.update', Id, outputProfile: none })).toBe(
      'outputProfile.no-target',
    );
  });

  it('is deleted unless a device has it, or will by its type', () => {
    const us = service();
    const [devEui] = us.devices(1) as [string];
    const Id = make(us);
    const assign = (Devices: string[]) => us.do({ kind: 'outputProfile.assign', Id, Devices });
    assign([devEui]);
    expect(us.refused({ kind: 'outputProfile.delete', Id })).toBe('outputProfile.in-use');
    us.do({
      kind: 'endDevice.update',
      DevEUI: devEui,
      device: { RemoveOutputProfile: true },
    });
    const { DeviceProfiles } = us.ask({ kind: 'deviceProfile.list' });
    const preset = (OutputProfile: string) =>
      us.do({
        kind: 'deviceProfile.preset',
        Id: DeviceProfiles[0]!.Id,
        preset: { OutputProfile },
      });
    preset(Id);
    expect(us.refused({ kind: 'outputProfile.delete', Id })).toBe('outputProfile.in-use');
    preset('');
    expect(us.do({ kind: 'outputProfile.delete', Id })).toEqual({ Response: true });
    expect(us.refusedQuery({ kind: 'outputProfile.get', Id })).toBe('outputProfile.unknown');
  });
});

describe('outputProfile.assign and ownDevicesOnly: assigning a profile', () => {
  const profileOf = (us: Subscriber, DevEUI: string) =>
    us.ask({ kind: 'endDevice.get', DevEUI }).OutputProfile;

  it('has a result for each device in the order of the request, twice where asked twice', () => {
    const [ann, bob] = annAndBob();
    const [first, second] = ann.devices(2) as [string, string];
    const [his] = bob.devices(1) as [string];
    const Id = make(ann);
    const Devices = [second, his, first.toLowerCase(), 'nonsense', second, ''];
    const { Responses } = ann.do({ kind: 'outputProfile.assign', Id, Devices });
    expect(Responses.map(({ DevEUI, Response }) => [DevEUI, Response])).toEqual([
      [second, true],
      [his, false],
      [first, true],
      ['NONSENSE', false],
      [second, true],
      ['', false],
    ]);
    expect(Responses.map((each) => each.Error !== '')).toEqual(
      Responses.map(({ Response }) => !Response),
    );
    expect([first, second].map((each) => profileOf(ann, each))).toEqual([Id, Id]);
    expect(profileOf(bob, his)).toBe('');
  });

  it('replaces the set by PUT: anyone who else had it has none', () => {
    const us = service();
    const [first, second, third] = us.devices(3) as [string, string, string];
    const [Id, other] = [make(us), make(us)];
    us.do({ kind: 'outputProfile.assign', Id, Devices: [first, second] });
    us.do({ kind: 'outputProfile.assign', Id: other, Devices: [third] });
    us.do({ kind: 'outputProfile.assignAll', Id, Devices: [second] });
    expect([first, second, third].map((each) => profileOf(us, each))).toEqual(['', Id, other]);
    us.do({ kind: 'outputProfile.assignAll', Id, Devices: [] });
    expect(profileOf(us, second)).toBe('');
  });

  it('replaces the set of those that have it by their type, too', () => {
    const us = service();
    const [first, second] = us.devices(2) as [string, string];
    const Id = make(us);
    const { DeviceProfile } = us.ask({ kind: 'endDevice.get', DevEUI: first });
    us.do({ kind: 'deviceProfile.preset', Id: DeviceProfile, preset: { OutputProfile: Id } });
    expect(profileOf(us, second)).toBe(Id);
    us.do({ kind: 'outputProfile.assignAll', Id, Devices: [first] });
    expect([first, second].map((each) => profileOf(us, each))).toEqual([Id, '']);
  });

  it('knows no profile that is not there', () => {
    const us = service();
    const assign = { kind: 'outputProfile.assign', Id: 'nothing0', Devices: [] } as const;
    expect(us.refused(assign)).toBe('outputProfile.unknown');
  });
});

testIsolation('outputProfile', (ann) => ({ Id: make(ann) }), {
  'outputProfile.create': () => ({ outputProfile: { Name: 'other', ...ALL } }),
  'outputProfile.list': () => ({}),
  'outputProfile.get': ({ Id }) => ({ Id }),
  'outputProfile.replace': ({ Id }) => ({ Id, outputProfile: { Name: 'other', ...ALL } }),
  'outputProfile.update': ({ Id }) => ({ Id, outputProfile: { Name: 'other' } }),
  'outputProfile.delete': ({ Id }) => ({ Id }),
  'outputProfile.assign': ({ Id }) => ({ Id, Devices: [] }),
  'outputProfile.assignAll': ({ Id }) => ({ Id, Devices: [] }),
});
