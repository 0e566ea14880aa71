/**
 * How long fragments take: the pace that the duty cycle, the gateways' turns or the ping slots
 * leave, and the time-out that is said to devices (TS005). The rules are the campaigns' own.
 */
import {
  choosePeriodicity,
  inWholeSlots,
  slotDurationUs,
} from '../../core/update-service/campaigns/ping-pace.ts';
import { chooseTimeOut, shortestDelayUs } from '../../core/update-service/campaigns/plan.ts';
import { LONGEST_TIME_OUT } from '../../core/update-service/campaigns/settings.ts';
import { HOUR_US, MILLION, SECOND_US } from '../../sim/base/units.ts';
import { loraAirtimeUs } from '../../sim/lorawan/airtime.ts';
import { BEACON_GUARD_US, BEACON_PERIOD_S, BEACON_RESERVED_US } from '../../sim/lorawan/class-b.ts';
import { FRAGMENT_HEAD_BYTES, FRAME_BYTES } from './fragment-plan.ts';
import type { Settled } from './resolved-settings.ts';

/** `acceptable_time_drift` of campaigns, and a second: the slowest clock is awake by then. */
const START_MARGIN_US = 6 * SECOND_US;
/** `sleep_after_frag_sent` of campaigns. */
const PAUSE_US = 30 * SECOND_US;

/** What holds the fragments apart. */
export type Bound = 'dutyCycle' | 'gateways' | 'air' | 'asked' | 'pingSlots';

export interface Session {
  readonly phyBytes: number;
  /** Of a fragment, and of all that a gateway sends, µs. */
  readonly airtimeUs: number;
  readonly totalAirtimeUs: number;
  /** From fragment to fragment, and what makes it so long. */
  readonly delayUs: number;
  readonly boundBy: Bound;
  /** Fragments for which the duty cycle of an hour suffices. */
  readonly perHour: number;
  /** Of ping slots; null in a session of class C. */
  readonly periodicity: number | null;
  /** From the end of the set-up to the session, on average: it begins with a second or a beacon. */
  readonly waitUs: number;
  /** From there to the first fragment, and to the end of the last. */
  readonly beforeUs: number;
  readonly sendingUs: number;
  /** Until the campaign goes on: its pause is over. */
  readonly untilVerifyingUs: number;
  /** Exponent of two that TS005 carries, and the session that it stands for; above 15: none. */
  readonly timeOut: number;
  readonly sessionUs: number;
}

/** A session of class C lasts 2^timeOut s, one of class B as many beacon periods. */
const lengthUs = (session: 'B' | 'C', timeOut: number): number =>
  (session === 'B' ? BEACON_PERIOD_S : 1) * (1 << timeOut) * SECOND_US;

/** The longest session that TS005 can say; undefined: this one is not longer. */
export const beyondUs = (session: 'B' | 'C', { timeOut }: Session): number | undefined =>
  timeOut <= LONGEST_TIME_OUT ? undefined : lengthUs(session, LONGEST_TIME_OUT);

/** From the session's start to the start of its n-th fragment. */
export function startsUs({ beforeUs, delayUs, perHour, periodicity }: Session, n: number): number {
  const apart = periodicity === null ? delayUs : aroundBeaconsUs(delayUs);
  return beforeUs + apartUs(n, apart, perHour);
}

export function sessionOf(settled: Settled, fragments: number): Session {
  const { rate, fragSize, dutyCycle, gateways, session, delayUs: asked } = settled;
  const phyBytes = FRAME_BYTES + FRAGMENT_HEAD_BYTES + fragSize;
  const airtimeUs = loraAirtimeUs(rate.spreadingFactor, rate.bandwidthHz, phyBytes, false);
  const turns = session === 'C' && settled.timing === 'staggered' ? gateways : 1;
  const shortestUs = shortestDelayUs(airtimeUs, dutyCycle, turns);
  const byDuty = shortestDelayUs(airtimeUs, dutyCycle, 0);
  const bound: Bound = shortestUs > byDuty ? (turns > 1 ? 'gateways' : 'air') : 'dutyCycle';
  const air = { phyBytes, airtimeUs, totalAirtimeUs: fragments * airtimeUs };
  const wantedUs = asked ?? shortestUs;
  const boundBy = asked === undefined ? bound : 'asked';
  const perHour = Math.floor((dutyCycle * HOUR_US) / airtimeUs);
  return session === 'C'
    ? classC({ ...air, boundBy, perHour }, fragments, wantedUs, turns)
    : classB({ ...air, boundBy, perHour }, fragments, wantedUs);
}

/** The shortest pace of fragments that one may ask for, µs: gateways send one after the other. */
export function leastDelayUs(settled: Settled): number {
  const { delayUs: _, ...unsaid } = settled;
  return sessionOf({ ...unsaid, dutyCycle: 1 }, 1).delayUs;
}

type Air = Pick<Session, 'phyBytes' | 'airtimeUs' | 'totalAirtimeUs' | 'boundBy' | 'perHour'>;

/**
 * From the first fragment to the start of the last. A pace that is faster than the duty cycle lasts
 * until an hour's budget is used up; the next fragment waits until the first one is an hour old.
 */
function apartUs(fragments: number, delayUs: number, perHour: number): number {
  const steps = fragments - 1;
  if (perHour * delayUs >= HOUR_US) return steps * delayUs;
  return Math.floor(steps / perHour) * HOUR_US + (steps % perHour) * delayUs;
}

/** Gateways take turns: the last one begins a fragment a share of the pace after the first. */
function classC(air: Air, fragments: number, delayUs: number, turns: number): Session {
  const lastTurnUs = Math.floor(((turns - 1) * delayUs) / turns);
  const takesUs = apartUs(fragments, delayUs, air.perHour);
  const sendingUs = START_MARGIN_US + takesUs + lastTurnUs + air.airtimeUs;
  const timeOut = chooseTimeOut(START_MARGIN_US + takesUs + 2 * delayUs);
  return {
    ...air,
    delayUs,
    periodicity: null,
    waitUs: SECOND_US,
    beforeUs: START_MARGIN_US,
    sendingUs,
    untilVerifyingUs: sendingUs + PAUSE_US,
    timeOut,
    sessionUs: lengthUs('C', timeOut),
  };
}

const PERIOD_US = BEACON_PERIOD_S * MILLION;
/** Without the time around beacons, in which no slot is. */
const USED_US = PERIOD_US - BEACON_GUARD_US - BEACON_RESERVED_US;

const aroundBeaconsUs = (delayUs: number): number => (delayUs * PERIOD_US) / USED_US;

/** Slots come as often as their periodicity says, but for the time that beacons keep. */
function classB(air: Air, fragments: number, wantedUs: number): Session {
  const periodicity = choosePeriodicity(wantedUs);
  const delayUs = inWholeSlots(wantedUs, periodicity);
  const beforeUs = BEACON_RESERVED_US + delayUs / 2;
  const takesUs = apartUs(fragments, aroundBeaconsUs(delayUs), air.perHour);
  const sendingUs = Math.round(beforeUs + takesUs + air.airtimeUs);
  const plannedUs = Math.max(slotDurationUs(fragments + 1, delayUs), takesUs + 2 * delayUs);
  const timeOut = chooseTimeOut(plannedUs / BEACON_PERIOD_S);
  return {
    ...air,
    delayUs,
    boundBy: delayUs > wantedUs ? 'pingSlots' : air.boundBy,
    periodicity,
    waitUs: PERIOD_US / 2,
    beforeUs,
    sendingUs,
    untilVerifyingUs: sendingUs + PAUSE_US,
    timeOut,
    sessionUs: lengthUs('B', timeOut),
  };
}
