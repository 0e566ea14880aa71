/** What a campaign was and what it came to, in words that every form of report shares. */
import type { CampaignResult } from '../../../core/result/result.ts';
import { assert } from '../../../sim/base/assert.ts';
import { ratio } from '../../figures/figure.ts';
import { count, counted, partOf, percent } from '../../text/format.ts';
import { spelled } from '../../text/words.ts';

/** Campaigns that a report shows in full; a run may have one each day. */
export const CAMPAIGNS_SHOWN = 6;

/** `968 of 1 000 devices run the new image, 960 have confirmed it, 40 failed.` */
export function campaignSentence(campaign: CampaignResult): string {
  const { devices, running, success, inProgress, failed } = campaign;
  assert(success + inProgress + failed === devices, 'each device of a campaign has one fate');
  const run = `${count(running)} of ${counted(devices, 'device')} run the new image`;
  const confirm = `${success === 1 ? 'has' : 'have'} confirmed it`;
  const parts = [
    ...(running > 0 && running === success ? [`${run} and ${confirm}`] : [run]),
    ...(running > success ? [`${count(success)} ${confirm}`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(inProgress > 0
      ? [`${count(inProgress)} ${inProgress === 1 ? 'is' : 'are'} in progress`]
      : []),
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
    ['Rounds', count(campaign.rounds)],
    ['Image', image.name],
    ['Size', counted(image.bytes, 'byte')],
    ['Fragments', `${count(nbFrag)} × ${counted(fragSize, 'byte')}`],
    ['Repairs', `${count(campaign.repairs)} to single devices`],
    ['Redundancy', `${count(redundancy)} (${percent(ratio(redundancy, nbFrag))})`],
    ['Data rate', `DR${dataRate}`],
    ['Frequency', `${Number((frequencyHz / 1e6).toFixed(4))} MHz`],
    ['Gateways', more > 0 ? `${named} and ${count(more)} others` : named || 'none'],
  ];
}

const GATEWAYS_NAMED = 6;
