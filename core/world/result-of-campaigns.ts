/** The part of a result on campaigns: what the platform knows of them, and what only the radio. */
import { assert } from '../../sim/base/assert.ts';
import { sortedByName, sumOf } from '../../sim/base/counts.ts';
import type { NetworkSummary } from '../../sim/contract/summary.ts';
import type { Resources } from '../operations.ts';
import type { CampaignResult, WorldResult } from '../result/result.ts';
import type { TrueOutcome, TrueOutcomes } from './device-outcomes.ts';
import { gatewayNames } from './gateway-names.ts';
import type { RebuiltImages } from './rebuilt-images.ts';
import { followUpResults, type Refusals } from './result-of-follow-ups.ts';
import { groupResults } from './result-of-groups.ts';
import { managedResults } from './result-of-managed.ts';

/** Campaigns, managed and followed ones and multicast groups, each in the order of creation. */
export const campaignResults = (
  {
    campaign,
    managedCampaign,
    followUp,
    multicastGroup,
  }: Pick<Resources, 'campaign' | 'managedCampaign' | 'followUp' | 'multicastGroup'>,
  summary: NetworkSummary,
  rebuilt: RebuiltImages,
  outcomes: TrueOutcomes,
  refusals: Refusals,
): Pick<WorldResult, 'campaigns' | 'managedCampaigns' | 'followUps' | 'multicastGroups'> => ({
  campaigns: resultsOf(campaign, summary, rebuilt, outcomes.campaigns),
  ...managedResults(managedCampaign, summary),
  ...followed(followUpResults(followUp, refusals)),
  ...groupResults(multicastGroup, summary),
});

/** Absent where nobody asked for one. */
const followed = (followUps: WorldResult['followUps'] & object) =>
  followUps.length === 0 ? {} : { followUps };

function resultsOf(
  known: Resources['campaign'],
  { gateways, counted }: NetworkSummary,
  rebuilt: RebuiltImages,
  outcomes: readonly TrueOutcome[],
): CampaignResult[] {
  const addresses = known.addresses();
  const campaigns = known.results();
  assert(addresses.length === campaigns.length, 'each campaign has a place for its address');
  assert(outcomes.length === campaigns.length, 'each campaign has an outcome');
  const nameOf = gatewayNames({ gateways });
  return campaigns.map((believed, i) => {
    const mcAddr = addresses[i];
    const campaign = { ...believed, ...outcomes[i]! };
    assert(sumOf(campaign.failures) === campaign.failed, 'each failed device has one cause');
    if (mcAddr === undefined) return campaign;
    return {
      ...campaign,
      gateways: campaign.gateways.map(nameOf),
      fragmentLosses: sortedByName(counted.fragmentLosses.get(mcAddr) ?? {}),
      verified: { ...rebuilt.of(mcAddr) },
    };
  });
}
