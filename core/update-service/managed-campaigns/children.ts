/** Children of a managed campaign: how they are made, what becomes of them and their devices. */
import { assert } from '../../../sim/base/assert.ts';
import { ok } from '../../../sim/base/result.ts';
import { NEVER_US } from '../../base/instant.ts';
import { cleaned, endGathering, rearm, STORED_US } from './progress.ts';
import type { ChildGroup, ChildInput, Reach } from './reach.ts';
import type { Child, ManagedCampaign } from './state.ts';

/** A child of which only the name is known. */
export const newChild = (number: number, name: string, sessionAtUs: number) => ({
  number,
  sessionAtUs,
  name,
  devices: 0,
  success: 0,
  failed: 0,
  endedAtUs: NEVER_US,
  isGone: false,
});

/** A group and a campaign as anybody makes them; both or none. */
export function createChild(
  { needs }: Reach,
  { owner, input, expectedVersion }: ManagedCampaign,
  group: ChildGroup,
  nowUs: number,
) {
  const asking = { by: owner, nowUs, view: needs.viewOf(owner) };
  const grouped = needs.deviceGroup.create(group, undefined, asking);
  if (!grouped.ok) return grouped;
  const groupId = grouped.value.device_group_id;
  const child: ChildInput = {
    name: group.name,
    image_name: input.image_name,
    device_group_id: groupId,
    expected_version: expectedVersion,
  };
  const created = needs.campaign.create(child, undefined, asking);
  if (created.ok) return ok({ groupId, campaignId: created.value.campaign_id });
  needs.deviceGroup.discard(owner, groupId);
  return created;
}

/**
 * A child is over, maybe once more since somebody restarted it: what became of each device in it
 * counts as it is now. Who is gone by now has no record.
 */
export function childIsOver(
  reach: Reach,
  campaign: ManagedCampaign,
  campaignId: string,
  nowUs: number,
): void {
  const { needs, records } = reach;
  const child = campaign.children.find((each) => each.campaignId === campaignId);
  assert(child !== undefined, 'a child is one of its parent');
  const fates = needs.campaign.fatesOf(campaign.owner, campaignId);
  const view = needs.viewOf(campaign.owner);
  for (const { devEui, reason, endedAtUs: atUs, version } of fates) {
    if (reason === 'device removed' || view.device(devEui) === undefined) continue;
    if (reason === null) {
      assert(version !== null, 'who succeeds has reported what it runs');
      records.succeeds(campaign, child, devEui, { hex: version, atUs });
    } else records.fails(campaign, child, devEui, { reason, atUs });
  }
  const success = fates.filter(({ fate }) => fate === 'success').length;
  const counted = { devices: fates.length, success, failed: fates.length - success };
  const known = { ...child, ...counted, endedAtUs: nowUs };
  const next = records.put(withChild(campaign, known));
  if (next.stage === 'RUNNING_LAST_CAMPAIGN') endGathering(reach, next, nowUs);
  else if (next.stage === 'FINISHED') {
    rearm(reach, records.put({ ...next, cleansAtUs: nowUs + STORED_US }), nowUs);
  }
}

/** A child has been deleted, by its parent or by somebody else. */
export function childIsGone(
  reach: Reach,
  campaign: ManagedCampaign,
  campaignId: string,
  nowUs: number,
): void {
  const { records } = reach;
  const child = campaign.children.find((each) => each.campaignId === campaignId);
  assert(child !== undefined && !child.isGone, 'a child goes once');
  const next = records.put(withChild(campaign, { ...child, isGone: true }));
  if (next.stage === 'FINISHED' && next.cleansAtUs !== NEVER_US && next.cleansAtUs <= nowUs) {
    cleaned(reach, next, nowUs);
  }
}

const withChild = (campaign: ManagedCampaign, child: Child): ManagedCampaign => ({
  ...campaign,
  children: campaign.children.map((each) => (each.number === child.number ? child : each)),
});
