/** Connections to receivers are bounded over all targets, however many there are. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Asked,
  HttpClient,
  type MostOpen,
} from '../../../api/host/deliveries/network/http-client.ts';
import { HttpReceiver } from '../../support/http-receivers.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { toOwnMachine } from '../../support/sending.ts';

let receiver: HttpReceiver;
let connections: HttpClient;
beforeEach(async () => {
  receiver = await HttpReceiver.open({ behaviour: 'accepts' });
});
afterEach(async () => {
  await connections.close();
  await receiver.close();
});

function open(mostOpen: MostOpen): void {
  connections = new HttpClient({
    egress: toOwnMachine(),
    time: new ManualTime(),
    ca: [],
    mostOpen,
  });
}

/** The number of requests of a target at a time. */
async function post(target: string, count = 1, end: Asked['end'] = 'receiver'): Promise<void> {
  const { signal } = new AbortController();
  const asked = { target, end, url: new URL(receiver.url()), headers: {}, body: '{}', signal };
  const answers = await Promise.all(Array.from({ length: count }, () => connections.post(asked)));
  for (const answer of answers) expect(answer).toMatchObject({ status: 204 });
}

describe('connections that stay open', () => {
  it('are those of the targets that were used last', async () => {
    open({ lines: 3, connections: 100 });
    for (const target of ['1', '2', '3', '1', '4', '5']) await post(target);
    await expect.poll(() => receiver.connected).toBe(3);
    const { connections: created } = receiver;
    await post('1');
    expect(receiver.connections).toBe(created);
    await post('2');
    expect(receiver.connections).toBe(created + 1);
  });

  it('are that many at most, however few targets they are of', async () => {
    open({ lines: 100, connections: 20 });
    for (const target of ['1', '2', '3', '4', '5', '6', '7']) {
      await post(target, 10);
      // What is underway comes on top of them.
      expect(receiver.connected).toBeLessThanOrEqual(30);
    }
    expect(receiver.seen).toHaveLength(70);
    expect(receiver.connected).toBeGreaterThan(0);
  });

  it('count no more once they are closed', async () => {
    open({ lines: 100, connections: 10 });
    await post('1', 10);
    await connections.forget('1');
    await expect.poll(() => receiver.connected).toBe(0);
    for (const target of ['2', '3', '4']) await post(target);
    const { connections: created } = receiver;
    for (const target of ['2', '3', '4']) await post(target);
    expect(receiver.connections).toBe(created);
  });

  it('of a target and of its token server are two lines, and go with it', async () => {
    open({ lines: 10, connections: 100 });
    await post('1');
    await post('1', 1, 'token server');
    await post('2');
    await connections.forget('1');
    await expect.poll(() => receiver.connected).toBe(1);
  });
});
