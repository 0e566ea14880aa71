/** The shape of every query: what a subscriber may ask of the platform. Asking changes nothing. */

import type { Asker } from './kit/subscribers.ts';
import type { CampaignQuery, CampaignQueryAnswers } from './update-service/campaigns/status.ts';
import type { DelegationAnswers, DelegationQuery } from './update-service/delegations.ts';
import type { DeviceGroupAnswers, DeviceGroupQuery } from './update-service/device-groups.ts';
import type { ImageAnswers, ImageQuery } from './update-service/images.ts';
import type {
  DeviceVersionAnswers,
  DeviceVersionQuery,
} from './update-service/reported-versions.ts';
import type { HistoryAnswers, HistoryQuery } from './update-service/update-history.ts';

export type PlatformQuery =
  | ImageQuery
  | DeviceGroupQuery
  | DeviceVersionQuery
  | HistoryQuery
  | CampaignQuery
  | DelegationQuery;

/** A query, and who asks. */
export type Query = PlatformQuery & Asker;

/** What a query is answered with, by its kind: the documented shapes of the services. */
export type QueryAnswers = ImageAnswers &
  DeviceGroupAnswers &
  DeviceVersionAnswers &
  HistoryAnswers &
  CampaignQueryAnswers &
  DelegationAnswers;

export type AnswerOf<Asked extends PlatformQuery> = QueryAnswers[Asked['kind']];
