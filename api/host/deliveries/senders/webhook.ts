/**
 * Sends to the URLs of receivers: POST with JSON, signed where the target has a secret (Standard
 * Webhooks), with a token where it has a grant. START HERE of what speaks HTTP.
 */

import { isHeaderValue, isSettable, redactedHeaders } from '../../../../core/delivery/headers.ts';
import type { WebhookRoute } from '../../../../core/delivery/targets/webhook.ts';
import { VERSION } from '../../../../reports/version.ts';
import type { HostTime } from '../../clock/host-time.ts';
import type { Sent } from '../network/attempt-result.ts';
import type { Answered, HttpClient } from '../network/http-client.ts';
import { ATTEMPT_S, unanswered } from '../network/request-errors.ts';
import { within } from './deadline.ts';
import { headerOf, readable } from './response-text.ts';
import { retryAfterS } from './retry-after.ts';
import type { Delivery, Sender, SenderNeeds } from './sender.ts';
import { standardWebhookHeaders } from './signature.ts';
import { type Token, Tokens } from './tokens.ts';
import { httpUrl } from './urls.ts';

export function webhookSender({ network, time }: SenderNeeds): Sender<WebhookRoute> {
  const connections = network.httpClient();
  const tokens = new Tokens({ connections, time });
  const means = { connections, tokens, time };
  return {
    send: (delivery, route, signal) =>
      within(ATTEMPT_S * 1_000, { time, signal }, (bounded) =>
        send(means, delivery, route, bounded),
      ),
    forget(target) {
      tokens.forget(target);
      return connections.forget(target);
    },
    close: () => connections.close(),
  };
}

interface Means {
  readonly connections: HttpClient;
  readonly tokens: Tokens;
  readonly time: HostTime;
}

const UNAUTHORIZED = 401;

async function send(
  { connections, tokens, time }: Means,
  delivery: Delivery,
  route: WebhookRoute,
  signal: AbortSignal,
): Promise<Sent> {
  const { target, body } = delivery;
  const url = httpUrl(route.url);
  if (url === undefined) return unanswered('not possible', 'It has no URL of HTTP.');
  const token = route.grant && (await tokens.for(target, route.grant, signal));
  if (token !== undefined && 'answer' in token) return token;
  const headers = headersOf(delivery, route, token, time.wallMs());
  const answered = await connections.post({ target, end: 'receiver', url, headers, body, signal });
  if (!('status' in answered)) return answered;
  const sent = sentOf(answered, secretsOf(route, token), time.wallMs());
  if (token === undefined) return sent;
  if (sent.answer !== UNAUTHORIZED) tokens.accept(target, token);
  else if (tokens.refuse(target, token)) return unanswered('no token', `401 ${sent.says}`.trim());
  return sent;
}

/** The user’s come before ours, but for what says who sent it. */
function headersOf(
  delivery: Delivery,
  { headers, secret }: WebhookRoute,
  token: Token | undefined,
  wallMs: number,
): Record<string, string> {
  const may = headers.filter(({ header, value }) => isSettable(header) && isHeaderValue(value));
  return {
    'content-type': 'application/json',
    'user-agent': `Fleetwave/${VERSION}`,
    ...Object.fromEntries(may.map(({ header, value }) => [header.toLowerCase(), value])),
    ...(token && { authorization: `Bearer ${token.text}` }),
    ...standardWebhookHeaders(delivery, secret, wallMs),
  };
}

/** What a receiver may echo, and is not to be read by who reads of the attempt. */
function secretsOf({ headers, secret }: WebhookRoute, token: Token | undefined): string[] {
  const redacted = redactedHeaders(headers);
  const hidden = headers.filter(({ value }, i) => redacted[i]!.value !== value);
  return [...hidden.map(({ value }) => value), secret, token?.text ?? ''];
}

function sentOf(answered: Answered, secrets: readonly string[], wallMs: number): Sent {
  const { status, text } = answered;
  const location = status >= 300 && status < 400 ? headerOf(answered, 'location') : '';
  const says = location === '' ? text : `Not followed: ${location}`;
  return {
    answer: status,
    retryAfterS: retryAfterS(headerOf(answered, 'retry-after'), wallMs),
    says: readable(says, secrets),
  };
}
