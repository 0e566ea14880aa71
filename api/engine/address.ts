/** Where an engine is: `redis://user:password@host:port/number`, or `rediss://` over TLS. */
import { isIP } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';

/** It is none, cannot be reached, or is not as a study needs it. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
}

const ALLOWED = 'redis://host:port, redis://user:password@host:port/0, or rediss:// over TLS';
const DEFAULT_PORT = 6379;
const CONNECT_MS = 10_000;
const RETRY_MAX_MS = 2000;
const DATABASES_MAX = 1_000_000;

export interface EngineAddress {
  readonly options: RedisOptions;
  /** Without its password. */
  readonly said: string;
}

export function readAddress(word: string): EngineAddress {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  const { protocol = '', hostname = '', pathname = '' } = url ?? {};
  const number = pathname.replace(/^\/+/, '');
  const isRight =
    url !== undefined &&
    (protocol === 'redis:' || protocol === 'rediss:') &&
    hostname !== '' &&
    /^\d{0,6}$/.test(number) &&
    Number(number) < DATABASES_MAX &&
    url.search === '';
  if (!isRight) {
    // A password may stand in it.
    const shown = word.replace(/\/\/[^@]*@/, '//…@').slice(0, 80);
    throw new EngineRefused(`--engine "${shown}" is not right; allowed: ${ALLOWED}`);
  }
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const options: RedisOptions = { host, port, db: Number(number), connectTimeout: CONNECT_MS };
  if (url.username !== '') options.username = decodeURIComponent(url.username);
  if (url.password !== '') options.password = decodeURIComponent(url.password);
  // The name of an address is no name for TLS.
  if (protocol === 'rediss:') options.tls = isIP(host) === 0 ? { servername: host } : {};
  return { options, said: `${protocol}//${hostname}:${port}` };
}

/** Told when it goes away, and when it is back. */
export type Say = (line: string) => void;

/** Connected, and looked at; it comes back by itself from then on. */
export async function connect({ options, said }: EngineAddress, say: Say): Promise<Redis> {
  await refuseWrong({ options, said });
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
  return redis;
}

/** What is wrong from the beginning on is told, and not waited for. */
async function refuseWrong({ options, said }: EngineAddress): Promise<void> {
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
    // Told here, and else nowhere.
    await probe.select(options.db ?? 0);
    await refusePolicy(probe, said);
  } catch (error) {
    if (error instanceof EngineRefused) throw error;
    throw new EngineRefused(`${said}: ${whyNot(heard[0] ?? error)}`);
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

const WHY: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nobody listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'there is no such host'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, 'it cannot be reached'],
  [/WRONGPASS|invalid password|invalid username/i, 'user or password is wrong'],
  [/NOAUTH/, 'it asks for a password: redis://user:password@host'],
  [/NOPERM/, 'this user may not do what a study needs: keys bull:fleetwave-*, and info'],
  [/DB index is out of range/, 'it has no database of that number'],
  [/certificate|self.signed|SSL|TLS|wrong version number/i, 'TLS fails'],
];

function whyNot(error: unknown): string {
  const { code = '', message } = error as Error & { readonly code?: string };
  const text = `${code} ${message}`.trim();
  const known = WHY.find(([pattern]) => pattern.test(text))?.[1];
  return known === undefined ? `it does not answer as Redis does: ${text}` : `${known} (${text})`;
}
