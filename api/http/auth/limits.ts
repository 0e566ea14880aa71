/**
 * How often somebody may knock. Limits run on wall time, in windows that begin with the first try;
 * nothing of a world sees them.
 */
import { createHash } from 'node:crypto';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

export interface LimitsOptions {
  /** Failures of authentication in a minute, per client and per user; 5 when absent. */
  readonly failuresAMinute?: number | undefined;
  /** Requests in a second, per client; null: as many as come, as on loopback. */
  readonly requestsASecond: number | null;
  /** The same for a single client; undefined: for it holds what holds for all. */
  readonly requestsOf?: ((clientId: string) => number | null | undefined) | undefined;
}

/** Headers of a refusal with 429; absent: there is no refusal. */
export type TooOften = Readonly<Record<string, string>>;

/** What came of a check: what was right, nothing, or that it was not made. */
export type Attempt<T> =
  | { readonly right: T | undefined; readonly tooOften?: never }
  | { readonly tooOften: TooOften };

/** Undefined: what was presented is wrong. */
type Check<T> = () => T | undefined | Promise<T | undefined>;

/** Number of counters that unknown names share, so that guessing names fills no memory. */
const SHARED_COUNTERS = 65_536;

/**
 * The key that failures of a name are counted by: its own if somebody has it. Both ways cost the
 * same, so that time does not tell which it was.
 */
export function failureKey(of: 'client' | 'user', name: string, isKnown: boolean): string {
  const shared = createHash('sha256').update(name).digest().readUInt32BE(0) % SHARED_COUNTERS;
  return isKnown ? `${of} ${name}` : `any ${of} ${shared}`;
}

export class Limits {
  readonly #failures: RateLimiterMemory;
  readonly #requests: RateLimiterMemory;
  /** The latest check of each key that goes on. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #most: number | null;
  readonly #mostOf: NonNullable<LimitsOptions['requestsOf']>;

  constructor({ failuresAMinute = 5, requestsASecond, requestsOf }: LimitsOptions) {
    this.#failures = new RateLimiterMemory({ points: failuresAMinute, duration: 60 });
    this.#requests = new RateLimiterMemory({ points: requestsASecond ?? 1, duration: 1 });
    this.#most = requestsASecond;
    this.#mostOf = requestsOf ?? (() => undefined);
  }

  /**
   * Checks a secret, unless checks with this key have failed too often. Checks of one key run one
   * after the other, so that concurrent ones cannot exceed the limit.
   */
  async attempt<T>(key: string, check: Check<T>): Promise<Attempt<T>> {
    const turn = this.#attemptAfter(this.#turns.get(key), key, check);
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }

  async #attemptAfter<T>(
    before: Promise<unknown> | undefined,
    key: string,
    check: Check<T>,
  ): Promise<Attempt<T>> {
    await before;
    const { points } = this.#failures;
    const state = await this.#failures.get(key);
    if (state !== null && state.consumedPoints >= points && state.msBeforeNext > 0) {
      return { tooOften: headersOf(points, state) };
    }
    const right = await check();
    if (right === undefined) await this.#failures.penalty(key);
    return { right };
  }

  /** Whether requests of a client id are counted at all. */
  countsClient(clientId: string): boolean {
    return this.#mostFor('client', clientId) !== null;
  }

  /** Counts a request of a client id or of an address. */
  async request(of: 'client' | 'address', name: string): Promise<TooOften | undefined> {
    const most = this.#mostFor(of, name);
    if (most === null) return undefined;
    const state = await this.#requests.penalty(`${of} ${name}`);
    return state.consumedPoints > most ? headersOf(most, state) : undefined;
  }

  #mostFor(of: 'client' | 'address', name: string): number | null {
    const own = of === 'client' ? this.#mostOf(name) : undefined;
    return own === undefined ? this.#most : own;
  }
}

function headersOf(most: number, { msBeforeNext }: RateLimiterRes): TooOften {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return { 'retry-after': String(seconds), ...rateLimitHeaders(most, seconds) };
}

/** Of every 429: the fields of the HTTP working group's draft on rate limits. */
export const rateLimitHeaders = (most: number, seconds: number) => ({
  'ratelimit-limit': String(most),
  'ratelimit-remaining': '0',
  'ratelimit-reset': String(seconds),
});
