/**
 * The flow of a member through a campaign, as a table of steps (order of TR002 and of the standards
 * it names: TS003 first, then TS005, TS004, TS006).
 *
 * A step is open when its phase is the member's, what it comes after is passed, and it is not
 * passed itself. Class A members get the commands of all open steps queued at once, class C members
 * one by one.
 */

import type { PackagesView } from '../../../sim/contract/view.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { FailureReason } from '../../result/outcome.ts';
import { asShown } from './clock-rate.ts';
import type { Member, Phase } from './member.ts';
import { ALL_STEPS, Step } from './member-columns.ts';
import {
  classBSessionReq,
  classCSessionReq,
  dataFragment,
  fragSetupReq,
  fragSetupReqV2,
  groupSetupReq,
  type PackageName,
  resyncReq,
  statusReq,
  versionReq,
} from './payloads.ts';
import type { Plan } from './plan.ts';
import type { Settings } from './settings.ts';
import type { CampaignState, Multicast } from './state.ts';

/** What a step's command is made of. */
export interface StepContext {
  readonly settings: Settings;
  readonly plan: Plan;
  readonly multicast: Multicast;
  /** Of the member spoken to. */
  readonly packages: PackagesView;
  /** BlockAckDelay of the fragmentation session. */
  readonly ackDelay: number;
  wrapMcKey(): Uint8Array;
  /** SessionCnt of this try and the MIC that goes with it (TS004-2.0.0). */
  signBlock(member: Member): { readonly sessionCnt: number; readonly mic: number };
  /** The fragment of this number, from 1. */
  fragment(fragmentNumber: number): Uint8Array;
}

export interface StepRow {
  readonly name: string;
  readonly phase: Phase;
  readonly after: readonly Step[];
  readonly package: PackageName;
  /** The standard's name of what is sent. */
  readonly command: string;
  /** The same when the multicast session is of class B; `command` when absent. */
  readonly commandInSlots?: string;
  /** The FRMPayload. */
  readonly request: (member: Member, context: StepContext) => Uint8Array;
  /** The answer that decides; null: passed as soon as it is sent. */
  readonly awaits: string | null;
  /** How often the command is sent again when unanswered. */
  readonly retries: (settings: Settings, deviceClass: 'A' | 'C') => number;
  /** Why a member fails that spoke, but did not answer; null: the flow goes on without. */
  readonly unanswered: (member: Member, settings: Settings) => FailureReason | null;
  /** Whether this campaign has the step; always when absent. */
  readonly applies?: (settings: Settings) => boolean;
}

/**
 * A class A device costs air time only when it speaks, so it is asked for long; a class C device
 * would be asked every minute.
 */
const SET_UP_RETRIES = { A: 20, C: 5 };
const STATUS_RETRIES = { A: 10, C: 3 };

type DeviceClass = keyof typeof SET_UP_RETRIES;

const setUpRetries = ({ set_up_tries }: Settings, deviceClass: DeviceClass): number =>
  set_up_tries === null ? SET_UP_RETRIES[deviceClass] : set_up_tries - 1;

const statusRetries = ({ status_tries }: Settings, deviceClass: DeviceClass): number =>
  status_tries === null ? STATUS_RETRIES[deviceClass] : status_tries - 1;

const { versionCheck, session, clockCheck, status } = Step;
const SET_UP_STEPS = [Step.clockSync, Step.multicastSetup, Step.fragmentationSetup];

/** In the order of `Step`. */
export const STEPS: readonly StepRow[] = [
  {
    name: 'version check',
    phase: 'setUp',
    after: [],
    package: 'firmwareManagement',
    command: 'DevVersionReq',
    request: versionReq,
    awaits: 'DevVersionAns',
    retries: setUpRetries,
    unanswered: () => 'set-up unanswered',
    applies: (settings) => settings.force_initial_version_check,
  },
  {
    name: 'clock sync',
    phase: 'setUp',
    after: [versionCheck],
    package: 'clockSync',
    command: 'ForceDeviceResyncReq',
    request: (member) => resyncReq(member.correction),
    awaits: 'AppTimeReq',
    retries: setUpRetries,
    // A clock that was corrected and is wrong again ends the flow at once (answers.ts).
    unanswered: ({ correction }) =>
      correction?.isIgnored === true ? 'clock drift' : 'set-up unanswered',
    applies: ({ skip_clock_sync }) => !skip_clock_sync,
  },
  {
    name: 'multicast set-up',
    phase: 'setUp',
    after: [versionCheck],
    package: 'multicastSetup',
    command: 'McGroupSetupReq',
    request: (_, context) => groupSetupReq(context.multicast, context.wrapMcKey()),
    awaits: 'McGroupSetupAns',
    retries: setUpRetries,
    unanswered: () => 'set-up unanswered',
  },
  {
    name: 'fragmentation set-up',
    phase: 'setUp',
    after: [versionCheck],
    package: 'fragmentation',
    command: 'FragSessionSetupReq',
    request: (member, context) => {
      const { plan, settings, packages, ackDelay } = context;
      const { descriptor, frag_index: fragIndex } = settings;
      const { nbFrag, fragSize, padding } = plan;
      const cut = { fragIndex, nbFrag, fragSize, padding };
      const block = { ...cut, descriptor, blockAckDelay: ackDelay };
      if (packages.fragmentation.version === 1) return fragSetupReq(block);
      return fragSetupReqV2({ ...block, ...context.signBlock(member) });
    },
    awaits: 'FragSessionSetupAns',
    retries: setUpRetries,
    unanswered: () => 'set-up unanswered',
  },
  {
    name: 'session',
    phase: 'setUp',
    after: SET_UP_STEPS,
    package: 'multicastSetup',
    command: 'McClassCSessionReq',
    commandInSlots: 'McClassBSessionReq',
    request: (member, context) => {
      const { plan } = context;
      const sessionTime = sessionTimeFor(member, context);
      const { timeOut, frequencyHz, dataRate, periodicity } = plan;
      const session = { sessionTime, timeOut, frequencyHz, dataRate };
      if (periodicity === null) return classCSessionReq(session);
      return classBSessionReq({ ...session, periodicity });
    },
    awaits: 'McClassCSessionAns',
    retries: setUpRetries,
    unanswered: () => 'session missed',
  },
  {
    name: 'clock check',
    phase: 'verify',
    after: [session],
    package: 'clockSync',
    command: 'ForceDeviceResyncReq',
    request: () => resyncReq(null),
    awaits: 'AppTimeReq',
    retries: () => 0,
    unanswered: () => null, // its answer only serves the diagnosis
    applies: (settings) => settings.is_troubleshooting,
  },
  {
    name: 'status',
    phase: 'verify',
    after: [session, clockCheck],
    package: 'fragmentation',
    command: 'FragSessionStatusReq',
    request: (_, { settings }) => statusReq(settings.frag_index),
    awaits: 'FragSessionStatusAns',
    retries: statusRetries,
    // A device that runs the new image already may know no session.
    unanswered: (_, { verify_by_status }) => (verify_by_status ? 'verification unanswered' : null),
  },
  {
    name: 'repair',
    phase: 'verify',
    after: [session],
    package: 'fragmentation',
    command: 'DataFragment',
    request: (member, context) => {
      const { plan, settings } = context;
      // A coded fragment that the member cannot have: above all that the session sent, each once.
      const fragmentNumber = plan.nbFrag + plan.redundancy + 1 + member.repairs;
      const fragment = context.fragment(fragmentNumber);
      return dataFragment(settings.frag_index, fragmentNumber, fragment);
    },
    awaits: null,
    retries: () => 0,
    unanswered: () => null,
  },
  {
    name: 'final version',
    phase: 'verify',
    after: [status],
    package: 'firmwareManagement',
    command: 'DevVersionReq',
    request: versionReq,
    awaits: 'DevVersionAns',
    retries: (settings) => settings.max_final_version_check_retry,
    unanswered: ({ finalVersion }) =>
      finalVersion === null ? 'verification unanswered' : 'version mismatch',
    applies: ({ verify_by_status }) => !verify_by_status,
  },
];

// ── sets of steps, a bit each: asked at each uplink ──────────────────────────────────────────────

export const bitOf = (step: Step): number => 1 << step;

const bitsOf = (steps: readonly Step[]): number =>
  steps.reduce<number>((bits, step) => bits | bitOf(step), 0);

const REPAIR = bitOf(Step.repair);
export const STATUS = bitOf(Step.status);

/** By step: what it comes after. Repair fragments go out wherever some are due. */
const AFTER = STEPS.map(({ after }, step) => (step === Step.repair ? 0 : bitsOf(after)));

const stepsOf = (phase: Phase): number =>
  bitsOf(ALL_STEPS.filter((step) => STEPS[step]!.phase === phase));

const IN_PHASE: Readonly<Record<Phase, number>> = {
  outside: stepsOf('outside'),
  setUp: stepsOf('setUp'),
  session: stepsOf('session'),
  verify: stepsOf('verify'),
};

/** Steps that some campaigns do not have. */
const OPTIONAL_STEPS = ALL_STEPS.filter((step) => STEPS[step]!.applies !== undefined);

/** The steps that a member has passed; those that the campaign does not have count. */
export function passedBits(member: Member, settings: Settings): number {
  let bits = member.passed;
  for (let i = 0; i < OPTIONAL_STEPS.length; i++) {
    const step = OPTIONAL_STEPS[i]!;
    if (STEPS[step]!.applies?.(settings) === false) bits |= bitOf(step);
  }
  return bits;
}

/** The steps that are open to a member. */
export function openBits(member: Member, settings: Settings): number {
  const { phase, turn } = member;
  let open = IN_PHASE[phase];
  if (open === 0) return 0;
  const passed = passedBits(member, settings);
  open &= ~passed & ~(member.repairsDue > 0 ? STATUS : REPAIR);
  if (phase === 'setUp' && turn !== undefined) open &= 2 * bitOf(turn) - 1;
  for (let step = 0; open >> step !== 0; step++) {
    if ((AFTER[step]! & ~passed) !== 0) open &= ~(1 << step);
  }
  return open;
}

export const isOpen = (member: Member, step: Step, settings: Settings): boolean =>
  (openBits(member, settings) & bitOf(step)) !== 0;

/** A step that the campaign does not have counts as passed. */
export function isPassed(member: Member, step: Step, settings: Settings): boolean {
  const { applies } = STEPS[step]!;
  return member.passedAtUs(step) !== NEVER_US || (applies !== undefined && !applies(settings));
}

/** Whether the turn of the set-up waits for a member. */
export const isInTurn = ({ turn, settings }: CampaignState, member: Member): boolean =>
  turn !== undefined &&
  member.fate === 'inProgress' &&
  !member.waits &&
  !isPassed(member, turn.step, settings);

/** In the order of the table. */
export function openSteps(member: Member, settings: Settings): Step[] {
  const open = openBits(member, settings);
  return ALL_STEPS.filter((step) => (open & bitOf(step)) !== 0);
}

/** Takes a step up again, with all its tries. */
export function reopen(member: Member, step: Step): void {
  member.setPassed(step, NEVER_US);
  member.setSent(step, NEVER_US);
  member.setAttempts(step, 0);
}

/**
 * The beginning of the session as a member is given it, GPS seconds modulo 2^32: for class C by its
 * own clock. Class B has the time of beacons.
 */
export function sessionTimeFor(
  { clockRate }: Member,
  { plan, multicast: { sessionTime } }: Pick<StepContext, 'plan' | 'multicast'>,
): number {
  return plan.periodicity === null ? asShown(clockRate, sessionTime) : sessionTime;
}
