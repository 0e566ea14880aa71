/**
 * What became of campaigns that were to begin after another: what the platform has, and of those
 * of a file that it refused why.
 */
import { DEFAULT_SUBSCRIBER } from '../base/subscribers.ts';
import type { TimedCommand } from '../command.ts';
import type { Resources } from '../operations.ts';
import type { FollowUpResult } from '../result/result.ts';
import type { Timeline } from './timeline.ts';

/** What the timeline knows of its entries that were refused. */
export type Refusals = Pick<Timeline, 'refused' | 'inNames'>;

/** Ids of what the file made are reported as its names. */
export function followUpResults(
  followUp: Resources['followUp'],
  refusals: Refusals,
): FollowUpResult[] {
  const stored = followUp
    .results()
    .map((each) => ({ ...each, refusal: refusals.inNames(each.refusal) }));
  const refused = refusals.refused.flatMap(({ command, message }) =>
    command.kind === 'followUp.create' ? [resultOfRefused(command, message, refusals)] : [],
  );
  return [...stored, ...refused];
}

type Asked = Extract<TimedCommand['command'], { readonly kind: 'followUp.create' }>;

/** Commands with an id of their own that a follow-up may name. */
const BEGIN_CAMPAIGNS: ReadonlySet<string> = new Set(['campaign.create', 'followUp.create']);

/** Follow-up that was refused, or whose earlier campaign was refused. */
function resultOfRefused(
  { by = DEFAULT_SUBSCRIBER, campaign, after, ...least }: Asked,
  message: string,
  { refused, inNames }: Refusals,
): FollowUpResult {
  const earlier = refused.find(
    ({ command }) => BEGIN_CAMPAIGNS.has(command.kind) && 'id' in command && command.id === after,
  );
  const isFollowing = earlier?.command.kind === 'followUp.create';
  return {
    name: campaign.name ?? campaign.image_name,
    ...(by === DEFAULT_SUBSCRIBER ? {} : { subscriber: by }),
    after: inNames(after),
    leastUpdated: least.least_updated ?? 0,
    leastUpdatedShare: least.least_updated_share ?? 0,
    stage: earlier === undefined ? 'refused' : 'waiting',
    refusal: earlier === undefined ? message : '',
    ...(earlier && {
      earlier: isFollowing ? { is: 'following' } : { is: 'refused', refusal: earlier.message },
    }),
    devices: 0,
    updated: 0,
  };
}
