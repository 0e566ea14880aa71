/**
 * Talking to single members: which commands go out, when again, and when it is given up.
 *
 * Class A: the commands of all open steps are queued at once when the member speaks; one goes out
 * in the windows of an uplink when a gateway has air time for it. Class C: one command at a time,
 * at the pace that the gateways' budgets allow; where other senders have the air, it waits. A try
 * counts when the network reports that it is on the air, or lost on the way there. Nothing goes to
 * a class C device that may still be in its multicast session, where it would not hear it
 * (listening.ts).
 */

import { assert } from '../../../sim/base/assert.ts';
import { DAY_US, HOUR_US } from '../../../sim/base/units.ts';
import type { DeviceView, PackagesView } from '../../../sim/contract/view.ts';
import { addDue, takeDue } from '../../base/due-list.ts';
import { NEVER_US } from '../../base/instant.ts';
import { MOST_PER_WAKE } from '../../base/slices.ts';
import type { MemberOutcome } from './answers.ts';
import {
  type Campaign,
  drawPauseUs,
  endMember,
  isServedAs,
  lacksKey,
  NO_KEY,
  note,
  silenceReason,
} from './context.ts';
import { hearsFromUs } from './listening.ts';
import { Member } from './member.ts';
import { ALL_STEPS, Step } from './member-columns.ts';
import { GATEWAY_PAUSE_US, type Plan } from './plan.ts';
import { answerTimeUs, COMMAND_SHARE, FRAME_OVERHEAD_BYTES, sharesOf } from './set-up-time.ts';
import { isInPingSlots, type Settings } from './settings.ts';
import type { CampaignState, Multicast } from './state.ts';
import { bitOf, openBits, STATUS, STEPS, type StepContext } from './steps.ts';
import { ackDelayOf } from './verification.ts';

/** A silent class A member is given up after this, or after the set-up time when that is longer. */
const LEAST_PATIENCE_US = HOUR_US;
/** A member to which nothing could be sent for so long after the session is given up. */
const LONGEST_WAIT_US = DAY_US;

// ── commands ─────────────────────────────────────────────────────────────────────────────────────

/** What commands to one member are made of. */
class Words implements StepContext {
  readonly settings: Settings;
  readonly plan: Plan;
  readonly multicast: Multicast;
  readonly packages: PackagesView;
  readonly ackDelay: number;
  readonly #campaign: Campaign;
  readonly #device: DeviceView;

  constructor(campaign: Campaign, devEui: string) {
    const { state, view } = campaign;
    const { plan, multicast, settings } = state;
    assert(plan !== null && multicast !== null, 'members are spoken to once there is a plan');
    const device = view.device(devEui);
    assert(device !== undefined, 'a member that is spoken to is in the network');
    this.settings = settings;
    this.plan = plan;
    this.multicast = multicast;
    this.packages = device.packages;
    this.ackDelay = ackDelayOf(state);
    this.#campaign = campaign;
    this.#device = device;
  }

  signBlock(member: Member) {
    const { settings } = this;
    const { state, image } = this.#campaign;
    // Above that of every earlier session: rounds are counted over all campaigns.
    const count = state.roundNumber * COUNTS_PER_ROUND;
    const sessionCnt = (count + member.attempts(Step.fragmentationSetup)) & 0xffff;
    const descriptor = wordOf(settings.descriptor);
    const block = { sessionCnt, fragIndex: settings.frag_index, descriptor, block: image.bytes };
    return { sessionCnt, mic: this.#device.blockMic(block, this.#givenRoot) };
  }

  wrapMcKey(): Uint8Array {
    return this.#device.wrapMcKey(this.multicast.mcKey, this.#givenRoot);
  }

  fragment(fragmentNumber: number): Uint8Array {
    return this.#campaign.fragments.fragment(this.plan, fragmentNumber);
  }

  /** Undefined: the network knows it. */
  get #givenRoot() {
    const root = this.#campaign.rootKey(this.#device.devEui);
    return root.kind === 'given' ? root.key : undefined;
  }
}

/** Tries of a set-up are fewer than this. */
const COUNTS_PER_ROUND = 32;

/** Four bytes in the order of the air, the first one most significant. */
const wordOf = (bytes: Uint8Array): number =>
  ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;

/** Requests the command of a step, which is queued until it was sent; returns its bytes. */
function send(
  campaign: Campaign,
  member: Member,
  step: Step,
  words: Words,
  notBeforeUs: number,
  nowUs: number,
): number {
  const row = STEPS[step]!;
  const payload = row.request(member, words);
  const { fPort } = words.packages[row.package];
  const downlink = { devEui: member.devEui, fPort, payload, notBeforeUs };
  const id = campaign.downlinks.send(campaign.sender, downlink, nowUs);
  if (step === Step.repair) {
    assert(member.repairsDue > 0, 'a repair fragment is sent where one is due');
    campaign.state.repairs++;
    member.repairs++;
    member.repairsDue--;
  }
  member.queue({ id, step });
  return payload.length;
}

function countSending(campaign: Campaign, member: Member, step: Step, nowUs: number): void {
  member.lastDownlinkAtUs = nowUs;
  const { command, commandInSlots = command, awaits } = STEPS[step]!;
  const inSlots = isInPingSlots(campaign.state.settings);
  note(campaign, member, 'sent', inSlots ? commandInSlots : command, nowUs);
  if (awaits === null) return;
  member.setSent(step, nowUs);
  member.setAttempts(step, member.attempts(step) + 1);
}

/** Result of an open step: it sends a command, is skipped, or ends the flow. */
type Verdict = 'say' | 'goOnWithout' | NonNullable<MemberOutcome>;

/** A member whose tries are used up ends, unless the step may stay unanswered. */
function judge(campaign: Campaign, member: Member, step: Step, way: 'A' | 'C'): Verdict {
  const { state } = campaign;
  const { retries, unanswered } = STEPS[step]!;
  // The key was deleted after the round began.
  if (step === Step.multicastSetup && lacksKey(campaign, member)) return NO_KEY;
  if (member.attempts(step) <= retries(state.settings, way)) return 'say';
  const reason = unanswered(member, state.settings);
  if (reason === null) return 'goOnWithout';
  return { fate: 'failed', reason: silenceReason(member, reason) };
}

// ── class A ──────────────────────────────────────────────────────────────────────────────────────

/** Says what is to be said in the windows of an uplink, and in those that come. */
export function talkAfterUplink(campaign: Campaign, member: Member, nowUs: number): MemberOutcome {
  let toSay = bitsToSay(campaign, member);
  if (toSay === 0 || hearsFromUs(campaign, member) > nowUs) return undefined;
  let words: Words | undefined;
  let notBeforeUs = NEVER_US;
  for (let at = 0; toSay >> at !== 0; at++) {
    const step = ALL_STEPS[at]!;
    if ((toSay & bitOf(step)) === 0 || isQueued(member, step)) continue;
    if (isAwaited(campaign, member, step, nowUs)) continue;
    const verdict = judge(campaign, member, step, 'A');
    if (verdict === 'goOnWithout') {
      member.setPassed(step, nowUs);
      toSay = bitsToSay(campaign, member);
      continue;
    }
    if (verdict !== 'say') return verdict;
    words ??= new Words(campaign, member.devEui);
    // One pause for all that is queued at once.
    if (notBeforeUs === NEVER_US) notBeforeUs = afterPauseUs(campaign, member, nowUs);
    // One command; of a repair all that are due.
    do {
      send(campaign, member, step, words, notBeforeUs, nowUs);
    } while (step === Step.repair && member.repairsDue > 0);
  }
  return undefined;
}

/** Whether the answer to a command may still come. */
function isAwaited({ state }: Campaign, member: Member, step: Step, nowUs: number): boolean {
  const sentAtUs = member.sentAtUs(step);
  return sentAtUs !== NEVER_US && nowUs < sentAtUs + answerTimeUs(state.settings, member.phase);
}

/** Steps whose commands go to a member: a status of the whole group is asked of no single one. */
export function bitsToSay({ state }: Campaign, member: Member): number {
  const open = openBits(member, state.settings);
  return state.asksGroup === true ? open & ~STATUS : open;
}

/** The first of them, in the order of the table. */
function stepToSay(campaign: Campaign, member: Member): Step | undefined {
  const toSay = bitsToSay(campaign, member);
  return ALL_STEPS.find((step) => (toSay & bitOf(step)) !== 0);
}

function isQueued({ queued }: Member, step: Step): boolean {
  for (let i = 0; i < queued.length; i++) if (queued[i]!.step === step) return true;
  return false;
}

/** When the next downlinks may go to a member, µs: a random pause after the least one. */
function afterPauseUs(campaign: Campaign, { lastDownlinkAtUs }: Member, nowUs: number): number {
  return restedUs(campaign.state, lastDownlinkAtUs, nowUs) + drawPauseUs(campaign);
}

/** When the least pause after a member's latest downlink is over, µs; not before now. */
function restedUs({ settings }: CampaignState, lastDownlinkAtUs: number, nowUs: number): number {
  if (lastDownlinkAtUs === NEVER_US) return nowUs;
  return Math.max(nowUs, lastDownlinkAtUs + settings.min_downlink_delay);
}

/** A queued command was sent, or lost before that. */
export function countTry(campaign: Campaign, member: Member, id: number, nowUs: number): void {
  const counted = member.unqueue(id);
  if (counted === undefined) return;
  countSending(campaign, member, counted.step, nowUs);
  if (isServedAs('C', campaign, member.devEui)) appoint(campaign, member.place, nowUs);
}

/** Sets the time when a class A member that stays silent from `sinceUs` on is given up. */
export function awaitUplink(campaign: Campaign, place: number, sinceUs: number): void {
  const { state } = campaign;
  const fromUs = Math.max(sinceUs, hearsFromUs(campaign, new Member(state, place)));
  setDue(state, place, fromUs + patienceUs(state));
}

function patienceUs({ plan }: CampaignState): number {
  return Math.max(LEAST_PATIENCE_US, plan?.setupUs ?? 0);
}

function patienceEnds(campaign: Campaign, place: number, nowUs: number): void {
  const member = new Member(campaign.state, place);
  // In the set-up there is no clock: the session's start ends it.
  if (member.phase !== 'verify') return;
  const { spokeAtUs, phaseSinceUs, lastDownlinkAtUs, queued } = member;
  const heardFromUs = Math.max(phaseSinceUs, hearsFromUs(campaign, member));
  const sinceUs = Math.max(spokeAtUs, heardFromUs);
  const isSpeaking = sinceUs + patienceUs(campaign.state) > nowUs;
  // It speaks, and nothing that waits for it can be sent.
  const isStuck = Math.max(heardFromUs, lastDownlinkAtUs) + LONGEST_WAIT_US <= nowUs;
  if (isSpeaking && !(isStuck && queued.length > 0)) return awaitUplink(campaign, place, sinceUs);
  const { unanswered: why } = STEPS[Step.finalVersion]!;
  const unanswered = why(member, campaign.state.settings) ?? 'verification unanswered';
  const reason = silenceReason(member, unanswered);
  endMember(campaign, member, { fate: 'failed', reason }, nowUs);
}

// ── class C ──────────────────────────────────────────────────────────────────────────────────────

/** Appoints the next command of a class C member, unless it is appointed already. */
export function appoint(campaign: Campaign, place: number, nowUs: number): void {
  const { state } = campaign;
  const member = new Member(state, place);
  const step = stepToSay(campaign, member);
  if (step === undefined) {
    member.dueAtUs = NEVER_US;
    return;
  }
  // It waits for the air that others use.
  if (isQueued(member, step)) return awaitUplink(campaign, place, nowUs);
  const { settings } = state;
  const { lastDownlinkAtUs, dueAtUs } = member;
  const sentAtUs = member.sentAtUs(step);
  const pausedUs = restedUs(state, lastDownlinkAtUs, nowUs);
  const waitsUs = answerTimeUs(settings, member.phase);
  const answeredUs = sentAtUs === NEVER_US ? nowUs : sentAtUs + waitsUs;
  const earliestUs = Math.max(pausedUs, answeredUs, hearsFromUs(campaign, member));
  const isTooEarly = sentAtUs !== NEVER_US && dueAtUs < earliestUs;
  if (dueAtUs !== NEVER_US && !isTooEarly && dueAtUs <= earliestUs + settings.downlink_delay_rand_s)
    return;
  setDue(state, place, earliestUs + drawPauseUs(campaign));
}

function setDue(state: CampaignState, place: number, atUs: number): void {
  new Member(state, place).dueAtUs = atUs;
  addDue(state.due, { atUs, member: place });
}

/** The next command of a class C member, or its end. */
function talk(campaign: Campaign, place: number, nowUs: number): void {
  const member = new Member(campaign.state, place);
  const step = stepToSay(campaign, member);
  if (step === undefined) return;
  if (isQueued(member, step)) return patienceEnds(campaign, place, nowUs);
  // It was of class A when it was appointed.
  if (hearsFromUs(campaign, member) > nowUs) return appoint(campaign, place, nowUs);
  const verdict = judge(campaign, member, step, 'C');
  if (verdict === 'goOnWithout') {
    member.setPassed(step, nowUs);
  } else if (verdict === 'say') {
    const words = new Words(campaign, member.devEui);
    pay(campaign, send(campaign, member, step, words, nowUs, nowUs), nowUs);
  } else {
    return endMember(campaign, member, verdict, nowUs);
  }
  appoint(campaign, place, nowUs);
}

// ── pace ─────────────────────────────────────────────────────────────────────────────────────────

/** So much of the budget may be used at once. */
const BURST_US = HOUR_US;

/** Charges the budgets with a command that goes out now; the next one may need the same gateway. */
function pay({ state, view }: Campaign, payloadBytes: number, nowUs: number): void {
  const { pacer, plan } = state;
  assert(plan !== null, 'the pace follows from the plan');
  const { frequencyHz, dataRate } = view.rx2;
  const phyBytes = payloadBytes + FRAME_OVERHEAD_BYTES;
  const airtimeUs = view.downlinkAirtimeUs(dataRate, phyBytes);
  const shares = sharesOf(plan.gateways, view.dutyCycle(frequencyHz), view);
  const evenUs = airtimeUs / (COMMAND_SHARE * shares);
  pacer.evenAtUs = Math.max(pacer.evenAtUs, nowUs) + Math.ceil(evenUs);
  pacer.freeAtUs = nowUs + airtimeUs + GATEWAY_PAUSE_US;
}

/** When some member is due, µs; Infinity: none. */
export function nextDueUs(campaign: Campaign): number {
  const { state } = campaign;
  const first = state.due[0];
  if (first === undefined) return Number.POSITIVE_INFINITY;
  if (isServedAs('A', campaign, new Member(state, first.member).devEui)) return first.atUs;
  const { freeAtUs, evenAtUs } = state.pacer;
  return Math.max(first.atUs, freeAtUs, evenAtUs - BURST_US);
}

/** Serves members that are due, as far as the pace and the bound of a wake-up allow. */
export function serveDue(campaign: Campaign, nowUs: number): void {
  const { state } = campaign;
  for (let served = 0; served < MOST_PER_WAKE && nextDueUs(campaign) <= nowUs; served++) {
    const entry = takeDue(state.due);
    if (entry === undefined) return;
    const member = new Member(state, entry.member);
    if (member.dueAtUs !== entry.atUs) continue;
    member.dueAtUs = NEVER_US;
    if (isServedAs('C', campaign, member.devEui)) talk(campaign, entry.member, nowUs);
    else patienceEnds(campaign, entry.member, nowUs);
  }
}
