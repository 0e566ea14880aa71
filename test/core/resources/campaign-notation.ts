/** Notation for tests of campaigns as a subscriber sees them. */
import { formatInstant } from '../../../core/base/instant.ts';
import type {
  CampaignInput,
  CampaignRestart,
} from '../../../core/update-service/campaigns/commands.ts';
import type { FullStatus } from '../../../core/update-service/campaigns/status-fields.ts';
import { type Bench, S, someImage } from '../bench.ts';
import type { Script } from '../scripted-device.ts';
import { Subscriber } from './service.ts';

export const IMAGE = 'app-1.2.3.bin';

/** A device hears nothing of its group until this is set. */
export interface Mended {
  now: boolean;
}
export const deaf = (mended: Mended): Partial<Script> => ({ losesFragment: () => !mended.now });

/** A subscriber with an image; the bench's gateways are everybody's. */
export function subscriber(bench: Bench, by = 'default', imageBytes = 1_000): Subscriber {
  const us = new Subscriber(bench, by);
  us.do({ kind: 'image.create', name: IMAGE, bytes: someImage(imageBytes), tags: [] });
  return us;
}

export function groupOf(us: Subscriber, devices: readonly string[], name = 'group'): string {
  return us.do({ kind: 'deviceGroup.create', group: { name, devices } }).device_group_id;
}

/** A campaign of its own group; its id. */
export function campaignOf(
  us: Subscriber,
  devices: readonly string[],
  input: Partial<CampaignInput> = {},
): string {
  const device_group_id = groupOf(us, devices);
  const campaign = { name: 'spring', image_name: IMAGE, device_group_id, ...input };
  return us.do({ kind: 'campaign.create', campaign }).campaign_id;
}

export const restart = (us: Subscriber, campaign_id: string, changes: CampaignRestart = {}) =>
  us.try({ kind: 'campaign.restart', campaign_id, changes });

export const summary = (us: Subscriber, campaign_id: string) =>
  us.ask({ kind: 'campaign.list' }).find((one) => one.campaign_id === campaign_id)!;

export function full(us: Subscriber, campaign_id: string): FullStatus {
  const answer = us.ask({ kind: 'campaign.get', campaign_id });
  if (!('devices' in answer)) throw new Error('the campaign initializes');
  return answer;
}

export const addressOf = (us: Subscriber, campaign_id: string) =>
  full(us, campaign_id).mcast_devaddr;

export function go(us: Subscriber, seconds: number): void {
  us.bench.runUntil(us.bench.nowUs + seconds * S);
}

/** Goes on until every campaign is over. */
export function finish(us: Subscriber): void {
  const { bench } = us;
  const isOver = ({ stage }: { stage: string }) => /FINISHED|HALTED|ERROR/.test(stage);
  for (let i = 0; i < 5_000 && !bench.platform.resources.campaign.results().every(isOver); i++) {
    go(us, 60);
  }
}

export const instantIn = (us: Subscriber, seconds: number): string =>
  formatInstant(us.bench.view.unixMs(us.bench.nowUs) + seconds * 1000);
