/**
 * A first connection that the receiver closes while undici still loads its parser. A file of its
 * own: the parser is loaded once a process.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { HttpClient } from '../../../api/host/deliveries/network/http-client.ts';
import { HttpReceiver } from '../../support/http-receivers.ts';
import { ManualTime } from '../../support/manual-time.ts';
import { toOwnMachine } from '../../support/sending.ts';

it('A request whose connection is closed ends at its abort; the next is answered', async () => {
  const server = createServer((socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new HttpClient({ egress: toOwnMachine(), time: new ManualTime(), ca: [] });
  const post = (signal: AbortSignal) =>
    client.post({
      target: '1',
      end: 'receiver',
      url: new URL(`http://127.0.0.1:${port}/`),
      headers: {},
      body: '{}',
      signal,
    });
  expect(await post(AbortSignal.timeout(300))).toHaveProperty('answer', 'connection failed');

  server.close();
  const receiver = await HttpReceiver.open({ behaviour: 'accepts', port });
  expect(await post(AbortSignal.timeout(10_000))).toMatchObject({ status: 204 });
  await client.close();
  await receiver.close();
});
