/** An entry point with accounts, tokens and one path that needs a token: `GET /who`. */
import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import type { Accounts, Issued } from '../../api/host/accounts/accounts.ts';
import { drawBytes } from '../../api/host/accounts/secrets.ts';
import { type AuthOptions, makeAuth } from '../../api/http/auth/auth.ts';
import { Refusal } from '../../api/http/refusal.ts';
import { assert } from '../../sim/base/assert.ts';
import { type Added, KnownAccounts } from './known-accounts.ts';

/** Hands one text after the other to anyone who asks, as logs do. */
export class Lines {
  text = '';

  write(line: string): void {
    this.text += line;
  }
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export class AuthEntry {
  readonly app: FastifyInstance;
  readonly known = new KnownAccounts({ seed: 'knock' });
  readonly accounts: Accounts = this.known.accounts;
  readonly first: Issued = this.known.first;
  readonly key = this.known.key;
  readonly log = new Lines();

  constructor(options: Partial<AuthOptions> = {}) {
    const { key } = this;
    this.app = fastify({
      logger: { level: 'trace', stream: this.log },
      forceCloseConnections: true,
    });
    const limits = { requestsASecond: null };
    const auth = makeAuth({ accounts: this.accounts, key, draw: drawBytes, limits, ...options });
    this.app.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Refusal)) throw error;
      return reply.code(error.status).headers(error.headers).send(error.failure);
    });
    this.app.register(auth.routes);
    this.app.get('/who', (request) => auth.recognised(request) ?? auth.authenticate(request));
  }

  add(given: Parameters<KnownAccounts['add']>[0] = {}): Added {
    return this.known.add(given);
  }

  /** The token operation. */
  async ask(
    form: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
    url = '/oauth/token',
  ): Promise<LightMyRequestResponse> {
    const payload = typeof form === 'string' ? form : new URLSearchParams(form).toString();
    return await this.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { ...FORM, ...headers },
    });
  }

  /** A token of a client. */
  async tokenOf(who: Issued = this.first, more: object = {}): Promise<string> {
    const answer = await this.ask({ ...clientForm(who), ...more });
    assert(answer.statusCode === 200, 'a token is given out');
    return answer.json().access_token;
  }

  async who(authorization?: string, url = '/who'): Promise<LightMyRequestResponse> {
    const headers = authorization === undefined ? {} : { authorization };
    return await this.app.inject({ url, headers });
  }
}

export const clientForm = ({ clientId, clientSecret }: Issued) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret.reveal(),
});

export const passwordForm = ({ username, password }: Issued) => ({
  grant_type: 'password',
  username,
  password: password.reveal(),
});

/** HTTP Basic with id and secret form-encoded first (RFC 6749 §2.3.1). */
export const basic = (id: string, secret: string): string => {
  const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  const pair = `${encoded(id)}:${encoded(secret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
};

/** S256 (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');
