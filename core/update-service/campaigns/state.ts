/**
 * What a campaign remembers: plain data, so that it can be saved, forked and hashed at any time.
 */

import { assert } from '../../../sim/base/assert.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { FailureReason } from '../../result.ts';
import type { DeviceGroup } from '../device-groups.ts';
import type { GivenCampaign } from './commands.ts';
import type { DueList } from './due-list.ts';
import type { Plan } from './plan.ts';
import type { Sending } from './sending.ts';
import type { Settings } from './settings.ts';
import type { Stage } from './stages.ts';

/** A count of fragments that the member has not reported. */
export const NOT_REPORTED = -1;

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
  /** Gateways that a restart asked for in place of the group's; null: no restart yet. */
  gatewaysAsked: readonly string[] | null;
  readonly createdAtUs: number;
  stage: Stage;
  /** Why it could not be set up; empty when nothing is notable. */
  status: string;
  readonly stages: { readonly stage: Stage; readonly atUs: number }[];
  /** When the stage ends by itself; `NEVER_US`: not by time. */
  stageEndsAtUs: number;
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
  /** Bytes of the image. */
  readonly imageBytes: number;
  /** Of each fragment of the latest session, whether a gateway sent it: 0 or 1. */
  fragmentsSent: Uint8Array;
  /** Fragments of the latest session that no gateway sent, once it is over. */
  unsent: number;
  /** Copies of the latest session that waited for a gateway's budget. */
  withoutBudget: number;
  /** Fragment frames sent in all rounds, over all gateways. */
  sent: number;
  /** Repair fragments sent in all rounds, to all members. */
  repairs: number;
  members: Member[];
  /** Members by fate. */
  succeeded: number;
  failed: number;
  /** Members in progress that have not passed the initial version check. */
  versionsOpen: number;
  sweep: Sweep | null;
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

/** A pass over all members, a slice per wake-up. */
export interface Sweep {
  readonly kind: 'begin' | 'sessionStarts' | 'verify';
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

/** Where a member stands in the flow. */
export type Phase =
  /** Not visited by the sweep that begins a round, or done. */
  | 'outside'
  | 'setUp'
  /** Set up; the multicast session runs. */
  | 'session'
  | 'verify';

/** Steps of the flow (steps.ts), in its order. */
export const Step = {
  versionCheck: 0,
  clockSync: 1,
  multicastSetup: 2,
  fragmentationSetup: 3,
  session: 4,
  clockCheck: 5,
  status: 6,
  repair: 7,
  finalVersion: 8,
} as const;
export type Step = (typeof Step)[keyof typeof Step];

const STEP_COUNT = Object.keys(Step).length;

export interface Member {
  readonly devEui: string;
  fate: 'inProgress' | 'success' | 'failed';
  /** Why it failed; empty unless it has. */
  reason: FailureReason | '';
  /** Its turn comes in a later round, for its version of TS004. */
  waits: boolean;
  phase: Phase;
  phaseSinceUs: number;
  endedAtUs: number;
  /** Server's time of the latest uplink since the round began; `NEVER_US`: none. */
  spokeAtUs: number;
  /** By step: when it was passed, when its command was last sent, and how often. */
  readonly passedAtUs: number[];
  readonly sentAtUs: number[];
  readonly attempts: number[];
  /** Class A: steps whose commands wait for a window, in the order of the server's queue. */
  readonly queued: number[];
  /** Class C: when its next command is due. In phase `verify` of class A: when patience ends. */
  dueAtUs: number;
  lastDownlinkAtUs: number;
  /** The correction to send with the clock sync command. */
  correction: { readonly seconds: number; readonly token: number } | null;
  /** Sessions answered with a wrong clock. */
  clockFaults: number;
  /** Of the latest status answer; `NOT_REPORTED` before the first. */
  received: number;
  missing: number;
  /** Repair fragments sent, and those still to send before the status is asked again. */
  repairs: number;
  repairsDue: number;
  /** 16 hexadecimal digits; empty: not reported. */
  initialVersion: string;
  finalVersion: string;
  /** Rounds that it took part in. */
  rounds: number;
  /** What was said and answered; empty unless the campaign collects it. */
  readonly debug: DebugEntry[];
  /** GPS seconds that its clock was behind at the latest look; null: not known. */
  clockBehindS: number | null;
  /** Why it failed, found out where the campaign troubleshoots. */
  diagnosis: Diagnosis | null;
}

export interface DebugEntry {
  readonly atUs: number;
  readonly what: 'sent' | 'answered';
  /** The standard's name of the command. */
  readonly command: string;
}

export interface Diagnosis {
  /** Stable for programs. */
  readonly code: string;
  /** One sentence with the numbers in it. */
  readonly text: string;
}

export function newMember(devEui: string, before?: Member): Member {
  return {
    devEui,
    fate: 'inProgress',
    reason: '',
    waits: false,
    phase: 'outside',
    phaseSinceUs: 0,
    endedAtUs: NEVER_US,
    spokeAtUs: NEVER_US,
    passedAtUs: new Array<number>(STEP_COUNT).fill(NEVER_US),
    sentAtUs: new Array<number>(STEP_COUNT).fill(NEVER_US),
    attempts: new Array<number>(STEP_COUNT).fill(0),
    queued: [],
    dueAtUs: NEVER_US,
    lastDownlinkAtUs: NEVER_US,
    correction: null,
    clockFaults: 0,
    received: NOT_REPORTED,
    missing: NOT_REPORTED,
    repairs: 0,
    repairsDue: 0,
    initialVersion: '',
    finalVersion: '',
    rounds: before?.rounds ?? 0,
    debug: before?.debug ?? [],
    clockBehindS: null,
    diagnosis: null,
  };
}

export interface NewCampaign {
  readonly number: number;
  readonly owner: string;
  readonly id: string;
  readonly input: GivenCampaign;
  readonly settings: Settings;
  readonly group: DeviceGroup;
  readonly imageBytes: number;
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
    members: parts.group.devices.map((devEui) => newMember(devEui)),
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
