/** Where an engine is: `redis://user:password@host:port/number` or `postgres://…/database`. */
import { isIP } from 'node:net';
import type { RedisOptions } from 'ioredis';
import type { PoolConfig } from 'pg';

/** It is none, cannot be reached, or is not as a study needs it. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
}

const ALLOWED =
  'redis://user:password@host:port/0, rediss:// over TLS, or ' +
  'postgres://user:password@host:port/database, with ?sslmode=require over TLS';
const CONNECT_MS = 10_000;
const DATABASES_MAX = 1_000_000;

interface Address {
  /** Without its password. */
  readonly said: string;
}

export interface RedisAddress extends Address {
  readonly kind: 'redis';
  readonly options: RedisOptions;
}

export interface PostgresAddress extends Address {
  readonly kind: 'postgres';
  readonly options: PoolConfig;
}

export type EngineAddress = RedisAddress | PostgresAddress;

export function readAddress(word: string): EngineAddress {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const address = url?.hostname ? (redisAt(url) ?? postgresAt(url)) : undefined;
  if (address !== undefined) return address;
  // A password may stand in it.
  const shown = word.replace(/\/\/[^@]*@/, '//…@').slice(0, 80);
  throw new EngineRefused(`--engine "${shown}" is not right; allowed: ${ALLOWED}`);
}

function redisAt(url: URL): RedisAddress | undefined {
  const { protocol, pathname } = url;
  const number = pathname.replace(/^\/+/, '');
  const isRight =
    (protocol === 'redis:' || protocol === 'rediss:') &&
    /^\d{0,6}$/.test(number) &&
    Number(number) < DATABASES_MAX &&
    url.search === '';
  if (!isRight) return undefined;
  const host = hostOf(url);
  const port = portOf(url, 6379);
  const options: RedisOptions = { host, port, db: Number(number), connectTimeout: CONNECT_MS };
  if (url.username !== '') options.username = worded(url.username);
  if (url.password !== '') options.password = worded(url.password);
  if (protocol === 'rediss:') options.tls = tlsTo(host);
  return { kind: 'redis', options, said: `${protocol}//${url.hostname}:${port}` };
}

function postgresAt(url: URL): PostgresAddress | undefined {
  const { protocol, pathname, search } = url;
  const database = /^\/([^/]+)$/.exec(pathname)?.[1];
  const overTls = /^\?sslmode=(require|verify-full)$/.test(search);
  const isRight =
    (protocol === 'postgres:' || protocol === 'postgresql:') &&
    database !== undefined &&
    (overTls || search === '' || search === '?sslmode=disable');
  if (!isRight) return undefined;
  const host = hostOf(url);
  const port = portOf(url, 5432);
  const options: PoolConfig = {
    host,
    port,
    database: worded(database),
    connectionTimeoutMillis: CONNECT_MS,
    // Its certificate is always checked: one that anybody may have made is none.
    ssl: overTls ? tlsTo(host) : false,
  };
  // What is not said is PGUSER and PGPASSWORD, as for all programs of PostgreSQL.
  if (url.username !== '') options.user = worded(url.username);
  if (url.password !== '') options.password = worded(url.password);
  return { kind: 'postgres', options, said: `postgres://${url.hostname}:${port}/${database}` };
}

/** A percent sign that stands for nothing stands for itself. */
function worded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
const portOf = ({ port }: URL, common: number): number => (port === '' ? common : Number(port));

/** The number of an address is no name for TLS. */
const tlsTo = (host: string) => (isIP(host) === 0 ? { servername: host } : {});
