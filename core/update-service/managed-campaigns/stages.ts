/** Stages of a managed campaign: their numbers and names, and which trigger leads where. */
import { assert } from '../../../sim/base/assert.ts';

/** Numbers by name, as the firmware update service has them. */
export const STAGES = {
  INITIALIZING: 0, // one second
  GATHERING_DEVICES: 1,
  RUNNING_LAST_CAMPAIGN: 3,
  FINISHED: 7,
  CLEANED: 8,
  ERROR_SETTING_UP: 9,
} as const;

export type Stage = keyof typeof STAGES;

export type Trigger =
  | 'initialized'
  /** What it needs is gone. */
  | 'setUpFails'
  /** No child is created any more, and some child runs. */
  | 'gatheringEnds'
  /** No child is created any more, and none runs. */
  | 'lastIsOver'
  | 'halt'
  /** Its children are gone. */
  | 'cleaned';

/** What is not in the table does not happen. */
const TRANSITIONS: Readonly<Record<Stage, Readonly<Partial<Record<Trigger, Stage>>>>> = {
  INITIALIZING: {
    initialized: 'GATHERING_DEVICES',
    setUpFails: 'ERROR_SETTING_UP',
    halt: 'FINISHED',
  },
  GATHERING_DEVICES: {
    gatheringEnds: 'RUNNING_LAST_CAMPAIGN',
    lastIsOver: 'FINISHED',
    halt: 'FINISHED',
  },
  RUNNING_LAST_CAMPAIGN: { lastIsOver: 'FINISHED', halt: 'FINISHED' },
  FINISHED: { cleaned: 'CLEANED' },
  CLEANED: {},
  ERROR_SETTING_UP: {},
};

/** The stage that a trigger leads to; an assertion when the table has none. */
export function nextStage(stage: Stage, trigger: Trigger): Stage {
  const next = TRANSITIONS[stage][trigger];
  assert(next !== undefined, `${trigger} has a transition from ${stage}`);
  return next;
}

/** Children may still come. */
export const isGathering = (stage: Stage): boolean =>
  stage === 'INITIALIZING' || stage === 'GATHERING_DEVICES';

/** A halt finds something to stop. */
export const isHaltable = (stage: Stage): boolean => TRANSITIONS[stage].halt !== undefined;

/** Nothing happens any more; the image is free. */
export const isComplete = (stage: Stage): boolean => Object.keys(TRANSITIONS[stage]).length === 0;
