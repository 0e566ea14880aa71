/** What a managed campaign came to, as plain figures. */
import { SECOND_US } from '../../../sim/base/units.ts';
import { matchesPattern } from '../../base/firmware-versions.ts';
import { DEFAULT_SUBSCRIBER } from '../../base/subscribers.ts';
import type { ManagedCampaignResult, ManagedSessionResult } from '../../result/result.ts';
import { dateOf } from './calendar.ts';
import type { Reach } from './reach.ts';
import { scheduledBy } from './sessions.ts';
import type { Child, ManagedCampaign, Session } from './state.ts';

/** What a device runs in truth; undefined: it is gone. */
type Runs = (devEui: string) => string | undefined;

export function managedResult(
  reach: Reach,
  campaign: ManagedCampaign,
  runs: Runs,
): ManagedCampaignResult {
  const { owner, number, input, stages, sessions } = campaign;
  const devices = reach.records.devicesOf(number);
  return {
    name: campaign.name,
    ...(owner === DEFAULT_SUBSCRIBER ? {} : { subscriber: owner }),
    image: input.image_name,
    expectedVersion: campaign.expectedVersion,
    gateway: input.gateways[0] ?? '',
    stage: campaign.stage,
    status: campaign.status,
    stages: stages.map(({ stage, atUs }) => ({ stage, atSeconds: atUs / SECOND_US })),
    sessions: sessions.map((session) => sessionResult(reach, campaign, session, runs)),
    scheduled: scheduledBy(reach, campaign).length,
    updated: devices.filter(({ updated }) => updated !== null).length,
    problematic: reach.records.problematicOf(number).length,
  };
}

function sessionResult(
  reach: Reach,
  { owner, children, expectedVersion }: ManagedCampaign,
  { atUs, scheduled, problematic, refused }: Session,
  runs: Runs,
): ManagedSessionResult {
  const { campaign, viewOf } = reach.needs;
  const own = children.filter(({ sessionAtUs }) => sessionAtUs === atUs);
  const isNew = (devEui: string) => matchesPattern(expectedVersion, runs(devEui) ?? '');
  const members = own.flatMap(({ campaignId }) =>
    campaign.fatesOf(owner, campaignId).map(({ devEui }) => devEui),
  );
  return {
    date: dateOf(viewOf(owner).unixMs(atUs)),
    atSeconds: atUs / SECOND_US,
    scheduled,
    problematic,
    children: own.map((child) => childResult(reach, owner, child)),
    refused,
    running: own.some(({ isGone }) => isGone) ? null : members.filter(isNew).length,
  };
}

function childResult({ needs }: Reach, owner: string, child: Child) {
  const { name, campaignId, isGone } = child;
  const fates = isGone ? [] : needs.campaign.fatesOf(owner, campaignId);
  const having = (fate: string) => fates.filter((each) => each.fate === fate).length;
  return {
    name,
    stage: needs.campaign.stagesOf(owner, campaignId)?.at(-1)?.stage ?? 'DELETED',
    devices: isGone ? child.devices : fates.length,
    success: isGone ? child.success : having('success'),
    failed: isGone ? child.failed : having('failed'),
  };
}
