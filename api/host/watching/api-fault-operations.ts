/** Operations of the host on faults of the API. */
import { listOf, record } from '../../../core/rows/answers.ts';
import { id } from '../../../core/rows/fields.ts';
import { andThen, fail, ok, type Result } from '../../../sim/base/result.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { instantAt } from '../clock/sim-time.ts';
import { hostOperation } from '../requests/host-operation.ts';
import { type AskedFault, FAULT, FAULT_KINDS, RULE } from './api-fault-fields.ts';
import { type ApiFaults, type FaultRule, MOST_FAULTS, type Window } from './api-faults.ts';

/** The world, whose time windows are of. */
export interface FaultyWorld {
  readonly facts: Parameters<typeof instantAt>[0];
}

const RULES = {
  faults: { ...listOf(record(RULE)), required: true, is: 'In the order in which they came.' },
} as const satisfies Fields;

/** `apiFault.create`, `.list`, `.delete` and `.clear`, by kind. */
export const apiFaultOperations = (faults: ApiFaults, world: FaultyWorld) => ({
  'apiFault.create': hostOperation({
    is:
      'Has requests fail from now on: exactly one of latency_ms, status, broken_body and ' +
      'close_connection says how. Several faults may strike one request: their waits add up, ' +
      'and of all else the first counts. Tokens and permissions are looked at before. Faults ' +
      'end with the process: no session and no journal has them.',
    takes: FAULT,
    answers: record(RULE),
    fails: {
      'apiFault.malformed': 'malformed',
      'apiFault.unknown-path': 'malformed',
      'apiFault.unknown-operation': 'malformed',
      'apiFault.too-many': 'full',
    },
    needs: { object: 'Simulator', verb: 'create' },
    endsWithProcess: true,
    handle: (asked) => {
      const added = andThen(kindOf(asked), () => faults.add(asked, windowOf(asked, world)));
      return added.ok ? ok(answerOf(added.value)) : added;
    },
  }),
  'apiFault.list': hostOperation({
    is: `Faults of the API, ${MOST_FAULTS} at the most, and how often each of them struck.`,
    takes: {},
    answers: record(RULES),
    fails: {},
    needs: { object: 'Simulator', verb: 'list' },
    handle: () => ok({ faults: faults.rules.map(answerOf) }),
  }),
  ...endings(faults),
});

const endings = (faults: ApiFaults) => ({
  'apiFault.delete': hostOperation({
    is: 'Ends a fault of the API.',
    takes: { id: id('The fault.') },
    answers: null,
    fails: { 'apiFault.unknown': 'unknown' },
    needs: { object: 'Simulator', verb: 'delete' },
    handle: (asked) =>
      faults.end(asked.id)
        ? ok(undefined)
        : fail('apiFault.unknown', `There is no fault ${asked.id}.`),
  }),
  'apiFault.clear': hostOperation({
    is: 'Ends all faults of the API.',
    takes: {},
    answers: null,
    fails: {},
    needs: { object: 'Simulator', verb: 'delete' },
    handle: () => {
      faults.endAll();
      return ok(undefined);
    },
  }),
});

/** The one kind that a fault is of. */
function kindOf(asked: AskedFault): Result<string> {
  const kinds = FAULT_KINDS.filter((kind) => asked[kind] !== undefined && asked[kind] !== false);
  if (kinds.length === 1) return ok(kinds[0]!);
  const message = `A fault has exactly one of ${FAULT_KINDS.join(', ')}.`;
  return fail('apiFault.malformed', message);
}

const windowOf = ({ from, to }: AskedFault, { facts }: FaultyWorld): Window => ({
  fromUs: from === undefined ? Number.NEGATIVE_INFINITY : instantAt(facts, from),
  toUs: to === undefined ? Number.POSITIVE_INFINITY : instantAt(facts, to),
});

const answerOf = ({ id: own, asked, matched, struck }: FaultRule) => ({
  id: own,
  ...asked,
  matched,
  struck,
});
