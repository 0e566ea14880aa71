/**
 * Connections to PostgreSQL that outlast an outage: what is asked meanwhile is asked again when the
 * server is back, as the client of Redis does by itself.
 */
import { setTimeout } from 'node:timers/promises';
import pg, { type PoolClient, type PoolConfig, type QueryResult, type QueryResultRow } from 'pg';
import type { Say } from './engine.ts';

/** Of one process: one listens for work. A server has room for a hundred, as a rule. */
const CONNECTIONS_MAX = 4;
const RETRY_MAX_MS = 2000;

/** What is not on the server's side: it is down, restarts, or has no connection left. */
const OUTAGE = new RegExp(
  '^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH' +
    '|08...|57P0[123]|53300)$',
);
const CUT = /Connection terminated|Client has encountered a connection error|timeout exceeded/;

export function isOutage(error: unknown): boolean {
  const { code = '', message = '' } = error as Error & { readonly code?: string };
  return OUTAGE.test(code) || CUT.test(message);
}

export class ReconnectingPool {
  /** BullMQ looks whether a connection that has died is noticed. */
  readonly options = { keepAlive: true };
  readonly #pool: pg.Pool;
  readonly #said: string;
  readonly #say: Say;
  #back: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: PoolConfig, said: string, say: Say) {
    this.#pool = new pg.Pool({ ...options, max: CONNECTIONS_MAX, keepAlive: true });
    this.#said = said;
    this.#say = say;
    this.#pool.on('error', (error) => this.#noticed(error));
  }

  get isThere(): boolean {
    return this.#back === undefined;
  }

  async query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    for (;;) {
      await this.#back;
      if (this.#isClosed) throw new Error('Connection terminated: this side has closed it');
      try {
        return await this.#pool.query<Row>(text, values && [...values]);
      } catch (error) {
        if (!this.#noticed(error)) throw error;
      }
    }
  }

  /** Not awaited: workers that wait for jobs reconnect by themselves. */
  async connect(): Promise<PoolClient> {
    try {
      const client = await this.#pool.connect();
      client.on('error', (error) => this.#noticed(error));
      return client;
    } catch (error) {
      this.#noticed(error);
      throw error;
    }
  }

  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'connect', listener: (client: PoolClient) => void): this;
  on(event: string, listener: (response: never) => void): this {
    this.#pool.on(event as 'error', listener as (error: Error) => void);
    return this;
  }

  removeAllListeners(event?: string): this {
    this.#pool.removeAllListeners(event as 'error');
    return this;
  }

  async end(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.end();
  }

  #noticed(error: unknown): boolean {
    if (!isOutage(error) || this.#isClosed) return false;
    this.#back ??= this.#untilBack();
    return true;
  }

  async #untilBack(): Promise<void> {
    this.#say(`${this.#said} has gone away: waiting until it is back`);
    for (let tries = 1; !this.#isClosed; tries++) {
      await setTimeout(Math.min(RETRY_MAX_MS, 50 * tries));
      if (await this.#answers()) break;
    }
    this.#back = undefined;
    if (!this.#isClosed) this.#say(`${this.#said} is back`);
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#pool.query('select 1');
      return true;
    } catch {
      return false;
    }
  }
}
