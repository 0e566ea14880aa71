/** How the operations of OAuth refuse: RFC 6749 §5.2, one table. */
import { Refusal } from '../refusal.ts';

const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  /** RFC 8628 §3.5; RFC 6749 has no word for too many tries. */
  slow_down: 429,
} as const;

export type OAuthCode = keyof typeof STATUSES;

/** RFC 6749 §5.2: the response to failed authentication names the scheme to use. */
const CHALLENGE = { 'www-authenticate': 'Basic realm="fleetwave", charset="UTF-8"' };

/**
 * `message` becomes the `error_description`: ASCII without quotes and backslashes, and nothing of
 * what was sent.
 */
export function oauthRefusal(
  code: OAuthCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  const challenge = code === 'invalid_client' ? CHALLENGE : {};
  return new Refusal(STATUSES[code], { code, message }, { ...challenge, ...headers });
}

/** What an `error_description` may not have (RFC 6749 §5.2). */
const NOT_PLAIN = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

/** Body of an OAuth refusal; refusals of the HTTP layer have the nearest OAuth code. */
export function oauthBody({ status, failure: { code, message } }: Refusal) {
  const other = status === 429 ? 'slow_down' : 'invalid_request';
  const error = Object.hasOwn(STATUSES, code) ? code : other;
  return { error, error_description: message.replace(NOT_PLAIN, '.') };
}
