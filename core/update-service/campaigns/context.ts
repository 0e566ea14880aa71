/** A campaign at work: its state and what it may reach. */

import { assert } from '../../../sim/base/assert.ts';
import { toBelow } from '../../../sim/base/random.ts';
import { MILLISECOND_US } from '../../../sim/base/units.ts';
import type { Sender } from '../../../sim/contract/downlinks.ts';
import type { NetworkRequest } from '../../../sim/contract/requests.ts';
import type { Draws } from '../../base/ids.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { OwnView } from '../../base/subscribers.ts';
import type { Surroundings } from '../../kit/resource.ts';
import type { FailureReason } from '../../result/outcome.ts';
import type { Standing } from '../delegation-standing.ts';
import { type DeviceGroup, servedAs } from '../device-groups.ts';
import type { Parties } from '../gateway-choice.ts';
import type { Image } from '../images.ts';
import type { RootKey } from '../keys.ts';
import type { MemberOutcome } from './answers.ts';
import type { CampaignCache } from './campaign-cache.ts';
import { diagnose } from './diagnosis.ts';
import type { FragmentSource } from './fragments.ts';
import { allMembers, failRest, type Member } from './member.ts';
import { ALL_STEPS, type DebugEntry, Step } from './member-columns.ts';
import type { DelegatedBy, MemberOwners } from './member-owners.ts';
import { REASONS } from './reasons.ts';
import type { CampaignState } from './state.ts';
import { reportEnd } from './step-events.ts';
import type { StepsPort } from './step-rows.ts';
import { isInTurn, isPassed } from './steps.ts';

/** What a campaign asks of the other campaigns, and reports them. */
export interface Neighbours {
  /** A campaign that has one of these members' devices, whosever it is, and how many of them. */
  holder(
    campaign: Campaign,
    members: readonly Member[],
  ): { readonly campaign: Campaign; readonly count: number } | undefined;
  /** Whether another campaign that is not over uses this group address. */
  isTaken(mcAddr: number, number: number): boolean;
  /** A round begins: it gets its number among those of all campaigns. */
  beginsRound(campaign: Campaign): void;
  /** The member belongs to the campaign from now on. */
  takes(campaign: Campaign, member: Member): void;
  /** The campaign's group has an address. */
  takesAddress(campaign: Campaign): void;
  /** Whether the campaign runs from now on, or is over. */
  runs(campaign: Campaign, runs: boolean, nowUs: number): void;
  /** The campaign will be gone soon. */
  isDeleted(campaign: Campaign): void;
  /** Devices or the air are free, others may begin. */
  frees(nowUs: number): void;
  /** All campaigns that are not over, in no particular order. */
  running(): Iterable<Campaign>;
}

/** All that a campaign may reach: the platform as its owner sees it, and the other campaigns. */
export interface Reach
  extends Pick<Surroundings, 'outbox' | 'downlinks' | 'timers' | 'watching' | 'draws'>,
    StepsPort {
  /** That of the campaign's owner, and of members that were delegated to it. */
  readonly view: OwnView;
  readonly owner: MemberOwners;
  viewOf(subscriber: string): OwnView;
  /** The device group as it is now; undefined when it is gone. */
  group(): DeviceGroup | undefined;
  /** Those of its devices that are of others now. */
  delegatedAmong(devEuis: readonly string[]): readonly DelegatedBy[];
  /** How devices stand to the campaign's owner at an instant. */
  standings(nowUs: number): (devEui: string) => Standing;
  /** The root key that wraps a device's McKey: that of whose it is. */
  rootKey(devEui: string): RootKey;
  /** The version that a device reported last, in whatever way: 16 digits; null: none. */
  reportedVersion(devEui: string): string | null;
  readonly neighbours: Neighbours;
}

export interface Campaign extends Reach {
  readonly state: CampaignState;
  readonly image: Image;
  readonly fragments: FragmentSource;
  /** Whose its downlinks are. */
  readonly sender: Sender;
  /** What is derived of the state, until that changes. */
  readonly stored: CampaignCache;
}

export function request({ outbox }: Campaign, what: NetworkRequest, nowUs: number): void {
  outbox.add(what, nowUs);
}

/** Whose its members are, and what each of those sees. */
export const partiesOf = ({ owner, viewOf }: Campaign): Parties => ({
  ownerOf: (devEui) => owner.ownerOf(devEui),
  viewOf,
});

// ── luck ─────────────────────────────────────────────────────────────────────────────────────────

/** Counters of a campaign: those of its names and keys, then pauses; 0 is the world's. */
const COUNTERS = 0x100000;
const FIRST_PAUSE = 16;

/** Where the words of a campaign's key and group EUI begin. */
export const KEY_WORDS = 0;
export const EUI_WORDS = 4;

/** `count` bytes of the words of campaign `number` from `first` on. */
export function drawBytes(
  draws: Draws,
  number: number,
  first: number,
  count: number,
): Uint8Array<ArrayBuffer> {
  const wordOf = (i: number) => draws(number * COUNTERS + first + (i >> 2));
  return Uint8Array.from({ length: count }, (_, i) => wordOf(i) >>> (24 - 8 * (i & 3)));
}

/** A random pause, before a class C command or what is queued for a class A member at once, µs. */
export function drawPauseUs({ state, draws }: Campaign): number {
  const mostMs = Math.floor(state.settings.downlink_delay_rand_s / MILLISECOND_US);
  if (mostMs <= 0) return 0;
  const which = FIRST_PAUSE + (state.pausesDrawn++ % (COUNTERS - FIRST_PAUSE));
  return toBelow(draws(state.number * COUNTERS + which), mostMs + 1) * MILLISECOND_US;
}

// ── members ──────────────────────────────────────────────────────────────────────────────────────

/** Whether a device is spoken to in the windows of its uplinks (A), or at any time (C). */
export const isServedAs = (way: 'A' | 'C', { state, view }: Campaign, devEui: string): boolean =>
  servedAs(state.group, view.device(devEui)) === way;

/** A member's flow ends; nothing of it is sent any more. */
export function endMember(
  campaign: Campaign,
  member: Member,
  outcome: MemberOutcome,
  nowUs: number,
): void {
  const { state, view } = campaign;
  if (outcome === undefined || member.fate !== 'inProgress') return;
  if (isCheckingVersion(campaign, member)) state.versionsOpen--;
  if (state.turn !== undefined && isInTurn(state, member)) state.turn.open--;
  assert(nowUs >= member.phaseSinceUs, 'a member ends after its phase began');
  if (member.waits) state.waiting--;
  member.end(outcome.fate === 'success' ? null : outcome.reason, nowUs);
  if (outcome.fate === 'success') {
    state.succeeded++;
    // Who runs the expected version has what all steps are for.
    for (const step of ALL_STEPS) {
      if (member.passedAtUs(step) === NEVER_US) member.setPassed(step, nowUs);
    }
  } else {
    state.failed++;
    if (state.settings.is_troubleshooting) member.diagnosis = diagnose(state, view, member, nowUs);
  }
  reportEnd(campaign, member, nowUs);
  clearUp(campaign, member, nowUs);
}

/** Nothing more goes to a member, and nothing of it is heard. */
export function clearUp(campaign: Campaign, member: Member, nowUs: number): void {
  const { devEui } = member;
  const isSpokenTo = member.phase !== 'outside' && campaign.view.device(devEui) !== undefined;
  // Before the watch ends: whether the campaign watches is what its members say.
  member.leave();
  if (!isSpokenTo) return;
  campaign.downlinks.clear(campaign.sender, devEui, nowUs);
  campaign.watching.ends(devEui, nowUs);
}

/**
 * Everybody in progress fails at once, for a reason that says all; what is to be cleared up is left
 * to a sweep.
 */
export function failAll(campaign: Campaign, reason: FailureReason, nowUs: number): void {
  const { state } = campaign;
  assert(REASONS[reason].saysAll === true, 'who fails with all others is not looked at');
  const inProgress = campaign.steps === undefined ? [] : membersInProgress(state);
  state.failed += failRest(state.members, reason, nowUs);
  for (const member of inProgress) reportEnd(campaign, member, nowUs);
  state.versionsOpen = 0;
  state.waiting = 0;
}

const membersInProgress = (state: CampaignState): readonly Member[] =>
  [...allMembers(state)].filter(({ fate }) => fate === 'inProgress');

/** Lines that are stored of a member. */
const MOST_LINES = 1000;

/** Keeps what was said where the campaign collects it. */
export function note(
  { state }: Campaign,
  member: Member,
  what: DebugEntry['what'],
  command: string,
  atUs: number,
): void {
  if (!state.settings.is_debug || member.debug.length >= MOST_LINES) return;
  member.note({ atUs, what, command });
}

/** Whether its owner delegates a member that is another's no longer. */
export function isUndelegated({ owner }: Campaign, standing: (devEui: string) => Standing) {
  return ({ devEui }: Member): boolean =>
    owner.isDelegated(devEui) && standing(devEui).kind !== 'delegated';
}

/** Whether nobody knows the key that a device's set-up needs. */
export function lacksKey(campaign: Campaign, { devEui }: Member): boolean {
  return campaign.rootKey(devEui).kind === 'none';
}

export const NO_KEY = { fate: 'failed', reason: 'no key' } as const satisfies MemberOutcome;

export function isCheckingVersion({ state }: Campaign, member: Member): boolean {
  return member.fate === 'inProgress' && !isPassed(member, Step.versionCheck, state.settings);
}

/** Why a member fails that is waited for no longer. */
export function silenceReason(member: Member, unanswered: FailureReason): FailureReason {
  return member.spokeAtUs < member.phaseSinceUs ? 'no uplink' : unanswered;
}
