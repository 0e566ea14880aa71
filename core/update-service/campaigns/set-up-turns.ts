/**
 * A set-up in turn, as servers run it that go step by step: a step begins for all members once each
 * has passed the one before, or has used its tries (docs/decisions/0126).
 */
import { assert } from '../../../sim/base/assert.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { Campaign } from './context.ts';
import { allMembers } from './member.ts';
import { Step } from './member-columns.ts';
import { sessionSecond } from './session-place.ts';
import { sessionDelayUs, triesOf, tryUs } from './set-up-time.ts';
import type { CampaignState, SetUpTurn } from './state.ts';
import { isInTurn, STEPS } from './steps.ts';
import { startSweep } from './sweep.ts';

/** Steps of the set-up, which follow each other. */
const TURNS = [
  Step.versionCheck,
  Step.clockSync,
  Step.multicastSetup,
  Step.fragmentationSetup,
  Step.session,
] as const;

/** The first turn of a round. */
export function beginTurns({ state }: Campaign, nowUs: number): void {
  delete state.turn;
  if (state.settings.set_up_in_turn) beginTurn(state, Step.versionCheck, nowUs);
}

function beginTurn(state: CampaignState, step: Step, nowUs: number): void {
  const lookAtUs = nowUs + tryUs(state.settings);
  const turn: SetUpTurn = { step, members: 0, open: 0, tries: 1, lookAtUs, closes: false };
  // Handles of members hold the turn itself.
  if (state.turn === undefined) state.turn = turn;
  else Object.assign(state.turn, turn);
  let open = 0;
  for (const member of allMembers(state)) if (isInTurn(state, member)) open++;
  state.turn.open = open;
  state.turn.members = open;
}

/** Begins the turns whose time has come, after a member has passed a step or failed. */
export function moveTurn(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  const { turn, settings, sweep } = state;
  if (turn === undefined || sweep !== null || turn.step === Step.session) return;
  assert(turn.open >= 0, 'a member passes a step once');
  const isOver = settings.set_up_waits ? turn.closes || turn.members === 0 : isAnswered(state);
  if (isOver || (turn.closes && turn.open === 0)) nextTurn(campaign, turn, nowUs);
}

/** When the try of the present turn is over, µs; Infinity: nobody waits for that. */
export const nextTurnUs = ({ turn }: CampaignState): number =>
  turn === undefined || turn.lookAtUs === NEVER_US ? Number.POSITIVE_INFINITY : turn.lookAtUs;

/** The time of a try is over: the turn ends, or another try begins. */
export function lookAtTurn(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  const { turn, settings } = state;
  if (turn === undefined || nextTurnUs(state) > nowUs) return;
  if (isAnswered(state)) return nextTurn(campaign, turn, nowUs);
  if (turn.tries < triesOf(settings)) {
    turn.tries++;
    turn.lookAtUs = nowUs + tryUs(settings);
    return;
  }
  turn.lookAtUs = NEVER_US;
  if (turn.step === Step.session) return;
  turn.closes = true;
  startSweep(campaign, 'turnEnds');
}

/** Whether enough members have passed the step for the next one to begin. */
function isAnswered({ turn, settings }: CampaignState): boolean {
  const { members, open } = turn!;
  const share = settings.set_up_threshold ?? 1;
  return open <= members - Math.ceil(share * members);
}

function nextTurn(campaign: Campaign, turn: SetUpTurn, nowUs: number): void {
  const { state } = campaign;
  const { settings } = state;
  if (turn.step === Step.session) {
    turn.lookAtUs = NEVER_US;
    return;
  }
  const later = TURNS.filter((step) => step > turn.step);
  const step = later.find((one) => STEPS[one]!.applies?.(settings) ?? true) ?? Step.session;
  beginTurn(state, step, nowUs);
  if (step === Step.session) setSession(campaign, nowUs);
  startSweep(campaign, 'turnBegins');
}

/** The session follows its first request, where the settings say by how much. */
function setSession({ state, view }: Campaign, nowUs: number): void {
  const { plan, multicast, settings } = state;
  const setupUs = sessionDelayUs(settings);
  if (setupUs === undefined) return;
  assert(plan !== null && multicast !== null, 'a set-up has a plan');
  const { periodicity } = plan;
  const sessionTime = sessionSecond({ setupUs, periodicity }, view, nowUs) % 0x1_0000_0000;
  const startsAtUs = view.worldUs(sessionTime);
  Object.assign(multicast, { sessionTime, startsAtUs });
  state.stageEndsAtUs = startsAtUs;
}
