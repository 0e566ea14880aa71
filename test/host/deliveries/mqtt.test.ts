/** Messages to brokers: QoS 1, and delivered once they are acknowledged (decision 0067). */
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HOST_TIME } from '../../../api/host/clock/host-time.ts';
import { Egress } from '../../../api/host/deliveries/network/egress.ts';
import type { NetworkOptions } from '../../../api/host/deliveries/network/guarded-network.ts';
import { mqttSender } from '../../../api/host/deliveries/senders/mqtt.ts';
import type { Delivery, Sender } from '../../../api/host/deliveries/senders/sender.ts';
import type { MqttRoute } from '../../../core/delivery/targets/mqtt.ts';
import { type Broker, hasMosquitto, startBroker } from '../../support/mqtt-brokers.ts';
import { certificatesFrom, deliveryOf, needsOf } from '../../support/sending.ts';

const USERS = { ann: 'opensesame' };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function brokerOf(options: Parameters<typeof startBroker>[0] = { users: USERS }) {
  const broker = await startBroker(options);
  ends.push(() => broker.stop());
  return broker;
}

function senderOf(options: Partial<NetworkOptions> = {}): Sender<MqttRoute> {
  const sender = mqttSender(needsOf(options));
  ends.push(() => sender.close());
  return sender;
}

const routeTo = ({ port }: Pick<Broker, 'port'>, changes: Partial<MqttRoute> = {}): MqttRoute => ({
  kind: 'mqtt',
  host: `127.0.0.1:${port}`,
  ssl: false,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
  topic: 'meters/${DEVEUI}/${FPORT}',
  clientId: '',
  username: 'ann',
  password: USERS.ann,
  ...changes,
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: variables, as the service writes them.
const BY_DEVICE = { clientId: 'meter-${DEVEUI}' };
const NO_END = new AbortController().signal;
const eui = (n: number): string => n.toString(16).padStart(16, '0').toUpperCase();
const from = (n: number, changes: Partial<Delivery> = {}): Delivery =>
  deliveryOf({ id: `msg_${n}`, what: { kind: 'uplink', about: eui(n), fPort: 10 }, ...changes });

/** What waits at all waits for a tenth of a second. */
const HURRIED = { ...HOST_TIME, later: (act: () => void) => HOST_TIME.later(act, 100) };

const ACKNOWLEDGED = { answer: 'acknowledged' };
const UNSENT = { answer: 'connection refused', isUnsent: true };

describe.skipIf(!hasMosquitto())('a message to a broker', () => {
  it('is published under its topic once, and delivered when it is acknowledged', async () => {
    const broker = await brokerOf();
    const { heard, end } = await broker.listen('ann');
    ends.push(end);
    const sender = senderOf();
    const sent = await Promise.all(
      [1, 2, 3].map((n) => sender.send(from(n), routeTo(broker), NO_END)),
    );
    expect(sent).toMatchObject([ACKNOWLEDGED, ACKNOWLEDGED, ACKNOWLEDGED]);
    await expect.poll(() => heard.length).toBe(3);
    expect(heard.map(({ topic }) => topic).sort()).toEqual(
      [1, 2, 3].map((n) => `meters/${eui(n)}/10`),
    );
    expect(new Set(heard.map(({ payload }) => payload))).toEqual(new Set([from(1).body]));
    expect(await broker.connected()).toBe(2);
  });

  it('goes as the client that its device is, where the client id has a variable', async () => {
    const broker = await brokerOf();
    const sender = senderOf();
    for (const n of [1, 2, 1, 2, 3]) await sender.send(from(n), routeTo(broker, BY_DEVICE), NO_END);
    expect(await broker.connected()).toBe(3);
  });

  it('opens a hundred connections of a target at most: the one idle longest goes', async () => {
    const broker = await brokerOf();
    const sender = senderOf();
    const route = routeTo(broker, BY_DEVICE);
    for (let n = 0; n < 250; n += 10) {
      const ten = Array.from({ length: 10 }, (_, i) => sender.send(from(n + i), route, NO_END));
      expect((await Promise.all(ten)).map(({ answer }) => answer)).toEqual(
        Array(10).fill('acknowledged'),
      );
      // The broker hears somewhat later of those that have gone.
      const open = Math.min(100, n + 10);
      await expect.poll(() => broker.connected()).toBe(open);
    }
    // Those of the latest hundred are open still: nobody connects anew.
    const before = await broker.connections();
    await Promise.all([150, 200, 249].map((n) => sender.send(from(n), route, NO_END)));
    expect(await broker.connections()).toEqual(before);
  });

  it('shares no connection with another target; one that is forgotten has none', async () => {
    const broker = await brokerOf();
    const sender = senderOf();
    await sender.send(from(1, { target: '1' }), routeTo(broker), NO_END);
    await sender.send(from(1, { target: '2' }), routeTo(broker), NO_END);
    expect(await broker.connected()).toBe(2);
    await sender.forget('1');
    await expect.poll(() => broker.connected()).toBe(1);
    await sender.close();
    await expect.poll(() => broker.connected()).toBe(0);
  });

  it('is not sent while the broker is down, and is once it is back', async () => {
    const broker = await brokerOf();
    const sender = senderOf();
    expect(await sender.send(from(1), routeTo(broker), NO_END)).toMatchObject(ACKNOWLEDGED);
    await broker.kill();
    await expect
      .poll(() => sender.send(from(2), routeTo(broker), NO_END))
      .toMatchObject({ ...UNSENT, says: 'Nobody listens there.' });
    await broker.restart();
    expect(await sender.send(from(2), routeTo(broker), NO_END)).toMatchObject(ACKNOWLEDGED);
  });

  it('fails when the broker dies before it has acknowledged it', async () => {
    const broker = await brokerOf();
    const sender = senderOf();
    await sender.send(from(1), routeTo(broker), NO_END);
    broker.pause();
    const sent = sender.send(from(2), routeTo(broker), NO_END);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await broker.kill();
    expect(await sent).toMatchObject({ answer: 'connection failed' });
    expect((await sent).isUnsent).toBeUndefined();
  });

  it('is late when the broker says nothing, and its attempt ends when it is cut off', async () => {
    const broker = await brokerOf();
    const sender = senderOf({ time: HURRIED });
    broker.pause();
    ends.push(() => broker.wake());
    const sent = sender.send(from(1), routeTo(broker), NO_END);
    expect(['timeout', 'connection refused']).toContain((await sent).answer);
  });

  it.each([
    ['another password', { password: 'wrong' }, 'The broker does not authorise this client.'],
    ['no user', { username: '' }, 'The broker does not authorise this client.'],
  ])('is not sent with %s', async (_, changes, says) => {
    const broker = await brokerOf();
    const sent = await senderOf().send(from(1), routeTo(broker, changes), NO_END);
    expect(sent).toMatchObject({ ...UNSENT, says });
  });

  it('goes by a connection of its own once the password is another one', async () => {
    const broker = await brokerOf();
    const sender = senderOf();
    await sender.send(from(1), routeTo(broker), NO_END);
    const wrong = await sender.send(from(1), routeTo(broker, { password: 'old' }), NO_END);
    expect(wrong).toMatchObject(UNSENT);
    expect(await broker.connected()).toBe(0);
  });

  it('cannot be published under a topic that only subscribers have', async () => {
    const broker = await brokerOf();
    const sent = await senderOf().send(from(1), routeTo(broker, { topic: 'a/#' }), NO_END);
    expect(sent.answer).toBe('not possible');
  });

  it('goes over TLS to a broker whose authority is trusted, and to no other', async () => {
    const { key, cert, ca } = await certificatesFrom(new Date());
    const broker = await brokerOf({ users: USERS, tls: { key, cert } });
    const route = routeTo(broker, { ssl: true });
    expect(await senderOf({ ca: [ca] }).send(from(1), route, NO_END)).toMatchObject(ACKNOWLEDGED);
    const untrusted = await senderOf().send(from(1), route, NO_END);
    expect(untrusted).toMatchObject({ ...UNSENT, says: expect.stringContaining('not trusted') });
    const plain = await senderOf().send(from(1), routeTo(broker), NO_END);
    expect(plain).toMatchObject(UNSENT);
  });

  it('goes nowhere that it may not go', async () => {
    const broker = await brokerOf();
    const sender = senderOf({ egress: new Egress({ toOwnMachine: false, allowed: [] }) });
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
      const sent = await sender.send(
        from(1),
        routeTo(broker, { host: `${host}:${broker.port}` }),
        NO_END,
      );
      expect(sent.answer).toBe('address refused');
    }
    expect(await broker.connected()).toBe(0);
  });
});

describe('what is no broker', () => {
  it('is reported so', async () => {
    const server = createServer((socket) => socket.write('220 mail.example ESMTP\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close());
    const { port } = server.address() as { readonly port: number };
    const sent = await senderOf({ time: HURRIED }).send(from(1), routeTo({ port }), NO_END);
    expect(sent).toMatchObject(UNSENT);
  });
});
