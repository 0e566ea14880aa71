/** Where a campaign's multicast session has room among those of the other campaigns. */
import { assert } from '../../../sim/base/assert.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import type { NetworkView } from '../../../sim/contract/view.ts';
import { BEACON_PERIOD_S } from '../../../sim/lorawan/class-b.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Campaign } from './context.ts';
import { type Plan, sessionS } from './plan.ts';
import { dutyCycleOf } from './set-up-time.ts';
import { isInPingSlots, type Settings } from './settings.ts';
import { type AirUse, type OtherUse, type Place, placeSession, type Site } from './shared-air.ts';
import { isUnderway } from './stages.ts';
import type { CampaignState } from './state.ts';

/** A place, and the plan that has it. */
export interface Placed extends Place<Campaign> {
  readonly plan: Plan;
}

/** GPS second, not modulo 2^32, at which a session that is set up from now on begins. */
export function sessionSecond(
  { setupUs, periodicity }: Pick<Plan, 'setupUs' | 'periodicity'>,
  view: NetworkView,
  nowUs: number,
): number {
  const soonestS = view.gpsSeconds(nowUs + setupUs) + 1;
  const stepS = periodicity === null ? 1 : BEACON_PERIOD_S;
  return Math.ceil(soonestS / stepS) * stepS;
}

/**
 * The plan with a later session, or later fragments, where it would meet another campaign's. A
 * device that was given the time of its session cannot be postponed.
 */
export function placedPlan(
  campaign: Campaign,
  plan: Plan,
  nowUs: number,
  mayWait = campaign.state.settings.multicast_setup_time === null,
): Placed {
  const { state, view } = campaign;
  const others = othersOnAir(campaign, nowUs);
  if (others.length === 0) return { plan, shiftUs: 0, phaseUs: 0 };
  const wanted = (shiftUs: number): AirUse => {
    const later = { ...plan, setupUs: plan.setupUs + shiftUs };
    const startsAtUs = view.worldUs(sessionSecond(later, view, nowUs) % 0x1_0000_0000);
    return airUse(later, state.settings, startsAtUs, view);
  };
  const place = placeSession(wanted, others, mayWait);
  const { shiftUs, phaseUs, against } = place;
  const startMarginUs = plan.startMarginUs + phaseUs;
  const placed = { ...plan, setupUs: plan.setupUs + shiftUs, startMarginUs };
  if (against === undefined) return { ...place, plan: placed };
  const meets = meetingSentence(campaign, against, plan, nowUs);
  return { ...place, plan: { ...placed, meets } };
}

/** Whether another campaign has a session to avoid. */
export const isAirShared = (campaign: Campaign, nowUs: number): boolean =>
  othersOnAir(campaign, nowUs).length > 0;

/** Sessions of others whose fragments are on the air, or will be, as they are planned. */
function othersOnAir(campaign: Campaign, nowUs: number): readonly OtherUse<Campaign>[] {
  const found: OtherUse<Campaign>[] = [];
  for (const other of campaign.neighbours.running()) {
    if (other === campaign) continue;
    const { plan, multicast, stage, settings } = other.state;
    if (plan === null || multicast === null || !isUnderway(stage)) continue;
    if (multicast.startsAtUs + sessionS(plan) * SECOND_US <= nowUs) continue;
    const use = airUse(plan, settings, multicast.startsAtUs, other.view);
    if (use.endsAtUs > nowUs) found.push({ ...use, owner: other });
  }
  return found.sort((a, b) => a.owner.state.number - b.owner.state.number);
}

function airUse(plan: Plan, settings: Settings, startsAtUs: number, view: NetworkView): AirUse {
  const { frequencyHz, dataRate, nbFrag, redundancy, fragSendDelayUs, airtimeUs } = plan;
  const inSlots = isInPingSlots(settings);
  const sites = plan.gateways.flatMap(({ eui }): Site[] => {
    const gateway = view.gateway(eui);
    if (gateway === undefined) return [];
    const { xMeters, yMeters } = gateway;
    return [{ eui, xMeters, yMeters, dutyCycle: dutyCycleOf(eui, frequencyHz, view) }];
  });
  const firstAtUs = startsAtUs + plan.startMarginUs;
  const turns = inSlots || settings.gateway_timing === 'simultaneous' ? 1 : plan.gateways.length;
  const endsAtUs = Math.min(
    firstAtUs + (nbFrag + redundancy + 1) * fragSendDelayUs,
    startsAtUs + sessionS(plan) * SECOND_US,
  );
  const pace = { firstAtUs, endsAtUs, delayUs: fragSendDelayUs, airtimeUs, turns, inSlots };
  return { sites, frequencyHz, dataRate, ...pace };
}

// ── what is said of it ───────────────────────────────────────────────────────────────────────────

/** Another campaign as its neighbours may know it. */
export const nameOf = (other: CampaignState, owner: string): string =>
  other.owner === owner ? `campaign ${other.input.name}` : 'a campaign of another subscriber';

/** `waits until 2026-…Z for the air of campaign x`. */
export function waitingSentence(campaign: Campaign, behind: Campaign, untilUs: number): string {
  const { state, view } = campaign;
  const until = formatInstant(view.unixMs(untilUs));
  return `waits until ${until} for the air that ${nameOf(behind.state, state.owner)} uses`;
}

/** A campaign that is met by one that may not wait loses fragments too, and says why. */
export function noteMeeting({ state }: Campaign, by: Campaign): void {
  assert(state.plan !== null, 'a session that is met has a plan');
  const meets =
    `The session of ${nameOf(by.state, state.owner)}, whose time is given, meets its own: ` +
    'fragments of both are lost or not sent.';
  state.plan = { ...state.plan, meets };
}

/** Why fragments will be lost to the session of another campaign, and what would mend it. */
function meetingSentence(campaign: Campaign, against: Campaign, plan: Plan, nowUs: number): string {
  const free = placedPlan(campaign, plan, nowUs, true);
  const seconds = Math.ceil(free.plan.setupUs / SECOND_US);
  const owner = nameOf(against.state, campaign.state.owner);
  return (
    `Its session meets that of ${owner}, which uses the same gateways or the same channel ` +
    'nearby: fragments of both are lost or not sent. Leave ' +
    `multicast_setup_time out, or give ${seconds} s or more.`
  );
}
