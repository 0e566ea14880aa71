/** Operations of the host on what clients have covered of the documented operations. */
import { COUNT, listOf, record } from '../../../core/rows/answers.ts';
import { ok } from '../../../sim/base/result.ts';
import type { Fields } from '../../../sim/base/rows/fields.ts';
import { hostOperation } from '../requests/host-operation.ts';
import type { Coverage, Tally } from './coverage.ts';

const count = { ...COUNT, required: true } as const;
const text = { type: 'text', required: true } as const;

const SEEN = {
  status: { ...count, is: 'The status.' },
  count: { ...count, is: 'How often it was answered.' },
} as const satisfies Fields;

const OPERATION = {
  operation: { ...text, is: 'Its kind.' },
  method: { ...text, is: 'Its method.' },
  path: { ...text, is: 'Its path, as documented.' },
  asked: { ...count, is: 'How often it was asked for.' },
  statuses: { ...listOf(record(SEEN)), required: true, is: 'What it has answered, rising.' },
  never_seen: {
    ...listOf(COUNT),
    required: true,
    is: 'Documented statuses that nobody was answered, rising.',
  },
} as const satisfies Fields;

const COVERAGE = {
  operations_asked: { ...count, is: 'Documented operations that were asked for.' },
  operations_documented: { ...count, is: 'Documented operations.' },
  statuses_seen: { ...count, is: 'Documented statuses of operations that were answered.' },
  statuses_documented: { ...count, is: 'Documented statuses of all operations.' },
  operations: { ...listOf(record(OPERATION)), required: true, is: 'In the order of the services.' },
} as const satisfies Fields;

/** `coverage.get` and `coverage.clear`, by kind. */
export const coverageOperations = (coverage: Coverage) => ({
  'coverage.get': hostOperation({
    is:
      'Which of the documented operations clients have asked for, and which documented statuses ' +
      'they have seen. Statuses that faults and limits alone bring about (429, 500 and above) ' +
      'are listed where they were answered, and never count as missing.',
    takes: {
      missing: { type: 'flag', is: 'Only operations with statuses that nobody has seen.' },
    },
    answers: record(COVERAGE),
    fails: {},
    needs: { object: 'Simulator', verb: 'get' },
    handle: ({ missing = false }) => ok(coverageOf(coverage.tallies, missing)),
  }),
  'coverage.clear': hostOperation({
    is: 'Begins to count anew.',
    takes: {},
    answers: null,
    fails: {},
    needs: { object: 'Simulator', verb: 'delete' },
    handle: () => {
      coverage.clear();
      return ok(undefined);
    },
  }),
});

function coverageOf(tallies: readonly Tally[], isMissing: boolean) {
  const total = (of: (tally: Tally) => number) => tallies.reduce((sum, each) => sum + of(each), 0);
  const documented = total(({ of }) => of.statuses.length);
  const shown = isMissing ? tallies.filter(({ neverSeen }) => neverSeen.length > 0) : tallies;
  return {
    operations_asked: total(({ asked }) => Number(asked > 0)),
    operations_documented: tallies.length,
    statuses_seen: documented - total(({ neverSeen }) => neverSeen.length),
    statuses_documented: documented,
    operations: shown.map(answerOf),
  };
}

function answerOf({ of, asked, statuses, neverSeen }: Tally) {
  const { operation, method, path } = of;
  return { operation, method, path, asked, statuses, never_seen: neverSeen };
}
