/** Explanations as blocks of a report, whatever they are of. */
import type { Explanation } from '../../core/result/explanation.ts';
import type { Block } from '../document/document.ts';
import { campaignBlocks } from './campaign-blocks.ts';
import { deviceBlocks } from './device-blocks.ts';
import { gatewayBlocks } from './gateway-blocks.ts';

export function explanationBlocks(explained: Explanation): Block[] {
  switch (explained.kind) {
    case 'device':
      return deviceBlocks(explained);
    case 'gateway':
      return gatewayBlocks(explained);
    case 'campaign':
      return campaignBlocks(explained);
  }
}
