/**
 * A firmware update campaign: told the time, uplinks and multicast news, it wishes for downlinks.
 * START HERE for campaigns: stages.ts says which stage follows which, steps.ts what each member
 * goes through.
 *
 * It has one timer, its number, which means “look at your list”: the end of the stage, the next
 * fragment, the next member due, the next slice of a pass over all members. A wake-up looks at 256
 * members at most.
 */
import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { DATA_FRAGMENT_OVERHEAD } from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import type { MulticastNews, UplinkNews } from '../../network-face.ts';
import { type AnswerContext, takeAnswer, type Verdict } from './answers.ts';
import { appoint, countSent, nextDueUs, serveDue, talkAfterUplink } from './conversation.ts';
import { dataFragment, packagesFor, readAnswers } from './payloads.ts';
import { end, endRound, enter, isHeldUp, isRoundOver, stageEnds } from './rounds.ts';
import { endMember, isCheckingVersion, note, type Run, wish } from './run.ts';
import { isAllSent, nextDepartureUs, onCopyNews, type Sending, takeDepartures } from './sending.ts';
import type { Settings } from './settings.ts';
import { isOver } from './stages.ts';
import type { Member } from './state.ts';
import { isSweeping, nextSweepUs, sweepSlice } from './sweep.ts';

/** How long a campaign initializes. */
export const INITIALIZING_US = SECOND_US;

/** From the command to delete a campaign until it is gone. */
const DELETION_US = SECOND_US;

const HALTED: Verdict = { fate: 'failed', reason: 'halted' };
const REMOVED: Verdict = { fate: 'failed', reason: 'device removed' };

// ── what it is told ──────────────────────────────────────────────────────────────────────────────

export function onStart(run: Run, nowUs: number): void {
  rearm(run, nowUs);
}

export function onTimer(run: Run, nowUs: number): void {
  const { state } = run;
  state.wakesAtUs = -1;
  if (isOver(state.stage)) return;
  if (isSweeping(run)) {
    sweepSlice(run, nowUs);
  } else if (state.stageEndsAtUs >= 0 && state.stageEndsAtUs <= nowUs) {
    stageEnds(run, nowUs);
  } else {
    sendFragments(run, nowUs);
    serveDue(run, nowUs);
  }
  afterChange(run, nowUs);
}

/** An uplink of the member at this place in the group. */
export function onUplink(run: Run, place: number, news: UplinkNews): void {
  const { state } = run;
  const member = state.members[place]!;
  if (member.fate !== 'inProgress' || member.phase === 'outside') return;
  if (state.group.deviceClass === 'A') countSent(run, member, member.spokeAtUs);
  member.spokeAtUs = news.atUs;
  const wasChecking = isCheckingVersion(run, member);
  const verdict = takeUplink(run, member, news) ?? goOn(run, place, news.atUs);
  if (wasChecking && !isCheckingVersion(run, member)) state.versionsOpen--;
  endMember(run, member, verdict, news.atUs);
  afterChange(run, news.atUs);
}

export function onMulticast(run: Run, news: MulticastNews, nowUs: number): void {
  const { state } = run;
  const { sending, multicast } = state;
  if (news.outcome.kind === 'sent') state.sent++;
  if (news.outcome.kind === 'noBudget') state.withoutBudget++;
  if (sending === null || multicast === null) return;
  onCopyNews(sending, news.fCnt - multicast.firstFCnt + 1, news, nowUs);
  afterChange(run, nowUs);
}

export function onMemberRemoved(run: Run, place: number, nowUs: number): void {
  if (isOver(run.state.stage)) return;
  endMember(run, run.state.members[place]!, REMOVED, nowUs);
  afterChange(run, nowUs);
}

/** Stops everything at once; the state is kept. */
export function halt(run: Run, nowUs: number): void {
  const { state } = run;
  for (const member of state.members) endMember(run, member, HALTED, nowUs);
  end(run, 'halt', nowUs);
  rearm(run, nowUs);
}

/** Failed members are tried again, with other settings, through other gateways. */
export function restart(
  run: Run,
  settings: Settings,
  gateways: readonly string[],
  nowUs: number,
): void {
  const { state } = run;
  state.settings = settings;
  state.gatewaysAsked = gateways;
  state.retriesLeft = settings.automaticRetries;
  state.status = '';
  enter(run, 'restart', nowUs);
  state.stageEndsAtUs = nowUs + INITIALIZING_US;
  rearm(run, nowUs);
}

/** Stops the campaign when it runs, and lets it vanish a little later. */
export function remove(run: Run, nowUs: number): void {
  const { state } = run;
  if (state.deletedAtUs >= 0) return;
  if (!isOver(state.stage)) halt(run, nowUs);
  state.deletedAtUs = nowUs + DELETION_US;
  rearm(run, nowUs);
}

export function isDeleted({ state }: Run, nowUs: number): boolean {
  return state.deletedAtUs >= 0 && state.deletedAtUs <= nowUs;
}

/** Devices that it waited for may be free now: it looks at the next instant. */
export function lookAgain(run: Run, nowUs: number): void {
  if (!isHeldUp(run)) return;
  run.state.stageEndsAtUs = nowUs;
  rearm(run, nowUs);
}

// ── members ──────────────────────────────────────────────────────────────────────────────────────

function takeUplink(run: Run, member: Member, news: UplinkNews): Verdict {
  const context = answerContext(run, member, news);
  const packages = packagesFor(run.view, member.devEui);
  for (const answer of readAnswers(packages, news.fPort, news.payload)) {
    note(run, member, 'answered', answer.name, news.atUs);
    const verdict = takeAnswer(member, answer, context);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

function answerContext(run: Run, { devEui }: Member, news: UplinkNews): AnswerContext {
  const { settings, plan, multicast } = run.state;
  assert(plan !== null && multicast !== null, 'members are heard once there is a plan');
  const nowUs = news.atUs;
  const { clockSync, fragmentation } = packagesFor(run.view, devEui);
  const send = (fPort: number, payload: Uint8Array) =>
    wish(run, { kind: 'downlink', devEui, fPort, payload }, nowUs);
  return {
    settings,
    plan,
    multicast,
    nowUs,
    gpsSeconds: run.view.gpsSeconds(news.endedAtUs),
    replyTime: (payload) => send(clockSync.fPort, payload),
    replyBlock: (payload) => send(fragmentation.fPort, payload),
    canRepair: () => canRepair(run, news.dataRate),
    lacksBeacon: () => settings.inPingSlots && run.view.device(devEui)?.lacksBeacon === true,
  };
}

/** RX2 and, in class A, RX1 (at the uplink's data rate) are asked for the length of a fragment. */
function canRepair({ state, view }: Run, dataRate: number): boolean {
  const isClassA = state.group.deviceClass === 'A';
  const rates = isClassA ? [dataRate, view.rx2.dataRate] : [view.rx2.dataRate];
  const needed = (state.plan?.fragSize ?? 0) + DATA_FRAGMENT_OVERHEAD;
  return rates.some((index) => (view.dataRate(index)?.maxFrmPayload ?? 0) >= needed);
}

function goOn(run: Run, place: number, nowUs: number): Verdict {
  const member = run.state.members[place]!;
  if (run.state.group.deviceClass === 'A') return talkAfterUplink(run, member, nowUs);
  appoint(run, place, nowUs);
  return undefined;
}

// ── fragments ────────────────────────────────────────────────────────────────────────────────────

function sendFragments(run: Run, nowUs: number): void {
  const { sending, multicast, plan } = run.state;
  if (sending === null || multicast === null || plan === null) return;
  for (const { fragmentNumber, gatewayEui, startsAtUs } of takeDepartures(sending, nowUs)) {
    const fragment = run.fragments.fragment(plan, fragmentNumber);
    const payload = dataFragment(fragmentNumber, fragment);
    const fCnt = multicast.firstFCnt + fragmentNumber - 1;
    const { fPort } = plan;
    const frame = { mcAddr: multicast.mcAddr, gatewayEui, fCnt, fPort, payload, startsAtUs };
    wish(run, { kind: 'multicast.send', ...frame }, nowUs);
  }
}

/** Once nothing is left to send, the stage ends after the pause that the settings ask for. */
function noteAllSent({ state }: Run, sending: Sending, nowUs: number): void {
  if (sending.doneAtUs >= 0 || !isAllSent(sending)) return;
  sending.doneAtUs = nowUs;
  const lastEndsUs = sending.lastStartUs < 0 ? nowUs : sending.lastStartUs + sending.airtimeUs;
  state.stageEndsAtUs = Math.max(nowUs, lastEndsUs + state.settings.sleepAfterFragSentUs);
}

// ── after every change ───────────────────────────────────────────────────────────────────────────

function afterChange(run: Run, nowUs: number): void {
  const { state } = run;
  if (state.stage === 'SENDING_FRAGMENTS' && state.sending !== null) {
    noteAllSent(run, state.sending, nowUs);
  }
  if (state.stage === 'CHECKING_VERSIONS' && state.versionsOpen === 0) {
    const { stageEndsAtUs } = state;
    enter(run, 'setUpBegins', nowUs);
    state.stageEndsAtUs = stageEndsAtUs;
  }
  if (isRoundOver(run)) endRound(run, nowUs);
  rearm(run, nowUs);
}

/** Makes the one appointment: the earliest thing on the list. */
function rearm(run: Run, nowUs: number): void {
  const { state } = run;
  const timer = state.number;
  const atUs = nextWakeUs(run, nowUs);
  if (atUs === state.wakesAtUs) return;
  state.wakesAtUs = atUs;
  wish(run, atUs < 0 ? { kind: 'wakeNever', timer } : { kind: 'wakeAt', timer, atUs }, nowUs);
}

/** −1: never. A wake-up lies in the future. */
function nextWakeUs(run: Run, nowUs: number): number {
  const { state } = run;
  if (isOver(state.stage)) return state.deletedAtUs;
  if (isSweeping(run)) return state.wakesAtUs > nowUs ? state.wakesAtUs : nextSweepUs(nowUs);
  const stageUs = state.stageEndsAtUs < 0 ? Number.POSITIVE_INFINITY : state.stageEndsAtUs;
  const sendUs = state.sending === null ? Number.POSITIVE_INFINITY : nextDepartureUs(state.sending);
  const atUs = Math.min(stageUs, sendUs, nextDueUs(state));
  return atUs === Number.POSITIVE_INFINITY ? -1 : Math.max(atUs, nowUs + 1);
}
