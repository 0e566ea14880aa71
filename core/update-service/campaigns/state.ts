/**
 * What a campaign remembers: plain data, so that it can be saved, forked and hashed at any time.
 */

import { assert } from '../../../sim/base/assert.ts';
import type { DueList } from '../../base/due-list.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { DeviceGroup } from '../device-groups.ts';
import type { GivenCampaign } from './commands.ts';
import { memberCount } from './member.ts';
import { type MemberColumns, memberColumns, type Step } from './member-columns.ts';
import type { DelegatedBy } from './member-owners.ts';
import type { Plan } from './plan.ts';
import type { Sending, SendingPlan } from './sending.ts';
import type { Settings } from './settings.ts';
import type { Stage } from './stages.ts';

export interface CampaignState {
  /** From 1; also the campaign's timer. */
  readonly number: number;
  /** The subscriber whose it is. */
  readonly owner: string;
  /** In the form of a UUID, lower case. */
  readonly id: string;
  readonly input: GivenCampaign;
  settings: Settings;
  /** As it is when the campaign starts. */
  group: DeviceGroup;
  /** Those of its devices that are of other subscribers, and whose they are. */
  delegated: readonly DelegatedBy[];
  /** Gateways that a restart asked for in place of the group's; null: no restart yet. */
  gatewaysAsked: readonly string[] | null;
  readonly createdAtUs: number;
  stage: Stage;
  /** Why it could not be set up; empty when nothing is notable. */
  status: string;
  readonly stages: { readonly stage: Stage; readonly atUs: number }[];
  /** When the stage ends by itself; `NEVER_US`: not by time. */
  stageEndsAtUs: number;
  /** It waits for the air that other campaigns use; absent: it does not. */
  waitsForAir?: true;
  /** Rounds begun: one per start, restart and automatic retry. */
  rounds: number;
  /** Number of the round among those of all campaigns. */
  roundNumber: number;
  /** Members in progress that speak another version of TS004 than this round. */
  waiting: number;
  /** The next round is for those alone: failed members are not taken back. */
  goesOn: boolean;
  /** Automatic retries left since the start or the latest restart. */
  retriesLeft: number;
  /** When its members were last taken into a round; `NEVER_US` before the first. */
  claimedAtUs: number;
  /** When it is to be deleted; `NEVER_US`: it stays. */
  deletedAtUs: number;
  plan: Plan | null;
  multicast: Multicast | null;
  sending: Sending | null;
  /** Of the running session, what another pass needs. */
  session?: SessionPace;
  /** Passes begun in the session; absent: one. */
  pass?: number;
  /** The session's members are asked for their status through their group. */
  asksGroup?: true;
  /** Bytes of the image. */
  readonly imageBytes: number;
  /** Of each fragment of the latest session, whether a gateway sent it: 0 or 1. */
  fragmentsSent: Uint8Array;
  /** Fragments of the latest session that no gateway sent, once it is over. */
  unsent: number;
  /** Copies of the latest session that waited for a gateway's budget. */
  withoutBudget: number;
  /** Copies of the latest session that gateways refused, by reason; absent: none. */
  refusals?: Readonly<Record<string, number>>;
  /** Fragment frames sent in all rounds, over all gateways. */
  sent: number;
  /** Repair fragments sent in all rounds, to all members. */
  repairs: number;
  members: MemberColumns;
  /** Members by fate. */
  succeeded: number;
  failed: number;
  /** Members in progress that have not passed the initial version check. */
  versionsOpen: number;
  sweep: Sweep | null;
  /** Of a set-up in turn: the step whose turn it is. */
  turn?: SetUpTurn;
  readonly due: DueList;
  readonly pacer: Pacer;
  /** Random pauses drawn so far. */
  pausesDrawn: number;
  /** The appointment of the timer; `NEVER_US`: none. */
  wakesAtUs: number;
}

/** The multicast group and its session; group and keys stay the same in all rounds. */
export interface Multicast {
  /** 16 upper-case hexadecimal digits that name the group on the server. */
  readonly eui: string;
  readonly mcAddr: number;
  readonly mcKey: Uint8Array;
  /** Counter of fragment 1 in this round. */
  firstFCnt: number;
  /** GPS seconds modulo 2^32, and the same instant of the world. */
  sessionTime: number;
  startsAtUs: number;
}

/** The step of a set-up in turn that members may pass, and none behind it. */
export interface SetUpTurn {
  step: Step;
  /** Members that it began with, and those that have not passed it. */
  members: number;
  open: number;
  /** Tries so far, and when the present one is over, µs; `NEVER_US`: it lasts. */
  tries: number;
  lookAtUs: number;
  /** Its tries are used up: who has not passed it is left out. */
  closes: boolean;
}

/** How a session is sent. */
export interface SessionPace {
  readonly pace: Omit<SendingPlan, 'fragments'>;
  /** Frames of a pass: its fragments, and the status request where it goes to the group. */
  readonly frames: number;
  /** All gateways share one queue. */
  readonly isShared: boolean;
}

/** A pass over all members, a slice per wake-up. */
export interface Sweep {
  readonly kind:
    | 'begin'
    | 'turnBegins'
    | 'turnEnds'
    | 'sessionStarts'
    | 'passBegins'
    | 'verify'
    | 'verificationEnds'
    | 'clearUp';
  /** Place of the first member not yet visited. */
  next: number;
}

/** Lets class C commands out at the rate that the gateways' budgets allow. */
export interface Pacer {
  /** When the commands sent so far will have been earned, µs. */
  evenAtUs: number;
  /** When a gateway will have sent the latest command, µs. */
  freeAtUs: number;
}

export interface NewCampaign {
  readonly number: number;
  readonly owner: string;
  readonly id: string;
  readonly input: GivenCampaign;
  readonly settings: Settings;
  readonly group: DeviceGroup;
  readonly delegated: readonly DelegatedBy[];
  readonly imageBytes: number;
}

export function inProgress(state: CampaignState): number {
  return memberCount(state) - state.succeeded - state.failed;
}

/** A campaign in its first second. */
export function newCampaign(
  parts: NewCampaign,
  nowUs: number,
  initializingUs: number,
): CampaignState {
  assert(parts.group.devices.length > 0, 'a campaign has members');
  return {
    ...parts,
    gatewaysAsked: null,
    createdAtUs: nowUs,
    stage: 'INITIALIZING',
    status: '',
    stages: [{ stage: 'INITIALIZING', atUs: nowUs }],
    stageEndsAtUs: nowUs + initializingUs,
    rounds: 0,
    roundNumber: 0,
    waiting: 0,
    goesOn: false,
    retriesLeft: parts.settings.automatic_retry_count,
    claimedAtUs: NEVER_US,
    deletedAtUs: NEVER_US,
    plan: null,
    multicast: null,
    sending: null,
    fragmentsSent: new Uint8Array(0),
    unsent: 0,
    withoutBudget: 0,
    sent: 0,
    repairs: 0,
    members: memberColumns(parts.group.devices.length),
    succeeded: 0,
    failed: 0,
    versionsOpen: 0,
    sweep: null,
    due: [],
    pacer: { evenAtUs: 0, freeAtUs: 0 },
    pausesDrawn: 0,
    wakesAtUs: NEVER_US,
  };
}
