/**
 * The states of a rollout and of its fragments, as tables: what may happen in a state, and which
 * state follows. What is not in a row does not happen.
 */
import { assert } from '../../../sim/base/assert.ts';
import type { RolloutStatus } from '../../result/configuration.ts';

export const FRAGMENT_STATUSES = [
  'pending',
  'ready',
  'queued',
  'sent',
  'confirmed',
  'gateway_unavailable',
  'failed',
  'cancelled',
] as const;
export type FragmentStatus = (typeof FRAGMENT_STATUSES)[number];

/** What happens to a rollout. */
export type RolloutEvent =
  /** Its first fragment is scheduled. */
  | 'begin'
  /** Every fragment is confirmed. */
  | 'apply'
  | 'fail'
  | 'cancel';

/** What happens to a fragment. */
export type FragmentEvent =
  /** Its turn comes. */
  | 'schedule'
  /** It goes to the network server. */
  | 'submit'
  /** No connected gateway reaches the device. */
  | 'suspend'
  /** The device is heard again. */
  | 'resume'
  /** A gateway transmits it. */
  | 'send'
  /** A try of it is lost before it is on the air. */
  | 'lose'
  /** It is due to be sent again. */
  | 'retry'
  | 'confirm'
  | 'fail'
  | 'cancel';

type Moves<Status extends string, Event extends string> = {
  readonly [From in Status]: { readonly [What in Event]?: Status };
};

/** What is not over may fail before it begins: the device's codec is another one by then. */
export const ROLLOUT_MOVES: Moves<RolloutStatus, RolloutEvent> = {
  pending: { begin: 'in_progress', fail: 'failed', cancel: 'cancelled' },
  in_progress: { apply: 'applied', fail: 'failed', cancel: 'cancelled' },
  applied: {},
  failed: {},
  cancelled: {},
};

/** A fragment that is on its turn may end in any state of it: a device may report by itself. */
const ENDS = { confirm: 'confirmed', fail: 'failed', cancel: 'cancelled' } as const;

export const FRAGMENT_MOVES: Moves<FragmentStatus, FragmentEvent> = {
  pending: { schedule: 'ready', fail: 'failed', cancel: 'cancelled' },
  // What was on its way when it was suspended may be sent after all.
  ready: { submit: 'queued', suspend: 'gateway_unavailable', send: 'sent', ...ENDS },
  queued: { send: 'sent', lose: 'ready', suspend: 'gateway_unavailable', ...ENDS },
  sent: { retry: 'ready', send: 'sent', ...ENDS },
  gateway_unavailable: { resume: 'ready', send: 'sent', ...ENDS },
  confirmed: {},
  failed: {},
  cancelled: {},
};

/** The state that follows; the table has it. */
export function next<Status extends string, Event extends string>(
  moves: Moves<Status, Event>,
  from: Status,
  what: Event,
): Status {
  const to = moves[from][what];
  assert(to !== undefined, 'a state has a row for what happens in it');
  return to;
}

/** Whether nothing follows. */
export const isOver = (status: RolloutStatus): boolean =>
  status !== 'pending' && status !== 'in_progress';
