/**
 * What credentials are given and answered: their fields, the data of each type, the operations, and
 * what is refused (data delivery, Output credentials).
 */

import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import { UUID, UUID_GIVEN } from '../../base/ids.ts';
import { PAGE_META, pageQuery } from '../../base/pages.ts';
import type { FailureClasses } from '../../kit/failures.ts';
import type { Operations } from '../../kit/resource.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import { body, uuid } from '../../rows/fields.ts';
import { WEB_ADDRESS } from '../addresses.ts';
import { PAGE_SIZES } from '../page-sizes.ts';
import { REDACTED } from '../secrets.ts';

const source = 'data delivery, Output credentials';

export const CREDENTIAL_TYPES = [
  'basic_auth',
  'client_credentials',
  'x509_certificate',
  'cloud_b_shared_access_policy',
] as const;
export type CredentialType = (typeof CREDENTIAL_TYPES)[number];

const text = { type: 'text', source } as const;
const secret = { type: 'text', most: 4_096, secret: true, source } as const;

/** PEM has lines, which some write as `\n` in one. */
const isPem = (words: RegExp) => (value: string) =>
  value === REDACTED ||
  (words.test(value) && value.trimEnd().endsWith('-----') && !/[^\P{Cc}\r\n]/u.test(value));
const pem = { type: 'text', most: 32_768, raw: true, source } as const;

const USERNAME = {
  ...text,
  rule: (name: string) => !name.includes(':'),
  allowed: 'text of 1 to 250 characters without a colon',
} as const;

/** Data of each type of credentials; what is not there is ignored. */
export const CREDENTIAL_DATA = {
  basic_auth: {
    username: { ...USERNAME, required: true, is: 'User name.' },
    password: { ...secret, required: true, is: 'Password.' },
  },
  client_credentials: {
    token_url: { ...WEB_ADDRESS, required: true, is: 'Where tokens are asked for.', source },
    client_id: { ...text, required: true, is: 'Client id.' },
    client_secret: { ...secret, required: true, is: 'Client secret.' },
    scopes: { type: 'list', of: text, most: 100, default: [], is: 'Scopes to ask for.', source },
  },
  x509_certificate: {
    certificate: {
      ...pem,
      rule: isPem(/^\s*-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/),
      allowed: 'a certificate in PEM',
      required: true,
      is: 'Certificate in PEM.',
    },
    private_key: {
      ...pem,
      secret: true,
      rule: isPem(/^\s*-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/),
      allowed: 'a private key in PEM',
      required: true,
      is: 'Private key in PEM.',
    },
  },
  cloud_b_shared_access_policy: {
    policy_name: { ...text, required: true, is: 'Policy with device access.' },
    key: { ...secret, required: true, is: 'Shared access key.' },
  },
} as const satisfies Readonly<Record<CredentialType, Fields>>;

const of = (type: CredentialType, row: { readonly is: string }) => ({ is: `${type}: ${row.is}` });
const { basic_auth, client_credentials, x509_certificate } = CREDENTIAL_DATA;
const { cloud_b_shared_access_policy: policy } = CREDENTIAL_DATA;

/** The data of any type: which of it is required follows from the type. */
export const ANY_CREDENTIAL_DATA = {
  username: { ...text, ...of('basic_auth', basic_auth.username) },
  password: { ...secret, ...of('basic_auth', basic_auth.password) },
  token_url: { ...text, most: 2_048, ...of('client_credentials', client_credentials.token_url) },
  client_id: { ...text, ...of('client_credentials', client_credentials.client_id) },
  client_secret: { ...secret, ...of('client_credentials', client_credentials.client_secret) },
  scopes: {
    type: 'list',
    of: text,
    most: 100,
    source,
    ...of('client_credentials', client_credentials.scopes),
  },
  certificate: { ...pem, ...of('x509_certificate', x509_certificate.certificate) },
  private_key: { ...pem, secret: true, ...of('x509_certificate', x509_certificate.private_key) },
  policy_name: { ...text, ...of('cloud_b_shared_access_policy', policy.policy_name) },
  key: { ...secret, ...of('cloud_b_shared_access_policy', policy.key) },
} as const satisfies Fields;

/** The creation input. */
export const CREDENTIALS = {
  name: {
    type: 'text',
    required: true,
    failure: 'credentials.name',
    is: 'A label; several credentials may have it.',
    source,
  },
  type: {
    type: 'choice',
    words: CREDENTIAL_TYPES,
    required: true,
    failure: 'credentials.type',
    is: 'What they are; client_credentials are those of OAuth 2.0.',
    source,
  },
  data: {
    ...record(ANY_CREDENTIAL_DATA),
    required: true,
    failure: 'credentials.data',
    is: `What they are made of, by their type; ${REDACTED} keeps the secret that is stored.`,
    source,
  },
} as const satisfies Fields;

const id = responseField({ ...UUID, is: 'Their id.', source });

const RESPONSE = record({
  id,
  owner_id: responseField({ type: 'text', is: 'The subscriber whose they are.', source }),
  name: responseField(CREDENTIALS.name),
  type: responseField(CREDENTIALS.type),
  data: responseField({
    ...record(ANY_CREDENTIAL_DATA),
    is: `What they are made of; ${REDACTED} stands for a secret.`,
    source,
  }),
});
export type CredentialsAnswer = Of<typeof RESPONSE>;

// ── operations ───────────────────────────────────────────────────────────────────────────────────

const one = { credentials_id: uuid('The credentials, by their id.') } as const;
const given = { ...body(CREDENTIALS), failure: 'credentials.data' } as const;
const unknown = ['credentials.unknown'] as const;

export const OPERATIONS = {
  'credentials.list': {
    verb: 'list',
    takes: pageQuery('credentials.page', PAGE_SIZES),
    answers: record({
      data: responseField({ ...listOf(RESPONSE), is: 'In the order of their ids.', source }),
      meta: PAGE_META,
    }),
    fails: ['credentials.page'],
    is: 'Credentials, a page at a time; secrets are not reported.',
  },
  'credentials.create': {
    verb: 'create',
    takes: { credentials: given, id: UUID_GIVEN },
    answers: record({
      id,
      name: responseField(CREDENTIALS.name),
      type: responseField(CREDENTIALS.type),
    }),
    fails: ['credentials.exists', 'credentials.too-many', 'credentials.data'],
    is: 'Stores credentials for destinations.',
  },
  'credentials.get': {
    verb: 'get',
    takes: one,
    answers: RESPONSE,
    fails: unknown,
    is: 'One’s credentials; secrets are not reported.',
  },
  'credentials.replace': {
    verb: 'change',
    takes: { ...one, credentials: given },
    answers: RESPONSE,
    fails: [...unknown, 'credentials.data', 'credentials.in-use'],
    is: 'Replaces credentials; destinations that have them use the new ones.',
  },
  'credentials.delete': {
    verb: 'delete',
    takes: one,
    answers: null,
    fails: unknown,
    is: 'Deletes credentials for good; destinations that have them go on without.',
  },
} as const satisfies Operations;

/** Every failure of credentials, with its class. */
export const FAILURES = {
  'credentials.name': 'malformed',
  'credentials.type': 'malformed',
  'credentials.data': 'malformed',
  'credentials.page': 'malformed',
  'credentials.unknown': 'unknown',
  'credentials.exists': 'conflict',
  'credentials.too-many': 'full',
  /** Destinations have them whose type fits no credentials of the new type. */
  'credentials.in-use': 'conflict',
} as const satisfies FailureClasses;
