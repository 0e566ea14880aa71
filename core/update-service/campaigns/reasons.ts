/**
 * What is known of every reason of failure beside its name (`FAILURE_REASONS`) and its words for
 * people (reports/text/words.ts): a reason without a row does not compile.
 */
import { FAILURE_REASONS, type FailureReason } from '../../result/outcome.ts';

/** Possible causes behind a reason, for diagnosis.ts. */
type Sign = 'silence' | 'fragments' | 'slots';

interface Reason {
  /** What the update history calls the attempt; `timeout`: no answer came in time. */
  readonly status: 'failure' | 'timeout';
  /** Nothing is behind it: it says itself what was wrong, or that nothing was. */
  readonly saysAll?: true;
  readonly signOf?: readonly Sign[];
  /** No answer came in time: the device may be updated all the same. */
  readonly ofSilence?: true;
}

const REFUSED: Reason = { status: 'failure' };
const NO_SLOT: Reason = { status: 'failure', signOf: ['slots'] };
const SAYS_ALL: Reason = { status: 'failure', saysAll: true };

export const REASONS: Readonly<Record<FailureReason, Reason>> = {
  'no uplink': { status: 'timeout', signOf: ['silence'], ofSilence: true },
  'set-up unanswered': { status: 'timeout', signOf: ['silence'], ofSilence: true },
  'session missed': { status: 'failure', signOf: ['silence', 'fragments'], ofSilence: true },
  'missing fragments': { status: 'failure', signOf: ['fragments'] },
  'no plan': SAYS_ALL,
  halted: SAYS_ALL,
  'device removed': SAYS_ALL,
  'not delegated': SAYS_ALL,
  'McGroupID unsupported': NO_SLOT,
  'multicast group undefined': NO_SLOT,
  'FragIndex unsupported': NO_SLOT,
  'no key': REFUSED,
  'clock drift': REFUSED,
  'encoding unsupported': REFUSED,
  'not enough memory': REFUSED,
  'wrong descriptor': REFUSED,
  'DR unsupported': REFUSED,
  'frequency unsupported': REFUSED,
  'no beacon': REFUSED,
  'MIC error': REFUSED,
  'session counter replayed': REFUSED,
  'verification unanswered': { status: 'timeout', signOf: ['silence'], ofSilence: true },
  'version mismatch': { status: 'failure', ofSilence: true },
};

export const reasonsOf = (sign: Sign): readonly FailureReason[] =>
  FAILURE_REASONS.filter((reason) => REASONS[reason].signOf?.includes(sign));
