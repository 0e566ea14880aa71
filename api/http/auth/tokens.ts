/**
 * Bearer tokens: JWTs of at most an hour (RFC 9068), signed with HMAC-SHA256. The algorithm is
 * ours, whatever a token says of itself.
 *
 * A token names client and user, and not what they may do: what it stands for changes with its
 * account, and ends with it and with each new secret.
 */
import { createSecretKey, hkdfSync, type KeyObject, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { isPermitted, PERMISSIONS, type Permission } from '../../../core/kit/permissions.ts';
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Account, Accounts, Identity } from '../../host/accounts.ts';
import { KEY_BYTES } from '../../host/secrets.ts';
import { Recent } from './recent.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'urn:fleetwave';
const AUDIENCE = 'urn:fleetwave:api';
const TYPE = 'at+jwt';
const REQUIRED = ['sub', 'client_id', 'generation', 'jti', 'iat', 'exp'];

/** An hour, in seconds. */
export const MOST_LIFETIME = 3600;

/** Characters of a token; ours have some 400, and at most 1 000 with every permission named. */
export const MOST_CHARACTERS = 4096;

/** ms that a token may seem to come from the future: a wall clock may be set back a little. */
const TOLERANCE = 5_000;

/** Verified tokens that are remembered. */
const MOST_KNOWN = 20_000;

export interface TokensOptions {
  readonly accounts: Accounts;
  /** 32 bytes; a key for signing is derived from it. */
  readonly key: Uint8Array;
  /** The clock that tokens expire by: ms since 1970. */
  readonly now: () => number;
  /** Seconds, 1 to 3600, which is the default. */
  readonly lifetime?: number | undefined;
}

/** What is to be given out. */
export interface Granted {
  readonly account: Account;
  /** Of a user, not of the application. */
  readonly isUser: boolean;
  /** A part of the account's permissions; absent: all of them. */
  readonly scope?: readonly Permission[] | undefined;
}

interface Known {
  /** The account as it was; another record stands in its place once it has changed. */
  readonly account: Account;
  readonly identity: Identity;
  readonly generation: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

export class Tokens {
  readonly #accounts: Accounts;
  readonly #now: () => number;
  /** Seconds. */
  readonly lifetime: number;
  readonly #key: KeyObject;
  readonly #keyId: string;
  readonly #known = new Recent<string, Known>(MOST_KNOWN);

  constructor({ accounts, key, now, lifetime = MOST_LIFETIME }: TokensOptions) {
    assert(lifetime >= 1 && lifetime <= MOST_LIFETIME, 'a token lives for 1 s to an hour');
    assert(key.length === KEY_BYTES, 'a server key has 32 bytes');
    this.#accounts = accounts;
    this.#now = now;
    this.lifetime = lifetime;
    this.#key = createSecretKey(derived(key, 'token signing', KEY_BYTES));
    this.#keyId = Buffer.from(derived(key, 'token key id', 9)).toString('base64url');
  }

  issue({ account, isUser, scope }: Granted): Promise<string> {
    const generation = this.#accounts.generationOf(account.clientId);
    assert(generation !== undefined, 'what a token is given out for has an account');
    const now = Math.floor(this.#now() / 1000);
    const claims = {
      client_id: account.clientId,
      generation,
      ...(scope && { scope: join(scope) }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: this.#keyId })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(isUser ? account.username : account.clientId)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + this.lifetime)
      .sign(this.#key);
  }

  /** Whom a token stands for if it was verified before, and its account is as it was. */
  known(token: string): Result<Identity> | undefined {
    const known = this.#known.get(token);
    if (known?.account !== this.#accounts.ofClient(known?.account.clientId ?? '')) return undefined;
    return known && this.#standing(known);
  }

  /** Whom a token stands for. Failures: `token.invalid`, `token.expired`. */
  async verify(token: string): Promise<Result<Identity>> {
    const before = this.known(token);
    if (before !== undefined) return before;
    if (token.length > MOST_CHARACTERS) return INVALID;
    const read = await this.#read(token);
    if (!read.ok) return read;
    const standing = this.#standing(read.value);
    if (standing.ok) this.#known.set(token, read.value);
    return standing;
  }

  /** What a token says that is ours, at whatever time. */
  async #read(token: string): Promise<Result<Known>> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#keyOf(kid), {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: REQUIRED,
        currentDate: new Date(this.#now()),
      });
      const { sub, client_id: clientId, generation, scope, iat, exp } = payload;
      const account = this.#accounts.ofClient(String(clientId));
      if (account === undefined || iat === undefined || exp === undefined) return INVALID;
      return ok({
        account,
        identity: identityOf(account, sub !== account.clientId, split(scope)),
        generation: String(generation),
        fromMs: iat * 1000,
        untilMs: exp * 1000,
      });
    } catch (error) {
      if (error instanceof errors.JWTExpired) return EXPIRED;
      if (error instanceof errors.JOSEError) return INVALID;
      throw error;
    }
  }

  #keyOf(kid: string | undefined): KeyObject {
    if (kid !== this.#keyId) throw new errors.JWKSNoMatchingKey();
    return this.#key;
  }

  /** Looked at each time: a token that is known expires as any other. */
  #standing({ account, identity, generation, fromMs, untilMs }: Known): Result<Identity> {
    const now = this.#now();
    if (now >= untilMs) return EXPIRED;
    const isTimely = fromMs <= now + TOLERANCE && untilMs - fromMs <= MOST_LIFETIME * 1000;
    const isCurrent = this.#accounts.generationOf(account.clientId) === generation;
    return isTimely && isCurrent ? ok(identity) : INVALID;
  }
}

const INVALID = fail('token.invalid', 'The token is not valid here.');
const EXPIRED = fail('token.expired', 'The token has expired.');

const derived = (key: Uint8Array, purpose: string, bytes: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', `fleetwave ${purpose}`, bytes));

const join = (scope: readonly Permission[]): string => scope.join(' ');

const split = (scope: unknown): readonly Permission[] | undefined =>
  typeof scope === 'string'
    ? PERMISSIONS.filter((each) => scope.split(' ').includes(each))
    : undefined;

/** A scope never adds to what the account has. */
function identityOf(
  { subscriber, clientId, username, permissions }: Account,
  isUser: boolean,
  scope: readonly Permission[] | undefined,
): Identity {
  const held = scope?.filter((each) => isPermitted(permissions, each)) ?? permissions;
  return { subscriber, clientId, permissions: held, ...(isUser && { user: username }) };
}
