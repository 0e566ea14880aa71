/** What the platform tells for a result of a world. */
import type { NetworkSummary } from '../network-summary.ts';
import type { Resources } from '../operations.ts';
import type { RadioTruth } from './radio-truth.ts';
import { campaignResults } from './result-of-campaigns.ts';
import { deliveryResults } from './result-of-deliveries.ts';
import type { WorldReport } from './result-of-network.ts';

export const platformReport = (
  resources: Resources,
  summary: NetworkSummary,
  { rebuilt, received, set }: RadioTruth,
): Pick<WorldReport, 'campaigns' | 'jobs' | 'delivery' | 'fate'> => ({
  campaigns: campaignResults(resources, summary, rebuilt),
  jobs: resources.reliableDownlink.results(received),
  delivery: deliveryResults(resources, summary, set),
  fate: (devEui) => resources.campaign.fate(devEui),
});
