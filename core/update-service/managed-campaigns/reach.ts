/** What managed campaigns may reach: the platform, and the resources that they work with. */
import type { Asking } from '../../base/subscribers.ts';
import type { Surroundings } from '../../kit/resource.ts';
import type { Campaigns } from '../campaigns/campaigns.ts';
import type { KnowsGateways } from '../gateway-choice.ts';
import type { Image } from '../images.ts';
import type { Keys } from '../keys.ts';
import type { ReportedVersion } from '../reported-versions.ts';
import type { Records } from './records.ts';
import type { ManagedCampaign } from './state.ts';

/** What managed campaigns use of the platform and of other resources. */
export interface ManagedNeeds
  extends Pick<Surroundings, 'ids' | 'timers' | 'viewOf'>,
    KnowsGateways {
  readonly image: { get(owner: string, name: string): Image | undefined };
  readonly key: Pick<Keys, 'rootOf'>;
  readonly deviceVersion: { latest(owner: string): readonly ReportedVersion[] };
  readonly deviceGroup: {
    create(group: ChildGroup, id: undefined, asking: Asking): Created<'device_group_id'>;
    discard(owner: string, id: string): void;
  };
  readonly campaign: Pick<Campaigns, 'isRunning' | 'stop' | 'discard' | 'fatesOf' | 'stagesOf'> & {
    create(campaign: ChildInput, id: undefined, asking: Asking): Created<'campaign_id'>;
  };
}

export interface ChildGroup {
  readonly name: string;
  readonly lora_class: 'A' | 'C';
  readonly devices: readonly string[];
}

export interface ChildInput {
  readonly name: string;
  readonly image_name: string;
  readonly device_group_id: string;
  readonly expected_version: string;
}

type Created<Id extends string> =
  | { readonly ok: true; readonly value: { readonly [K in Id]: string } }
  | { readonly ok: false; readonly failure: { readonly message: string } };

/** All that a managed campaign may reach. */
export interface Reach {
  readonly needs: ManagedNeeds;
  readonly records: Records;
}

/** Children that are not over. */
export const running = ({ needs }: Reach, { owner, children }: ManagedCampaign) =>
  children.filter(({ campaignId }) => needs.campaign.isRunning(owner, campaignId) === true);
