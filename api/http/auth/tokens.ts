/**
 * Bearer tokens: JWTs of at most an hour (RFC 9068), signed with HMAC-SHA256. The algorithm is
 * ours, whatever a token says of itself.
 *
 * A token names client and user, and not what they may do: what it stands for changes with its
 * account, and ends with it and with each new secret.
 */
import { createSecretKey, hkdfSync, type KeyObject, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Principal } from '../../../core/management/accounts/principal.ts';
import { PERMISSIONS, type Permission } from '../../../core/rows/permissions.ts';
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Accounts, Identity } from '../../host/accounts/accounts.ts';
import { KEY_BYTES } from '../../host/accounts/secrets.ts';
import { Recent } from './recent.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'urn:fleetwave';
const AUDIENCE = 'urn:fleetwave:api';
const TYPE = 'at+jwt';
const REQUIRED = ['sub', 'client_id', 'generation', 'jti', 'iat', 'exp'];

/** An hour, in seconds. */
const MOST_LIFETIME = 3600;

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
  readonly bearer: Bearer;
  /** A part of the bearer's permissions; absent: all of them. */
  readonly scope?: readonly Permission[] | undefined;
  /** By which it can be revoked; drawn when absent. */
  readonly tokenId?: string | undefined;
}

/** A client for itself, a user by a client, or a user by himself. */
export type Bearer =
  | { readonly client: Principal; readonly user?: Principal | undefined }
  | { readonly client?: undefined; readonly user: Principal };

interface Known {
  readonly tokenId: string;
  /** As they were; others stand in their place once they have changed. */
  readonly bearer: Bearer;
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
  readonly #revoked = new Recent<string, true>(MOST_KNOWN);

  constructor({ accounts, key, now, lifetime = MOST_LIFETIME }: TokensOptions) {
    assert(lifetime >= 1 && lifetime <= MOST_LIFETIME, 'a token lives for 1 s to an hour');
    assert(key.length === KEY_BYTES, 'a server key has 32 bytes');
    this.#accounts = accounts;
    this.#now = now;
    this.lifetime = lifetime;
    this.#key = createSecretKey(derived(key, 'token signing', KEY_BYTES));
    this.#keyId = Buffer.from(derived(key, 'token key id', 9)).toString('base64url');
  }

  issue({ bearer, scope, tokenId = randomUUID() }: Granted): Promise<string> {
    const { client, user } = bearer;
    const now = Math.floor(this.#now() / 1000);
    const claims = {
      client_id: nameOf(client ?? user),
      generation: this.#generationOf(bearer),
      ...(scope && { scope: join(scope) }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: this.#keyId })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(nameOf(user ?? client))
      .setJti(tokenId)
      .setIssuedAt(now)
      .setExpirationTime(now + this.lifetime)
      .sign(this.#key);
  }

  /** A token is invalid from now on. The latest ones are remembered until the process ends. */
  revoke(tokenId: string): void {
    this.#revoked.set(tokenId, true);
  }

  /** Cached principal of a token; undefined: not verified before, or its bearer has changed. */
  known(token: string): Result<Identity> | undefined {
    const known = this.#known.get(token);
    if (known === undefined) return undefined;
    const { client, user } = known.bearer;
    const isSame =
      (client === undefined || this.#accounts.ofClient(client.name) === client) &&
      (user === undefined || this.#accounts.ofUser(user.name) === user);
    return isSame ? this.#standing(known) : undefined;
  }

  /** Principal of a token. Failures: `token.invalid`, `token.expired`. */
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
      const { sub, client_id: clientId, generation, scope, iat, exp, jti } = payload;
      const bearer = this.#bearerOf(String(sub), String(clientId));
      if (bearer === undefined || iat === undefined || exp === undefined) return INVALID;
      return ok({
        tokenId: String(jti),
        bearer,
        identity: identityOf(bearer, split(scope)),
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

  /** Who a token names, as they are now; undefined: one of them is gone, or never was. */
  #bearerOf(subject: string, clientId: string): Bearer | undefined {
    const [client, user] = [this.#accounts.ofClient(clientId), this.#accounts.ofUser(subject)];
    if (subject === clientId) {
      if (client !== undefined) return { client };
      return user && { user };
    }
    return client && user && { client, user };
  }

  /** Ends with each new secret of a client or a user. */
  #generationOf({ client, user }: Bearer): string {
    return [client, user].map((each) => each && this.#accounts.generationOf(each)).join('.');
  }

  #keyOf(kid: string | undefined): KeyObject {
    if (kid !== this.#keyId) throw new errors.JWKSNoMatchingKey();
    return this.#key;
  }

  /** Looked at each time: a token that is known expires as any other. */
  #standing({ tokenId, bearer, identity, generation, fromMs, untilMs }: Known): Result<Identity> {
    const now = this.#now();
    if (now >= untilMs) return EXPIRED;
    const isTimely = fromMs <= now + TOLERANCE && untilMs - fromMs <= MOST_LIFETIME * 1000;
    const isCurrent = this.#generationOf(bearer) === generation;
    const isRevoked = this.#revoked.get(tokenId) === true;
    return isTimely && isCurrent && !isRevoked ? ok(identity) : INVALID;
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

const nameOf = (principal: Principal | undefined): string => {
  assert(principal !== undefined, 'a token has a bearer');
  return principal.name;
};

/** A scope never adds to what the bearer has. */
function identityOf({ client, user }: Bearer, scope: readonly Permission[] | undefined): Identity {
  const { subscriber, id: as, permissions } = (user ?? client)!;
  // As everywhere, it is the user who asks unless another one is named.
  const who = user === undefined ? { as } : { user: user.name };
  const held = scope?.filter((each) => permissions.includes(each)) ?? permissions;
  const clientId = nameOf(client ?? user);
  return { subscriber, clientId, permissions: held, ...who };
}
