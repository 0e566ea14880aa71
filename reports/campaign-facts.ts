/** What a campaign was and what it came to, in words that every form of report shares. */
import type { CampaignResult } from '../core/result.ts';
import { assert } from '../sim/base/assert.ts';
import { ratio } from './figures/figure.ts';
import { count, counted, partOf, percent } from './render/format.ts';
import { spelled } from './words.ts';

/** Campaigns that a report shows in full; a run may have one each day. */
export const CAMPAIGNS_SHOWN = 6;

/** `968 of 1 000 devices run the new image, 32 failed.` */
export function campaignSentence({ devices, success, failed }: CampaignResult): string {
  const open = devices - success - failed;
  assert(open >= 0, 'a device of a campaign is updated, failed or in progress');
  const parts = [
    `${count(success)} of ${counted(devices, 'device')} run the new image`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(open > 0 ? [`${count(open)} ${open === 1 ? 'is' : 'are'} in progress`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** Terms with what they are in this campaign; the image's hash stands apart. */
export function campaignFacts(campaign: CampaignResult): readonly (readonly [string, string])[] {
  const { image, nbFrag, fragSize, redundancy, dataRate, frequencyHz, gateways } = campaign;
  const { subscriber, devices, delegated } = campaign;
  const more = gateways.length - GATEWAYS_NAMED;
  const named = gateways.slice(0, GATEWAYS_NAMED).join(', ');
  return [
    ...(subscriber === undefined ? [] : [['Subscriber', subscriber] as const]),
    ...(delegated === 0 ? [] : [['Delegated by others', partOf(delegated, devices)] as const]),
    ['Stage', spelled(campaign.stage)],
    ['Image', image.name],
    ['Size', counted(image.bytes, 'byte')],
    ['Fragments', `${count(nbFrag)} × ${counted(fragSize, 'byte')}`],
    ['Redundancy', `${count(redundancy)} (${percent(ratio(redundancy, nbFrag))})`],
    ['Data rate', `DR${dataRate}`],
    ['Frequency', `${Number((frequencyHz / 1e6).toFixed(4))} MHz`],
    ['Gateways', more > 0 ? `${named} and ${count(more)} others` : named || 'none'],
  ];
}

const GATEWAYS_NAMED = 6;
