/** PostgreSQL as an engine: the queue by BullMQ in its own schema, all else in tables of ours. */
import {
  createPostgresBackend,
  type PostgresConnection,
  type Processor,
  Queue,
  runMigrations,
  Worker,
} from 'bullmq';
import { EngineRefused, type PostgresAddress } from './address.ts';
import {
  type Engine,
  type EngineQueue,
  type EngineWorker,
  GONE_AFTER_S,
  type Say,
  STORED_S,
  type TakingOptions,
} from './engine.ts';
import { isOutage, ReconnectingPool } from './reconnecting-pool.ts';
import { whyNot } from './why-not.ts';

/** Where BullMQ has its tables. */
const SCHEMA = 'bullmq';

/** Made in one transaction, which one process after another does. */
const TABLES = `
select pg_advisory_xact_lock(hashtext('fleetwave'));
create schema if not exists fleetwave;
create table if not exists fleetwave.text (
  name text primary key, text text not null, kept_until timestamptz not null);
create table if not exists fleetwave.line (
  place bigserial primary key, list text not null, text text not null,
  kept_until timestamptz not null);
create index if not exists line_by_list on fleetwave.line (list, place);
create table if not exists fleetwave.worker (
  words text primary key, said_at timestamptz not null);
delete from fleetwave.text where kept_until < now();
delete from fleetwave.line where kept_until < now();
`;

const YOUNG =
  'PostgreSQL as an engine is young (BullMQ has it since August 2026); ' +
  'Redis or Valkey is what has been in use for long';

export class PostgresEngine implements Engine {
  readonly said: string;
  readonly #pool: ReconnectingPool;

  private constructor(pool: ReconnectingPool, said: string) {
    this.#pool = pool;
    this.said = said;
  }

  static async at({ options, said }: PostgresAddress, say: Say): Promise<PostgresEngine> {
    const searched = { ...options, options: `-c search_path=${SCHEMA}` };
    const pool = new ReconnectingPool(searched, said, (line) => isReady && say(line));
    let isReady = false;
    try {
      await prepare(pool);
    } catch (error) {
      await pool.end();
      const why = whyNot(error, OF_POSTGRES, 'it does not answer as PostgreSQL does');
      throw new EngineRefused(`${said}: ${why}`);
    }
    isReady = true;
    say(YOUNG);
    return new PostgresEngine(pool, said);
  }

  isThere(): boolean {
    return this.#pool.isThere;
  }

  isNews(error: Error): boolean {
    return this.isThere() && !isOutage(error);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  queue<Data>(name: string): EngineQueue<Data> {
    const connection = asConnection(this.#pool);
    return new Queue(name, { connection }, createPostgresBackend) as unknown as EngineQueue<Data>;
  }

  worker<Data>(
    name: string,
    act: Processor<Data, unknown, string>,
    options: TakingOptions,
  ): EngineWorker<Data> {
    const own = { ...options, connection: asConnection(this.#pool) };
    return new Worker(name, act, own, createPostgresBackend) as unknown as EngineWorker<Data>;
  }

  async known(queue: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from ${SCHEMA}.job where queue = $1 and id = any($2)`,
      [queue, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async keep(name: string, text: string): Promise<void> {
    const stored = await this.#pool.query(
      'update fleetwave.text set kept_until = now() + $2 * interval $$1 s$$ where name = $1',
      [name, STORED_S],
    );
    if (stored.rowCount === 1) return;
    await this.#pool.query(
      'insert into fleetwave.text values ($1, $3, now() + $2 * interval $$1 s$$) ' +
        'on conflict (name) do nothing',
      [name, STORED_S, text],
    );
  }

  async store(name: string): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ text: string }>(
      'select text from fleetwave.text where name = $1 and kept_until > now()',
      [name],
    );
    return rows[0]?.text;
  }

  async forget(name: string): Promise<void> {
    await this.#pool.query('delete from fleetwave.text where name = $1', [name]);
  }

  async append(list: string, text: string): Promise<void> {
    await this.#pool.query(
      'insert into fleetwave.line (list, text, kept_until) ' +
        'values ($1, $3, now() + $2 * interval $$1 s$$)',
      [list, STORED_S, text],
    );
  }

  async first(list: string, most: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ text: string }>(
      'select text from fleetwave.line where list = $1 order by place limit $2',
      [list, most],
    );
    return rows.map(({ text }) => text);
  }

  async drop(list: string, text: string): Promise<void> {
    await this.#pool.query(
      'delete from fleetwave.line where place = (select place from fleetwave.line ' +
        'where list = $1 and text = $2 order by place limit 1)',
      [list, text],
    );
  }

  async count(list: string): Promise<number> {
    const { rows } = await this.#pool.query<{ count: string }>(
      'select count(*) from fleetwave.line where list = $1',
      [list],
    );
    return Number(rows[0]?.count ?? 0);
  }

  async sayThere(words: string): Promise<void> {
    await this.#pool.query(
      'insert into fleetwave.worker values ($1, now()) ' +
        'on conflict (words) do update set said_at = now()',
      [words],
    );
  }

  async sayGone(words: string): Promise<void> {
    await this.#pool.query('delete from fleetwave.worker where words = $1', [words]);
  }

  async there(): Promise<string[]> {
    const since = 'now() - $1 * interval $$1 s$$';
    await this.#pool.query(`delete from fleetwave.worker where said_at < ${since}`, [GONE_AFTER_S]);
    const { rows } = await this.#pool.query<{ words: string }>(
      'select words from fleetwave.worker order by words',
    );
    return rows.map(({ words }) => words);
  }
}

type Connection = ConstructorParameters<typeof PostgresConnection>[0];
const asConnection = (pool: ReconnectingPool): Connection => pool as unknown as Connection;

async function prepare(pool: ReconnectingPool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, SCHEMA);
    await client.query(TABLES);
  } finally {
    client.release();
  }
}

const OF_POSTGRES: readonly (readonly [RegExp, string])[] = [
  [/28P01|28000|SASL|password must be a string|no password/, 'user or password is wrong'],
  [/3D000/, 'it has no database of that name'],
  [/42501/, 'this user may not make tables there; a database of its own is what it needs'],
  [/57P0[123]/, 'it is starting up or shutting down'],
  [/53300/, 'it has no connection left (max_connections)'],
  [/does not support SSL/, 'it has no TLS'],
  [/requires BullMQ major version|requires server version/, 'versions do not go together'],
];
