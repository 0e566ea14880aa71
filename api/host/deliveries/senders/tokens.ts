/**
 * Tokens that deliveries are made with: OAuth 2.0 client credentials (RFC 6749 §4.4). One is asked
 * for at a time for each target, and used until shortly before it expires.
 */
import type { TokenGrant } from '../../../../core/delivery/targets/webhook.ts';
import type { HostTime } from '../../clock/host-time.ts';
import type { Sent } from '../network/attempt-result.ts';
import type { HttpClient } from '../network/http-client.ts';
import { noAnswer } from '../network/request-errors.ts';
import { within } from './deadline.ts';
import { askForToken } from './token-request.ts';

export interface TokensOptions {
  readonly connections: HttpClient;
  readonly time: HostTime;
}

export interface Token {
  /** What stands behind `Bearer`. */
  readonly text: string;
  /** By the stopwatch, ms. */
  readonly usedUntilMs: number;
  /** The one before was not accepted, nor this one until now. */
  isDoubted: boolean;
}

/** What is known of a target. */
interface Holder {
  /** Another grant has other tokens. */
  readonly grant: string;
  token?: Token;
  asked?: Promise<Token | Sent>;
  /** Of the next token. */
  isDoubted: boolean;
}

/** Less than an attempt: there has to be time left to use it. */
const TOKEN_MS = 10_000;
/** It is not used in the last of its time, a tenth at most. */
const SPARED_MS = 30_000;

export class Tokens {
  readonly #options: TokensOptions;
  readonly #holders = new Map<string, Holder>();

  constructor(options: TokensOptions) {
    this.#options = options;
  }

  /** Or why there is none. */
  async for(target: string, grant: TokenGrant, signal: AbortSignal): Promise<Token | Sent> {
    const holder = this.#holderOf(target, grant);
    const { token } = holder;
    if (token !== undefined && this.#options.time.elapsedMs() < token.usedUntilMs) return token;
    holder.asked ??= this.#ask(target, grant, holder).finally(() => {
      delete holder.asked;
    });
    return await Promise.race([holder.asked, aborted(signal)]);
  }

  /** The receiver has accepted it. */
  accept(target: string, token: Token): void {
    const holder = this.#holders.get(target);
    if (holder?.token === token) holder.isDoubted = false;
    token.isDoubted = false;
  }

  /** It has not. Whether another one may fare better: one, and not a second at once. */
  refuse(target: string, token: Token): boolean {
    const holder = this.#holders.get(target);
    if (holder?.token === token) {
      delete holder.token;
      holder.isDoubted = true;
    }
    return !token.isDoubted;
  }

  forget(target: string): void {
    this.#holders.delete(target);
  }

  #holderOf(target: string, given: TokenGrant): Holder {
    const grant = JSON.stringify(given);
    const known = this.#holders.get(target);
    if (known?.grant === grant) return known;
    const holder: Holder = { grant, isDoubted: false };
    this.#holders.set(target, holder);
    return holder;
  }

  async #ask(target: string, grant: TokenGrant, holder: Holder): Promise<Token | Sent> {
    const { connections, time } = this.#options;
    const beganMs = time.elapsedMs();
    const granted = await within(TOKEN_MS, { time }, (signal) =>
      askForToken(connections, { target, grant, signal }),
    );
    if (!('token' in granted)) return granted;
    // One that says nothing of its end is used until it is not accepted.
    const { token: text, livesMs = Number.POSITIVE_INFINITY } = granted;
    const usedUntilMs = beganMs + livesMs - Math.min(SPARED_MS, livesMs / 10);
    holder.token = { text, usedUntilMs, isDoubted: holder.isDoubted };
    return holder.token;
  }
}

/** Outcome of an attempt that ends before it has a token. */
const aborted = (signal: AbortSignal): Promise<Sent> =>
  new Promise((resolve) => {
    const end = () => resolve(noAnswer(signal.reason));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
