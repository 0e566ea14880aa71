/** A token is asked for, with the credentials of a client (RFC 6749 §4.4). */

import { isHeaderValue } from '../../../../core/delivery/headers.ts';
import type { TokenGrant } from '../../../../core/delivery/targets/webhook.ts';
import type { Sent } from '../network/attempt-result.ts';
import type { Answered, HttpClient } from '../network/http-client.ts';
import { unanswered } from '../network/request-errors.ts';
import { headerOf, readable } from './response-text.ts';
import { httpUrl } from './urls.ts';

export interface TokenAsked {
  readonly target: string;
  readonly grant: TokenGrant;
  readonly signal: AbortSignal;
}

export interface Granted {
  readonly token: string;
  /** Absent: nothing was said of it. */
  readonly livesMs?: number;
}

/** Or why there is none. */
export async function askForToken(
  connections: HttpClient,
  { target, grant, signal }: TokenAsked,
): Promise<Granted | Sent> {
  const url = httpUrl(grant.tokenUrl);
  if (url === undefined) return unanswered('not possible', 'Its token URL is none of HTTP.');
  let posted: Answered | Sent | undefined;
  const post = async (_: string, { headers, body }: Form): Promise<Response> => {
    const form = String(body);
    posted = await connections.post({
      target,
      end: 'token server',
      url,
      headers,
      body: form,
      signal,
    });
    return responseOf(posted);
  };
  try {
    return await granted(url, grant, post);
  } catch (error) {
    return whyNone(posted, error as Error, grant);
  }
}

interface Form {
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
}

async function granted(
  url: URL,
  { clientId, clientSecret, scopes }: TokenGrant,
  post: (url: string, form: Form) => Promise<Response>,
): Promise<Granted> {
  const oauth = await import('oauth4webapi');
  const server = { issuer: url.origin, token_endpoint: url.href };
  const client = { client_id: clientId };
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    oauth.ClientSecretBasic(clientSecret),
    scopes.length === 0 ? {} : { scope: scopes.join(' ') },
    // Where the address is allowed, plain HTTP is.
    { [oauth.customFetch]: post, [oauth.allowInsecureRequests]: true },
  );
  const answered = await oauth.processClientCredentialsResponse(server, client, response);
  const { access_token: token, expires_in: livesS } = answered;
  if (!isHeaderValue(token)) throw new TypeError('its token is none that a header may have');
  return livesS === undefined ? { token } : { token, livesMs: livesS * 1_000 };
}

/** As `fetch` would answer it. */
function responseOf(posted: Answered | Sent): Response {
  if (!('status' in posted)) throw new TypeError(posted.says);
  const { status, text } = posted;
  const type = headerOf(posted, 'content-type');
  return new Response(text === '' ? null : text, { status, headers: { 'content-type': type } });
}

/** Nothing has gone to the receiver, so it counts as no attempt. */
function whyNone(posted: Answered | Sent | undefined, error: Error, grant: TokenGrant): Sent {
  if (posted !== undefined && 'answer' in posted) {
    if (posted.answer === 'address refused' || posted.answer === 'not possible') return posted;
    return noToken(`The token server: ${posted.says}`);
  }
  if (posted !== undefined && posted.status !== 200) {
    const { status, text } = posted;
    return noToken(readable(`The token server answers ${status}: ${text}`, [grant.clientSecret]));
  }
  return noToken(readable(`The token server answers what is no token: ${error.message}.`));
}

const noToken = (says: string): Sent => ({ ...unanswered('no token', says), isUnsent: true });
