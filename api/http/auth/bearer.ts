/** Bearer tokens on requests (RFC 6750), and how often a client may ask. */
import type { FastifyRequest } from 'fastify';
import type { Failure } from '../../../sim/base/result.ts';
import type { Identity } from '../../host/accounts/accounts.ts';
import { Refusal } from '../refusal.ts';
import type { Limits, TooOften } from './limits.ts';
import type { Tokens } from './tokens.ts';

/** A scheme may be written in any case (RFC 9110 §11.1). */
const SCHEME = /^bearer(?: +|$)/i;
const REALM = 'Bearer realm="fleetwave"';

/** In a query a token would stand in logs and histories; RFC 6750 §2.3 advises against it. */
const TOKEN_IN_QUERY = /[?&]access_token=/i;

/** Every Authorization header; Node.js itself keeps the first one only. */
export function authorizationOf({ raw: { rawHeaders } }: FastifyRequest): string[] {
  const found: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const isIt = name.length === 13 && name.toLowerCase() === 'authorization';
    if (isIt) found.push(rawHeaders[i + 1] ?? '');
  }
  return found;
}

export class Bearer {
  readonly #tokens: Tokens;
  readonly #limits: Limits;

  constructor(tokens: Tokens, limits: Limits) {
    this.#tokens = tokens;
    this.#limits = limits;
  }

  /**
   * Who asks where that is known without waiting: by a token that was verified before, of a client
   * who may ask as often as he likes. Throws a `Refusal`: 400 or 401.
   */
  recognised(request: FastifyRequest): Identity | undefined {
    const known = this.#tokens.known(tokenOf(request));
    return known?.ok && !this.#limits.countsClient(known.value.clientId) ? known.value : undefined;
  }

  /** Who asks. Throws a `Refusal`: 400, 401 or 429. */
  async authenticate(request: FastifyRequest): Promise<Identity> {
    const token = tokenOf(request);
    const known = this.#tokens.known(token);
    // Unknown tokens are counted by address, since verifying any token costs CPU time.
    if (known === undefined) await this.admit(request);
    const verified = known ?? (await this.#tokens.verify(token));
    if (!verified.ok) throw unauthorized(verified.failure);
    const { clientId } = verified.value;
    if (known !== undefined) refuseIf(await this.#limits.request('client', clientId));
    return verified.value;
  }

  /** For what needs no token: throws a `Refusal` with 429 when an address asks too often. */
  async admit({ ip }: FastifyRequest): Promise<void> {
    refuseIf(await this.#limits.request('address', ip));
  }
}

function tokenOf(request: FastifyRequest): string {
  const [header, ...more] = authorizationOf(request);
  const isInQuery = TOKEN_IN_QUERY.test(request.url);
  if (more.length > 0 || (header !== undefined && isInQuery)) {
    const message = 'There is more than one token.';
    throw unauthorized({ code: 'token.repeated', message }, 400, 'invalid_request');
  }
  const [scheme] = SCHEME.exec(header ?? '') ?? [];
  if (scheme !== undefined) return header?.slice(scheme.length).trimEnd() ?? '';
  if (isInQuery) {
    const message = 'A token in the URL is not accepted; send it in the Authorization header.';
    throw unauthorized({ code: 'token.missing', message }, 401, 'invalid_request');
  }
  const message = 'The request needs an Authorization header with a Bearer token.';
  const headers = { 'www-authenticate': REALM };
  throw new Refusal(401, { code: 'token.missing', message }, headers);
}

/** RFC 6750 §3: the challenge says what is wrong with a token that there was. */
function unauthorized(failure: Failure, status = 401, error = 'invalid_token'): Refusal {
  const challenge = `${REALM}, error="${error}", error_description="${failure.message}"`;
  return new Refusal(status, failure, { 'www-authenticate': challenge });
}

function refuseIf(tooOften: TooOften | undefined): void {
  if (tooOften === undefined) return;
  const message = 'There were too many requests in this second.';
  throw new Refusal(429, { code: 'request.too-many', message }, tooOften);
}
