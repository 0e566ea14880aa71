/** Requests and responses of deliveries. */

import type { Fields, Of } from '../../../sim/base/rows/fields.ts';
import type { Operations } from '../../kit/resource.ts';
import { COUNT, listOf, record, responseField } from '../../rows/answers.ts';
import { id } from '../../rows/fields.ts';
import { TARGET_KINDS } from '../targets/kinds.ts';
import { MATTERS } from './target.ts';

const count = (is: string) => responseField({ ...COUNT, is });

/** Everything that was emitted stands in one of these. */
const COUNTS = {
  emitted: count('Deliveries that there were to make.'),
  delivered: count('Of those: answered with a 2xx.'),
  waiting: count('Under way, in line, or before their next attempt.'),
  paused: count('The same of a target that is paused.'),
  refused: count('Answered with a status that is final.'),
  failed: count('Failed after eight attempts.'),
  givenUp: count('Given up: they waited for seven days, or behind 10 000 others.'),
  left: count('Gone out of the world: no simulated receiver has their address.'),
  removed: count('Dropped with their target.'),
  attempts: count('Attempts at simulated receivers that were begun.'),
} as const satisfies Fields;

const TARGET = record({
  id: responseField({
    type: 'text',
    is: 'The DestinationId of a profile’s entry, or a destination’s id.',
  }),
  kind: responseField({ type: 'choice', words: TARGET_KINDS, is: 'What it is.' }),
  address: responseField({ type: 'text', most: 5_000, is: 'Where it is.' }),
  enabled: responseField({ type: 'flag', is: 'Whether it is not paused.' }),
  matter: responseField({ type: 'choice', words: MATTERS, is: 'What goes to it.' }),
  ...COUNTS,
});

const RESPONSE = record({
  targets: responseField({ ...listOf(TARGET), is: 'Those that something was emitted to.' }),
  removedTargets: responseField({ ...record(COUNTS), is: 'Those that are removed, together.' }),
});
export type TargetResponse = Of<typeof TARGET>;
export type ReportedCounts = Of<typeof RESPONSE>['removedTargets'];

export const OPERATIONS = {
  'delivery.list': {
    verb: 'list',
    takes: {},
    answers: RESPONSE,
    fails: [],
    is: 'What was delivered to each target, and what became of the rest.',
  },
  'delivery.disable': {
    verb: 'change',
    takes: { target: id('The target, by its id.') },
    answers: null,
    fails: ['delivery.unknown'],
    is: 'Pauses a target as an answer of 410 does: until its owner says that it is active again.',
  },
} as const satisfies Operations;
