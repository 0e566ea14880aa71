/** What is asked of worlds while they are restored, forked and ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Client, serve, serveWorlds, store } from '../support/world-client.ts';

serveWorlds();

/** Asks for groups, one a millisecond, until what is awaited is there; reports their statuses. */
async function addGroupsUntil(awaited: Promise<unknown>, client: Client) {
  const asked: Promise<number>[] = [];
  let isOver = false;
  const end = awaited.then(() => {
    isOver = true;
  });
  for (let at = 0; !isOver; at++) {
    asked.push(client.addGroup(`group ${at}`).then(({ status }) => status));
    await sleep(1);
  }
  await end;
  return Promise.all(asked);
}

describe('a world that is stored', () => {
  it('is the same at the next start though two restored it at once', async () => {
    const client = await serve(store());
    await client.ask('POST', '/sim/v1/snapshots', { name: 'here' });
    const restore = () => client.ask('POST', '/sim/v1/snapshots/here/restore');
    const both = Promise.all([restore(), restore()]);
    const statuses = await addGroupsUntil(both, client);
    expect((await both).map(({ status }) => status)).toEqual([200, 200]);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const before = await client.got('/sim/v1/world');
    await client.stop();
    expect(await (await serve(store())).got('/sim/v1/world')).toEqual(before);
  });
});

describe('a request that comes when its world is over', () => {
  const ENDS = {
    'was restored': (client: Client) => client.ask('POST', '/sim/v1/snapshots/here/restore'),
    'is a fork that was ended': (client: Client, path: string) => client.ask('DELETE', path),
  } as const;

  it.each(Object.entries(ENDS))('is answered where the world %s', async (_, end) => {
    const client = await serve();
    await client.ask('POST', '/sim/v1/snapshots', { name: 'here' });
    const { body: fork } = await client.ask('POST', '/sim/v1/worlds', {});
    const asked = [
      ['POST', '/sim/v1/clock:advance', { by: 60 }],
      ['PUT', '/sim/v1/clock', { paused: false, speed: 2 }],
    ] as const;
    const at = end === ENDS['was restored'] ? '' : fork.path;
    const late = await Promise.all(
      asked.map(([method, path, body]) => client.askSlowly(method, at + path, body)),
    );
    await end(client, fork.path);
    for (const { finish } of late) {
      const { status, body } = await finish();
      expect([status, body.code]).toEqual([503, 'world.stopped']);
    }
    expect((await client.got('/sim/v1/clock')).paused).toBe(true);
  });
});
