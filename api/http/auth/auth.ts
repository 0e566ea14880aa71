/**
 * Authentication of HTTP requests: the OAuth operations as a fastify plugin, and the token check of
 * every other request.
 */
import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Guarded } from '../../host/accounts/account-operations.ts';
import type { Accounts, Identity } from '../../host/accounts/accounts.ts';
import type { DrawBytes } from '../../host/accounts/secrets.ts';
import { Refusal } from '../refusal.ts';
import { Authorization, type Page } from './authorization.ts';
import { authorizationOf, Bearer } from './bearer.ts';
import { Codes } from './codes.ts';
import { failureKey, Limits, type LimitsOptions } from './limits.ts';
import { oauthBody } from './oauth-refusal.ts';
import { AUTHORIZE_PATH, TOKEN_PATHS } from './security-schemes.ts';
import { TokenOperation } from './token-operation.ts';
import { Tokens } from './tokens.ts';

export interface AuthOptions {
  readonly accounts: Accounts;
  /** 32 bytes; tokens are void without it. */
  readonly key: Uint8Array;
  readonly draw: DrawBytes;
  /** The clock that tokens expire by, ms since 1970; wall time when absent. */
  readonly now?: (() => number) | undefined;
  /** Wall time in ms, by which codes expire; that of the machine when absent. */
  readonly wallNow?: (() => number) | undefined;
  /** Of a token, in seconds: 1 to 3600, which is the default. */
  readonly lifetime?: number | undefined;
  readonly limits: LimitsOptions;
  /** Pages of the emulator that take codes, such as the documentation's, as whole addresses. */
  readonly ownRedirects?: (() => readonly string[]) | undefined;
}

export interface Auth {
  /** Who asks, where nothing has to be waited for. Throws as `authenticate`. */
  readonly recognised: (request: FastifyRequest) => Identity | undefined;
  /** Who asks. Throws a `Refusal`: 400 (two tokens), 401 with `WWW-Authenticate`, 429. */
  readonly authenticate: (request: FastifyRequest) => Promise<Identity>;
  /** For what needs no token. Throws a `Refusal` with 429. */
  readonly admit: (request: FastifyRequest) => Promise<void>;
  /** Tries of passwords beside signing in; the same failures count. Throws a `Refusal` with 429. */
  readonly guarded: Guarded;
  /** Token operation and authorization endpoint; to be registered, with parsers of its own. */
  readonly routes: (app: FastifyInstance) => Promise<void>;
}

/** Of users, by name. */
const guardedBy =
  (limits: Limits): Guarded =>
  async (username, tried, isWrong) => {
    const outcomes: Awaited<ReturnType<typeof tried>>[] = [];
    const key = failureKey('user', username, true);
    const { tooOften } = await limits.attempt(key, async () => {
      const outcome = await tried();
      outcomes.push(outcome);
      return isWrong(outcome) ? undefined : true;
    });
    const [outcome] = outcomes;
    if (tooOften === undefined) return outcome!;
    const message = 'Too many tries have failed; wait and try again.';
    throw new Refusal(429, { code: 'request.too-many', message }, tooOften);
  };

/** Bytes of a form. */
const MOST_BYTES = 16_384;

export function makeAuth(options: AuthOptions): Auth {
  const { accounts, key, draw, lifetime } = options;
  const wallNow = options.wallNow ?? Date.now;
  const tokens = new Tokens({ accounts, key, now: options.now ?? wallNow, lifetime });
  const limits = new Limits(options.limits);
  const codes = new Codes(draw, wallNow, (clientId, username) => {
    const both = [accounts.ofClient(clientId), accounts.ofUser(username)];
    return both.map((each) => each && accounts.generationOf(each)).join('.');
  });
  const operation = new TokenOperation({ accounts, tokens, codes, limits });
  const ownRedirects = options.ownRedirects ?? (() => []);
  const authorization = new Authorization({ accounts, codes, operation, ownRedirects });
  const bearer = new Bearer(tokens, limits);
  const admit = (request: FastifyRequest) => bearer.admit(request);
  return {
    recognised: (request) => bearer.recognised(request),
    authenticate: (request) => bearer.authenticate(request),
    admit,
    guarded: guardedBy(limits),
    routes: async (app) => {
      app.removeAllContentTypeParsers();
      await app.register(formbody, { bodyLimit: MOST_BYTES });
      app.setErrorHandler(inWordsOfOAuth);
      app.addHook('onRequest', admit);
      for (const path of TOKEN_PATHS) addTokenRoute(app, path, operation);
      addAuthorizationRoutes(app, authorization);
    },
  };
}

/** The security schemes document them. */
const HIDDEN = { schema: { hide: true } };

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

function addTokenRoute(app: FastifyInstance, path: string, operation: TokenOperation): void {
  app.post(path, HIDDEN, async (request, reply) => {
    reply.headers(NO_STORE);
    const authorization = authorizationOf(request);
    return await operation.answer({ authorization, form: request.body });
  });
  refuseOthers(app, path, ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'POST');
}

function addAuthorizationRoutes(app: FastifyInstance, authorization: Authorization): void {
  const send = (reply: FastifyReply, { status, headers, body }: Page) =>
    reply.code(status).headers(headers).send(body);
  app.get(AUTHORIZE_PATH, HIDDEN, (request, reply) =>
    send(reply, authorization.ask(request.query)),
  );
  app.post(AUTHORIZE_PATH, HIDDEN, async (request, reply) =>
    send(reply, await authorization.decide(request.body)),
  );
  refuseOthers(app, AUTHORIZE_PATH, ['PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, HEAD, POST');
}

function refuseOthers(app: FastifyInstance, url: string, method: string[], allow: string): void {
  const message = `${url} takes ${allow} only.`;
  app.route({
    method,
    url,
    ...HIDDEN,
    handler: () => {
      throw new Refusal(405, { code: 'invalid_request', message }, { allow });
    },
  });
}

/** RFC 6749 §5.2. What fastify refuses is a request that is not of the form of one. */
function inWordsOfOAuth(
  error: FastifyError | Refusal,
  _request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = error instanceof Refusal ? error : refusalOf(error);
  return reply
    .code(refusal.status)
    .headers({ ...NO_STORE, ...refusal.headers })
    .send(oauthBody(refusal));
}

const WORDS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: `The body has more than ${MOST_BYTES} bytes.`,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body has to be application/x-www-form-urlencoded.',
};

/** Throws what is no fault of the caller. */
function refusalOf(error: FastifyError): Refusal {
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) throw error;
  const message = WORDS[error.code] ?? 'The request cannot be read.';
  return new Refusal(status === 413 ? 413 : 400, { code: 'invalid_request', message });
}
