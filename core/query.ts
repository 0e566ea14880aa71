/** The shape of every query: what a subscriber may ask of the platform. Asking changes nothing. */
import type { CampaignQuery, CampaignQueryAnswers } from './campaigns/status.ts';
import type { DelegationAnswers, DelegationQuery } from './delegations.ts';
import type { DeviceGroupAnswers, DeviceGroupQuery } from './device-groups.ts';
import type { ImageAnswers, ImageQuery } from './images.ts';
import type { DeviceVersionAnswers, DeviceVersionQuery } from './reported-versions.ts';
import type { Asker } from './subscribers.ts';
import type { HistoryAnswers, HistoryQuery } from './update-history.ts';

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
