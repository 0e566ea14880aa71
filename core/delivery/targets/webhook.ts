/** Webhooks: deliveries are posted to a URL. */
import { toBase64 } from '../../../sim/base/bytes.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { record } from '../../rows/answers.ts';
import { WEB_ADDRESS } from '../addresses.ts';
import { type Header, isHeaderValue, isSettable } from '../headers.ts';
import { REDACTED } from '../secrets.ts';
import {
  DESTINATION_SOURCE,
  ENTRY,
  OPTIONAL,
  SECRET,
  ENTRY_SOURCE as source,
  TEXT,
} from './common-rows.ts';
import { isUrl, originOf } from './forms.ts';
import { declareKind, heldAs, type KnownCredentials } from './kind.ts';

export interface WebhookRoute {
  readonly kind: 'webhook';
  readonly url: string;
  /** All of the user’s, Authorization among them. */
  readonly headers: readonly Header[];
  /** What requests are signed with (Standard Webhooks); '': they are not. */
  readonly secret: string;
  /** Where a token comes from that is their Authorization. */
  readonly grant?: TokenGrant;
}

/** OAuth 2.0 client credentials (RFC 6749 §4.4) that deliveries are made with. */
export interface TokenGrant {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

// ── entries of output profiles ───────────────────────────────────────────────────────────────────

const REST = {
  URL: {
    type: 'text',
    most: 2_000,
    rule: isUrl,
    allowed: 'a URL such as https://example.com/uplinks, without user and password',
    required: true,
    is: 'Where deliveries are posted to, with its scheme.',
    source,
  },
  OutputFormat: {
    type: 'choice',
    words: ['simple', 'extended'],
    required: true,
    is: 'Whether bodies are flat, or hold all gateways and flags.',
    source,
  },
  TokenType: {
    ...OPTIONAL,
    most: 64,
    pattern: /^[A-Za-z0-9!#$%&'*+.^_`|~-]*$/,
    allowed: 'a word such as Bearer, Basic or Token',
    is: 'What comes before TokenValue in the header Authorization.',
    source,
  },
  TokenValue: {
    ...SECRET,
    ...OPTIONAL,
    pattern: /^[\x20-\x7E]*$/,
    allowed: 'printable ASCII characters, up to 8192 of them',
    is: 'Sent with TokenType in the header Authorization of every delivery.',
    source,
  },
  Secret: {
    ...SECRET,
    ...OPTIONAL,
    is: 'What deliveries are signed with (Standard Webhooks); none if empty.',
  },
  ...ENTRY,
} as const satisfies Fields;

/** A type without a value is no authorization. */
const authorization = (type: string, value: string): readonly Header[] =>
  value === '' ? [] : [{ header: 'Authorization', value: `${type} ${value}`.trim() }];

// ── destinations ─────────────────────────────────────────────────────────────────────────────────

const MOST_HEADERS = 50;
const MOST_VALUE = 4_096;

/** Headers that a user adds. */
export const HEADERS = {
  type: 'list',
  of: record({
    header: {
      ...TEXT,
      rule: isSettable,
      allowed:
        'a name of a header that is not set by the delivery: not Host, Content-Length, ' +
        'Transfer-Encoding, Connection and their like, nor webhook-…',
      required: true,
      is: 'Its name.',
    },
    value: {
      type: 'text',
      least: 0,
      most: MOST_VALUE,
      rule: isHeaderValue,
      allowed: `up to ${MOST_VALUE} visible ASCII characters and blanks within`,
      secret: true,
      required: true,
      is: 'Its value.',
      source: DESTINATION_SOURCE,
    },
  }),
  most: MOST_HEADERS,
  source: DESTINATION_SOURCE,
} as const;

const DATA = {
  url: {
    ...WEB_ADDRESS,
    required: true,
    is: 'Where events are posted to.',
    source: DESTINATION_SOURCE,
  },
  headers: { ...HEADERS, default: [], is: 'Headers that every request has.' },
  secret: {
    ...TEXT,
    secret: true,
    null: 'absent',
    is: 'Signs requests; unsigned when absent.',
  },
} as const satisfies Fields;

/** What credentials add to a route. */
function authorized(credentials: KnownCredentials | undefined) {
  const login = heldAs(credentials, 'basic_auth');
  if (login !== undefined) return { added: [basicAuth(login.username, login.password)] };
  const client = heldAs(credentials, 'client_credentials');
  if (client === undefined) return { added: [] };
  const { token_url: tokenUrl, client_id: clientId, client_secret: clientSecret, scopes } = client;
  return { added: [], grant: { tokenUrl, clientId, clientSecret, scopes } };
}

/** RFC 7617. */
const basicAuth = (username: string, password: string): Header => ({
  header: 'Authorization',
  value: `Basic ${toBase64(encodeUtf8(`${username}:${password}`))}`,
});

export const WEBHOOK = declareKind({
  entry: {
    array: 'RestParams',
    knob: 'rest',
    rows: REST,
    is: 'Webhooks.',
    address: ({ URL }) => URL,
    host: ({ URL }) => originOf(URL),
    route: ({ URL: url, TokenType, TokenValue, Secret: secret }): WebhookRoute => ({
      kind: 'webhook',
      url,
      headers: authorization(TokenType, TokenValue),
      secret,
    }),
  },
  destination: {
    type: 'webhook',
    credentials: ['basic_auth', 'client_credentials'],
    rows: DATA,
    place: 'url',
    answers: { secret: `${REDACTED} where requests are signed.` },
    route: ({ url, secret = '', headers }, credentials): WebhookRoute => {
      const { added, ...grant } = authorized(credentials);
      return { kind: 'webhook', url, secret, headers: [...headers, ...added], ...grant };
    },
  },
});
