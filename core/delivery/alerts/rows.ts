/**
 * What alerts are given and answered: their fields, the operations, and what is refused (data
 * delivery, Output alert).
 */

import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import { UUID, UUID_GIVEN } from '../../base/ids.ts';
import { PAGE_META, pageQuery } from '../../base/pages.ts';
import type { FailureClasses } from '../../kit/failures.ts';
import type { Operations } from '../../kit/resource.ts';
import { HEX_EUI, listOf, record, responseField } from '../../rows/answers.ts';
import { body, EUI, uuid } from '../../rows/fields.ts';
import { PAGE_SIZES } from '../page-sizes.ts';

const source = 'data delivery, Output alert';

/** Gateways of an alert: a world has no more. */
const MOST_GATEWAYS = 10_000;
const MOST_DESTINATIONS = 100;

const nodeIds = { type: 'list', of: EUI, most: MOST_GATEWAYS, distinct: true } as const;

/** The creation input. */
export const ALERT = {
  name: {
    type: 'text',
    required: true,
    failure: 'alert.name',
    is: 'A label; several alerts may have it.',
    source,
  },
  type: {
    type: 'choice',
    words: ['gateway_connectivity'],
    required: true,
    failure: 'alert.type',
    is: 'Its subject: gateways that come online or go offline.',
    source,
  },
  data: {
    ...record({
      node_ids: {
        ...nodeIds,
        required: true,
        failure: 'alert.gateways',
        is: 'NodeIds of the gateways that it monitors, each stored once; may be empty.',
        source,
      },
    }),
    required: true,
    failure: 'alert.gateways',
    is: 'What it monitors.',
    source,
  },
  destination_ids: {
    type: 'list',
    of: { type: 'text', least: 0, storedIn: 'lower' },
    least: 1,
    most: MOST_DESTINATIONS,
    distinct: true,
    required: true,
    failure: 'alert.destinations',
    is: 'Destinations that events go to, by their ids, each stored once.',
    source,
  },
} as const satisfies Fields;

const RESPONSE = record({
  id: responseField({ ...UUID, is: 'Its id.', source }),
  owner_id: responseField({ type: 'text', is: 'The subscriber whose it is.', source }),
  name: responseField(ALERT.name),
  type: responseField(ALERT.type),
  data: responseField({
    ...record({
      node_ids: responseField({
        ...listOf(HEX_EUI),
        is: 'NodeIds of its gateways, as they came.',
        source,
      }),
    }),
    is: 'What it monitors.',
    source,
  }),
  destination_ids: responseField({
    ...listOf(UUID),
    is: 'Its destinations, by id; none once all are deleted.',
    source,
  }),
});
export type AlertAnswer = Of<typeof RESPONSE>;

// ── operations ───────────────────────────────────────────────────────────────────────────────────

const one = { alert_id: uuid('The alert, by its id.') } as const;
const given = { ...body(ALERT), failure: 'alert.malformed' } as const;
const unknown = ['alert.unknown'] as const;
const refused = ['alert.unknown-gateway', 'alert.unknown-destination'] as const;

/** Of the operations that add or remove gateways, one or several. */
const node_id = { ...EUI, required: true, is: 'The gateway, by its NodeId.', source } as const;
const node_ids = {
  ...nodeIds,
  least: 1,
  required: true,
  failure: 'alert.gateways',
  is: 'The gateways, by their NodeIds; one that stands there twice counts once.',
  source,
} as const;
const changing = { verb: 'change', answers: RESPONSE } as const;
const adding = [...unknown, 'alert.unknown-gateway', 'alert.has-gateway'] as const;
const removing = [...unknown, 'alert.no-gateway'] as const;

export const OPERATIONS = {
  'alert.list': {
    verb: 'list',
    takes: pageQuery('alert.page', PAGE_SIZES),
    answers: record({
      data: responseField({ ...listOf(RESPONSE), is: 'In the order of their ids.', source }),
      meta: PAGE_META,
    }),
    fails: ['alert.page'],
    is: 'Alerts, a page at a time.',
  },
  'alert.create': {
    verb: 'create',
    takes: { alert: given, id: UUID_GIVEN },
    answers: RESPONSE,
    fails: ['alert.exists', 'alert.too-many', ...refused],
    is: 'Makes an alert: what persists of its gateways’ connectivity goes to its destinations.',
  },
  'alert.get': { verb: 'get', takes: one, answers: RESPONSE, fails: unknown, is: 'One alert.' },
  'alert.replace': {
    ...changing,
    takes: { ...one, alert: given },
    fails: [...unknown, ...refused],
    is: 'Replaces an alert; a gateway that stays on it is followed on.',
  },
  'alert.delete': {
    verb: 'delete',
    takes: one,
    answers: null,
    fails: unknown,
    is: 'Deletes an alert for good; its destinations stay.',
  },
  'alert.addGateway': {
    ...changing,
    takes: { ...one, node_id },
    fails: adding,
    is: 'Puts a gateway on an alert.',
  },
  'alert.removeGateway': {
    ...changing,
    takes: { ...one, node_id },
    fails: removing,
    is: 'Takes a gateway off an alert.',
  },
  'alert.addGateways': {
    ...changing,
    takes: { ...one, node_ids },
    fails: adding,
    is: 'Puts gateways on an alert: all of them, or none where one is on it already.',
  },
  'alert.removeGateways': {
    ...changing,
    takes: { ...one, node_ids },
    fails: removing,
    is: 'Takes gateways off an alert: all of them, or none where one is not on it.',
  },
} as const satisfies Operations;

/** Every failure of alerts, with its class. */
export const FAILURES = {
  'alert.malformed': 'malformed',
  'alert.name': 'malformed',
  'alert.type': 'malformed',
  'alert.gateways': 'malformed',
  'alert.destinations': 'malformed',
  'alert.page': 'malformed',
  'alert.unknown-gateway': 'malformed',
  'alert.unknown-destination': 'malformed',
  'alert.unknown': 'unknown',
  'alert.exists': 'conflict',
  'alert.too-many': 'full',
  /** The gateway is on it already. */
  'alert.has-gateway': 'conflict',
  /** The gateway is not on it. */
  'alert.no-gateway': 'precondition',
} as const satisfies FailureClasses;
