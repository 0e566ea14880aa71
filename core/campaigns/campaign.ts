/**
 * A firmware update campaign: told the time, uplinks and multicast news, it wishes for downlinks.
 * START HERE for campaigns: stages.ts says which stage follows which, steps.ts what each member
 * goes through.
 *
 * It has one timer, its number, which means “look at your list”: the end of the stage, the next
 * fragment, the next member due, the next slice of a pass over all members. A wake-up looks at 256
 * members at most.
 */
import { assert } from '../../sim/base/assert.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import { PACKAGES } from '../../sim/lorawan/packages/package-version.ts';
import { DATA_FRAGMENT_OVERHEAD } from '../../sim/lorawan/packages/ts004-fragmentation.ts';
import type { MulticastNews, UplinkNews } from '../network-face.ts';
import { type AnswerContext, takeAnswer, type Verdict } from './answers.ts';
import { appoint, nextDueUs, serveDue, talkAfterUplink } from './conversation.ts';
import { dataFragment, readAnswers } from './payloads.ts';
import { makePlan } from './plan.ts';
import { drawKeyWord, endMember, inProgress, isCheckingVersion, type Run, wish } from './run.ts';
import {
  isAllSent,
  newSending,
  nextDepartureUs,
  onCopyNews,
  type Sending,
  takeDepartures,
} from './sending.ts';
import { isOver, nextStage, type Trigger } from './stages.ts';
import { type Member, type Multicast, newMember } from './state.ts';
import { isSweeping, nextSweepUs, startSweep, sweepSlice } from './sweep.ts';

/** How long a campaign initializes. */
export const INITIALIZING_US = SECOND_US;

/** First of the multicast addresses: those at the end of NetID 0's (LoRaWAN 1.0.4 §6.1.1). */
const MC_ADDR_PREFIX = 0x01fe_0000;
const MC_ADDR_MASK = 0x0001_ffff;

const FAILED_SET_UP: Verdict = { fate: 'failed', reason: 'no plan' };
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
  enter(run, 'halt', nowUs);
  for (const member of state.members) endMember(run, member, HALTED, nowUs);
  close(run, nowUs);
  rearm(run, nowUs);
}

// ── members ──────────────────────────────────────────────────────────────────────────────────────

function takeUplink(run: Run, member: Member, news: UplinkNews): Verdict {
  const context = answerContext(run, member, news);
  for (const answer of readAnswers(news.fPort, news.payload)) {
    const verdict = takeAnswer(member, answer, context);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

function answerContext(run: Run, { devEui }: Member, news: UplinkNews): AnswerContext {
  const { settings, plan, multicast } = run.state;
  assert(plan !== null && multicast !== null, 'members are heard once there is a plan');
  const nowUs = news.atUs;
  const { fPort } = PACKAGES.clockSync;
  return {
    settings,
    plan,
    multicast,
    nowUs,
    gpsSeconds: run.view.gpsSeconds(news.endedAtUs),
    replyTime: (payload) => wish(run, { kind: 'downlink', devEui, fPort, payload }, nowUs),
    canRepair: () => canRepair(run, news.dataRate),
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

// ── stages ───────────────────────────────────────────────────────────────────────────────────────

function enter({ state }: Run, trigger: Trigger, nowUs: number): void {
  state.stage = nextStage(state.stage, trigger);
  state.stages.push({ stage: state.stage, atUs: nowUs });
  state.stageEndsAtUs = -1;
}

function stageEnds(run: Run, nowUs: number): void {
  switch (run.state.stage) {
    case 'INITIALIZING':
    case 'WAITING_FOR_RETRY':
      return beginRound(run, nowUs);
    case 'CHECKING_VERSIONS':
    case 'SETTING_UP_DEVICES':
      return startSession(run, nowUs);
    case 'SENDING_FRAGMENTS':
      enter(run, 'allSent', nowUs);
      run.state.sending = null;
      return startSweep(run, 'verify');
    default:
      assert(false, `${run.state.stage} does not end by time`);
  }
}

/** Plans the multicast session for all who are not updated yet, and begins their set-up. */
function beginRound(run: Run, nowUs: number): void {
  const { state, image, view } = run;
  takeBack(run);
  const { settings, group } = state;
  const devEuis = state.members.filter(isInProgress).map(({ devEui }) => devEui);
  const plan = makePlan({ settings, group, imageBytes: image.bytes.length, devEuis }, view, nowUs);
  if (!plan.ok) {
    state.status = plan.failure.message;
    for (const member of state.members) endMember(run, member, FAILED_SET_UP, nowUs);
    return enter(run, 'planFails', nowUs);
  }
  const firstFCnt = nextFCnt(run);
  state.plan = plan.value;
  state.multicast = multicastOf(run, firstFCnt, nowUs);
  state.rounds++;
  state.sending = null;
  openGroup(run, nowUs);
  state.versionsOpen = state.members.filter((member) => isCheckingVersion(run, member)).length;
  enter(run, state.versionsOpen > 0 ? 'versionCheckBegins' : 'setUpBegins', nowUs);
  state.stageEndsAtUs = state.multicast.startsAtUs;
  startSweep(run, 'begin');
}

const isInProgress = (member: Member): boolean => member.fate === 'inProgress';

/** Failed members start anew; those that are gone stay failed. */
function takeBack({ state, view }: Run): void {
  state.members.forEach((member, place) => {
    if (member.fate !== 'failed' || view.device(member.devEui) === undefined) return;
    state.members[place] = newMember(member.devEui);
    state.failed--;
  });
  state.due.length = 0;
}

/** Counters of earlier rounds are not used again: devices would drop such frames. */
function nextFCnt({ state: { multicast, plan } }: Run): number {
  if (multicast === null || plan === null) return 0;
  return multicast.firstFCnt + plan.nbFrag + plan.redundancy;
}

function multicastOf(run: Run, firstFCnt: number, nowUs: number): Multicast {
  const { state, view } = run;
  const sessionTime = (view.gpsSeconds(nowUs + state.plan!.setupUs) + 1) % 0x1_0000_0000;
  const session = { firstFCnt, sessionTime, startsAtUs: view.worldUs(sessionTime) };
  if (state.multicast !== null) return { ...state.multicast, ...session };
  return { ...session, mcAddr: mcAddrOf(run), mcKey: mcKeyOf(run) };
}

/** One after the other from a place drawn by the world: no two campaigns share an address. */
function mcAddrOf({ state, draws }: Run): number {
  return MC_ADDR_PREFIX + ((draws(0) + state.number) & MC_ADDR_MASK);
}

function mcKeyOf(run: Run): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => drawKeyWord(run, i >> 2) >>> (24 - 8 * (i & 3)));
}

function openGroup(run: Run, nowUs: number): void {
  const { mcAddr, mcKey } = run.state.multicast!;
  const { frequencyHz, dataRate } = run.state.plan!;
  wish(run, { kind: 'multicast.open', group: { mcAddr, mcKey, frequencyHz, dataRate } }, nowUs);
}

function startSession(run: Run, nowUs: number): void {
  const { state } = run;
  const { plan, multicast, settings } = state;
  assert(plan !== null && multicast !== null, 'a session has a plan');
  enter(run, 'sessionStarts', nowUs);
  const { startsAtUs } = multicast;
  const endsAtUs = startsAtUs + (1 << plan.timeOut) * SECOND_US;
  const pace = {
    firstAtUs: startsAtUs + plan.startMarginUs,
    delayUs: plan.fragSendDelayUs,
    airtimeUs: plan.airtimeUs,
    endsAtUs: endsAtUs - settings.acceptableDriftS * SECOND_US, // a fast clock leaves early
    fragments: plan.nbFrag + plan.redundancy,
  };
  const gateways = plan.gateways.map(({ eui }) => eui);
  state.sending = newSending(pace, gateways, settings.simultaneous);
  state.stageEndsAtUs = endsAtUs + settings.sleepAfterFragSentUs;
  startSweep(run, 'sessionStarts');
}

// ── fragments ────────────────────────────────────────────────────────────────────────────────────

function sendFragments(run: Run, nowUs: number): void {
  const { sending, multicast, plan } = run.state;
  if (sending === null || multicast === null || plan === null) return;
  for (const { fragmentNumber, gatewayEui, startsAtUs } of takeDepartures(sending, nowUs)) {
    const fragment = run.fragments.fragment(plan, fragmentNumber);
    const payload = dataFragment(fragmentNumber, fragment);
    const fCnt = multicast.firstFCnt + fragmentNumber - 1;
    const { fPort } = PACKAGES.fragmentation;
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

function isRoundOver({ state }: Run): boolean {
  if (isOver(state.stage) || state.stage === 'WAITING_FOR_RETRY') return false;
  return state.sweep === null && inProgress(state) === 0;
}

function endRound(run: Run, nowUs: number): void {
  const { state, view } = run;
  const { automaticRetries, automaticRetryIntervalUs } = state.settings;
  const isRetryLeft =
    state.rounds <= automaticRetries &&
    state.members.some(({ fate, devEui }) => fate === 'failed' && view.device(devEui));
  enter(run, isRetryLeft ? 'retryIsLeft' : 'membersDone', nowUs);
  if (isRetryLeft) state.stageEndsAtUs = nowUs + automaticRetryIntervalUs;
  close(run, nowUs);
}

/** Nothing goes to the group any more. */
function close(run: Run, nowUs: number): void {
  const { state } = run;
  state.sweep = null;
  state.sending = null;
  state.due.length = 0;
  if (state.multicast === null) return;
  wish(run, { kind: 'multicast.close', mcAddr: state.multicast.mcAddr }, nowUs);
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
  if (isOver(state.stage)) return -1;
  if (isSweeping(run)) return state.wakesAtUs > nowUs ? state.wakesAtUs : nextSweepUs(nowUs);
  const stageUs = state.stageEndsAtUs < 0 ? Number.POSITIVE_INFINITY : state.stageEndsAtUs;
  const sendUs = state.sending === null ? Number.POSITIVE_INFINITY : nextDepartureUs(state.sending);
  const atUs = Math.min(stageUs, sendUs, nextDueUs(state));
  return atUs === Number.POSITIVE_INFINITY ? -1 : Math.max(atUs, nowUs + 1);
}
