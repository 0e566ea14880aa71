/**
 * From the last fragment to the end of a round: the status request that goes to the whole group,
 * the time after which nobody is waited for, and further passes without redundancy.
 *
 * A pass sends all fragments once. After each but the last, members that miss some stay in the
 * session; the next pass begins unless enough of them have all (docs/decisions/0138).
 */

import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { MULTICAST_LEAD_US } from '../../../sim/contract/requests.ts';
import { longestAckDelayS } from '../../../sim/lorawan/packages/ts004-fragmentation.ts';
import { NEVER_US } from '../../base/instant.ts';
import type { Campaign } from './context.ts';
import { allMembers, memberCount } from './member.ts';
import { Step } from './member-columns.ts';
import { newSending } from './sending.ts';
import { passesOf, type Settings } from './settings.ts';
import type { CampaignState } from './state.ts';

/** Unicast answers come at once, and a group is asked where a campaign says so: 64 s otherwise. */
const USUAL_ACK_DELAY = 2;
/** Answers of a group are spread over 128 s at most. */
const LONGEST_ACK_DELAY = 3;
/** Devices that answer within a second. */
const PER_SECOND = 16;
/** For late answers of a group, where the campaign does not say how long it waits. */
const LATE_US = 10 * SECOND_US;

/** BlockAckDelay of a campaign: the shortest that spreads its answers over N/16 + 1 s. */
export function ackDelayOf({ settings, group }: CampaignState): number {
  if (settings.status_by_group_above === null) return USUAL_ACK_DELAY;
  const spreadS = group.devices.length / PER_SECOND + 1;
  let delay = 0;
  while (delay < LONGEST_ACK_DELAY && longestAckDelayS(delay) < spreadS) delay++;
  return delay;
}

/** Whether these members are asked through their group, by a frame after the fragments. */
export const asksGroup = (members: number, { status_by_group_above: above }: Settings): boolean =>
  above !== null && members > above;

/** When nobody is waited for any more, after the fragments, µs; `NEVER_US`: that is not limited. */
export function verificationEndsUs(state: CampaignState, nowUs: number): number {
  const { status_time: timeUs } = state.settings;
  if (state.asksGroup !== true) return timeUs === null ? NEVER_US : nowUs + timeUs;
  const spreadUs = longestAckDelayS(ackDelayOf(state)) * SECOND_US;
  return nowUs + spreadUs + (timeUs ?? LATE_US);
}

/** Whether all fragments may be sent once more, as far as the campaign's passes go. */
export function hasPassLeft({ plan, settings, pass = 1 }: CampaignState): boolean {
  return plan !== null && pass < passesOf(settings, plan.redundancy);
}

/** Whether nothing more is to be learned before the next pass; O(members) while one is left. */
export function isStatusKnown(state: CampaignState): boolean {
  if (state.stage !== 'VERIFYING' || state.sweep !== null) return false;
  if (state.asksGroup === true || !hasPassLeft(state)) return false;
  const open = allMembers(state).filter(({ fate, waits }) => fate === 'inProgress' && !waits);
  return open.length > 0 && open.every((one) => one.passedAtUs(Step.status) !== NEVER_US);
}

/** Whether the next pass is to begin: one is left, and too few devices have all fragments. */
export function wantsPass(state: CampaignState): boolean {
  const wanted = state.settings.set_up_threshold ?? 1;
  return hasPassLeft(state) && state.succeeded < wanted * memberCount(state);
}

/** Sends all fragments again in the same session. */
export function beginPass({ state }: Campaign, nowUs: number): void {
  const { plan, multicast, session } = state;
  assert(plan !== null && multicast !== null && session !== undefined, 'a pass is in a session');
  state.pass = (state.pass ?? 1) + 1;
  multicast.firstFCnt += session.frames;
  state.fragmentsSent = new Uint8Array(plan.nbFrag + plan.redundancy);
  const firstAtUs = nowUs + MULTICAST_LEAD_US;
  const { pace, frames: fragments } = session;
  const gateways = plan.gateways.map(({ eui }) => eui);
  state.sending = newSending({ ...pace, firstAtUs, fragments }, gateways, session.isShared);
}
