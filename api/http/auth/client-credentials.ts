/** What a client says to prove who it is (RFC 6749 §2.3.1). */
import { type Form, required } from './form.ts';
import { oauthRefusal } from './oauth-refusal.ts';

export interface ClientCredentials {
  readonly id: string;
  /** Absent: the client names itself, and proves nothing. */
  readonly secret?: string;
}

const BASIC = /^basic +([a-z0-9+/]+={0,2}) *$/i;

const unreadable = () =>
  oauthRefusal('invalid_client', 'The Authorization header has no id and secret in Basic form.');

/**
 * Id and secret from the form or from HTTP Basic, never from both. `authorization`: every header of
 * that name. Absent: the client is not named. Throws `invalid_request`, `invalid_client`.
 */
export function readClient(
  form: Form,
  authorization: readonly string[],
): ClientCredentials | undefined {
  if (authorization.length > 1) {
    throw oauthRefusal('invalid_request', 'There is more than one Authorization header.');
  }
  const [header] = authorization;
  if (header !== undefined) return readBasic(header, form);
  const secret = form.get('client_secret');
  if (secret !== undefined) return { id: required(form, 'client_id'), secret };
  const id = form.get('client_id');
  return id === undefined ? undefined : { id };
}

function readBasic(header: string, form: Form): ClientCredentials | undefined {
  if (form.has('client_secret')) {
    throw oauthRefusal('invalid_request', 'The client authenticates in two ways at once.');
  }
  const [, encoded] = BASIC.exec(header) ?? [];
  if (encoded === undefined) throw unreadable();
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  // Pages that ask for a user, and may ask for a client, send an empty pair for none.
  if (text === ':') return undefined;
  const colon = text.indexOf(':');
  if (colon < 1) throw unreadable();
  const id = decoded(text.slice(0, colon));
  const named = form.get('client_id');
  if (named !== undefined && named !== id) {
    throw oauthRefusal('invalid_request', 'Form and header name two clients.');
  }
  return { id, secret: decoded(text.slice(colon + 1)) };
}

/** Id and secret are form-encoded before they are joined. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw unreadable();
  }
}
