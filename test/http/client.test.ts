/** The typed client and its tokens. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connect, type FleetwaveClient, upload } from '../../api/client/client.ts';
import { type Emulator, startEmulator } from '../../api/emulator.ts';

let client: FleetwaveClient;
let emulator: Emulator | undefined;

afterEach(async () => {
  await client.close();
  await emulator?.stop();
  emulator = undefined;
});

const statusOf = ({ response }: { response: { status: number } }): number => response.status;

describe('a client', () => {
  it('continues with another token where its own has expired by virtual time', async () => {
    emulator = await startEmulator({ paused: true, http: true, tokenClock: 'virtual' });
    client = connect(emulator);
    for (const name of ['one.bin', 'two.bin']) {
      await client.POST('/sim/v1/clock:advance', { body: { by: 7_200 } });
      const image = upload(name, new Uint8Array(100_000));
      const both = [client.POST('/api/v3.2/images', image), client.GET('/api/v3.2/images')];
      expect((await Promise.all(both)).map(statusOf)).toEqual([201, 200]);
    }
    expect((await client.GET('/api/v3.2/images')).data?.length).toBe(2);
  });

  it('asks again for a token that it could not get', async () => {
    let isThere = false;
    const tokens = {
      true: { access_token: 'a', expires_in: 3_600 },
      false: { error: 'slow_down' },
    };
    const server = createServer(({ url = '' }, response) => {
      const answer = url === '/oauth/token' ? tokens[`${isThere}`] : [];
      response.writeHead(isThere ? 200 : 429, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    client = connect({ url: `http://127.0.0.1:${port}`, clientId: 'a', clientSecret: 'b' });
    await expect(client.GET('/api/v3.2/images')).rejects.toThrow('no token: slow_down');
    isThere = true;
    expect(statusOf(await client.GET('/api/v3.2/images'))).toBe(200);
    server.close();
  });
});
