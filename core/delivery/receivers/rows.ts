/** Receivers of the world: requests and responses. */

import type { Fields, Given } from '../../../sim/base/rows/fields.ts';
import type { Operations } from '../../kit/resource.ts';
import { COUNT, listOf, record, responseField } from '../../rows/answers.ts';
import { body, id } from '../../rows/fields.ts';

/** Phases of one receiver. */
export const MOST_PHASES = 100;
/** Receivers of one subscriber. */
export const MOST_RECEIVERS = 10_000;
/** The longest latency, and the longest Retry-After, s: a day. */
const DAY_S = 86_400;
/** The end of what a phase may name, s: 100 years. */
const LAST_S = 3_155_760_000;

const share = { type: 'number', least: 0, most: 1, unit: 'share' } as const;

/** What a receiver makes of a request. */
export const BEHAVIOUR = {
  answer: {
    type: 'whole',
    least: 200,
    most: 599,
    default: 200,
    is: 'Status that it answers; it has what it answers with a 2xx.',
  },
  latency: {
    type: 'number',
    least: 0,
    most: DAY_S,
    unit: 's',
    default: 0.1,
    is: 'How long it takes to answer; past 15 s the sender has given up, and it has the request.',
  },
  failure: { ...share, default: 0, is: 'Share of the requests that it answers with 503 instead.' },
  hang: {
    ...share,
    default: 0,
    is: 'Share of the requests that it takes and never answers: the sender tries again.',
  },
  refusal: { ...share, default: 0, is: 'Share of the connections that it refuses.' },
  retryAfter: {
    type: 'number',
    least: 0,
    most: 365 * DAY_S,
    unit: 's',
    default: 0,
    is: 'Retry-After of its answers of 429 and from 500 on; the sender heeds a day at most.',
  },
} as const satisfies Fields;

export const PHASE = {
  from: {
    type: 'number',
    least: 0,
    most: LAST_S,
    unit: 's',
    required: true,
    is: 'When it begins, since the world’s start.',
  },
  until: {
    type: 'number',
    least: 0,
    most: LAST_S,
    unit: 's',
    required: true,
    is: 'When it ends.',
  },
  ...BEHAVIOUR,
} as const satisfies Fields;

export const RECEIVER = {
  at: {
    type: 'text',
    most: 2_000,
    required: true,
    is:
      'Addresses that it answers at; * is any text. An address itself comes before what has a *, ' +
      'a longer one of those before a shorter one.',
  },
  ...BEHAVIOUR,
  phases: {
    type: 'list',
    of: { type: 'record', fields: PHASE },
    most: MOST_PHASES,
    default: [],
    is: 'When it behaves otherwise; the first that holds counts, and says all of it anew.',
  },
} as const satisfies Fields;

export type GivenReceiver = Given<typeof RECEIVER>;

const name = { type: 'text', most: 100, required: true, is: 'The receiver, by its name.' } as const;

const count = (is: string) => responseField({ ...COUNT, is });

const RESPONSE = record({
  name: responseField({ ...name, is: 'Its name.' }),
  at: responseField(RECEIVER.at),
  requests: count('Requests that reached it.'),
  received: count('Deliveries that it has, as often as it has them.'),
  distinct: count('The same, each once.'),
  duplicates: count('Those that it has another time.'),
  answer: responseField(BEHAVIOUR.answer),
  latency: responseField(BEHAVIOUR.latency),
  failure: responseField(BEHAVIOUR.failure),
  hang: responseField(BEHAVIOUR.hang),
  refusal: responseField(BEHAVIOUR.refusal),
  retryAfter: responseField(BEHAVIOUR.retryAfter),
  phases: responseField(RECEIVER.phases),
});

export const OPERATIONS = {
  'receiver.put': {
    verb: 'ownChange',
    takes: { name, receiver: body(RECEIVER) },
    answers: null,
    fails: ['receiver.phase', 'receiver.full'],
    is:
      'Puts a simulated receiver where deliveries go, or replaces what it does; what it has had ' +
      'stays counted.',
  },
  'receiver.list': {
    verb: 'list',
    takes: {},
    answers: record({
      receivers: responseField({ ...listOf(RESPONSE), is: 'In the order of their names.' }),
    }),
    fails: [],
    is: 'Simulated receivers, and what they have had: the truth beside what the sender believes.',
  },
  'receiver.delete': {
    verb: 'delete',
    takes: { name: id('The receiver, by its name.') },
    answers: null,
    fails: ['receiver.unknown'],
    is: 'Takes a simulated receiver away: what goes to its addresses leaves the world.',
  },
} as const satisfies Operations;
