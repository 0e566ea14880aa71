/** Senders of every kind, and one that is new, connect by the egress rules or not at all. */
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { HOST_TIME } from '../../../api/host/clock/host-time.ts';
import { Egress } from '../../../api/host/deliveries/network/egress.ts';
import { GuardedNetwork } from '../../../api/host/deliveries/network/guarded-network.ts';
import type { Sender, SenderNeeds } from '../../../api/host/deliveries/senders/sender.ts';
import { sendersOf } from '../../../api/host/deliveries/senders/senders.ts';
import { CREDENTIAL_DATA } from '../../../core/delivery/credentials/rows.ts';
import {
  KINDS,
  type Route,
  TARGET_KINDS,
  type TargetKind,
} from '../../../core/delivery/targets/kinds.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { deliveryOf, namesOf, needsOf, selfSigned } from '../../support/sending.ts';

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

/** To a place, as a destination of the kind that has what its rows need. */
function routeAt(kind: TargetKind, at: string): Route {
  const { destination } = KINDS[kind];
  const [type] = destination.credentials;
  const credentials = type && { type, data: neededOf(CREDENTIAL_DATA[type]) };
  const place = destination.place === 'url' ? `http://${at}/` : at;
  const data = { ...neededOf(destination.rows), [destination.place]: place };
  return destination.route(data as never, credentials);
}

/** What rows need, and their defaults: keys are Base64, and what is PEM is that of a pair. */
function neededOf(rows: Fields): Readonly<Record<string, unknown>> {
  const textOf = (name: string) => PEM[name]?.() ?? 'YQ==';
  const values = Object.entries(rows).map(([name, { required, default: usual }]) => [
    name,
    required ? textOf(name) : usual,
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

const PEM: Readonly<Record<string, () => string>> = {
  certificate: () => pair.cert,
  private_key: () => pair.key,
};

async function answerOf(senders: Pick<Sender, 'send' | 'close'>, route: Route) {
  const { answer } = await senders.send(deliveryOf(), route, NO_END);
  await senders.close();
  return answer;
}

describe.each(TARGET_KINDS)('a sender to %s', (kind) => {
  it.each(PLACES)('connects to no address that is forbidden: %s', async (host) => {
    const senders = sendersOf(needsOf({ egress: egressOf([]) }));
    expect(await answerOf(senders, routeAt(kind, `${host}:${port}`))).toBe('address refused');
    expect(connected).toBe(0);
  });

  it.each(PLACES)('connects to the same one where it is allowed: %s', async (host) => {
    const senders = sendersOf(needsOf({ egress: egressOf([host]) }));
    expect(await answerOf(senders, routeAt(kind, `${host}:${port}`))).not.toBe('address refused');
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
