/** Senders of every kind, and one that is new, connect by the egress rules or not at all. */
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { HOST_TIME } from '../../../api/host/clock/host-time.ts';
import { Egress } from '../../../api/host/deliveries/network/egress.ts';
import { GuardedNetwork } from '../../../api/host/deliveries/network/guarded-network.ts';
import { cloudASender } from '../../../api/host/deliveries/senders/cloud-a.ts';
import { cloudBSender } from '../../../api/host/deliveries/senders/cloud-b.ts';
import { mqttSender } from '../../../api/host/deliveries/senders/mqtt.ts';
import type { Sender, SenderNeeds } from '../../../api/host/deliveries/senders/sender.ts';
import { Senders } from '../../../api/host/deliveries/senders/senders.ts';
import { webhookSender } from '../../../api/host/deliveries/senders/webhook.ts';
import type { Route } from '../../../core/delivery/deliveries/route.ts';
import { deliveryOf, namesOf, needsOf, routeTo, selfSigned } from '../../support/sending.ts';

const NO_END = new AbortController().signal;
/** By an address, and by a name that leads to one. */
const PLACES = ['127.0.0.1', 'private.test'];

let listener: Server;
let connected = 0;
let port = 0;
let pair: Awaited<ReturnType<typeof selfSigned>>;
beforeAll(async () => {
  listener = createServer((socket) => {
    connected++;
    socket.on('error', () => undefined);
    socket.on('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as { readonly port: number }).port;
  pair = await selfSigned(new Date());
});
afterAll(() => void listener.close());
afterEach(() => {
  connected = 0;
});

const egressOf = (allowed: readonly string[], known = { 'private.test': [['127.0.0.1']] }) =>
  new Egress({ toOwnMachine: false, allowed, resolve: namesOf(known).resolve });

const sendersOf = (needs: SenderNeeds): Senders =>
  new Senders({
    webhook: webhookSender(needs),
    mqtt: mqttSender(needs),
    cloudA: cloudASender(needs),
    cloudB: cloudBSender(needs),
  });

/** To a place, by kind: a new kind does not compile without a row. */
const ROUTES: {
  readonly [Kind in Route['kind']]: (at: string) => Extract<Route, { kind: Kind }>;
} = {
  webhook: (at) => routeTo(`http://${at}/`),
  mqtt: (host) => ({
    kind: 'mqtt',
    host,
    ssl: false,
    topic: 'a',
    clientId: '',
    username: '',
    password: '',
  }),
  cloudA: (endpoint) => ({
    kind: 'cloudA',
    endpoint,
    topic: 'a',
    certificate: pair.cert,
    privateKey: pair.key,
  }),
  cloudB: (host) => ({
    kind: 'cloudB',
    host,
    apiVersion: '2020-09-30',
    policyName: 'device',
    policyKey: 'a2V5',
  }),
};

async function answerOf(senders: Pick<Sender, 'send' | 'close'>, route: Route) {
  const { answer } = await senders.send(deliveryOf(), route, NO_END);
  await senders.close();
  return answer;
}

describe.each(Object.entries(ROUTES))('a sender to %s', (_, routeAt) => {
  it.each(PLACES)('connects to no address that is forbidden: %s', async (host) => {
    const senders = sendersOf(needsOf({ egress: egressOf([]) }));
    expect(await answerOf(senders, routeAt(`${host}:${port}`))).toBe('address refused');
    expect(connected).toBe(0);
  });

  it.each(PLACES)('connects to the same one where it is allowed: %s', async (host) => {
    const senders = sendersOf(needsOf({ egress: egressOf([host]) }));
    expect(await answerOf(senders, routeAt(`${host}:${port}`))).not.toBe('address refused');
    expect(connected).toBeGreaterThan(0);
  });
});

describe('the network of senders', () => {
  const strict = () => new GuardedNetwork({ egress: egressOf([]), time: HOST_TIME, ca: [] });

  it.each(PLACES)('gives a new kind of sender no socket to %s', async (host) => {
    const { signal } = new AbortController();
    for (const tls of [undefined, {}]) {
      const place = { host, port, ...(tls && { tls }) };
      await expect(strict().connect(place, signal)).rejects.toMatchObject({
        code: 'ERR_ADDRESS_REFUSED',
      });
    }
    expect(connected).toBe(0);
  });

  it.each(PLACES)('sends no request of a new kind of sender to %s', async (host) => {
    const client = strict().httpClient();
    const url = new URL(`http://${host}:${port}/`);
    const asked = { target: '1', end: 'receiver', url, headers: {}, body: '' } as const;
    expect(await client.post({ ...asked, signal: NO_END })).toMatchObject({
      answer: 'address refused',
    });
    await client.close();
    expect(connected).toBe(0);
  });

  it('connects to the address that it has checked, whatever the name says next', async () => {
    // The first answer may be connected to, the next one may not, and nobody asks for it.
    const { resolve, asked } = namesOf({ 'moving.test': [['127.0.0.1'], ['10.0.0.1']] });
    const egress = new Egress({ toOwnMachine: true, allowed: [], resolve });
    const network = new GuardedNetwork({ egress, time: HOST_TIME, ca: [] });
    const socket = await network.connect({ host: 'moving.test', port }, NO_END);
    expect([socket.remoteAddress, asked.length]).toEqual(['127.0.0.1', 1]);
    socket.destroy();
  });

  it('is no plain object, which could connect to anything', () => {
    expectTypeOf<Pick<GuardedNetwork, keyof GuardedNetwork>>().not.toExtend<GuardedNetwork>();
    expectTypeOf<SenderNeeds['network']>().toEqualTypeOf<GuardedNetwork>();
  });
});
