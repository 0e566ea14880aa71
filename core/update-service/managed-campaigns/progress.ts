/**
 * How a managed campaign goes from stage to stage, the one appointment that it has for that, and
 * its end: it waits for its last child, and clears up behind itself.
 */
import { DAY_US, SECOND_US } from '../../../sim/base/units.ts';
import { NEVER_US } from '../../base/instant.ts';
import { type ManagedNeeds, type Reach, running } from './reach.ts';
import { isGathering, nextStage, type Trigger } from './stages.ts';
import type { ManagedCampaign } from './state.ts';

/** How long it initializes. */
export const INITIALIZING_US = SECOND_US;

/** From the end of its last child until its children are deleted. */
export const STORED_US = 7 * DAY_US;

/** Makes the one appointment of a managed campaign. */
export function rearm({ needs }: Reach, campaign: ManagedCampaign, nowUs: number): void {
  const { number } = campaign;
  const atUs = nextWakeUs(campaign, needs);
  if (atUs === NEVER_US) needs.timers.wakeNever(number, nowUs);
  else needs.timers.wakeAt(number, Math.max(atUs, nowUs + 1), nowUs);
}

function nextWakeUs(campaign: ManagedCampaign, { viewOf }: ManagedNeeds): number {
  const { stage, owner, createdAtUs, sessionUnixMs, runUntilUnixMs, cleansAtUs } = campaign;
  if (stage === 'INITIALIZING') return createdAtUs + INITIALIZING_US;
  if (stage === 'FINISHED') return cleansAtUs;
  if (stage !== 'GATHERING_DEVICES') return NEVER_US;
  return viewOf(owner).worldUsOfUnixMs(sessionUnixMs ?? runUntilUnixMs);
}

export function enter(
  { records }: Reach,
  campaign: ManagedCampaign,
  trigger: Trigger,
  nowUs: number,
  change: Partial<ManagedCampaign> = {},
): ManagedCampaign {
  const stage = nextStage(campaign.stage, trigger);
  const stages = [...campaign.stages, { stage, atUs: nowUs }];
  const next = isGathering(stage) ? {} : { sessionUnixMs: null };
  return records.put({ ...campaign, stage, stages, ...next, ...change });
}

// ── the end ──────────────────────────────────────────────────────────────────────────────────────

/** No more children are created; those that run are waited for. */
export function endGathering(reach: Reach, campaign: ManagedCampaign, nowUs: number): void {
  if (running(reach, campaign).length === 0) return finish(reach, campaign, 'lastIsOver', nowUs);
  if (isGathering(campaign.stage)) enter(reach, campaign, 'gatheringEnds', nowUs);
}

/** No child runs; they stay for a week. */
export function finish(
  reach: Reach,
  campaign: ManagedCampaign,
  trigger: 'lastIsOver' | 'halt',
  nowUs: number,
): void {
  const lastUs = Math.max(...campaign.children.map(({ endedAtUs }) => endedAtUs));
  const cleansAtUs = campaign.children.length === 0 ? nowUs : lastUs + STORED_US;
  const finished = enter(reach, campaign, trigger, nowUs, { cleansAtUs });
  if (campaign.children.length === 0) cleaned(reach, finished, nowUs);
  else rearm(reach, finished, nowUs);
}

/** Deletes the children, unless somebody has restarted one: then its end is waited for. */
export function clean(reach: Reach, campaign: ManagedCampaign, nowUs: number): void {
  if (running(reach, campaign).length > 0) return;
  const { owner, children } = campaign;
  for (const { campaignId } of children) reach.needs.campaign.discard(owner, campaignId, nowUs);
  cleaned(reach, campaign, nowUs);
}

/** Once all children are gone, their groups go, too, but for those that another campaign uses. */
export function cleaned(reach: Reach, campaign: ManagedCampaign, nowUs: number): void {
  const { owner, children } = campaign;
  if (!children.every(({ isGone }) => isGone)) return;
  for (const { groupId } of children) reach.needs.deviceGroup.discard(owner, groupId);
  rearm(reach, enter(reach, campaign, 'cleaned', nowUs), nowUs);
}
