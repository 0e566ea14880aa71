/** A campaign at work: its state and what it may reach. */
import { toBelow } from '../../sim/base/random.ts';
import { MILLISECOND_US } from '../../sim/base/units.ts';
import type { Image } from '../images.ts';
import type { NetworkView, Wish } from '../network-face.ts';
import type { Outbox } from '../outbox.ts';
import type { Verdict } from './answers.ts';
import type { FragmentSource } from './fragments.ts';
import { type CampaignState, type Member, Step } from './state.ts';
import { isPassed } from './steps.ts';

/** 32 random bits for a counter: a pure function of it. */
export type Draws = (counter: number) => number;

export interface Run {
  readonly state: CampaignState;
  readonly image: Image;
  readonly fragments: FragmentSource;
  readonly view: NetworkView;
  readonly outbox: Outbox;
  readonly draws: Draws;
}

export function wish({ outbox }: Run, what: Wish, nowUs: number): void {
  outbox.add(what, nowUs);
}

// ── luck ─────────────────────────────────────────────────────────────────────────────────────────

/** Counters of a campaign: the first for its key, the others for pauses; 0 is the world's. */
const COUNTERS = 0x100000;
const FIRST_PAUSE = 16;

/** One of the four words of the group's key. */
export function drawKeyWord({ state, draws }: Run, word: number): number {
  return draws(state.number * COUNTERS + word);
}

/** A random pause before a class C command, µs. */
export function drawPauseUs({ state, draws }: Run): number {
  const mostMs = Math.floor(state.settings.downlinkJitterUs / MILLISECOND_US);
  if (mostMs <= 0) return 0;
  const which = FIRST_PAUSE + (state.pausesDrawn++ % (COUNTERS - FIRST_PAUSE));
  return toBelow(draws(state.number * COUNTERS + which), mostMs + 1) * MILLISECOND_US;
}

// ── members ──────────────────────────────────────────────────────────────────────────────────────

export function inProgress({ members, succeeded, failed }: CampaignState): number {
  return members.length - succeeded - failed;
}

/** A member's flow ends; nothing of it is sent any more. */
export function endMember(run: Run, member: Member, verdict: Verdict, nowUs: number): void {
  const { state, view } = run;
  if (verdict === undefined || member.fate !== 'inProgress') return;
  if (isCheckingVersion(run, member)) state.versionsOpen--;
  member.fate = verdict.fate;
  member.endedAtUs = nowUs;
  if (verdict.fate === 'success') {
    state.succeeded++;
    passAll(member, nowUs);
  } else {
    state.failed++;
    member.reason = verdict.reason;
  }
  if (member.phase !== 'outside' && view.device(member.devEui) !== undefined) {
    wish(run, { kind: 'clearDownlinks', devEui: member.devEui }, nowUs);
    wish(run, { kind: 'watch', devEui: member.devEui, on: false }, nowUs);
  }
  member.phase = 'outside';
  member.queued.length = 0;
  member.dueAtUs = -1;
}

/** Who runs the expected version has what all steps are for. */
function passAll({ passedAtUs }: Member, nowUs: number): void {
  passedAtUs.forEach((at, step) => {
    if (at < 0) passedAtUs[step] = nowUs;
  });
}

export function isCheckingVersion({ state }: Run, member: Member): boolean {
  return member.fate === 'inProgress' && !isPassed(member, Step.versionCheck, state.settings);
}

/** Why a member fails that is waited for no longer. */
export function silenceReason(member: Member, unanswered: string): string {
  return member.spokeAtUs < member.phaseSinceUs ? 'no uplink' : unanswered;
}
