/** Stages of a campaign: their numbers and names, and which trigger leads from one to another. */
import { assert } from '../../sim/base/assert.ts';

/** Names by number, as the firmware update service shows them. */
export const STAGES = [
  'INITIALIZING', // one second
  'WAITING_FOR_START',
  'CHECKING_VERSIONS',
  'SETTING_UP_DEVICES', // clock, multicast group, fragmentation session, multicast session
  'SENDING_FRAGMENTS',
  'VERIFYING', // fragment status, repair, final version
  'WAITING_FOR_RETRY',
  'FINISHED',
  'HALTED',
  'ERROR_SETTING_UP',
] as const;

export type Stage = (typeof STAGES)[number];

export type Trigger =
  /** A round begins with a version check, or without. */
  | 'versionCheckBegins'
  | 'setUpBegins'
  /** No plan is possible. */
  | 'planFails'
  | 'sessionStarts'
  | 'allSent'
  /** Every member succeeded or failed, and … */
  | 'membersDone'
  /** … some failed and are tried again later. */
  | 'retryIsLeft'
  | 'halt';

const AFTER_MEMBERS = { membersDone: 'FINISHED', retryIsLeft: 'WAITING_FOR_RETRY' } as const;
const BEGINS = {
  versionCheckBegins: 'CHECKING_VERSIONS',
  setUpBegins: 'SETTING_UP_DEVICES',
  planFails: 'ERROR_SETTING_UP',
} as const;

/** What is not in the table does not happen. */
const TRANSITIONS: Readonly<Record<Stage, Readonly<Partial<Record<Trigger, Stage>>>>> = {
  INITIALIZING: { ...BEGINS, ...AFTER_MEMBERS, halt: 'HALTED' },
  WAITING_FOR_START: { ...BEGINS, ...AFTER_MEMBERS, halt: 'HALTED' },
  CHECKING_VERSIONS: {
    setUpBegins: 'SETTING_UP_DEVICES',
    sessionStarts: 'SENDING_FRAGMENTS',
    ...AFTER_MEMBERS,
    halt: 'HALTED',
  },
  SETTING_UP_DEVICES: { sessionStarts: 'SENDING_FRAGMENTS', ...AFTER_MEMBERS, halt: 'HALTED' },
  SENDING_FRAGMENTS: { allSent: 'VERIFYING', ...AFTER_MEMBERS, halt: 'HALTED' },
  VERIFYING: { ...AFTER_MEMBERS, halt: 'HALTED' },
  WAITING_FOR_RETRY: { ...BEGINS, membersDone: 'FINISHED', halt: 'HALTED' },
  FINISHED: {},
  HALTED: {},
  ERROR_SETTING_UP: {},
};

export function isOver(stage: Stage): boolean {
  return Object.keys(TRANSITIONS[stage]).length === 0;
}

/** The stage that a trigger leads to; an assertion when the table has none. */
export function nextStage(stage: Stage, trigger: Trigger): Stage {
  const next = TRANSITIONS[stage][trigger];
  assert(next !== undefined, `${trigger} has a transition from ${stage}`);
  return next;
}
