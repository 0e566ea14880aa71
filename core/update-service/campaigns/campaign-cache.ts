/** Outcome of a campaign, computed on demand and cached until the campaign changes. */
import { foldColumn } from '../../base/columns.ts';
import { CachedFold, type Fold, foldField } from '../../base/fold.ts';
import type { CampaignResult } from '../../result/result.ts';
import type { Image } from '../images.ts';
import { campaignResult } from './campaign-result.ts';
import { foldMembers } from './member-columns.ts';
import type { CampaignState } from './state.ts';

export class CampaignCache {
  readonly #fold = new CachedFold();
  #result: CampaignResult | null = null;

  /** The campaign is not what it was. */
  changed(): void {
    this.#fold.changed();
    this.#result = null;
  }

  /** All that it remembers. */
  into(fold: Fold, { members, fragmentsSent, ...state }: CampaignState): void {
    this.#fold.into(fold, (own) => {
      foldField(own, 'campaign', state);
      foldColumn(own, 'fragmentsSent', fragmentsSent, fragmentsSent.length);
      foldMembers(own, members);
    });
  }

  /** What only the radio knows is left empty. It shares nothing with what is stored. */
  result(state: CampaignState, image: Image): CampaignResult {
    this.#result ??= campaignResult(state, image);
    return copyOf(this.#result);
  }
}

/** Of ten thousand results a copy of any plain data takes a quarter of a second. */
const copyOf = (result: CampaignResult): CampaignResult => ({
  ...result,
  image: { ...result.image },
  gateways: [...result.gateways],
  stages: result.stages.map((each) => ({ ...each })),
  funnel: result.funnel.map((each) => ({ ...each })),
  failures: { ...result.failures },
  populations: [...result.populations],
  failedDevices: [...result.failedDevices],
  fragmentLosses: { ...result.fragmentLosses },
  completionSeconds: [...result.completionSeconds],
  verified: { ...result.verified },
});
