/**
 * When a member hears what is said to it alone. In its class C multicast session a class C device
 * listens on the group's channel only, and no longer on RX2 (TS005-1.0.0 §4.5); it leaves when its
 * block is complete, or else when the session ends by its own clock. The windows after an uplink
 * stay open, so a class A device hears in them throughout.
 */
import { SECOND_US } from '../../../sim/base/units.ts';
import type { Campaign } from './context.ts';
import type { Member } from './member.ts';
import { Step } from './member-columns.ts';
import { sessionS } from './plan.ts';
import type { CampaignState } from './state.ts';

/** Clocks drift by at most this part of the session while it runs: 100 ppm. */
const DRIFT_PART = 10_000;

/** When the planned class C session has ended by every acceptable clock, µs; 0: there is none. */
function sessionOverAtUs({ plan, multicast, settings }: CampaignState): number {
  if (plan === null || multicast === null || plan.periodicity !== null) return 0;
  const lastsUs = sessionS(plan) * SECOND_US;
  // A device reports its clock in whole seconds.
  const lateUs = settings.acceptable_time_drift + SECOND_US + Math.ceil(lastsUs / DRIFT_PART);
  return multicast.startsAtUs + lastsUs + lateUs;
}

/** Whether a member of class C may be in the session; one with a complete block has left it. */
const mayBeInSession = ({ view }: Campaign, { devEui, missing }: Member): boolean =>
  missing !== 0 && view.device(devEui)?.deviceClass === 'C';

/** From when on a member hears commands after the fragments, µs; 0: at any time. */
export function hearsFromUs(campaign: Campaign, member: Member): number {
  if (member.phase !== 'verify' || !mayBeInSession(campaign, member)) return 0;
  return sessionOverAtUs(campaign.state);
}

/** From when on all of these members hear the set-up of another round, µs; 0: at once. */
export function roundHeardFromUs(
  campaign: Campaign,
  members: readonly Member[],
  nowUs: number,
): number {
  const { state } = campaign;
  const overAtUs = sessionOverAtUs(state);
  const isRunning = overAtUs > nowUs && state.multicast!.startsAtUs <= nowUs;
  const mayMissIt = (member: Member) =>
    member.attempts(Step.session) > 0 && mayBeInSession(campaign, member);
  return isRunning && members.some(mayMissIt) ? overAtUs : 0;
}
