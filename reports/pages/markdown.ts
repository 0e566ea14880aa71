/** The summary of one run as Markdown (GitHub's flavour), for pages of continuous integration. */
import { markdownOf } from '../document/markdown.ts';
import { verdict } from '../figures/verdict.ts';
import { plain } from '../markup/markdown-parts.ts';
import { campaignBlocks } from '../stories/campaigns/campaign-blocks.ts';
import { followUpBlocks } from '../stories/campaigns/follow-up-blocks.ts';
import { managedBlocks } from '../stories/campaigns/managed-blocks.ts';
import { configurationBlocks } from '../stories/configuration/configuration-blocks.ts';
import { alertBlocks } from '../stories/delivery/alert-blocks.ts';
import { deliveryBlocks } from '../stories/delivery/delivery-blocks.ts';
import { energyBlocks } from '../stories/energy/energy-blocks.ts';
import { jobBlocks } from '../stories/jobs/job-blocks.ts';
import { multicastBlocks } from '../stories/multicast/multicast-blocks.ts';
import { outsideServerBlocks } from '../stories/outside-server/outside-server-blocks.ts';
import { beaconBlocks } from '../stories/radio/beacon-blocks.ts';
import { gatewayBlocks } from '../stories/radio/gateway-blocks.ts';
import { lostFrameBlocks } from '../stories/radio/loss-blocks.ts';
import type { ReportInput } from '../stories/run/report-input.ts';
import { reproductionBlocks } from '../stories/run/reproduction-blocks.ts';
import {
  expectationBlocks,
  factBlocks,
  keyFigureBlocks,
  stateBlocks,
  warningBlocks,
} from '../stories/run/run-blocks.ts';

/** The same input gives the same bytes; ends in a line feed. */
export function renderMarkdown(input: ReportInput): string {
  const { result, expectations, version } = input;
  const { state, sentence } = verdict(expectations);
  const sign = { holds: '✓ ', fails: '✗ ', open: '' }[state];
  const blocks = [
    `## ${sign}${plain(result.scenario.name)}`,
    `**${sentence}.**`,
    ...markdownOf([
      ...stateBlocks(input),
      ...factBlocks(result),
      ...expectationBlocks(input),
      ...warningBlocks(result),
      ...keyFigureBlocks(result),
      ...outsideServerBlocks(result),
      ...managedBlocks(result),
      ...followUpBlocks(result),
      ...campaignBlocks(result),
      ...jobBlocks(result),
      ...configurationBlocks(result),
      ...multicastBlocks(result),
      ...deliveryBlocks(result),
      ...alertBlocks(result),
      ...lostFrameBlocks(result),
      ...gatewayBlocks(result),
      ...beaconBlocks(result),
      ...energyBlocks(result),
      ...reproductionBlocks(input),
    ]),
    `Made by Fleetwave ${plain(version)}.`,
  ];
  return blocks.join('\n\n') + '\n';
}
