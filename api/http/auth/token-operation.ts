/**
 * The token operation (RFC 6749 §3.2): what somebody proves becomes a bearer token. It knows no
 * HTTP but headers and a form.
 */
import type { Principal } from '../../../core/management/accounts/principal.ts';
import type { Accounts } from '../../host/accounts/accounts.ts';
import { type ClientCredentials, readClient } from './client-credentials.ts';
import type { Codes } from './codes.ts';
import { type Form, readForm, required } from './form.ts';
import { failureKey, type Limits } from './limits.ts';
import { type OAuthCode, oauthRefusal } from './oauth-refusal.ts';
import { readScope } from './scope.ts';
import type { Granted, Tokens } from './tokens.ts';

export interface TokenRequest {
  /** Every Authorization header. */
  readonly authorization: readonly string[];
  /** The parsed form; a list where a name stood twice. */
  readonly form: unknown;
}

/** RFC 6749 §5.1. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
}

export interface TokenOperationParts {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly codes: Codes;
  readonly limits: Limits;
}

type Grant = (form: Form, client: ClientCredentials | undefined) => Promise<Granted>;

export class TokenOperation {
  readonly #parts: TokenOperationParts;
  readonly #grants: ReadonlyMap<string, Grant>;

  constructor(parts: TokenOperationParts) {
    this.#parts = parts;
    this.#grants = new Map<string, Grant>([
      ['client_credentials', (form, client) => this.#ofClient(form, client)],
      ['password', (form, client) => this.#ofUser(form, client)],
      ['authorization_code', (form, client) => this.#ofCode(form, client)],
    ]);
  }

  /** Throws a `Refusal` in the words of RFC 6749 §5.2. */
  async answer({ authorization, form: parsed }: TokenRequest): Promise<TokenAnswer> {
    const form = readForm(parsed);
    const type = required(form, 'grant_type');
    const grant = this.#grants.get(type);
    if (grant === undefined) {
      const known = [...this.#grants.keys()].join(', ');
      throw oauthRefusal('unsupported_grant_type', `The grant types here are ${known}.`);
    }
    const granted = await grant(form, readClient(form, authorization));
    const { tokens } = this.#parts;
    const access_token = await tokens.issue(granted);
    return { access_token, token_type: 'Bearer', expires_in: tokens.lifetime };
  }

  /** RFC 6749 §4.4. */
  async #ofClient(form: Form, client: ClientCredentials | undefined): Promise<Granted> {
    const known = await this.#authenticated(client);
    return { bearer: { client: known }, scope: scopeOf(form, known) };
  }

  /**
   * RFC 6749 §4.3. A client need not authenticate, since those who test by hand have a name and a
   * password only; one that does has to be right, and the user has to be of its subscriber.
   */
  async #ofUser(form: Form, client: ClientCredentials | undefined): Promise<Granted> {
    const username = required(form, 'username');
    const password = required(form, 'password');
    const named = client && (await this.#named(client));
    const user = await this.userOf(username, password);
    if (named !== undefined && named.subscriber !== user.subscriber) {
      throw oauthRefusal('invalid_grant', 'The user is not of the subscriber of this client.');
    }
    const bearer = named === undefined ? { user } : { client: named, user };
    return { bearer, scope: scopeOf(form, user) };
  }

  /**
   * RFC 6749 §4.1.3 with RFC 7636 §4.5. Every client has a secret, so the verifier alone is not
   * enough. A code that is presented twice revokes the token that it was redeemed for (§4.1.2).
   */
  async #ofCode(form: Form, client: ClientCredentials | undefined): Promise<Granted> {
    const code = required(form, 'code');
    const redirectUri = required(form, 'redirect_uri');
    const verifier = required(form, 'code_verifier');
    const { name: clientId } = await this.#authenticated(client);
    const { codes, tokens } = this.#parts;
    const agreed = codes.redeem(code, { clientId, redirectUri, verifier });
    if (agreed === undefined) {
      const tokenId = codes.redeemedFor(code);
      if (tokenId !== undefined) tokens.revoke(tokenId);
      const message = 'The code is used up, too old, or made for another request.';
      throw oauthRefusal('invalid_grant', message);
    }
    const { user, scope, tokenId } = agreed;
    return { bearer: { client: agreed.client, user }, scope, tokenId };
  }

  /** The user; throws `slow_down`, and `invalid_grant` if name or password are wrong. */
  async userOf(username: string, password: string): Promise<Principal> {
    const { accounts } = this.#parts;
    const key = failureKey('user', username, accounts.ofUser(username) !== undefined);
    const check = () => accounts.authenticateUser(username, password);
    return await this.#unlessTooOften(key, check, 'invalid_grant', 'Name or password are wrong.');
  }

  /** The client that names itself, and is right if it says that it has a secret. */
  async #named(client: ClientCredentials | undefined): Promise<Principal> {
    if (client?.secret !== undefined) return await this.#authenticated(client);
    const known = client && this.#parts.accounts.ofClient(client.id);
    if (known === undefined) throw oauthRefusal('invalid_client', 'No such client is known.');
    return known;
  }

  async #authenticated(client: ClientCredentials | undefined): Promise<Principal> {
    const { accounts } = this.#parts;
    if (client?.secret === undefined) {
      throw oauthRefusal('invalid_client', 'Id and secret of the client are missing.');
    }
    const { id, secret } = client;
    const key = failureKey('client', id, accounts.ofClient(id) !== undefined);
    const check = () => accounts.authenticateClient(id, secret);
    return await this.#unlessTooOften(key, check, 'invalid_client', 'Id or secret are wrong.');
  }

  async #unlessTooOften(
    key: string,
    check: () => Principal | undefined | Promise<Principal | undefined>,
    otherwise: OAuthCode,
    message: string,
  ): Promise<Principal> {
    const attempt = await this.#parts.limits.attempt(key, check);
    if (attempt.tooOften !== undefined) {
      const wait = 'Too many tries have failed; wait and try again.';
      throw oauthRefusal('slow_down', wait, attempt.tooOften);
    }
    if (attempt.right === undefined) throw oauthRefusal(otherwise, message);
    return attempt.right;
  }
}

function scopeOf(form: Form, bearer: Principal): Granted['scope'] {
  const scope = readScope(form, bearer);
  if (!scope.ok) throw oauthRefusal('invalid_scope', scope.failure.message);
  return scope.value;
}
