/** Fields of output profiles, as data delivery has them: an array a kind of target. */

import type { Field, Fields, Of } from '../../../sim/base/rows/fields.ts';
import { listOf, record, responseField } from '../../rows/answers.ts';
import type { ArrayName } from '../deliveries/target.ts';
import { CLOUD_A, CLOUD_B, isBroker, isCertificate, isKey, isTopic, isUrl } from './forms.ts';

const source = 'data delivery: Output profile';

/** Entries of one array. */
const MOST_ENTRIES = 100;

/** A text that need not be given: '' where there is none. */
const OPTIONAL = { type: 'text', least: 0, default: '', null: 'absent' } as const;
const SECRET = { type: 'text', most: 8_192, secret: true } as const;

/** Placeholder of a secret in responses; in a request it leaves the stored secret unchanged. */
export const REDACTED = '********';

const ENVIRONMENTS = ['production', 'staging', 'development'] as const;

/** What every target has. */
const TARGET = {
  DestinationId: {
    ...OPTIONAL,
    most: 64,
    is: 'In PUT and PATCH: which entry this is, by the id that the service gave to it.',
    source,
  },
  Environment: {
    type: 'choice',
    words: ['', ...ENVIRONMENTS],
    default: '',
    null: 'absent',
    is: 'What it is for; giving it is strongly advised.',
    source,
  },
  Active: {
    type: 'flag',
    default: true,
    null: 'absent',
    is: 'Whether it is delivered to; false pauses that.',
    source,
  },
} as const satisfies Fields;

export const REST = {
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
  ...TARGET,
} as const satisfies Fields;

export const MQTT = {
  Host: {
    type: 'text',
    most: 300,
    rule: isBroker,
    allowed: 'host and port such as broker.example.com:8883, without a scheme',
    required: true,
    is: 'The broker: host and port.',
    source,
  },
  Username: { type: 'text', required: true, is: 'Of the broker.', source },
  Password: { ...SECRET, required: true, is: 'Of the broker.', source },
  Topic: {
    type: 'text',
    most: 1_000,
    rule: (text: string) => isTopic(text, ['DEVEUI', 'FPORT']),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so the service writes them.
    allowed: 'a topic without # and +, with no variables but ${DEVEUI} and ${FPORT}',
    required: true,
    is: 'Topic of what is published; variables are replaced at each delivery.',
    source,
  },
  SSL: {
    type: 'flag',
    default: false,
    null: 'absent',
    is: 'Whether it connects over TLS.',
    source,
  },
  ClientId: {
    ...OPTIONAL,
    rule: (text: string) => text === '' || isTopic(text, ['DEVEUI']),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so the service writes it.
    allowed: 'text without # and +, with no variable but ${DEVEUI}',
    is: 'What the service calls itself at the broker; it chooses if empty.',
    source,
  },
  ...TARGET,
} as const satisfies Fields;

export const CLOUD_A_PARAMS = {
  Endpoint: {
    type: 'text',
    most: 300,
    pattern: CLOUD_A,
    allowed: '{prefix}.iot.{region}.{domain}, without scheme and port',
    required: true,
    is: 'Where the cloud takes data in.',
    source,
  },
  x509Certificate: {
    type: 'text',
    most: 16_384,
    raw: true,
    rule: isCertificate,
    allowed: 'a certificate in PEM, with \\n for the ends of its lines',
    required: true,
    is: 'By which the service is known there.',
    source,
  },
  PrivateKey: {
    ...SECRET,
    most: 16_384,
    raw: true,
    rule: (text: string) => text === REDACTED || isKey(text),
    allowed: 'a private key in PEM, with \\n for the ends of its lines',
    required: true,
    is: 'That of the certificate.',
    source,
  },
  ...TARGET,
} as const satisfies Fields;

export const CLOUD_B_PARAMS = {
  Host: {
    type: 'text',
    most: 300,
    pattern: CLOUD_B,
    allowed: '{hubname}.{domain}, without scheme and port',
    required: true,
    is: 'The hub.',
    source,
  },
  SharedAccessPolicyName: {
    type: 'text',
    required: true,
    is: 'A policy of it with device access.',
    source,
  },
  SharedAccessKey: { ...SECRET, required: true, is: 'The key of that policy.', source },
  ApiVersion: {
    type: 'text',
    pattern: /^\d{4}-\d\d-\d\d$/,
    allowed: 'a date such as 2016-11-14',
    required: true,
    is: 'Version of the hub’s interface; now 2016-11-14.',
    source,
  },
  OutputFormat: {
    type: 'choice',
    words: ['raw', 'cloud_b'],
    default: 'raw',
    null: 'absent',
    is: 'Whether the bare entry is forwarded, or a message of the hub that holds it.',
    source,
  },
  ...TARGET,
} as const satisfies Fields;

/** The arrays of a profile. */
export const ARRAYS = {
  RestParams: REST,
  MqttParams: MQTT,
  CloudAParams: CLOUD_A_PARAMS,
  CloudBParams: CLOUD_B_PARAMS,
} as const satisfies Readonly<Record<ArrayName, Fields>>;

const arrayOf = <const F extends Fields>(fields: F, is: string) =>
  ({
    type: 'list',
    of: { type: 'record', fields },
    most: MOST_ENTRIES,
    default: [],
    null: 'absent',
    is,
    source,
  }) as const;

export const OUTPUT_PROFILE = {
  Name: { type: 'text', required: true, is: 'Its name.', source },
  RestParams: arrayOf(REST, 'Webhooks; at least one target stands in one of the arrays.'),
  MqttParams: arrayOf(MQTT, 'Topics of brokers.'),
  CloudAParams: arrayOf(CLOUD_A_PARAMS, 'Endpoints of the first kind of cloud.'),
  CloudBParams: arrayOf(CLOUD_B_PARAMS, 'Hubs of the second kind of cloud.'),
} as const satisfies Fields;
export type GivenProfile = Of<{ readonly type: 'record'; readonly fields: typeof OUTPUT_PROFILE }>;

/** Fields of an entry that no response has. */
export const SECRETS: Readonly<Record<ArrayName, readonly string[]>> = {
  RestParams: ['TokenValue', 'Secret'],
  MqttParams: ['Password'],
  CloudAParams: ['PrivateKey'],
  CloudBParams: ['SharedAccessKey'],
};

// ── responses ─────────────────────────────────────────────────────────────────────────────

/** Absent where it was not given. */
const ENVIRONMENT = {
  type: 'choice',
  words: ENVIRONMENTS,
  is: 'What it is for, where that was given.',
  source,
} as const satisfies Field;

type AllReported<F extends Fields> = {
  readonly [K in keyof F]: K extends 'Environment'
    ? typeof ENVIRONMENT
    : ReturnType<typeof responseField<F[K]>>;
};

/** Every field of a target is there, but for an Environment that was not given. */
const allReported = <const F extends Fields>(fields: F): AllReported<F> =>
  Object.fromEntries(
    Object.entries<Field>(fields).map(([name, row]) => [
      name,
      name === 'Environment' ? ENVIRONMENT : responseField(row),
    ]),
  ) as AllReported<F>;

/** Responses show a secret as eight asterisks, or leave it out. */
const redacted = (is: string) =>
  responseField({ type: 'choice', words: ['', REDACTED], is: `${is} Nothing if there is none.` });

export const RESPONSE_FIELDS = record({
  Id: responseField({
    type: 'text',
    pattern: /^[0-9A-Za-z]{8}$/,
    allowed: '8 letters and digits',
    is: 'Its id.',
  }),
  Name: responseField(OUTPUT_PROFILE.Name),
  RestParams: responseField({
    ...listOf(
      record({
        ...allReported(REST),
        TokenValue: redacted('That there is one.'),
        Secret: redacted('That there is one.'),
      }),
    ),
    is: 'Webhooks.',
    source,
  }),
  MqttParams: responseField({
    ...listOf(record({ ...allReported(MQTT), Password: redacted('That there is one.') })),
    is: 'Topics of brokers.',
    source,
  }),
  CloudAParams: responseField({
    ...listOf(
      record({ ...allReported(CLOUD_A_PARAMS), PrivateKey: redacted('That there is one.') }),
    ),
    is: 'Endpoints of the first kind of cloud.',
    source,
  }),
  CloudBParams: responseField({
    ...listOf(
      record({ ...allReported(CLOUD_B_PARAMS), SharedAccessKey: redacted('That there is one.') }),
    ),
    is: 'Hubs of the second kind of cloud.',
    source,
  }),
});
export type ProfileResponse = Of<typeof RESPONSE_FIELDS>;
