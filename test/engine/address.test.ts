/** api/engine: an address that is wrong is told at once, and no password with it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, readAddress } from '../../api/engine/address.ts';
import { freePort } from '../support/free-port.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-servers.ts';

describe('the address of an engine', () => {
  it.each([
    ['redis://one', { host: 'one', port: 6379, db: 0 }, 'redis://one:6379'],
    [
      'redis://meter:p%40ss@one:7000/3',
      { host: 'one', port: 7000, db: 3, username: 'meter', password: 'p@ss' },
      'redis://one:7000',
    ],
    [
      'rediss://one',
      { host: 'one', port: 6379, db: 0, tls: { servername: 'one' } },
      'rediss://one:6379',
    ],
    ['redis://[::1]:7000', { host: '::1', port: 7000, db: 0 }, 'redis://[::1]:7000'],
  ])('%s is read', (word, options, said) => {
    expect(readAddress(word)).toMatchObject({ options, said });
  });

  it.each(['', 'one:6379', 'http://one', 'redis://', 'redis://one/db', 'redis://one/0?x=1'])(
    '"%s" is none',
    (word) => {
      expect(() => readAddress(word)).toThrow(
        /^--engine ".*" is not right; allowed: redis:\/\/host:port, /,
      );
    },
  );

  it('is told without its password', () => {
    expect(() => readAddress('http://meter:secret@one')).not.toThrow('secret');
  });
});

describe.skipIf(!hasRedis())('an engine', () => {
  let redis: RedisServer;
  let closed: RedisServer;
  let forgetful: RedisServer;
  const connecting = (url: string) => connect(readAddress(url), () => undefined);

  beforeAll(async () => {
    redis = await startRedis();
    closed = await startRedis([], 'the right one');
    forgetful = await startRedis(['--maxmemory-policy', 'allkeys-lru']);
  });
  afterAll(async () => {
    for (const each of [redis, closed, forgetful]) await each.stop();
  });

  it('that is not there is told', async () => {
    const port = await freePort();
    await expect(connecting(`redis://127.0.0.1:${port}`)).rejects.toThrow(
      `redis://127.0.0.1:${port}: nobody listens there`,
    );
    await expect(connecting('redis://no-such-host.invalid')).rejects.toThrow(
      'redis://no-such-host.invalid:6379: there is no such host',
    );
  });

  it('that asks for a password, or for another one, is told', async () => {
    const at = `127.0.0.1:${closed.port}`;
    await expect(connecting(`redis://${at}`)).rejects.toThrow(`${at}: it asks for a password`);
    const wrong = connecting(`redis://default:wrong@${at}`);
    await expect(wrong).rejects.toThrow(`${at}: user or password is wrong`);
    await expect(wrong).rejects.not.toThrow('default:wrong');
  });

  it('that forgets what it has no room for is refused, with what to do', async () => {
    await expect(connecting(forgetful.url)).rejects.toThrow(
      /its maxmemory-policy is allkeys-lru, .*allowed: noeviction \(redis-cli config set /,
    );
  });

  it('that has no such database is told', async () => {
    await expect(connecting(`${redis.url}/500`)).rejects.toThrow('has no database of that number');
  });

  it('that goes away is told, and so is that it is back', async () => {
    const said: string[] = [];
    const asking = await connect(readAddress(redis.url), (line) => said.push(line));
    await asking.ping();
    await redis.kill();
    const answer = asking.ping();
    await redis.restart();
    expect(await answer).toBe('PONG');
    expect(said).toEqual([
      `${redis.url} has gone away: waiting until it is back`,
      `${redis.url} is back`,
    ]);
    asking.disconnect();
  });
});
