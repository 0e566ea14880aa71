/**
 * Rounds of a campaign: who takes part, when one begins and what follows its end (the stages of
 * stages.ts). The start, every restart and every automatic retry is a round.
 */
import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { BEACON_PERIOD_S } from '../../../sim/lorawan/class-b.ts';
import type { Verdict } from './answers.ts';
import { groupAddress, groupEui, groupKey } from './identity.ts';
import { packagesFor } from './payloads.ts';
import type { PingSlots } from './ping-pace.ts';
import { makePlan, type Plan, sessionS } from './plan.ts';
import { endMember, inProgress, isCheckingVersion, type Run, wish } from './run.ts';
import { fragmentsUnsent, newSending } from './sending.ts';
import { isOver, nextStage, type Trigger } from './stages.ts';
import { type Member, type Multicast, newMember } from './state.ts';
import { startSweep } from './sweep.ts';

const FAILED_SET_UP: Verdict = { fate: 'failed', reason: 'no plan' };

/** Goes from stage to stage; the new one does not end by time unless somebody says so. */
export function enter({ state }: Run, trigger: Trigger, nowUs: number): void {
  state.stage = nextStage(state.stage, trigger);
  state.stages.push({ stage: state.stage, atUs: nowUs });
  state.stageEndsAtUs = -1;
}

/** A stage whose time has come. */
export function stageEnds(run: Run, nowUs: number): void {
  switch (run.state.stage) {
    case 'INITIALIZING':
      return initialized(run, nowUs);
    case 'WAITING_FOR_START':
      return start(run, nowUs);
    case 'WAITING_FOR_RETRY':
      return beginRound(run, nowUs);
    case 'CHECKING_VERSIONS':
    case 'SETTING_UP_DEVICES':
      return startSession(run, nowUs);
    case 'SENDING_FRAGMENTS':
      return sessionEnds(run, nowUs);
    default:
      assert(false, `${run.state.stage} does not end by time`);
  }
}

// ── the start ────────────────────────────────────────────────────────────────────────────────────

function initialized(run: Run, nowUs: number): void {
  const { state, view } = run;
  const { startsAtUnixMs } = state.settings;
  const startsAtUs = startsAtUnixMs < 0 ? -1 : view.worldUsOfUnixMs(startsAtUnixMs);
  if (startsAtUs <= nowUs) return start(run, nowUs);
  enter(run, 'startIsAhead', nowUs);
  state.stageEndsAtUs = startsAtUs;
}

/** Devices that another campaign has are waited for; its end makes this campaign look again. */
function start(run: Run, nowUs: number): void {
  const { state, host } = run;
  if (state.rounds === 0 && state.settings.startsAtUnixMs >= 0) freezeGroup(run);
  const wanted = state.members.filter((member) => isRetriable(run, member));
  const holder = host.holder(wanted.map(({ devEui }) => devEui));
  if (holder === undefined) {
    state.status = '';
    return beginRound(run, nowUs);
  }
  state.status = `waits for campaign ${holder.name}, which has ${holder.count} of its devices`;
  if (state.stage !== 'WAITING_FOR_START') enter(run, 'startIsAhead', nowUs);
  state.stageEndsAtUs = -1;
}

/** Whether it waits for devices of other campaigns. */
export function isHeldUp({ state }: Run): boolean {
  return state.stage === 'WAITING_FOR_START' && state.stageEndsAtUs < 0;
}

/** Who is in the group when the time has come takes part, whatever becomes of the group later. */
function freezeGroup({ state, host }: Run): void {
  state.group = host.group(state.owner, state.input.device_group) ?? state.group;
  state.members = state.group.devices.map((devEui) => newMember(devEui));
  state.failed = 0;
}

const isRetriable = ({ view }: Run, { fate, devEui }: Member): boolean =>
  fate === 'inProgress' || (fate === 'failed' && view.device(devEui) !== undefined);

// ── a round ──────────────────────────────────────────────────────────────────────────────────────

/** Plans the multicast session for all who are not updated yet, and begins their set-up. */
function beginRound(run: Run, nowUs: number): void {
  const { state, image, view } = run;
  if (!state.goesOn) takeBack(run);
  state.goesOn = false;
  chooseVersion(run);
  state.claimedAtUs = nowUs;
  run.host.claim(run);
  const { settings } = state;
  const devEuis = state.members.filter(isInProgress).map(({ devEui }) => devEui);
  if (devEuis.length === 0) return end(run, 'membersDone', nowUs);
  const group = { ...state.group, gateways: state.gatewaysAsked ?? state.group.gateways };
  const plan = makePlan({ settings, group, imageBytes: image.bytes.length, devEuis }, view, nowUs);
  if (!plan.ok) {
    state.status = plan.failure.message;
    for (const member of state.members) endMember(run, member, FAILED_SET_UP, nowUs);
    return end(run, 'planFails', nowUs);
  }
  const firstFCnt = nextFCnt(run);
  state.plan = plan.value;
  state.multicast = multicastOf(run, firstFCnt, nowUs);
  state.rounds++;
  state.sending = null;
  state.unsent = 0;
  state.withoutBudget = 0;
  for (const member of state.members) if (isInProgress(member)) member.rounds++;
  openGroup(run, nowUs);
  state.versionsOpen = state.members.filter((member) => isCheckingVersion(run, member)).length;
  enter(run, state.versionsOpen > 0 ? 'versionCheckBegins' : 'setUpBegins', nowUs);
  state.stageEndsAtUs = state.multicast.startsAtUs;
  startSweep(run, 'begin');
}

const isInProgress = ({ fate, waits }: Member): boolean => fate === 'inProgress' && !waits;

/**
 * Fragments of a session are of one version of TS004: the round is for the version (and port) that
 * most members speak, the first of equals; the others wait for a round of their own.
 */
function chooseVersion({ state, view }: Run): void {
  const kindOf = ({ devEui }: Member): string => {
    const { version, fPort } = packagesFor(view, devEui).fragmentation;
    return `${version} ${fPort}`;
  };
  const open = state.members.filter(({ fate }) => fate === 'inProgress');
  const counts = new Map<string, number>();
  for (const member of open) counts.set(kindOf(member), (counts.get(kindOf(member)) ?? 0) + 1);
  const [chosen] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [''];
  for (const member of open) member.waits = kindOf(member) !== chosen;
  state.waiting = open.filter(({ waits }) => waits).length;
}

/** Failed members start anew; those that are gone stay failed. */
function takeBack(run: Run): void {
  const { state } = run;
  state.members.forEach((member, place) => {
    if (member.fate !== 'failed' || !isRetriable(run, member)) return;
    state.members[place] = newMember(member.devEui, member);
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
  const soonestS = view.gpsSeconds(nowUs + state.plan!.setupUs) + 1;
  const stepS = state.plan!.periodicity < 0 ? 1 : BEACON_PERIOD_S;
  const sessionTime = (Math.ceil(soonestS / stepS) * stepS) % 0x1_0000_0000;
  const session = { firstFCnt, sessionTime, startsAtUs: view.worldUs(sessionTime) };
  if (state.multicast !== null) return { ...state.multicast, ...session };
  return { ...session, eui: groupEui(run), mcAddr: groupAddress(run), mcKey: groupKey(run) };
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
  const endsAtUs = startsAtUs + sessionS(plan) * SECOND_US;
  const inSlots = plan.periodicity >= 0;
  const pace = {
    firstAtUs: startsAtUs + plan.startMarginUs,
    delayUs: plan.fragSendDelayUs,
    airtimeUs: plan.airtimeUs,
    // A fast clock leaves a class C session early.
    endsAtUs: inSlots ? endsAtUs : endsAtUs - settings.acceptableDriftS * SECOND_US,
    fragments: plan.nbFrag + plan.redundancy,
    slots: inSlots ? slotsOf(multicast, plan) : null,
  };
  const gateways = plan.gateways.map(({ eui }) => eui);
  state.sending = newSending(pace, gateways, settings.simultaneous || inSlots);
  state.stageEndsAtUs = endsAtUs + settings.sleepAfterFragSentUs;
  startSweep(run, 'sessionStarts');
}

function slotsOf({ mcAddr, sessionTime, startsAtUs }: Multicast, { periodicity }: Plan): PingSlots {
  return { mcAddr, periodicity, gpsStartUs: sessionTime * SECOND_US - startsAtUs };
}

function sessionEnds(run: Run, nowUs: number): void {
  const { state } = run;
  if (state.sending !== null) state.unsent = fragmentsUnsent(state.sending);
  state.sending = null;
  enter(run, 'allSent', nowUs);
  startSweep(run, 'verify');
}

// ── the end ──────────────────────────────────────────────────────────────────────────────────────

/** Every member of the round has its fate. */
export function isRoundOver({ state }: Run): boolean {
  const { stage } = state;
  if (isOver(stage) || stage === 'WAITING_FOR_RETRY') return false;
  if (stage === 'INITIALIZING' || stage === 'WAITING_FOR_START') return false;
  return state.sweep === null && inProgress(state) === state.waiting;
}

export function endRound(run: Run, nowUs: number): void {
  const { state } = run;
  const someFailed = state.members.some(
    (member) => member.fate === 'failed' && isRetriable(run, member),
  );
  if (state.waiting > 0) return goOn(run, nowUs);
  if (state.retriesLeft === 0 || !someFailed) return end(run, 'membersDone', nowUs);
  state.retriesLeft--;
  enter(run, 'retryIsLeft', nowUs);
  state.stageEndsAtUs = nowUs + state.settings.automaticRetryIntervalUs;
  close(run, nowUs);
}

/** Members of another version have their turn at once. */
function goOn(run: Run, nowUs: number): void {
  run.state.goesOn = true;
  enter(run, 'retryIsLeft', nowUs);
  run.state.stageEndsAtUs = nowUs + SECOND_US;
  close(run, nowUs);
}

/** The campaign is over: nothing is sent any more, its devices are free. */
export function end(run: Run, trigger: Trigger, nowUs: number): void {
  enter(run, trigger, nowUs);
  close(run, nowUs);
  run.host.release(nowUs);
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
