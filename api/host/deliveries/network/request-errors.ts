/** What it means that a request has no answer: a word for programs, a sentence for people. */

import type { Sent, SentAnswer } from './attempt-result.ts';
import { AddressRefused } from './egress.ts';

/** How long a connection may take, and an attempt in all, tokens included, s. */
export const CONNECT_S = 5;
export const ATTEMPT_S = 15;

/** There was no way there: it failed before anything was sent. */
export class NoWay extends Error {
  readonly code: string;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = codeOf(cause);
  }
}

/** An attempt has taken all the time that it may. */
export class TimedOut extends Error {
  readonly code = 'ERR_TIMED_OUT';

  constructor(ms: number) {
    super(`There was no answer within ${ms / 1_000} s.`);
  }
}

type Meaning = readonly [answer: SentAnswer, says: string];

const UNTRUSTED = 'Who issued its certificate is not trusted.';
const NO_TLS = 'It does not speak TLS, or none that is safe.';
const NO_CONNECTION = `There was no connection within ${CONNECT_S} s.`;

/** By the codes of Node.js, OpenSSL and undici, before anything was sent. */
const BEFORE: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: ['connection refused', 'Nobody listens there.'],
  ECONNRESET: ['connection refused', 'It hung up before anything was sent.'],
  EHOSTUNREACH: ['connection refused', 'No way leads there.'],
  ENETUNREACH: ['connection refused', 'No way leads there.'],
  ENOTFOUND: ['connection refused', 'Its name is not known.'],
  EAI_AGAIN: ['connection refused', 'Its name could not be looked up.'],
  ETIMEDOUT: ['timeout', NO_CONNECTION],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', NO_CONNECTION],
  CERT_HAS_EXPIRED: ['connection refused', 'Its certificate has expired.'],
  CERT_NOT_YET_VALID: ['connection refused', 'Its certificate is not valid yet.'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['connection refused', 'Its certificate is for other names.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['connection refused', UNTRUSTED],
  SELF_SIGNED_CERT_IN_CHAIN: ['connection refused', UNTRUSTED],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['connection refused', UNTRUSTED],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['connection refused', UNTRUSTED],
  EPROTO: ['connection refused', NO_TLS],
  ERR_SSL_WRONG_VERSION_NUMBER: ['connection refused', NO_TLS],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['connection refused', NO_TLS],
};

const NO_ANSWER = new TimedOut(ATTEMPT_S * 1_000).message;
const HUNG_UP = 'It hung up without an answer.';

/** The same, once there was a connection: it may have been received. */
const AFTER: Readonly<Record<string, Meaning>> = {
  ETIMEDOUT: ['timeout', NO_ANSWER],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', NO_ANSWER],
  UND_ERR_SOCKET: ['connection failed', HUNG_UP],
  ECONNRESET: ['connection failed', HUNG_UP],
  EPIPE: ['connection failed', HUNG_UP],
  ABORT_ERR: ['connection failed', 'It was cut off here.'],
  UND_ERR_DESTROYED: ['connection failed', 'It was cut off here.'],
  UND_ERR_CLOSED: ['connection failed', 'It was cut off here.'],
  UND_ERR_HEADERS_OVERFLOW: ['connection failed', 'The headers of its answer are too long.'],
  UND_ERR_INVALID_ARG: ['not possible', 'There is no such request.'],
};

/** Only what had no way there is unsent; an address that is refused today is refused for good. */
export function noAnswer(error: unknown): Sent {
  const why = error instanceof NoWay ? error.cause : error;
  if (why instanceof AddressRefused) return unanswered('address refused', why.message);
  if (error instanceof TimedOut) return unanswered('timeout', error.message);
  const code = codeOf(error);
  if (error instanceof NoWay) {
    const unknown: Meaning = ['connection refused', `There was no connection (${code}).`];
    return { ...unanswered(...(BEFORE[code] ?? unknown)), isUnsent: true };
  }
  const unknown: Meaning = ['connection failed', `Its answer is not HTTP (${code}).`];
  return unanswered(...(AFTER[code] ?? unknown));
}

export const unanswered = (answer: SentAnswer, says: string): Sent => ({
  answer,
  retryAfterS: 0,
  says,
});

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  // What is aborted has a number for a code.
  return typeof code === 'string' ? code : name === 'AbortError' ? 'ABORT_ERR' : String(name);
}
