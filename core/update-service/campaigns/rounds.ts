/**
 * Rounds of a campaign: who takes part, when one begins and what follows its end (the stages of
 * stages.ts). The start, every restart and every automatic retry is a round.
 */

import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { NetworkView } from '../../../sim/contract/view.ts';
import { groupedBy } from '../../base/grouped.ts';
import { NEVER_US } from '../../base/instant.ts';
import {
  type Campaign,
  failAll,
  isCheckingVersion,
  isUndelegated,
  partiesOf,
  request,
} from './context.ts';
import { groupAddress, groupEui, groupKey } from './identity.ts';
import { roundHeardFromUs } from './listening.ts';
import { allMembers, type Member, memberCount } from './member.ts';
import { memberColumns, roundColumns, Step } from './member-columns.ts';
import { packagesFor } from './payloads.ts';
import { makePlan, type Plan, type PlanInput, replanned, sessionS } from './plan.ts';
import { newSending } from './sending.ts';
import {
  isAirShared,
  nameOf,
  noteMeeting,
  placedPlan,
  sessionSecond,
  waitingSentence,
} from './session-place.ts';
import { beginTurns } from './set-up-turns.ts';
import { isOver, nextStage, type Trigger } from './stages.ts';
import { type CampaignState, inProgress, type Multicast } from './state.ts';
import { reportStage } from './step-events.ts';
import { isPassed } from './steps.ts';
import { free, startSweep, sweepSlice } from './sweep.ts';
import {
  asksGroup,
  beginPass,
  hasPassLeft,
  verificationEndsUs,
  wantsPass,
} from './verification.ts';

/** Goes from stage to stage; the new one does not end by time unless somebody says so. */
export function enter(campaign: Campaign, trigger: Trigger, nowUs: number): void {
  const { state } = campaign;
  assert(state.stages.at(-1)!.atUs <= nowUs, 'stages follow each other in time');
  state.stage = nextStage(state.stage, trigger);
  state.stages.push({ stage: state.stage, atUs: nowUs });
  state.stageEndsAtUs = NEVER_US;
  reportStage(campaign, nowUs);
}

/** A stage whose time has come. */
export function stageEnds(campaign: Campaign, nowUs: number): void {
  switch (campaign.state.stage) {
    case 'INITIALIZING':
      return initialized(campaign, nowUs);
    case 'WAITING_FOR_START':
      return start(campaign, nowUs);
    case 'WAITING_FOR_RETRY':
      return beginRound(campaign, nowUs);
    case 'CHECKING_VERSIONS':
    case 'SETTING_UP_DEVICES':
      return startSession(campaign, nowUs);
    case 'SENDING_FRAGMENTS':
      return sessionEnds(campaign, nowUs);
    case 'VERIFYING':
      return verificationEnds(campaign, nowUs);
    default:
      assert(false, `${campaign.state.stage} does not end by time`);
  }
}

// ── the start ────────────────────────────────────────────────────────────────────────────────────

function initialized(campaign: Campaign, nowUs: number): void {
  const { state, view } = campaign;
  const { startsAtUnixMs } = state.settings;
  const startsAtUs = startsAtUnixMs === null ? NEVER_US : view.worldUsOfUnixMs(startsAtUnixMs);
  if (startsAtUs <= nowUs) return start(campaign, nowUs);
  enter(campaign, 'startIsAhead', nowUs);
  state.stageEndsAtUs = startsAtUs;
}

/**
 * Devices that another campaign has are waited for; its end makes this campaign look again. So is
 * the end of the multicast session of the round before, in which class C devices hear no set-up.
 */
function start(campaign: Campaign, nowUs: number): void {
  const { state, neighbours } = campaign;
  const isClaimed = state.claimedAtUs !== NEVER_US;
  if (!isClaimed && isScheduledNow(campaign)) freezeGroup(campaign);
  const isOut = isUndelegated(campaign, campaign.standings(nowUs));
  const wanted = allMembers(state).filter((one) => isRetriable(campaign, one) && !isOut(one));
  const holder = neighbours.holder(campaign, wanted);
  if (holder === undefined) return startOnAir(campaign, wanted, nowUs);
  const which = nameOf(holder.campaign.state, state.owner);
  state.status = `waits for ${which}, which has ${holder.count} of its devices`;
  wait(campaign, NEVER_US, nowUs);
}

/**
 * Begins the round, unless its devices still listen elsewhere, or other campaigns have the air that
 * its session would need: the set-up then begins so late that the session follows theirs.
 */
function startOnAir(campaign: Campaign, wanted: readonly Member[], nowUs: number): void {
  const { state } = campaign;
  state.status = '';
  delete state.waitsForAir;
  const heardFromUs = roundHeardFromUs(campaign, wanted, nowUs);
  if (heardFromUs > 0) {
    state.status = 'waits until its devices have left their session';
    return wait(campaign, heardFromUs, nowUs);
  }
  // A round with nobody left is over at once: it needs no air, and nobody has to wait behind it.
  const isAnyoneThere = wanted.some(({ devEui }) => campaign.view.device(devEui) !== undefined);
  if (!isAnyoneThere || !isAirShared(campaign, nowUs)) return beginRound(campaign, nowUs);
  const plan = planFor(campaign, ofOneVersion(wanted, campaign.view), nowUs);
  const place = plan.ok ? placedPlan(campaign, plan.value, nowUs) : undefined;
  if (place?.behind === undefined) return beginRound(campaign, nowUs);
  const untilUs = nowUs + place.shiftUs;
  state.status = waitingSentence(campaign, place.behind, untilUs);
  state.waitsForAir = true;
  wait(campaign, untilUs, nowUs);
}

/** Looks again at this instant; `NEVER_US`: when somebody says so. */
function wait(campaign: Campaign, untilUs: number, nowUs: number): void {
  const { state } = campaign;
  if (state.stage !== 'WAITING_FOR_START') enter(campaign, 'startIsAhead', nowUs);
  state.stageEndsAtUs = untilUs;
}

/** Whether it waits for devices of other campaigns, or for the air that they use. */
export function isHeldUp({ state: { stage, stageEndsAtUs, waitsForAir } }: Campaign): boolean {
  return stage === 'WAITING_FOR_START' && (stageEndsAtUs === NEVER_US || waitsForAir === true);
}

/** The scheduled start has come; who is held up from then on looks again at other instants. */
function isScheduledNow({ state, view }: Campaign): boolean {
  const { startsAtUnixMs } = state.settings;
  if (startsAtUnixMs === null) return false;
  return isFirstLook(state) || state.stageEndsAtUs === view.worldUsOfUnixMs(startsAtUnixMs);
}

/** The start was ahead for less than the campaign took to initialize. */
const isFirstLook = ({ stage }: CampaignState): boolean => stage === 'INITIALIZING';

/** Who is in the group when the time has come takes part, whatever becomes of the group later. */
function freezeGroup(campaign: Campaign): void {
  const { state } = campaign;
  state.group = campaign.group() ?? state.group;
  state.delegated = campaign.delegatedAmong(state.group.devices);
  state.members = memberColumns(state.group.devices.length);
  state.failed = 0;
}

const isRetriable = ({ view }: Campaign, { fate, devEui }: Member): boolean =>
  fate === 'inProgress' || (fate === 'failed' && view.device(devEui) !== undefined);

// ── a round ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Plans the multicast session for all who are not updated yet, and begins their set-up. The plan is
 * for all of them at once, so this is one pass over the members.
 */
function beginRound(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  const isAutomatic = state.stage === 'WAITING_FOR_RETRY';
  if (!state.goesOn) takeBack(campaign, nowUs);
  state.goesOn = false;
  if (!isAutomatic) leaveOut(campaign, nowUs);
  const open = allMembers(state).filter(({ fate }) => fate === 'inProgress');
  const members = chooseVersion(campaign, open);
  state.claimedAtUs = nowUs;
  state.members.round ??= roundColumns(memberCount(state));
  takeIn(campaign, open);
  if (members.length === 0) return end(campaign, 'membersDone', nowUs);
  const plan = planFor(campaign, members, nowUs);
  if (!plan.ok) {
    state.status = plan.failure.message;
    failAll(campaign, 'no plan', nowUs);
    return end(campaign, 'planFails', nowUs);
  }
  const place = placedPlan(campaign, plan.value, nowUs);
  if (place.against !== undefined) noteMeeting(place.against, campaign);
  openGroup(campaign, place.plan, nowUs);
  for (const member of members) member.rounds++;
  state.versionsOpen = open.filter((member) => isCheckingVersion(campaign, member)).length;
  enter(campaign, state.versionsOpen > 0 ? 'versionCheckBegins' : 'setUpBegins', nowUs);
  state.stageEndsAtUs = state.multicast!.startsAtUs;
  beginTurns(campaign, nowUs);
  startSweep(campaign, 'begin');
}

/** What a session with these members would be. */
export function planFor(campaign: Campaign, members: readonly Member[], nowUs: number) {
  return makePlan(inputOf(campaign, members), campaign.view, nowUs);
}

function inputOf(campaign: Campaign, members: readonly Member[]): PlanInput {
  const { settings, imageBytes, gatewaysAsked, group: asked } = campaign.state;
  const group = { ...asked, gateways: gatewaysAsked ?? asked.gateways };
  const devEuis = members.map(({ devEui }) => devEui);
  return { settings, group, imageBytes, devEuis, parties: partiesOf(campaign) };
}

/** Opens the group for a session as it is planned. */
function openGroup(campaign: Campaign, plan: Plan, nowUs: number): void {
  const { state } = campaign;
  // Counters of earlier rounds are not used again: devices would drop such frames.
  const { multicast: old, plan: oldPlan } = state;
  const used = state.session?.frames ?? (oldPlan ? oldPlan.nbFrag + oldPlan.redundancy : 0);
  const firstFCnt = old === null ? 0 : old.firstFCnt + used;
  assert(firstFCnt >= (old?.firstFCnt ?? 0), 'frame counters of a group only grow');
  state.plan = plan;
  state.multicast = multicastOf(campaign, firstFCnt, nowUs);
  campaign.neighbours.takesAddress(campaign);
  state.rounds++;
  state.sending = null;
  delete state.session;
  delete state.pass;
  delete state.asksGroup;
  state.fragmentsSent = new Uint8Array(0);
  state.unsent = 0;
  state.withoutBudget = 0;
  delete state.refusals;
  const { mcAddr, mcKey } = state.multicast;
  const { frequencyHz, dataRate } = plan;
  const opened = { mcAddr, mcKey, frequencyHz, dataRate };
  request(campaign, { kind: 'multicast.open', group: opened }, nowUs);
}

/**
 * Fragments of a session are of one version of TS004: the round is for the version (and port) that
 * most members speak, the first of equals; the others wait for a round of their own. Returns those
 * who take part.
 */
function chooseVersion({ state, view }: Campaign, open: readonly Member[]): readonly Member[] {
  const chosen = ofOneVersion(open, view);
  const isChosen = new Set(chosen);
  for (const member of open) member.waits = !isChosen.has(member);
  state.waiting = open.length - chosen.length;
  return chosen;
}

function ofOneVersion(members: readonly Member[], view: NetworkView): readonly Member[] {
  const byKind = groupedBy(members, ({ devEui }) => {
    const { version, fPort } = packagesFor(view, devEui).fragmentation;
    return `${version} ${fPort}`;
  });
  return [...byKind.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

/** Who takes part in the rounds of a restart. */
export const whoIsRetried = (campaign: Campaign): readonly Member[] =>
  allMembers(campaign.state).filter((one) => one.fate === 'failed' && isRetriable(campaign, one));

/** Who of them takes part in the first one. */
export const firstOfThem = ({ view }: Campaign, members: readonly Member[]): readonly string[] =>
  ofOneVersion(members, view).map(({ devEui }) => devEui);

/** Failed members start anew; those that are gone, or that never were to be, stay failed. */
function takeBack(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  const staysOut = areLeftOut(campaign, nowUs);
  for (const member of allMembers(state)) {
    if (member.fate !== 'failed' || !isRetriable(campaign, member) || staysOut(member)) continue;
    member.takeBack();
    state.failed--;
  }
  state.due.length = 0;
}

/**
 * A start, and a restart, is for members that are one's own or delegated at that instant. Anyone
 * who takes part then takes part in the automatic retries too, whatever becomes of the delegation.
 */
function leaveOut(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  if (state.delegated.length === 0) return;
  const isOut = isUndelegated(campaign, campaign.standings(nowUs));
  for (const member of allMembers(state)) {
    if (member.fate !== 'inProgress' || !isOut(member)) continue;
    member.end('not delegated', nowUs);
    state.failed++;
  }
}

/** Whether a member was left out, and would be again. */
function areLeftOut(campaign: Campaign, nowUs: number): (member: Member) => boolean {
  if (campaign.state.delegated.length === 0) return () => false;
  const isOut = isUndelegated(campaign, campaign.standings(nowUs));
  return (member) => member.reason === 'not delegated' && isOut(member);
}

/** Who is in progress belongs to the campaign from now on. */
function takeIn(campaign: Campaign, open: readonly Member[]): void {
  const { neighbours } = campaign;
  neighbours.beginsRound(campaign);
  for (const member of open) {
    neighbours.takes(campaign, member);
    member.initialVersion = campaign.reportedVersion(member.devEui);
  }
}

function multicastOf(campaign: Campaign, firstFCnt: number, nowUs: number): Multicast {
  const { state, view } = campaign;
  const sessionTime = sessionSecond(state.plan!, view, nowUs) % 0x1_0000_0000;
  const session = { firstFCnt, sessionTime, startsAtUs: view.worldUs(sessionTime) };
  if (state.multicast !== null) return { ...state.multicast, ...session };
  return {
    ...session,
    eui: groupEui(campaign),
    mcAddr: groupAddress(campaign),
    mcKey: groupKey(campaign),
  };
}

function startSession(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  const { plan: created, multicast, settings } = state;
  assert(created !== null && multicast !== null, 'a session has a plan');
  assert(multicast.startsAtUs <= nowUs, 'a session does not start before its time');
  enter(campaign, 'sessionStarts', nowUs);
  const set = allMembers(state).filter((one) => isPassed(one, Step.session, settings));
  const plan = replanned(created, inputOf(campaign, set), campaign.view, nowUs);
  state.plan = plan;
  const { mcAddr, sessionTime, startsAtUs } = multicast;
  delete state.turn;
  const lastsUs = sessionS(plan) * SECOND_US;
  const endsAtUs = startsAtUs + Math.min(lastsUs, settings.session_closes_after ?? lastsUs);
  const { periodicity } = plan;
  const inSlots = periodicity !== null;
  const pace = {
    firstAtUs: startsAtUs + plan.startMarginUs,
    delayUs: plan.fragSendDelayUs,
    airtimeUs: plan.airtimeUs,
    // A fast clock leaves a class C session early.
    endsAtUs: inSlots ? endsAtUs : endsAtUs - settings.acceptable_time_drift,
    gridUs: settings.frag_send_grid ?? 0,
    slots: inSlots
      ? { mcAddr, periodicity, gpsStartUs: sessionTime * SECOND_US - startsAtUs }
      : null,
  };
  const fragments = plan.nbFrag + plan.redundancy;
  state.fragmentsSent = new Uint8Array(fragments);
  const gateways = plan.gateways.map(({ eui }) => eui);
  const isShared = settings.gateway_timing === 'simultaneous' || inSlots;
  if (asksGroup(set.length, settings)) state.asksGroup = true;
  const frames = fragments + (state.asksGroup === true ? 1 : 0);
  if (frames > fragments || hasPassLeft(state)) state.session = { pace, frames, isShared };
  state.sending = newSending({ ...pace, fragments: frames }, gateways, isShared);
  state.stageEndsAtUs = endsAtUs + settings.sleep_after_frag_sent;
  startSweep(campaign, 'sessionStarts');
}

function sessionEnds(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  stopSending(state);
  enter(campaign, 'allSent', nowUs);
  state.stageEndsAtUs = verificationEndsUs(state, nowUs);
  startSweep(campaign, 'verify');
}

/** Nobody is waited for any more: the next pass begins, or who has no status by now fails. */
export function verificationEnds(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  if (!wantsPass(state)) {
    state.stageEndsAtUs = NEVER_US;
    return startSweep(campaign, 'verificationEnds');
  }
  const { startsAtUs } = state.multicast!;
  enter(campaign, 'passBegins', nowUs);
  beginPass(campaign, nowUs);
  const lastsUs = sessionS(state.plan!) * SECOND_US;
  state.stageEndsAtUs = Math.max(nowUs, startsAtUs + lastsUs);
  startSweep(campaign, 'passBegins');
}

/** What no gateway has sent by now stays unsent, but for copies that a gateway holds already. */
function stopSending(state: CampaignState): void {
  if (state.sending === null) return;
  state.sending = null;
  state.unsent = state.fragmentsSent.reduce((unsent, isSent) => unsent + 1 - isSent, 0);
}

// ── the end ──────────────────────────────────────────────────────────────────────────────────────

/** Every member of the round has its fate. */
export function isRoundOver({ state }: Campaign): boolean {
  const { stage } = state;
  if (isOver(stage) || stage === 'WAITING_FOR_RETRY') return false;
  if (stage === 'INITIALIZING' || stage === 'WAITING_FOR_START') return false;
  const open = inProgress(state);
  assert(state.waiting >= 0 && state.waiting <= open, 'who waits is in progress');
  return state.sweep === null && open === state.waiting;
}

export function endRound(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  const staysOut = areLeftOut(campaign, nowUs);
  const failed = allMembers(state).filter(
    (member) => member.fate === 'failed' && isRetriable(campaign, member) && !staysOut(member),
  );
  if (state.waiting > 0) {
    // Members of another version have their turn at once.
    state.goesOn = true;
    enter(campaign, 'retryIsLeft', nowUs);
    state.stageEndsAtUs = nowUs + SECOND_US;
    return close(campaign, nowUs);
  }
  if (state.retriesLeft === 0 || failed.length === 0) return end(campaign, 'membersDone', nowUs);
  state.retriesLeft--;
  enter(campaign, 'retryIsLeft', nowUs);
  state.stageEndsAtUs = Math.max(
    nowUs + state.settings.automatic_retry_interval,
    roundHeardFromUs(campaign, failed, nowUs),
  );
  close(campaign, nowUs);
}

/** The campaign is over: nothing is sent any more, its devices are free once all is cleared up. */
export function end(campaign: Campaign, trigger: Trigger, nowUs: number): void {
  enter(campaign, trigger, nowUs);
  close(campaign, nowUs);
  // Halted before the next version's turn: a restart is for everybody who has failed.
  campaign.state.goesOn = false;
  campaign.fragments.forget();
  campaign.neighbours.runs(campaign, false, nowUs);
  // Only a halt finds members that are spoken to.
  if (trigger !== 'halt') return free(campaign, nowUs);
  startSweep(campaign, 'clearUp');
  sweepSlice(campaign, nowUs);
}

/** Nothing goes to the group any more. */
function close(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  state.sweep = null;
  stopSending(state);
  state.due.length = 0;
  if (state.multicast === null) return;
  request(campaign, { kind: 'multicast.close', mcAddr: state.multicast.mcAddr }, nowUs);
}
