/**
 * Authorization codes with PKCE (RFC 6749 §4.1, RFC 7636): good once, for a minute, for the client,
 * the redirect and the challenge that they were made for.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../../core/management/accounts/principal.ts';
import type { Permission } from '../../../core/rows/permissions.ts';
import { type DrawBytes, KEY_BYTES } from '../../host/accounts/secrets.ts';
import { Recent } from './recent.ts';

/** ms. */
const LIFETIME = 60_000;

/** Codes that wait, and those that were redeemed; the oldest goes when one more comes. */
const MOST_WAITING = 10_000;

/** BASE64URL of a SHA-256 (RFC 7636 §4.2). */
export const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** What somebody agreed to. */
export interface Agreed {
  readonly client: Principal;
  readonly user: Principal;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope?: readonly Permission[] | undefined;
}

/** What a code is redeemed with. */
export interface Redeemed {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** Of the secrets of a client and a user; another text once one of them is another or gone. */
export type GenerationsOf = (clientId: string, username: string) => string;

interface Waiting extends Agreed {
  readonly untilMs: number;
  /** Of the secrets of client and user, when the code was made. */
  readonly generations: string;
}

export class Codes {
  readonly #draw: DrawBytes;
  readonly #now: () => number;
  readonly #generationsOf: GenerationsOf;
  /**
   * By the SHA-256 of the code, so that the time of a look-up reveals nothing about similar codes.
   */
  readonly #waiting = new Map<string, Waiting>();
  /** Ids of tokens by the same, of codes that were redeemed. */
  readonly #redeemed = new Recent<string, string>(MOST_WAITING);

  /** `now`: wall time in ms; a person types meanwhile, whatever clock tokens expire by. */
  constructor(draw: DrawBytes, now: () => number, generationsOf: GenerationsOf) {
    this.#draw = draw;
    this.#now = now;
    this.#generationsOf = generationsOf;
  }

  make(agreed: Agreed): string {
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= MOST_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    const code = Buffer.from(this.#draw(KEY_BYTES)).toString('base64url');
    const generations = this.#generationsOf(agreed.client.name, agreed.user.name);
    this.#waiting.set(hash(code).toString('base64'), {
      ...agreed,
      untilMs: this.#now() + LIFETIME,
      generations,
    });
    return code;
  }

  /** What was agreed to, if all fits. A code that somebody tries is used up, right or wrong. */
  redeem(
    code: string,
    { clientId, redirectUri, verifier }: Redeemed,
  ): (Agreed & { readonly tokenId: string }) | undefined {
    const key = hash(code).toString('base64');
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (waiting === undefined || this.#now() >= waiting.untilMs) return undefined;
    const isFor =
      waiting.client.name === clientId &&
      waiting.redirectUri === redirectUri &&
      waiting.generations === this.#generationsOf(clientId, waiting.user.name);
    if (!isFor || !isVerified(verifier, waiting.challenge)) return undefined;
    const tokenId = randomUUID();
    this.#redeemed.set(key, tokenId);
    return { ...waiting, tokenId };
  }

  /** Id of the token that a code was redeemed for before; undefined: none is known. */
  redeemedFor(code: string): string | undefined {
    return this.#redeemed.get(hash(code).toString('base64'));
  }
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** S256, the one method there is here. */
const isVerified = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && timingSafeEqual(hash(verifier), Buffer.from(challenge, 'base64url'));
