/** Passes over all members, a slice per wake-up, so that no event does unbounded work. */
import { assert } from '../../../sim/base/assert.ts';
import { NEVER_US } from '../../base/instant.ts';
import { MOST_PER_WAKE } from '../../base/slices.ts';
import {
  type Campaign,
  clearUp,
  endMember,
  isServedAs,
  lacksKey,
  NO_KEY,
  silenceReason,
} from './context.ts';
import { appoint, awaitUplink } from './conversation.ts';
import { Member, memberCount } from './member.ts';
import { Step } from './member-columns.ts';
import type { Sweep } from './state.ts';
import { isInTurn, isPassed, openSteps, reopen, STEPS } from './steps.ts';

export function startSweep({ state }: Campaign, kind: Sweep['kind']): void {
  state.sweep = { kind, next: 0 };
}

export function isSweeping({ state }: Campaign): boolean {
  return state.sweep !== null;
}

export function sweepSlice(campaign: Campaign, nowUs: number): void {
  const { sweep } = campaign.state;
  if (sweep === null) return;
  const count = memberCount(campaign.state);
  assert(sweep.next <= count, 'a sweep stays within the members');
  const end = Math.min(sweep.next + MOST_PER_WAKE, count);
  for (; sweep.next < end; sweep.next++) {
    const { fate, waits } = new Member(campaign.state, sweep.next);
    const isMeant = sweep.kind === 'clearUp' || (fate === 'inProgress' && !waits);
    if (isMeant) VISITS[sweep.kind](campaign, sweep.next, nowUs);
  }
  if (sweep.next < count) return;
  campaign.state.sweep = null;
  if (sweep.kind === 'clearUp') free(campaign, nowUs);
}

/** Nobody is spoken to any more: what only a round needs goes, and others may have the devices. */
export function free({ state, neighbours }: Campaign, nowUs: number): void {
  state.members.round = null;
  neighbours.frees(nowUs);
}

/** A member fails that has not passed a step. */
function leaveOut(campaign: Campaign, member: Member, step: Step | undefined, nowUs: number): void {
  const { settings } = campaign.state;
  const unanswered = step === undefined ? null : STEPS[step]!.unanswered(member, settings);
  const reason = silenceReason(member, unanswered ?? 'session missed');
  endMember(campaign, member, { fate: 'failed', reason }, nowUs);
}

/** What a pass does with a member in progress, or in the end with every member. */
const VISITS: Readonly<
  Record<Sweep['kind'], (campaign: Campaign, place: number, nowUs: number) => void>
> = {
  begin(campaign, place, nowUs) {
    const member = new Member(campaign.state, place);
    if (campaign.view.device(member.devEui) === undefined) {
      return endMember(campaign, member, { fate: 'failed', reason: 'device removed' }, nowUs);
    }
    if (lacksKey(campaign, member)) return endMember(campaign, member, NO_KEY, nowUs);
    campaign.watching.begins(member.devEui, nowUs);
    member.enter('setUp', nowUs);
    if (isServedAs('C', campaign, member.devEui)) appoint(campaign, place, nowUs);
  },

  sessionStarts(campaign, place, nowUs) {
    const member = new Member(campaign.state, place);
    if (isPassed(member, Step.session, campaign.state.settings)) {
      return member.enter('session', nowUs);
    }
    const [step] = openSteps(member, campaign.state.settings);
    leaveOut(campaign, member, step, nowUs);
  },

  turnBegins(campaign, place, nowUs) {
    const { devEui } = new Member(campaign.state, place);
    if (isServedAs('C', campaign, devEui)) appoint(campaign, place, nowUs);
  },

  turnEnds(campaign, place, nowUs) {
    const { state } = campaign;
    const member = new Member(state, place);
    if (state.turn !== undefined && isInTurn(state, member)) {
      leaveOut(campaign, member, state.turn.step, nowUs);
    }
  },

  clearUp(campaign, place, nowUs) {
    clearUp(campaign, new Member(campaign.state, place), nowUs);
  },

  passBegins(campaign, place, nowUs) {
    const member = new Member(campaign.state, place);
    reopen(member, Step.status);
    member.enter('session', nowUs);
  },

  verificationEnds(campaign, place, nowUs) {
    const member = new Member(campaign.state, place);
    const isMissing = member.passedAtUs(Step.status) !== NEVER_US && (member.missing ?? 0) > 0;
    const reason = isMissing
      ? 'missing fragments'
      : silenceReason(member, 'verification unanswered');
    endMember(campaign, member, { fate: 'failed', reason }, nowUs);
  },

  verify(campaign, place, nowUs) {
    const member = new Member(campaign.state, place);
    if (member.phase !== 'verify') member.enter('verify', nowUs);
    if (isServedAs('C', campaign, member.devEui)) appoint(campaign, place, nowUs);
    else awaitUplink(campaign, place, nowUs);
  },
};
