/** Redis or Valkey as an engine: the queue by BullMQ, all else as keys beside it. */
import { type IQueueBackend, type Processor, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { EngineRefused, type RedisAddress } from './address.ts';
import {
  type Engine,
  type EngineQueue,
  type EngineWorker,
  GONE_AFTER_S,
  type Say,
  STORED_S,
  type TakingOptions,
} from './engine.ts';
import { whyNot } from './why-not.ts';

/** Prefix of all keys; a Redis user may be restricted to it (bull: is BullMQ's own). */
const PREFIX = 'bull:fleetwave-';
const WORKERS = `${PREFIX}workers`;
const RETRY_MAX_MS = 2000;

export class RedisEngine implements Engine {
  readonly said: string;
  readonly #redis: Redis;

  private constructor(redis: Redis, said: string) {
    this.#redis = redis;
    this.said = said;
  }

  static async at({ options, said }: RedisAddress, say: Say): Promise<RedisEngine> {
    await refuseWrong({ kind: 'redis', options, said });
    const redis = new Redis({
      ...options,
      // What is asked during an outage is answered after it.
      maxRetriesPerRequest: null,
      retryStrategy: (tries) => Math.min(RETRY_MAX_MS, 50 * tries),
    });
    let isAway = false;
    redis.on('error', () => undefined);
    redis.on('close', () => {
      if (!isAway && redis.status !== 'end') say(`${said} has gone away: waiting until it is back`);
      isAway = true;
    });
    redis.on('ready', () => {
      if (isAway) say(`${said} is back`);
      isAway = false;
    });
    return new RedisEngine(redis, said);
  }

  isThere(): boolean {
    return this.#redis.status === 'ready';
  }

  isNews(): boolean {
    return this.isThere();
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
  }

  queue<Data>(name: string): EngineQueue<Data> {
    return new Queue<Data, unknown, string, Data, unknown, string>(name, {
      connection: this.#redis,
    }) as unknown as EngineQueue<Data>;
  }

  worker<Data>(
    name: string,
    act: Processor<Data, unknown, string>,
    options: TakingOptions,
  ): EngineWorker<Data> {
    const worker = new Worker<Data, unknown>(name, act, { ...options, connection: this.#redis });
    return worker as unknown as Worker<Data, unknown, string, IQueueBackend>;
  }

  async known(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const asked = this.#redis.pipeline();
    for (const id of ids) asked.exists(`bull:${queue}:${id}`);
    const answers = (await asked.exec()) ?? [];
    return new Set(ids.filter((_, at) => answers[at]?.[1] === 1));
  }

  async keep(name: string, text: string): Promise<void> {
    const key = PREFIX + name;
    if ((await this.#redis.expire(key, STORED_S)) === 1) return;
    await this.#redis.set(key, text, 'EX', STORED_S);
  }

  async store(name: string): Promise<string | undefined> {
    return (await this.#redis.get(PREFIX + name)) ?? undefined;
  }

  async forget(name: string): Promise<void> {
    await this.#redis.del(PREFIX + name);
  }

  async append(list: string, text: string): Promise<void> {
    const key = PREFIX + list;
    await this.#redis.multi().rpush(key, text).expire(key, STORED_S).exec();
  }

  first(list: string, most: number): Promise<string[]> {
    return this.#redis.lrange(PREFIX + list, 0, most - 1);
  }

  async drop(list: string, text: string): Promise<void> {
    await this.#redis.lrem(PREFIX + list, 1, text);
  }

  count(list: string): Promise<number> {
    return this.#redis.llen(PREFIX + list);
  }

  async sayThere(words: string): Promise<void> {
    await this.#redis.zadd(WORKERS, await this.#nowS(), words);
  }

  async sayGone(words: string): Promise<void> {
    await this.#redis.zrem(WORKERS, words);
  }

  async there(): Promise<string[]> {
    const since = (await this.#nowS()) - GONE_AFTER_S;
    await this.#redis.zremrangebyscore(WORKERS, 0, since);
    return this.#redis.zrangebyscore(WORKERS, since, '+inf');
  }

  async #nowS(): Promise<number> {
    const [seconds] = await this.#redis.time();
    return Number(seconds);
  }
}

/** Errors at the start are reported at once, without retries. */
async function refuseWrong({ options, said }: RedisAddress): Promise<void> {
  const probe = new Redis({
    ...options,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  const heard: Error[] = [];
  probe.on('error', (error) => heard.push(error));
  try {
    await probe.connect();
    // The only place that reports it.
    await probe.select(options.db ?? 0);
    await refusePolicy(probe, said);
  } catch (error) {
    if (error instanceof EngineRefused) throw error;
    const why = whyNot(heard[0] ?? error, OF_REDIS, 'it does not answer as Redis does');
    throw new EngineRefused(`${said}: ${why}`);
  } finally {
    probe.disconnect();
  }
}

/** A server that makes room by forgetting would forget chunks. */
async function refusePolicy(probe: Redis, said: string): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await probe.info('memory'))?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  throw new EngineRefused(
    `${said}: its maxmemory-policy is ${policy}, by which it may forget work; ` +
      'allowed: noeviction (redis-cli config set maxmemory-policy noeviction)',
  );
}

const OF_REDIS: readonly (readonly [RegExp, string])[] = [
  [/WRONGPASS|invalid password|invalid username/i, 'user or password is wrong'],
  [/NOAUTH/, 'it asks for a password: redis://user:password@host'],
  [/NOPERM/, 'this user may not do what a study needs: keys bull:fleetwave-*, and info'],
  [/DB index is out of range/, 'it has no database of that number'],
];
