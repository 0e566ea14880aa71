/** What the platform tells for a result of a world. */
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import type { Resources } from '../operations.ts';
import { UNHEARD } from '../result/result.ts';
import type { DeviceOutcomes } from './device-outcomes.ts';
import type { RadioTruth } from './radio-truth.ts';
import { campaignResults } from './result-of-campaigns.ts';
import { deliveryResults } from './result-of-deliveries.ts';
import type { Refusals } from './result-of-follow-ups.ts';
import type { WorldReport } from './result-of-network.ts';

export function platformReport(
  { resources }: { readonly resources: Resources },
  summary: NetworkSummary,
  { rebuilt, received, set }: RadioTruth,
  outcomes: DeviceOutcomes,
  refusals: Refusals,
): Pick<WorldReport, 'campaigns' | 'jobs' | 'delivery' | 'fate'> {
  const truth = outcomes.ofCampaigns(summary);
  return {
    campaigns: campaignResults(resources, summary, rebuilt, truth, refusals),
    jobs: resources.reliableDownlink.results(received),
    delivery: deliveryResults(resources, summary, set),
    fate: (devEui) => (truth.unheard.has(devEui) ? UNHEARD : resources.campaign.fate(devEui)),
  };
}
