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
import { PAGE_SIZES } from '../page-sizes.ts';
import { REDACTED } from '../secrets.ts';
import { DESTINATION_TYPES } from '../targets/kinds.ts';
import { ANY_DESTINATION_DATA, DATA_RESPONSE } from './data-rows.ts';

const source = 'data delivery, Output destination';

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
