/** What each answer of a member means (TS003…TS006). */

import { unreachable } from '../../../sim/base/assert.ts';
import { MAX_FRAGMENT_NUMBER } from '../../../sim/lorawan/fragmentation-code.ts';
import { matchesPattern, versionHex } from '../../base/firmware-versions.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { FailureReason } from '../../result/outcome.ts';
import { asShown, clockRateOf, difference, expectedBehindS, LEAST_LOSS_S } from './clock-rate.ts';
import type { Member } from './member.ts';
import { Step } from './member-columns.ts';
import {
  type Answer,
  type AwaitedAnswer,
  blockReceivedAns,
  isAwaited,
  timeAns,
} from './payloads.ts';
import type { Plan } from './plan.ts';
import { isAcceptable, type Settings } from './settings.ts';
import type { Multicast } from './state.ts';
import { isOpen, reopen, sessionTimeFor } from './steps.ts';

export interface AnswerContext {
  readonly settings: Settings;
  readonly plan: Plan;
  readonly multicast: Multicast;
  readonly nowUs: number;
  /** GPS seconds modulo 2^32 at the end of the uplink. */
  readonly gpsSeconds: number;
  /** Sends an AppTimeAns that is asked for, besides the steps' own commands. */
  replyTime(payload: Uint8Array): void;
  /** Sends a FragDataBlockReceivedAns. */
  replyBlock(payload: Uint8Array): void;
  /** Whether a window of the member carries a fragment of the plan's size. */
  canRepair(): boolean;
  /** Whether all fragments may be sent once more. */
  readonly mayPassAgain: boolean;
  /** Whether fragments went out in ping slots to a member that was not in class B. */
  lacksBeacon(): boolean;
}

/** The end of the flow for a member; undefined: it goes on. */
export type MemberOutcome =
  | { readonly fate: 'success' }
  | { readonly fate: 'failed'; readonly reason: FailureReason }
  | undefined;

const SUCCESS: MemberOutcome = { fate: 'success' };
const failed = (reason: FailureReason): MemberOutcome => ({ fate: 'failed', reason });

/** Coded fragments sent beyond those missing: a row may depend on the others. */
const SPARE_REPAIRS = 2;
/** Repair fragments between two looks at the status. */
const MOST_REPAIRS_AT_ONCE = 16;
/** Faults of a clock that was corrected already. */
const MOST_CLOCK_FAULTS = 1;

/** Takes in one answer. One that nobody waits for changes nothing. */
export function takeAnswer(member: Member, answer: Answer, context: AnswerContext): MemberOutcome {
  if (!isAwaited(answer)) return undefined;
  switch (answer.name) {
    case 'AppTimeReq':
      return takeClock(member, answer.payload, context);
    case 'McGroupSetupAns':
      if (answer.payload.idError) return failed('McGroupID unsupported');
      return pass(member, Step.multicastSetup, context);
    case 'FragSessionSetupAns':
      return takeFragSetup(member, answer.payload, context);
    case 'McClassBSessionAns':
    case 'McClassCSessionAns':
      return takeSession(member, answer.payload, context);
    case 'FragDataBlockReceivedReq':
      return takeBlock(member, answer.payload, context);
    case 'FragSessionStatusAns':
      return takeStatus(member, answer.payload, context);
    case 'DevVersionAns':
      return takeVersion(member, answer.payload, context);
    default:
      return unreachable(answer);
  }
}

type PayloadOf<Name extends AwaitedAnswer['name']> = Extract<
  AwaitedAnswer,
  { readonly name: Name }
>['payload'];

function pass(member: Member, step: Step, { settings, nowUs }: AnswerContext): MemberOutcome {
  if (isOpen(member, step, settings)) member.setPassed(step, nowUs);
  return undefined;
}

/**
 * A clock within the tolerance of what is expected passes. Else it is corrected and asked again;
 * the token shows whether the device had applied a correction before. What a clock has lost since
 * then shows its rate. One that is wrong although its rate is known fails.
 */
function takeClock(
  member: Member,
  { deviceTime, tokenReq, ansRequired }: PayloadOf<'AppTimeReq'>,
  context: AnswerContext,
): MemberOutcome {
  const { settings, gpsSeconds } = context;
  const seconds = difference(gpsSeconds, deviceTime);
  const offS = seconds - expectedBehindS(member.clockRate, gpsSeconds);
  member.clockBehindS = offS;
  if (isOpen(member, Step.clockCheck, settings)) return pass(member, Step.clockCheck, context);
  if (!isOpen(member, Step.clockSync, settings)) return undefined;
  const before = member.correction;
  const isApplied = before !== null && before.token !== tokenReq;
  const isMeasured = isApplied && !settings.ignore_clock_rates;
  const rate = isMeasured ? clockRateOf(seconds, before.atS, gpsSeconds) : null;
  if (isAcceptable(offS, settings)) {
    if (rate !== null && Math.abs(seconds) >= LEAST_LOSS_S) member.clockRate ??= rate;
    member.correction = null;
    if (ansRequired) {
      context.replyTime(timeAns(seconds, tokenReq));
      startFrom(member, gpsSeconds);
    }
    return pass(member, Step.clockSync, context);
  }
  if (isApplied) {
    if (member.clockRate !== null || rate === null) return failed('clock drift');
    member.clockRate = rate;
  }
  startFrom(member, gpsSeconds);
  const after = member.attempts(Step.clockSync);
  const isIgnored = before !== null && !isApplied && (before.isIgnored || after > before.after);
  member.correction = { seconds, token: tokenReq, atS: gpsSeconds, after, isIgnored };
  member.setSent(Step.clockSync, NEVER_US); // answered, so there is nothing to wait for
  return undefined;
}

/** A clock of known rate is right at an instant, by the correction that is sent for it. */
function startFrom(member: Member, rightAtS: number): void {
  const rate = member.clockRate;
  if (rate !== null) member.clockRate = { ...rate, rightAtS };
}

function takeFragSetup(
  member: Member,
  answer: PayloadOf<'FragSessionSetupAns'>,
  context: AnswerContext,
): MemberOutcome {
  if (!isOpen(member, Step.fragmentationSetup, context.settings)) return undefined;
  if (answer.encodingUnsupported) return failed('encoding unsupported');
  if (answer.notEnoughMemory) return failed('not enough memory');
  if (answer.indexNotSupported) return failed('FragIndex unsupported');
  if (answer.wrongDescriptor) return failed('wrong descriptor');
  if ('sessionCntReplay' in answer && answer.sessionCntReplay) {
    return failed('session counter replayed');
  }
  return pass(member, Step.fragmentationSetup, context);
}

/**
 * In version 2 a device reports by itself that the block is complete: the member need not wait for
 * the others.
 */
function takeBlock(
  member: Member,
  { micError }: PayloadOf<'FragDataBlockReceivedReq'>,
  context: AnswerContext,
): MemberOutcome {
  if (member.phase !== 'session' && member.phase !== 'verify') return undefined;
  context.replyBlock(blockReceivedAns(context.settings.frag_index));
  if (micError) return failed('MIC error');
  if (member.phase === 'session') member.enter('verify', context.nowUs);
  member.missing = 0;
  for (const step of [Step.clockCheck, Step.status, Step.repair]) {
    member.setPassed(step, context.nowUs);
  }
  return context.settings.verify_by_status ? SUCCESS : undefined;
}

/** TimeToStart shows the device's clock once more; when it is wrong, clock and session again. */
function takeSession(
  member: Member,
  answer: PayloadOf<'McClassCSessionAns'>,
  context: AnswerContext,
): MemberOutcome {
  const { settings, gpsSeconds } = context;
  if (!isOpen(member, Step.session, settings)) return undefined;
  if ('startMissed' in answer && answer.startMissed) return failed('session missed');
  if (answer.drError) return failed('DR unsupported');
  if (answer.freqError) return failed('frequency unsupported');
  if (answer.mcGroupUndefined || answer.timeToStart === undefined) {
    return failed('multicast group undefined');
  }
  const begins = sessionTimeFor(member, context);
  const expected = difference(begins, asShown(member.clockRate, gpsSeconds));
  if (isAcceptable(answer.timeToStart - expected, settings)) {
    return pass(member, Step.session, context);
  }
  member.clockFaults++;
  if (member.clockFaults > MOST_CLOCK_FAULTS) return failed('clock drift');
  reopen(member, Step.clockSync);
  reopen(member, Step.session);
  return undefined;
}

function takeStatus(
  member: Member,
  answer: PayloadOf<'FragSessionStatusAns'>,
  context: AnswerContext,
): MemberOutcome {
  const { settings, plan } = context;
  if (!isOpen(member, Step.status, settings)) return undefined;
  if ('sessionDoesNotExist' in answer) {
    if (answer.micError) return failed('MIC error');
    if (answer.memoryError) return failed('not enough memory');
  }
  if (answer.nbFragReceived === undefined || answer.missingFrag === undefined) {
    if (settings.verify_by_status) return failed('missing fragments');
    return pass(member, Step.status, context); // it may run the new image, and know no session
  }
  member.received = answer.nbFragReceived;
  member.missing = answer.missingFrag;
  if ('notEnoughMatrixMemory' in answer && answer.notEnoughMatrixMemory)
    return failed('not enough memory');
  if (answer.missingFrag === 0) {
    member.setPassed(Step.repair, context.nowUs);
    return pass(member, Step.status, context) ?? (settings.verify_by_status ? SUCCESS : undefined);
  }
  if (context.mayPassAgain) return pass(member, Step.status, context);
  const left = settings.individual_fragment_retransmit - member.repairs;
  const numbersLeft = MAX_FRAGMENT_NUMBER - (plan.nbFrag + plan.redundancy + member.repairs);
  const wanted = Math.min(answer.missingFrag + SPARE_REPAIRS, MOST_REPAIRS_AT_ONCE);
  member.repairsDue = context.canRepair() ? Math.max(0, Math.min(wanted, left, numbersLeft)) : 0;
  if (member.repairsDue === 0) {
    if (context.lacksBeacon()) return failed('no beacon');
    return failed(answer.nbFragReceived === 0 ? 'session missed' : 'missing fragments');
  }
  reopen(member, Step.status);
  return undefined;
}

function takeVersion(
  member: Member,
  { fwVersion, hwVersion }: PayloadOf<'DevVersionAns'>,
  context: AnswerContext,
): MemberOutcome {
  const { settings } = context;
  const hex = versionHex(fwVersion, hwVersion);
  const isExpected = matchesPattern(settings.expectedVersion, hex);
  if (member.phase === 'verify') {
    member.finalVersion = hex;
    return isExpected ? SUCCESS : undefined;
  }
  if (!isOpen(member, Step.versionCheck, settings)) return undefined;
  member.initialVersion = hex;
  if (isExpected) return SUCCESS;
  return pass(member, Step.versionCheck, context);
}
