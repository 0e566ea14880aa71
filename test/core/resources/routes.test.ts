/** How targets are reached, as a host that delivers is reported: with secrets in clear. */
import { describe, expect, it } from 'vitest';
import { BROKER, CLOUD_A, CLOUD_B, WEBHOOK } from '../../support/targets.ts';
import { annAndBob, type Subscriber, service } from './service.ts';

const wayTo = ({ bench }: Subscriber, owner: string, target: string) =>
  bench.platform.resources.delivery.wayTo(owner, target);

/** Ways to the targets of a profile, in the order of its lists. */
function waysOf(us: Subscriber, targets: object) {
  const { Id } = us.do({
    kind: 'outputProfile.create',
    outputProfile: { Name: 'out', ...targets },
  });
  const { RestParams, MqttParams, CloudAParams, CloudBParams } = us.ask({
    kind: 'outputProfile.get',
    Id,
  });
  return [RestParams, MqttParams, CloudAParams, CloudBParams]
    .flat()
    .map(({ DestinationId }) => wayTo(us, us.by, DestinationId));
}

const destination = (us: Subscriber, type: string, data: object, more: object = {}): string =>
  us.do({ kind: 'destination.create', destination: { name: 'd', type, data, ...more } as never })
    .id;

const credentials = (us: Subscriber, type: string, data: object): { credentials_id: string } => {
  const given = { name: 'c', type, data } as never;
  return { credentials_id: us.do({ kind: 'credentials.create', credentials: given }).id };
};

describe('the way to a target of a profile', () => {
  it('of REST has its token as Authorization, and none without a value', () => {
    const token = { TokenType: 'Bearer', TokenValue: 's3cret' };
    const hook = { kind: 'webhook', url: WEBHOOK.URL, secret: '' };
    const ways = waysOf(service(), {
      RestParams: [
        { ...WEBHOOK, ...token, Secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
        { ...WEBHOOK, TokenValue: 'abc' },
        { ...WEBHOOK, TokenType: 'Bearer' },
        WEBHOOK,
      ],
    });
    const header = (value: string) => [{ header: 'Authorization', value }];
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(ways).toEqual([
      { enabled: true, route: { ...hook, headers: header('Bearer s3cret'), secret } },
      { enabled: true, route: { ...hook, headers: header('abc') } },
      { enabled: true, route: { ...hook, headers: [] } },
      { enabled: true, route: { ...hook, headers: [] } },
    ]);
  });

  it('of brokers and clouds has all that its entry has', () => {
    const ways = waysOf(service(), {
      MqttParams: [{ ...BROKER, SSL: true, ClientId: 'me' }, BROKER],
      CloudAParams: [CLOUD_A],
      CloudBParams: [CLOUD_B],
    });
    const broker = {
      kind: 'mqtt',
      host: BROKER.Host,
      topic: BROKER.Topic,
      username: 'us',
      password: 'pa55word',
    };
    expect(ways.map((way) => way?.route)).toEqual([
      { ...broker, ssl: true, clientId: 'me' },
      { ...broker, ssl: false, clientId: '' },
      {
        kind: 'cloudA',
        endpoint: CLOUD_A.Endpoint,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: so the service writes them.
        topic: 'devices/${DEVEUI}/uplinks',
        certificate: CLOUD_A.x509Certificate,
        privateKey: CLOUD_A.PrivateKey,
      },
      {
        kind: 'cloudB',
        host: CLOUD_B.Host,
        apiVersion: '2016-11-14',
        policyName: 'device',
        policyKey: 'c2VjcmV0',
      },
    ]);
  });
});

describe('the way to a destination', () => {
  const url = 'https://hooks.example.org/in';

  it('is known of an own one that there is, and of no other', () => {
    const [ann, bob] = annAndBob();
    const id = destination(ann, 'webhook', { url });
    expect(wayTo(ann, 'ann', id)).toEqual({
      enabled: true,
      route: { kind: 'webhook', url, headers: [], secret: '' },
    });
    expect(wayTo(bob, 'bob', id)).toBeUndefined();
    expect(wayTo(ann, 'ann', `${id}x`)).toBeUndefined();
    ann.do({ kind: 'destination.delete', destination_id: id });
    expect(wayTo(ann, 'ann', id)).toBeUndefined();
  });

  it('has its headers, and what its credentials add', () => {
    const us = service();
    const headers = [{ header: 'X-Site', value: 'north 1' }];
    const basic = credentials(us, 'basic_auth', { username: 'ann', password: 'opensesame' });
    const plain = wayTo(us, us.by, destination(us, 'webhook', { url, headers }))!.route;
    expect(plain).toMatchObject({ headers });
    const known = wayTo(us, us.by, destination(us, 'webhook', { url, headers }, basic))!.route;
    expect(known).toMatchObject({
      headers: [
        ...headers,
        {
          header: 'Authorization',
          value: `Basic ${Buffer.from('ann:opensesame').toString('base64')}`,
        },
      ],
    });
  });

  it('of a broker has the name and password of its credentials', () => {
    const us = service();
    const broker = { host: 'b.example.org:8883', topic: 'up', ssl: true, client_id: 'fleet' };
    const basic = credentials(us, 'basic_auth', { username: 'ann', password: 'opensesame' });
    expect(wayTo(us, us.by, destination(us, 'mqtt', broker, basic))?.route).toEqual({
      kind: 'mqtt',
      host: broker.host,
      topic: 'up',
      ssl: true,
      clientId: 'fleet',
      username: 'ann',
      password: 'opensesame',
    });
    expect(wayTo(us, us.by, destination(us, 'mqtt', broker))?.route).toMatchObject({
      username: '',
      password: '',
    });
  });
});
