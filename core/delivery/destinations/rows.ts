/**
 * What destinations are given and answered: their fields, the data of each type, the operations,
 * and what is refused (data delivery, Output destination).
 */

import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import { UUID, UUID_GIVEN } from '../../base/ids.ts';
import { PAGE_META, pageQuery } from '../../base/pages.ts';
import type { FailureClasses } from '../../kit/failures.ts';
import type { Operations } from '../../kit/resource.ts';
import { listOf, record, responseField, responseFieldOrNull } from '../../rows/answers.ts';
import { body, uuid } from '../../rows/fields.ts';
import { BROKER_ADDRESS, ENDPOINT_ADDRESS, HUB_ADDRESS, WEB_ADDRESS } from '../addresses.ts';
import { DESTINATION_TYPES, type DestinationType } from '../deliveries/target.ts';
import { isHeaderValue, isSettable } from '../headers.ts';
import { PAGE_SIZES } from '../page-sizes.ts';
import { REDACTED } from '../secrets.ts';

const source = 'data delivery, Output destination';

const text = { type: 'text', source } as const;
const address = { type: 'text', most: 2_048, source } as const;
const topic = {
  type: 'text',
  most: 1_024,
  rule: (value: string) => !/[+#]/.test(value),
  allowed: 'a topic of 1 to 1024 characters without + and #',
  source,
} as const;

const MOST_HEADERS = 50;
const MOST_VALUE = 4_096;

export const HEADERS = {
  type: 'list',
  of: record({
    header: {
      ...text,
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
      source,
    },
  }),
  most: MOST_HEADERS,
  source,
} as const;

const signing = { ...text, secret: true } as const;

/** Data of each type of destinations; what is not there is ignored. */
export const DESTINATION_DATA = {
  webhook: {
    url: { ...WEB_ADDRESS, required: true, is: 'Where events are posted to.', source },
    headers: { ...HEADERS, default: [], is: 'Headers that every request has.' },
    secret: { ...signing, null: 'absent', is: 'Signs requests; unsigned when absent.' },
  },
  mqtt: {
    host: { ...BROKER_ADDRESS, required: true, is: 'Broker: host or host:port.', source },
    topic: { ...topic, required: true, is: 'Topic.' },
    ssl: { type: 'flag', default: false, is: 'Whether it connects over TLS.', source },
    client_id: { ...text, null: 'absent', is: 'Client id; one of its own when absent.' },
  },
  cloud_a_iot_core: {
    endpoint: { ...ENDPOINT_ADDRESS, required: true, is: 'Endpoint of the account.', source },
    topic: { ...topic, required: true, is: 'Topic.' },
  },
  cloud_b_iot_hub: {
    host: { ...HUB_ADDRESS, required: true, is: 'The hub.', source },
    api_version: { ...text, default: '2016-11-14', is: 'Version of the hub’s interface.' },
    output_format: {
      type: 'choice',
      words: ['raw', 'cloud_b'],
      default: 'raw',
      is: 'raw: the event; cloud_b: the hub’s device-to-cloud format.',
      source,
    },
  },
} as const satisfies Readonly<Record<DestinationType, Fields>>;

const { webhook, mqtt, cloud_a_iot_core: cloudA, cloud_b_iot_hub: cloudB } = DESTINATION_DATA;
const of = (type: string, { is }: { readonly is: string }) => ({ is: `${type}: ${is}` });

/** The data of any type: which of it is required follows from the type. */
export const ANY_DESTINATION_DATA = {
  url: { ...address, ...of('webhook', webhook.url) },
  headers: { ...HEADERS, ...of('webhook', webhook.headers) },
  secret: { ...signing, null: 'absent', ...of('webhook', webhook.secret) },
  host: { ...address, is: 'mqtt: the broker; cloud_b_iot_hub: the hub.' },
  topic: { ...topic, is: 'mqtt, cloud_a_iot_core: topic.' },
  ssl: { type: 'flag', source, ...of('mqtt', mqtt.ssl) },
  client_id: { ...text, null: 'absent', ...of('mqtt', mqtt.client_id) },
  endpoint: { ...address, ...of('cloud_a_iot_core', cloudA.endpoint) },
  api_version: { ...text, ...of('cloud_b_iot_hub', cloudB.api_version) },
  output_format: {
    type: 'choice',
    words: cloudB.output_format.words,
    source,
    ...of('cloud_b_iot_hub', cloudB.output_format),
  },
} as const satisfies Fields;

/** What is answered of it: absent is what another type has. */
const DATA_RESPONSE = {
  ...ANY_DESTINATION_DATA,
  secret: { ...text, is: `webhook: ${REDACTED} where requests are signed.` },
  client_id: { ...text, ...of('mqtt', mqtt.client_id) },
} as const satisfies Fields;

/** The creation input. */
export const DESTINATION = {
  name: {
    type: 'text',
    required: true,
    failure: 'destination.name',
    is: 'A label; several destinations may have it.',
    source,
  },
  type: {
    type: 'choice',
    words: DESTINATION_TYPES,
    required: true,
    failure: 'destination.type',
    is: 'What it is; a webhook is posted to.',
    source,
  },
  enabled: {
    type: 'flag',
    default: true,
    null: 'absent',
    is: 'Whether it is delivered to; else deliveries wait.',
    source,
  },
  credentials_id: {
    type: 'text',
    storedIn: 'lower',
    null: 'absent',
    failure: 'destination.credentials',
    is: 'Credentials, by their id, of a type that fits its own; none when absent.',
    source,
  },
  data: {
    ...record(ANY_DESTINATION_DATA),
    required: true,
    failure: 'destination.data',
    is: `What it is made of, by its type; ${REDACTED} keeps the secret that is stored.`,
    source,
  },
} as const satisfies Fields;

const RESPONSE = record({
  id: responseField({ ...UUID, is: 'Its id.', source }),
  owner_id: responseField({ type: 'text', is: 'The subscriber whose it is.', source }),
  name: responseField(DESTINATION.name),
  type: responseField(DESTINATION.type),
  enabled: responseField(DESTINATION.enabled),
  credentials_id: responseFieldOrNull({
    ...UUID,
    is: 'Its credentials, by id; null: none.',
    source,
  }),
  data: responseField({
    ...record(DATA_RESPONSE),
    is: `What it is made of; ${REDACTED} stands for a secret, as in headers of such a name.`,
    source,
  }),
});
export type DestinationAnswer = Of<typeof RESPONSE>;

// ── operations ───────────────────────────────────────────────────────────────────────────────────

const one = { destination_id: uuid('The destination, by its id.') } as const;
const given = { ...body(DESTINATION), failure: 'destination.data' } as const;
const unknown = ['destination.unknown'] as const;
const refused = ['destination.data', 'destination.credentials'] as const;

export const OPERATIONS = {
  'destination.list': {
    verb: 'list',
    takes: pageQuery('destination.page', PAGE_SIZES),
    answers: record({
      data: responseField({ ...listOf(RESPONSE), is: 'In the order of their ids.', source }),
      meta: PAGE_META,
    }),
    fails: ['destination.page'],
    is: 'Destinations, a page at a time.',
  },
  'destination.create': {
    verb: 'create',
    takes: { destination: given, id: UUID_GIVEN },
    answers: RESPONSE,
    fails: ['destination.exists', 'destination.too-many', ...refused],
    is: 'Makes a destination, which alerts may name.',
  },
  'destination.get': {
    verb: 'get',
    takes: one,
    answers: RESPONSE,
    fails: unknown,
    is: 'One destination.',
  },
  'destination.replace': {
    verb: 'change',
    takes: { ...one, destination: given },
    answers: RESPONSE,
    fails: [...unknown, ...refused],
    is: 'Replaces a destination; what is not given is as by default.',
  },
  'destination.delete': {
    verb: 'delete',
    takes: one,
    answers: null,
    fails: unknown,
    is: 'Deletes a destination for good and takes it off all alerts; its credentials stay.',
  },
} as const satisfies Operations;

/** Every failure of destinations, with its class. */
export const FAILURES = {
  'destination.name': 'malformed',
  'destination.type': 'malformed',
  'destination.data': 'malformed',
  /** There are none, or they do not fit the type. */
  'destination.credentials': 'malformed',
  'destination.page': 'malformed',
  'destination.unknown': 'unknown',
  'destination.exists': 'conflict',
  'destination.too-many': 'full',
} as const satisfies FailureClasses;
