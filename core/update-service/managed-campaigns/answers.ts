/** The answers to queries of managed campaigns; their rows stand in fields.ts. */

import type { NetworkView } from '../../../sim/contract/view.ts';
import { formatInstant } from '../../base/instant.ts';
import type { ReportedVersion } from '../reported-versions.ts';
import { timeOf } from './calendar.ts';
import type { ManagedAnswer, ManagedSummary, ProblematicAnswer, VersionAt } from './fields.ts';
import { STAGES } from './stages.ts';
import type { ManagedCampaign, ManagedDevice, Updated } from './state.ts';

export function summaryOf(campaign: ManagedCampaign, view: NetworkView): ManagedSummary {
  const { input, sessionUnixMs, stage } = campaign;
  return {
    managed_campaign_id: campaign.id,
    name: campaign.name,
    include_versions: input.include_versions,
    exclude_versions: input.exclude_versions ?? [],
    image_name: input.image_name,
    expected_version: campaign.expectedVersion,
    preferred_start_time_utc: timeOf(campaign.startMinute),
    stop_when_no_match: input.stop_when_no_match ?? false,
    run_until: formatInstant(campaign.runUntilUnixMs),
    gateways: input.gateways,
    whole_subscriber: false,
    next_update_session_time: sessionUnixMs === null ? null : formatInstant(sessionUnixMs),
    stage: STAGES[stage],
    stage_str: stage,
    started_at: formatInstant(view.unixMs(campaign.createdAtUs)),
  };
}

/** Its devices, in the order of their DevEUIs. */
interface Devices {
  readonly scheduled: readonly ReportedVersion[];
  readonly updated: readonly (readonly [devEui: string, Updated])[];
}

export function fullAnswer(
  campaign: ManagedCampaign,
  { scheduled, updated }: Devices,
  view: NetworkView,
): ManagedAnswer {
  const versionAt = ({ hex, atUs }: Updated): VersionAt => ({
    version_hex: hex,
    reported_at: formatInstant(view.unixMs(atUs)),
  });
  return {
    ...summaryOf(campaign, view),
    scheduled_devices: Object.fromEntries(scheduled.map((each) => [each.devEui, versionAt(each)])),
    updated_devices: Object.fromEntries(updated.map(([devEui, each]) => [devEui, versionAt(each)])),
  };
}

export function problematicAnswer(
  devices: readonly ManagedDevice[],
  view: NetworkView,
): ProblematicAnswer {
  const answers = devices.map(({ devEui, failures }) => {
    const last = failures.reduce((a, b) => (b.atUs >= a.atUs ? b : a));
    const answer = {
      failed_campaigns: failures.length,
      last_reason: last.reason,
      last_failed_at: formatInstant(view.unixMs(last.atUs)),
    };
    return [devEui, answer] as const;
  });
  return Object.fromEntries(answers);
}
