/** Stages of a campaign: their numbers and names, and which trigger leads from one to another. */
import { assert } from '../../../sim/base/assert.ts';

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
  /** The start lies ahead, or devices are in another campaign. */
  | 'startIsAhead'
  /** A round begins with a version check, or without. */
  | 'versionCheckBegins'
  | 'setUpBegins'
  /** No plan is possible. */
  | 'planFails'
  | 'sessionStarts'
  | 'allSent'
  /** Too few members have all fragments: they are sent once more. */
  | 'passBegins'
  /** Every member succeeded or failed, and … */
  | 'membersDone'
  /** … some failed and are tried again later. */
  | 'retryIsLeft'
  | 'halt'
  /** Failed devices are tried again by command. */
  | 'restart';

const AFTER_MEMBERS = { membersDone: 'FINISHED', retryIsLeft: 'WAITING_FOR_RETRY' } as const;
const BEGINS = {
  versionCheckBegins: 'CHECKING_VERSIONS',
  setUpBegins: 'SETTING_UP_DEVICES',
  planFails: 'ERROR_SETTING_UP',
} as const;

/** What is not in the table does not happen. */
const TRANSITIONS: Readonly<Record<Stage, Readonly<Partial<Record<Trigger, Stage>>>>> = {
  INITIALIZING: {
    startIsAhead: 'WAITING_FOR_START',
    ...BEGINS,
    membersDone: 'FINISHED',
    halt: 'HALTED',
  },
  WAITING_FOR_START: { ...BEGINS, membersDone: 'FINISHED', halt: 'HALTED' },
  CHECKING_VERSIONS: {
    setUpBegins: 'SETTING_UP_DEVICES',
    sessionStarts: 'SENDING_FRAGMENTS',
    ...AFTER_MEMBERS,
    halt: 'HALTED',
  },
  SETTING_UP_DEVICES: { sessionStarts: 'SENDING_FRAGMENTS', ...AFTER_MEMBERS, halt: 'HALTED' },
  SENDING_FRAGMENTS: { allSent: 'VERIFYING', ...AFTER_MEMBERS, halt: 'HALTED' },
  VERIFYING: { passBegins: 'SENDING_FRAGMENTS', ...AFTER_MEMBERS, halt: 'HALTED' },
  WAITING_FOR_RETRY: { ...BEGINS, membersDone: 'FINISHED', halt: 'HALTED' },
  FINISHED: { restart: 'INITIALIZING' },
  HALTED: { restart: 'INITIALIZING' },
  ERROR_SETTING_UP: { restart: 'INITIALIZING' },
};

/** Nothing happens any more, unless a command restarts it. */
export function isOver(stage: Stage): boolean {
  return TRANSITIONS[stage].halt === undefined;
}

/** Neither planned nor over: devices belong to the campaign. */
export function isUnderway(stage: Stage): boolean {
  return !isOver(stage) && stage !== 'INITIALIZING' && stage !== 'WAITING_FOR_START';
}

/** The stage that a trigger leads to; an assertion when the table has none. */
export function nextStage(stage: Stage, trigger: Trigger): Stage {
  const next = TRANSITIONS[stage][trigger];
  assert(next !== undefined, `${trigger} has a transition from ${stage}`);
  return next;
}

/** Stages that a round follows: for the failed members, too, unless the campaign `goesOn`. */
const BEFORE_A_ROUND: ReadonlySet<Stage> = new Set([
  'INITIALIZING',
  'WAITING_FOR_START',
  'WAITING_FOR_RETRY',
]);

export const isBeforeARound = (stage: Stage): boolean => BEFORE_A_ROUND.has(stage);
