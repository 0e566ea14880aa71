/** Redis on this machine, in a test's hands: it is killed, emptied, and comes back. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

/** Where Debian has them: either does. */
/** `FLEETWAVE_REDIS_SERVER` names another one. */
const PROGRAMS = [
  process.env.FLEETWAVE_REDIS_SERVER ?? '',
  '/usr/bin/redis-server',
  '/usr/bin/valkey-server',
];

const program = (): string | undefined => PROGRAMS.find((path) => existsSync(path));

export function hasRedis(): boolean {
  const has = program() !== undefined;
  if (!has) console.warn('!! There is no redis-server (Debian): engines are not tested !!');
  return has;
}

export class RedisServer {
  readonly port: number;
  readonly url: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'redis-'));
  readonly #words: readonly string[];
  readonly #password: string | undefined;
  #process: ChildProcess | undefined;

  constructor(port: number, words: readonly string[], password?: string) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.#words = password === undefined ? words : [...words, '--requirepass', password];
    this.#password = password;
  }

  /** It answers, on the same port and with what it had written. */
  async restart(): Promise<void> {
    const where = ['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.#folder];
    const stored = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
    this.#process = spawn(program()!, [...where, ...stored, ...this.#words], { stdio: 'ignore' });
    for (;;) {
      try {
        await this.asked((redis) => redis.ping());
        return;
      } catch {
        // Not yet.
        await sleep(20);
      }
    }
  }

  async asked<Answer>(ask: (redis: Redis) => Promise<Answer>): Promise<Answer> {
    const redis = new Redis(this.port, '127.0.0.1', {
      lazyConnect: true,
      retryStrategy: () => null,
      ...(this.#password === undefined ? {} : { password: this.#password }),
    });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await ask(redis);
    } finally {
      redis.disconnect();
    }
  }

  async empty(): Promise<void> {
    await this.asked((redis) => redis.flushall());
  }

  async kill(): Promise<void> {
    const killed = this.#process;
    if (killed === undefined) return;
    this.#process = undefined;
    const isOver = once(killed, 'exit');
    killed.kill('SIGKILL');
    await isOver;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** On a free port of the loopback address. */
export async function startRedis(
  words: readonly string[] = [],
  password?: string,
): Promise<RedisServer> {
  const server = new RedisServer(await freePort(), words, password);
  await server.restart();
  return server;
}
