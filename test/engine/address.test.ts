/** api/engine: an address that is wrong is reported at once, and no password with it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAddress } from '../../api/engine/address.ts';
import { engineAt } from '../../api/engine/engine-at.ts';
import { freePort } from '../support/free-port.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres-servers.ts';
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
    [
      'postgres://one/studies',
      { host: 'one', port: 5432, database: 'studies', ssl: false },
      'postgres://one:5432/studies',
    ],
    [
      'postgresql://meter:p%40s%s@one:7000/studies?sslmode=require',
      {
        port: 7000,
        user: 'meter',
        password: 'p%40s%s',
        ssl: { servername: 'one' },
      },
      'postgres://one:7000/studies',
    ],
  ])('%s is read', (word, options, said) => {
    expect(readAddress(word)).toMatchObject({ options, said });
  });

  it.each([
    '',
    'one:6379',
    'http://one',
    'redis://',
    'redis://one/db',
    'redis://one/0?x=1',
    'postgres://one',
    'postgres:///studies',
    'postgres://one/studies/more',
    'postgres://one/studies?sslmode=prefer',
  ])('"%s" is none', (word) => {
    expect(() => readAddress(word)).toThrow(
      /^--engine ".*" is not right; allowed: redis:\/\/user:password@host:port\/0, /,
    );
  });

  it('is reported without its password', () => {
    expect(() => readAddress('http://meter:secret@one')).not.toThrow('secret');
  });
});

describe.skipIf(!hasRedis())('an engine', () => {
  let redis: RedisServer;
  let closed: RedisServer;
  let forgetful: RedisServer;
  const connecting = (url: string) => engineAt(url, () => undefined);

  beforeAll(async () => {
    redis = await startRedis();
    closed = await startRedis([], 'the right one');
    forgetful = await startRedis(['--maxmemory-policy', 'allkeys-lru']);
  });
  afterAll(async () => {
    for (const each of [redis, closed, forgetful]) await each.stop();
  });

  it('that is not there is reported', async () => {
    const port = await freePort();
    await expect(connecting(`redis://127.0.0.1:${port}`)).rejects.toThrow(
      `redis://127.0.0.1:${port}: nobody listens there`,
    );
    await expect(connecting('redis://no-such-host.invalid')).rejects.toThrow(
      'redis://no-such-host.invalid:6379: there is no such host',
    );
  });

  it('that asks for a password, or for another one, is reported', async () => {
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

  it('that has no such database is reported', async () => {
    await expect(connecting(`${redis.url}/500`)).rejects.toThrow('has no database of that number');
  });

  it('that goes away is reported, and so is that it is back', async () => {
    const said: string[] = [];
    const asking = await engineAt(redis.url, (line) => said.push(line));
    await asking.keep('name', 'text');
    await redis.kill();
    const answer = asking.store('name');
    await redis.restart();
    expect(await answer).toBe('text');
    expect(said).toEqual([
      `${redis.url} has gone away: waiting until it is back`,
      `${redis.url} is back`,
    ]);
    await asking.close();
  });
});

describe.skipIf(!hasPostgres())('an engine on PostgreSQL', () => {
  let server: PostgresServer;
  const connecting = (url: string) => engineAt(url, () => undefined);
  const as = (user: string) => `postgres://${user}@127.0.0.1:${server.port}/postgres`;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('says once that it is young', async () => {
    const said: string[] = [];
    const engine = await engineAt(server.url, (line) => said.push(line));
    await engine.close();
    expect(said).toEqual([expect.stringMatching(/^PostgreSQL as an engine is young /)]);
  });

  it('that is not there, or has no such database, is reported', async () => {
    const port = await freePort();
    await expect(connecting(`postgres://127.0.0.1:${port}/studies`)).rejects.toThrow(
      `postgres://127.0.0.1:${port}/studies: nobody listens there`,
    );
    const none = server.url.replace(/postgres$/, 'none');
    await expect(connecting(none)).rejects.toThrow('/none: it has no database of that name');
  });

  it('that asks for another password, or lets a user do too little, is reported', async () => {
    await server.asked(`create role weak login; create role meter login password 'right'`);
    await expect(connecting(as('weak'))).rejects.toThrow('this user may not make tables there');
    await server.askForPasswords();
    const wrong = connecting(as('meter:wrong'));
    await expect(wrong).rejects.toThrow('/postgres: user or password is wrong');
    await expect(wrong).rejects.not.toThrow('meter:wrong');
    await expect(connecting(as('meter'))).rejects.toThrow('user or password is wrong');
  });

  it('that goes away is reported, and so is that it is back', async () => {
    const said: string[] = [];
    const asking = await engineAt(server.url, (line) => said.push(line));
    await asking.keep('name', 'text');
    // Some of these are on their way when it goes.
    const answers = Array.from({ length: 2000 }, () => asking.store('name'));
    await server.kill();
    answers.push(asking.store('name'));
    await server.restart();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['text']));
    const at = server.url.replace('postgres@', '');
    expect(said.slice(1)).toEqual([
      `${at} has gone away: waiting until it is back`,
      `${at} is back`,
    ]);
    await asking.close();
  });
});
