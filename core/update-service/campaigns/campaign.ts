/**
 * A firmware update campaign: it receives the time, uplinks and what became of multicast frames,
 * and requests downlinks. START HERE for campaigns: stages.ts says which stage follows which,
 * steps.ts what each member goes through.
 *
 * It has one timer, its number, which means “look at your list”: the end of the stage, the next
 * fragment, the next member due, the next slice of a pass over all members. A wake-up looks at 256
 * members at most.
 */

import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { DownlinkFateNews } from '../../../sim/contract/downlinks.ts';
import type { MulticastTxStatus, ReceivedUplink } from '../../../sim/contract/news.ts';
import type { PackagesView } from '../../../sim/contract/view.ts';
import { isTry } from '../../base/downlinks.ts';
import { NEVER_US } from '../../base/instant.ts';
import { nextSliceUs } from '../../base/slices.ts';
import { type AnswerContext, type MemberOutcome, takeAnswer } from './answers.ts';
import {
  type Campaign,
  endMember,
  failAll,
  isCheckingVersion,
  isServedAs,
  note,
  request,
} from './context.ts';
import {
  appoint,
  bitsToSay,
  countTry,
  nextDueUs,
  serveDue,
  talkAfterUplink,
} from './conversation.ts';
import { groupAddress } from './identity.ts';
import { Member } from './member.ts';
import { dataFragment, packagesFor, readAnswers, statusReq } from './payloads.ts';
import type { Plan } from './plan.ts';
import { canRepair } from './repair.ts';
import {
  end,
  endRound,
  enter,
  isHeldUp,
  isRoundOver,
  stageEnds,
  verificationEnds,
} from './rounds.ts';
import {
  isAllSent,
  nextDepartureUs,
  onCopyStatus,
  type Sending,
  takeDepartures,
} from './sending.ts';
import { lookAtTurn, moveTurn, nextTurnUs } from './set-up-turns.ts';
import { isInPingSlots, type Settings } from './settings.ts';
import { isOver } from './stages.ts';
import { type CampaignState, inProgress, type Multicast } from './state.ts';
import { passedSteps, reportSteps } from './step-events.ts';
import { isInTurn } from './steps.ts';
import { isSweeping, sweepSlice } from './sweep.ts';
import { hasPassLeft, isStatusKnown } from './verification.ts';

/** How long a campaign initializes. */
export const INITIALIZING_US = SECOND_US;

/** From the command to delete a campaign until it is gone. */
const DELETION_US = SECOND_US;

const GATEWAY_GONE = { kind: 'refused', reason: 'gatewayGone' } as const;
const REMOVED: MemberOutcome = { fate: 'failed', reason: 'device removed' };

// ── events of a campaign ─────────────────────────────────────────────────────────────────────────

export function onStart(campaign: Campaign, nowUs: number): void {
  campaign.stored.changed();
  rearm(campaign, nowUs);
}

export function onTimer(campaign: Campaign, nowUs: number): void {
  campaign.stored.changed();
  const { state } = campaign;
  state.wakesAtUs = NEVER_US;
  if (isSweeping(campaign)) {
    sweepSlice(campaign, nowUs);
  } else if (isOver(state.stage)) {
    return rearm(campaign, nowUs);
  } else if (state.stageEndsAtUs !== NEVER_US && state.stageEndsAtUs <= nowUs) {
    stageEnds(campaign, nowUs);
  } else {
    lookAtTurn(campaign, nowUs);
    sendFragments(campaign, nowUs);
    serveDue(campaign, nowUs);
  }
  afterChange(campaign, nowUs);
}

/** An uplink of the member at this place in the group. False: nothing is asked of it any more. */
export function onUplink(campaign: Campaign, place: number, uplink: ReceivedUplink): boolean {
  const { state } = campaign;
  const member = new Member(state, place);
  assert(member.devEui === uplink.devEui, 'an uplink goes to the member that sent it');
  if (member.fate !== 'inProgress' || member.phase === 'outside') return false;
  campaign.stored.changed();
  member.spokeAtUs = uplink.atUs;
  const wasChecking = isCheckingVersion(campaign, member);
  const before = passedSteps(campaign, member);
  const outcome = takeInTurn(campaign, member, uplink) ?? goOn(campaign, member, uplink.atUs);
  if (wasChecking && !isCheckingVersion(campaign, member)) state.versionsOpen--;
  reportSteps(campaign, member, before, uplink.atUs);
  endMember(campaign, member, outcome, uplink.atUs);
  afterChange(campaign, uplink.atUs);
  return true;
}

/** What became of a downlink of the campaign to the member at this place. */
export function onDownlink(
  campaign: Campaign,
  place: number,
  id: number,
  what: DownlinkFateNews,
  nowUs: number,
): void {
  const member = new Member(campaign.state, place);
  if (member.fate !== 'inProgress' || !isTry(what)) return;
  campaign.stored.changed();
  countTry(campaign, member, id, nowUs);
  rearm(campaign, nowUs);
}

export function onMulticast(campaign: Campaign, status: MulticastTxStatus, nowUs: number): void {
  campaign.stored.changed();
  const { state } = campaign;
  const { sending, multicast } = state;
  const fragmentNumber = status.fCnt - (multicast?.firstFCnt ?? 0) + 1;
  if (status.outcome.kind === 'sent') noteSent(state, fragmentNumber);
  if (status.outcome.kind === 'noBudget') state.withoutBudget++;
  if (status.outcome.kind === 'refused') noteRefused(state, status.outcome.reason);
  if (sending === null) return;
  onCopyStatus(sending, fragmentNumber, status, nowUs);
  afterChange(campaign, nowUs);
}

function noteRefused(state: CampaignState, reason: string): void {
  const { refusals } = state;
  state.refusals = { ...refusals, [reason]: (refusals?.[reason] ?? 0) + 1 };
}

/** A gateway sent a copy, maybe after the session was over. */
function noteSent(state: CampaignState, fragmentNumber: number): void {
  if (fragmentNumber > state.fragmentsSent.length) return;
  state.sent++;
  if (state.fragmentsSent[fragmentNumber - 1] !== 0) return;
  state.fragmentsSent[fragmentNumber - 1] = 1;
  if (state.sending === null) state.unsent--;
}

export function onMemberRemoved(campaign: Campaign, place: number, nowUs: number): void {
  const { state } = campaign;
  if (isOver(state.stage)) return;
  campaign.stored.changed();
  endMember(campaign, new Member(state, place), REMOVED, nowUs);
  afterChange(campaign, nowUs);
}

/**
 * Stops everything at once; the state stays. Members are cleared up slice by slice, whatever
 * becomes of the campaign meanwhile.
 */
export function halt(campaign: Campaign, nowUs: number): void {
  campaign.stored.changed();
  failAll(campaign, 'halted', nowUs);
  end(campaign, 'halt', nowUs);
  rearm(campaign, nowUs);
}

/** Failed members are tried again, with other settings, through other gateways. */
export function restart(
  campaign: Campaign,
  settings: Settings,
  gateways: readonly string[],
  nowUs: number,
): void {
  const { state, neighbours } = campaign;
  campaign.stored.changed();
  state.settings = settings;
  state.gatewaysAsked = gateways;
  state.retriesLeft = settings.automatic_retry_count;
  state.status = '';
  // Another campaign may have drawn or been given its address since.
  if (state.multicast !== null && neighbours.isTaken(state.multicast.mcAddr, state.number)) {
    state.multicast = { ...state.multicast, mcAddr: groupAddress(campaign) };
    neighbours.takesAddress(campaign);
  }
  enter(campaign, 'restart', nowUs);
  state.stageEndsAtUs = nowUs + INITIALIZING_US;
  neighbours.runs(campaign, true, nowUs);
  rearm(campaign, nowUs);
}

/** Stops the campaign when it runs, and lets it vanish a little later. */
export function remove(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  if (state.deletedAtUs !== NEVER_US) return;
  campaign.stored.changed();
  if (!isOver(state.stage)) halt(campaign, nowUs);
  state.deletedAtUs = nowUs + DELETION_US;
  campaign.neighbours.isDeleted(campaign);
  rearm(campaign, nowUs);
}

export function isDeleted({ state }: Campaign, nowUs: number): boolean {
  return state.deletedAtUs !== NEVER_US && state.deletedAtUs <= nowUs && state.sweep === null;
}

/** Devices that it waited for may be free now: it looks at the next instant. */
export function lookAgain(campaign: Campaign, nowUs: number): void {
  if (!isHeldUp(campaign)) return;
  campaign.stored.changed();
  campaign.state.stageEndsAtUs = nowUs;
  rearm(campaign, nowUs);
}

// ── members ──────────────────────────────────────────────────────────────────────────────────────

function takeUplink(campaign: Campaign, member: Member, uplink: ReceivedUplink): MemberOutcome {
  const packages = packagesFor(campaign.view, member.devEui);
  const answers = readAnswers(packages, uplink.fPort, uplink.payload);
  if (answers.length === 0) return undefined;
  const context = new Hearing(campaign, packages, uplink);
  for (const answer of answers) {
    note(campaign, member, 'answered', answer.name, uplink.atUs);
    const outcome = takeAnswer(member, answer, context);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

/** What the answers in an uplink of a member are taken by. */
class Hearing implements AnswerContext {
  readonly settings: Settings;
  readonly plan: Plan;
  readonly multicast: Multicast;
  readonly nowUs: number;
  readonly #campaign: Campaign;
  readonly #packages: PackagesView;
  readonly #uplink: ReceivedUplink;

  constructor(campaign: Campaign, packages: PackagesView, uplink: ReceivedUplink) {
    const { settings, plan, multicast } = campaign.state;
    assert(plan !== null && multicast !== null, 'members are heard once there is a plan');
    this.settings = settings;
    this.plan = plan;
    this.multicast = multicast;
    this.nowUs = uplink.atUs;
    this.#campaign = campaign;
    this.#packages = packages;
    this.#uplink = uplink;
  }

  get gpsSeconds(): number {
    return this.#campaign.view.gpsSeconds(this.#uplink.endedAtUs);
  }

  get mayPassAgain(): boolean {
    return hasPassLeft(this.#campaign.state);
  }

  replyTime(payload: Uint8Array): void {
    this.#reply(this.#packages.clockSync.fPort, payload);
  }

  replyBlock(payload: Uint8Array): void {
    this.#reply(this.#packages.fragmentation.fPort, payload);
  }

  canRepair(): boolean {
    const { state, view } = this.#campaign;
    return canRepair(state, view, this.#uplink);
  }

  lacksBeacon(): boolean {
    const device = this.#campaign.view.device(this.#uplink.devEui);
    return isInPingSlots(this.settings) && device?.lacksBeacon === true;
  }

  #reply(fPort: number, payload: Uint8Array): void {
    const { downlinks, sender } = this.#campaign;
    downlinks.send(sender, { devEui: this.#uplink.devEui, fPort, payload }, this.nowUs);
  }
}

/** The same; where it was the last one that a turn of the set-up waited for, the next begins. */
function takeInTurn(campaign: Campaign, member: Member, uplink: ReceivedUplink): MemberOutcome {
  const { state } = campaign;
  const wasOpen = isInTurn(state, member);
  const outcome = takeUplink(campaign, member, uplink);
  if (state.turn === undefined || outcome !== undefined) return outcome;
  if (wasOpen && !isInTurn(state, member)) state.turn.open--;
  moveTurn(campaign, uplink.atUs);
  return undefined;
}

function goOn(campaign: Campaign, member: Member, nowUs: number): MemberOutcome {
  // As a rule nothing is to be said: most uplinks come while a member waits for the session.
  if (member.dueAtUs === NEVER_US && bitsToSay(campaign, member) === 0) return undefined;
  if (isServedAs('A', campaign, member.devEui)) return talkAfterUplink(campaign, member, nowUs);
  appoint(campaign, member.place, nowUs);
  return undefined;
}

// ── fragments ────────────────────────────────────────────────────────────────────────────────────

function sendFragments(campaign: Campaign, nowUs: number): void {
  const { sending, multicast, plan } = campaign.state;
  if (sending === null || multicast === null || plan === null) return;
  for (const { fragmentNumber, gatewayEui, startsAtUs } of takeDepartures(sending, nowUs)) {
    // One that is gone may have come back as another subscriber's.
    if (campaign.view.gateway(gatewayEui) === undefined) {
      noteRefused(campaign.state, GATEWAY_GONE.reason);
      onCopyStatus(sending, fragmentNumber, { gatewayEui, outcome: GATEWAY_GONE }, nowUs);
      continue;
    }
    const payload = framePayload(campaign, plan, fragmentNumber);
    const fCnt = multicast.firstFCnt + fragmentNumber - 1;
    const { fPort } = plan;
    const frame = { mcAddr: multicast.mcAddr, gatewayEui, fCnt, fPort, payload, startsAtUs };
    request(campaign, { kind: 'multicast.send', ...frame }, nowUs);
  }
}

/** A fragment, or the status request that follows them where it goes to the group. */
function framePayload({ state, fragments }: Campaign, plan: Plan, number: number): Uint8Array {
  const { frag_index } = state.settings;
  if (number > plan.nbFrag + plan.redundancy) return statusReq(frag_index);
  return dataFragment(frag_index, number, fragments.fragment(plan, number));
}

/** Once nothing is left to send, the stage ends after the pause that the settings ask for. */
function noteAllSent({ state }: Campaign, sending: Sending, nowUs: number): void {
  if (sending.doneAtUs !== NEVER_US || !isAllSent(sending)) return;
  sending.doneAtUs = nowUs;
  const { lastStartUs, airtimeUs } = sending;
  // Answers of the group come at once.
  const pauseUs = state.asksGroup === true ? 0 : state.settings.sleep_after_frag_sent;
  const lastEndsUs = lastStartUs === NEVER_US ? nowUs : lastStartUs + airtimeUs;
  state.stageEndsAtUs = Math.max(nowUs, lastEndsUs + pauseUs);
}

// ── after every change ───────────────────────────────────────────────────────────────────────────

function afterChange(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  if (state.stage === 'SENDING_FRAGMENTS' && state.sending !== null) {
    noteAllSent(campaign, state.sending, nowUs);
  }
  if (state.stage === 'CHECKING_VERSIONS' && state.versionsOpen === 0) {
    const { stageEndsAtUs } = state;
    enter(campaign, 'setUpBegins', nowUs);
    state.stageEndsAtUs = stageEndsAtUs;
  }
  moveTurn(campaign, nowUs);
  if (isStatusKnown(state)) verificationEnds(campaign, nowUs);
  if (isRoundOver(campaign)) endRound(campaign, nowUs);
  assert(inProgress(state) >= 0, 'a member succeeds or fails once');
  rearm(campaign, nowUs);
}

/** Makes the one appointment: the earliest thing on the list. */
function rearm(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  const timer = state.number;
  const atUs = nextWakeUs(campaign, nowUs);
  if (atUs === state.wakesAtUs) return;
  state.wakesAtUs = atUs;
  if (atUs === NEVER_US) campaign.timers.wakeNever(timer, nowUs);
  else campaign.timers.wakeAt(timer, atUs, nowUs);
}

/** When the campaign wakes next, in the future; `NEVER_US`: not by itself. */
function nextWakeUs(campaign: Campaign, nowUs: number): number {
  const { state } = campaign;
  if (isSweeping(campaign)) return nextSliceUs(state.wakesAtUs, nowUs);
  if (isOver(state.stage)) {
    return state.deletedAtUs === NEVER_US ? NEVER_US : Math.max(state.deletedAtUs, nowUs + 1);
  }
  const stageUs = state.stageEndsAtUs === NEVER_US ? Number.POSITIVE_INFINITY : state.stageEndsAtUs;
  const sendUs = state.sending === null ? Number.POSITIVE_INFINITY : nextDepartureUs(state.sending);
  const atUs = Math.min(stageUs, sendUs, nextDueUs(campaign), nextTurnUs(state));
  return atUs === Number.POSITIVE_INFINITY ? NEVER_US : Math.max(atUs, nowUs + 1);
}
