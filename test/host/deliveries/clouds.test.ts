/** Messages to the two clouds: MQTT over TLS with a certificate, or a token (decision 0067). */
import { createHmac, createPrivateKey, webcrypto } from 'node:crypto';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { Aedes } from 'aedes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOST_TIME } from '../../../api/host/clock/host-time.ts';
import { cloudASender } from '../../../api/host/deliveries/senders/cloud-a.ts';
import { cloudBSender } from '../../../api/host/deliveries/senders/cloud-b.ts';
import type { CloudARoute } from '../../../core/delivery/targets/cloud-a.ts';
import type { CloudBRoute } from '../../../core/delivery/targets/cloud-b.ts';
import { certificatesFrom, deliveryOf, needsOf } from '../../support/sending.ts';

/** A cloud: who is let in is a test's to say. */
class Cloud {
  readonly heard: { topic: string; payload: string; clientId: string }[] = [];
  readonly logins: { clientId: string; username: string; password: string; device: string }[] = [];
  isLetIn: (login: Cloud['logins'][number]) => boolean = () => true;
  port = 0;
  ca = '';
  #server!: Server;
  #broker!: Aedes;

  async open(clientCa?: string): Promise<this> {
    const { key, cert, ca } = await certificatesFrom(new Date());
    this.ca = ca;
    this.#broker = await Aedes.createBroker({
      authenticate: (client, username, password, done) => {
        const socket = client.conn as unknown as TLSSocket;
        const device = socket.getPeerCertificate().subject?.CN ?? '';
        const login = {
          clientId: client.id,
          username: username ?? '',
          password: password?.toString() ?? '',
          device: String(device),
        };
        this.logins.push(login);
        done(null, this.isLetIn(login));
      },
    });
    this.#broker.on('publish', ({ topic, payload }, client) => {
      if (client !== null) {
        this.heard.push({ topic, payload: payload.toString(), clientId: client.id });
      }
    });
    const mutual = clientCa && { ca: clientCa, requestCert: true, rejectUnauthorized: true };
    this.#server = createServer({ key, cert, ...mutual }, (socket) => {
      socket.on('error', () => undefined);
      this.#broker.handle(socket);
    });
    this.#server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.port = (this.#server.address() as { readonly port: number }).port;
    return this;
  }

  get endpoint(): string {
    return `localhost:${this.port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#broker.close(() => resolve()));
    this.#server.close();
  }
}

const cloud = { current: new Cloud() };
beforeEach(() => {
  cloud.current = new Cloud();
});
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await cloud.current.close();
});

const NO_END = new AbortController().signal;
const DEVICE = '02E4E2517D000008';
const delivery = deliveryOf({ what: { kind: 'uplink', about: DEVICE, fPort: 7 } });

/** A certificate of a client, and who has issued it. */
async function clientCertificate(name: string) {
  const x509 = await import('@peculiar/x509');
  const kind = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(kind, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    keys,
    signingAlgorithm: kind,
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    certificate: cert.toString('pem'),
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

describe('a message to the cloud of certificates', () => {
  const routeOf = (identity: Pick<CloudARoute, 'certificate' | 'privateKey'>): CloudARoute => ({
    kind: 'cloudA',
    endpoint: 'prefix.iot.region.cloud.example',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
    topic: 'devices/${DEVEUI}/uplinks',
    ...identity,
  });
  const senderOf = () => {
    const { ca, endpoint } = cloud.current;
    const options = { ...needsOf({ ca: [ca] }), endpoint };
    const sender = cloudASender(options);
    ends.push(() => sender.close());
    return sender;
  };

  it('is accepted from the sender in its certificate, however its lines are written', async () => {
    const identity = await clientCertificate('fleet');
    await cloud.current.open(identity.certificate);
    const oneLine = {
      certificate: identity.certificate.replaceAll('\n', '\\n'),
      privateKey: identity.privateKey.replaceAll('\n', '\\n'),
    };
    for (const each of [identity, oneLine]) {
      const sent = await senderOf().send(delivery, routeOf(each), NO_END);
      expect(sent).toMatchObject({ answer: 'acknowledged' });
    }
    expect(cloud.current.logins.map(({ device }) => device)).toEqual(['fleet', 'fleet']);
    expect(cloud.current.heard[0]).toMatchObject({
      topic: `devices/${DEVICE}/uplinks`,
      payload: delivery.body,
    });
  });

  it('is not sent with the certificate of another', async () => {
    await cloud.current.open((await clientCertificate('fleet')).certificate);
    const other = await clientCertificate('other');
    const sent = await senderOf().send(delivery, routeOf(other), NO_END);
    expect(sent).toMatchObject({ answer: 'connection refused', isUnsent: true });
    expect(cloud.current.logins).toEqual([]);
  });

  it.each([
    ['no certificate', { certificate: '', privateKey: '' }, 'no certificate'],
    ['what is no certificate', { certificate: 'x', privateKey: 'y' }, 'no PEM'],
  ])('is not possible with %s', async (_, identity, says) => {
    await cloud.current.open();
    const sent = await senderOf().send(delivery, routeOf(identity), NO_END);
    expect(sent).toMatchObject({ answer: 'not possible', says: expect.stringContaining(says) });
  });

  it('is not possible with the key of another certificate', async () => {
    await cloud.current.open();
    const { certificate } = await clientCertificate('one');
    const { privateKey } = await clientCertificate('two');
    const sent = await senderOf().send(delivery, routeOf({ certificate, privateKey }), NO_END);
    expect(sent).toMatchObject({
      answer: 'not possible',
      says: expect.stringContaining('not that'),
    });
  });
});

describe('a message to the cloud of tokens', () => {
  const KEY = Buffer.from('a key of the policy').toString('base64');
  const route: CloudBRoute = {
    kind: 'cloudB',
    host: 'hub.cloud.example',
    apiVersion: '2016-11-14',
    policyName: 'device',
    policyKey: KEY,
  };
  const senderOf = (wallMs = () => Date.now()) => {
    const { ca, endpoint } = cloud.current;
    const time = { ...HOST_TIME, wallMs };
    const sender = cloudBSender({ ...needsOf({ time, ca: [ca] }), endpoint });
    ends.push(() => sender.close());
    return sender;
  };

  /** As a hub checks it: the resource and the end are what was signed, and the end is to come. */
  function isGood({ clientId, username, password }: Cloud['logins'][number], nowMs = Date.now()) {
    const fields = new URLSearchParams(password.replace('SharedAccessSignature ', ''));
    const signed = `${encodeURIComponent(fields.get('sr')!)}\n${fields.get('se')}`;
    const hmac = createHmac('sha256', Buffer.from(KEY, 'base64')).update(signed);
    return (
      username === `hub.cloud.example/${clientId}/?api-version=2016-11-14` &&
      fields.get('sr') === `hub.cloud.example/devices/${clientId}` &&
      fields.get('skn') === 'device' &&
      Number(fields.get('se')) * 1_000 > nowMs &&
      fields.get('sig') === hmac.digest('base64')
    );
  }

  it('is taken from its device, whose token the hub can check', async () => {
    await cloud.current.open();
    cloud.current.isLetIn = (login) => isGood(login);
    const sender = senderOf();
    for (let n = 0; n < 3; n++) {
      expect(await sender.send(delivery, route, NO_END)).toMatchObject({ answer: 'acknowledged' });
    }
    expect(cloud.current.logins).toHaveLength(1);
    expect(cloud.current.heard[0]).toEqual({
      topic: `devices/${DEVICE}/messages/events/`,
      payload: delivery.body,
      clientId: DEVICE,
    });
  });

  it('has a new token before the last one ends', async () => {
    await cloud.current.open();
    const now = { ms: Date.now() };
    cloud.current.isLetIn = (login) => isGood(login, now.ms);
    const sender = senderOf(() => now.ms);
    for (let minute = 0; minute <= 115; minute += 5) {
      expect(await sender.send(delivery, route, NO_END)).toMatchObject({ answer: 'acknowledged' });
      now.ms += 300_000;
    }
    const ends = cloud.current.logins.map(({ password }) => Number(/se=(\d+)/.exec(password)![1]));
    expect(ends).toHaveLength(3);
    expect(ends[1]! - ends[0]!).toBeLessThan(3_600);
  });

  it('is not sent with the key of another policy', async () => {
    await cloud.current.open();
    cloud.current.isLetIn = (login) => isGood(login);
    const policyKey = Buffer.from('another').toString('base64');
    const sent = await senderOf().send(delivery, { ...route, policyKey }, NO_END);
    expect(sent).toMatchObject({ answer: 'connection refused', isUnsent: true });
  });

  it.each([
    ['without a policy', { policyName: '', policyKey: '' }, 'no policy'],
    ['with a key that is no Base64', { policyKey: 'not base64!' }, 'no Base64'],
  ])('is not possible %s', async (_, changes, says) => {
    await cloud.current.open();
    const sent = await senderOf().send(delivery, { ...route, ...changes }, NO_END);
    expect(sent).toMatchObject({ answer: 'not possible', says: expect.stringContaining(says) });
  });
});
