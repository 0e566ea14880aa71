/** A campaign at work: its state and what it may reach. */

import { assert } from '../../../sim/base/assert.ts';
import { toBelow } from '../../../sim/base/random.ts';
import { MILLISECOND_US } from '../../../sim/base/units.ts';
import type { Draws } from '../../base/ids.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { Outbox } from '../../base/outbox.ts';
import type { Timers } from '../../base/timers.ts';
import type { NetworkRequest, OwnView } from '../../network-face.ts';
import type { FailureReason } from '../../result.ts';
import type { DeviceGroup } from '../device-groups.ts';
import type { Image } from '../images.ts';
import type { RootKey } from '../keys.ts';
import type { UpdateAttempt } from '../update-history.ts';
import type { MemberOutcome } from './answers.ts';
import { diagnose } from './diagnosis.ts';
import type { FragmentSource } from './fragments.ts';
import { type CampaignState, type DebugEntry, type Member, Step } from './state.ts';
import { isPassed } from './steps.ts';

/** What a campaign asks of the platform that it is one of. */
export interface Host {
  /** The device group as it is now; undefined when it is gone. */
  group(owner: string, id: string): DeviceGroup | undefined;
  /** A campaign of the owner that has one of these devices, and how many of them. */
  holder(
    owner: string,
    devEuis: readonly string[],
  ): { readonly name: string; readonly count: number } | undefined;
  /** The root key that wraps a device's McKey. */
  rootKey(owner: string, devEui: string): RootKey;
  /** Writes an attempt that is over into the history of a subscriber's device. */
  remember(owner: string, devEui: string, attempt: UpdateAttempt): void;
  /** Whether another campaign that is not over uses this group address. */
  isTaken(mcAddr: number, number: number): boolean;
  /** The campaign's members belong to it from now on. */
  claim(campaign: Campaign): void;
  /** The campaign's devices are free, others may begin. */
  release(nowUs: number): void;
}

export interface Campaign {
  readonly state: CampaignState;
  readonly image: Image;
  readonly fragments: FragmentSource;
  /** That of the campaign's owner. */
  readonly view: OwnView;
  readonly outbox: Outbox;
  readonly timers: Timers;
  readonly draws: Draws;
  readonly host: Host;
}

export function request({ outbox }: Campaign, what: NetworkRequest, nowUs: number): void {
  outbox.add(what, nowUs);
}

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

/** A random pause before a class C command, µs. */
export function drawPauseUs({ state, draws }: Campaign): number {
  const mostMs = Math.floor(state.settings.downlink_delay_rand_s / MILLISECOND_US);
  if (mostMs <= 0) return 0;
  const which = FIRST_PAUSE + (state.pausesDrawn++ % (COUNTERS - FIRST_PAUSE));
  return toBelow(draws(state.number * COUNTERS + which), mostMs + 1) * MILLISECOND_US;
}

// ── members ──────────────────────────────────────────────────────────────────────────────────────

export function inProgress({ members, succeeded, failed }: CampaignState): number {
  return members.length - succeeded - failed;
}

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
  assert(nowUs >= member.phaseSinceUs, 'a member ends after its phase began');
  member.fate = outcome.fate;
  member.endedAtUs = nowUs;
  if (member.waits) state.waiting--;
  member.waits = false;
  if (outcome.fate === 'success') {
    state.succeeded++;
    // Who runs the expected version has what all steps are for.
    member.passedAtUs.forEach((at, step) => {
      if (at === NEVER_US) member.passedAtUs[step] = nowUs;
    });
  } else {
    state.failed++;
    member.reason = outcome.reason;
    if (state.settings.is_troubleshooting) member.diagnosis = diagnose(state, view, member, nowUs);
  }
  // Who is halted before its first round had no attempt.
  if (member.rounds > 0 || member.reason !== 'halted') remember(campaign, member, nowUs);
  if (member.phase !== 'outside' && view.device(member.devEui) !== undefined) {
    request(campaign, { kind: 'clearDownlinks', devEui: member.devEui }, nowUs);
    request(campaign, { kind: 'watch', devEui: member.devEui, on: false }, nowUs);
  }
  member.phase = 'outside';
  member.queued.length = 0;
  member.dueAtUs = NEVER_US;
}

/** Lines that are kept of a member. */
const MOST_LINES = 1000;

/** Keeps what was said where the campaign collects it. */
export function note(
  { state }: Campaign,
  { debug }: Member,
  what: DebugEntry['what'],
  command: string,
  atUs: number,
): void {
  if (state.settings.is_debug && debug.length < MOST_LINES) debug.push({ atUs, what, command });
}

/** Reasons that mean that an answer was waited for in vain. */
const SILENCE: readonly (FailureReason | '')[] = ['no uplink', 'set-up unanswered'];

function remember({ state, host }: Campaign, member: Member, atUs: number): void {
  const { devEui, fate, reason, initialVersion, finalVersion } = member;
  const missed = SILENCE.includes(reason) ? 'timeout' : 'failure';
  host.remember(state.owner, devEui, {
    atUs,
    status: fate === 'success' ? 'success' : missed,
    reason,
    initialVersion: reported(initialVersion),
    postUpdateVersion: reported(finalVersion),
    expectedVersion: state.settings.expectedVersion,
    campaignId: state.id,
  });
}

const reported = (version: string): string | null => (version === '' ? null : version);

/** Whether nobody knows the key that a device's set-up needs. */
export function lacksKey({ state, host }: Campaign, { devEui }: Member): boolean {
  return host.rootKey(state.owner, devEui).kind === 'none';
}

export const NO_KEY: MemberOutcome = { fate: 'failed', reason: 'no key' };

export function isCheckingVersion({ state }: Campaign, member: Member): boolean {
  return member.fate === 'inProgress' && !isPassed(member, Step.versionCheck, state.settings);
}

/** Why a member fails that is waited for no longer. */
export function silenceReason(member: Member, unanswered: FailureReason): FailureReason {
  return member.spokeAtUs < member.phaseSinceUs ? 'no uplink' : unanswered;
}
