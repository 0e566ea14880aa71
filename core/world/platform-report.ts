/** What the platform reports for a result of a world. */
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import type { Steps } from '../base/in-steps.ts';
import type { Resources } from '../operations.ts';
import { UNHEARD } from '../result/result.ts';
import type { DeviceOutcomes } from './device-outcomes.ts';
import type { RadioGroundTruth } from './radio-truth.ts';
import { campaignResults } from './result-of-campaigns.ts';
import { deliveryResults } from './result-of-deliveries.ts';
import type { Refusals } from './result-of-follow-ups.ts';
import type { WorldReport } from './result-of-network.ts';

/** In steps. */
export function* platformReport(
  { resources }: { readonly resources: Resources },
  summary: NetworkSummary,
  { rebuilt, received, set }: RadioGroundTruth,
  outcomes: DeviceOutcomes,
  refusals: Refusals,
): Steps<
  Pick<WorldReport, 'campaigns' | 'jobs' | 'delivery' | 'fate' | 'sessionsOf' | 'purposes'>
> {
  const groundTruth = yield* outcomes.ofCampaigns(summary);
  yield;
  const campaigns = campaignResults(resources, summary, rebuilt, groundTruth, refusals);
  yield;
  const jobs = resources.reliableDownlink.results(received);
  yield;
  return {
    campaigns,
    jobs,
    delivery: deliveryResults(resources, summary, set),
    fate: (devEui) => (groundTruth.unheard.has(devEui) ? UNHEARD : resources.campaign.fate(devEui)),
    sessionsOf: (devEui) => resources.campaign.sessionsOf(devEui),
    purposes: purposesOf(resources, campaigns.campaigns),
  };
}

/** Names of campaigns, by what the network calls air time for their devices and their groups. */
function purposesOf(
  { campaign }: Pick<Resources, 'campaign'>,
  campaigns: WorldReport['campaigns']['campaigns'],
): ReadonlyMap<string, string> {
  const addresses = campaign.addresses();
  const names = new Map<string, string>();
  for (const [i, id] of campaign.ids().entries()) {
    const { name } = campaigns[i]!;
    names.set(`campaign ${id}`, `campaign ${name}, to single devices`);
    if (addresses[i] !== undefined)
      names.set(`group ${addresses[i]}`, `campaign ${name}, fragments`);
  }
  return names;
}
