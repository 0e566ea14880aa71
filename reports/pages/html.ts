/** The report of one run as a single HTML file that reads without scripts and without a network. */
import type { RunResult } from '../../core/result/result.ts';
import type { Block } from '../document/document.ts';
import { htmlOf } from '../document/html.ts';
import { verdict } from '../figures/verdict.ts';
import { type Content, html, type Markup } from '../markup/markup.ts';
import { campaignBlocks } from '../stories/campaigns/campaign-blocks.ts';
import { followUpBlocks } from '../stories/campaigns/follow-up-blocks.ts';
import { managedBlocks } from '../stories/campaigns/managed-blocks.ts';
import { configurationBlocks } from '../stories/configuration/configuration-blocks.ts';
import { alertBlocks } from '../stories/delivery/alert-blocks.ts';
import { deliveryBlocks } from '../stories/delivery/delivery-blocks.ts';
import { deviceBlocks } from '../stories/devices/device-blocks.ts';
import { mapBlocks } from '../stories/devices/map-blocks.ts';
import { energyBlocks } from '../stories/energy/energy-blocks.ts';
import { jobBlocks } from '../stories/jobs/job-blocks.ts';
import { multicastBlocks } from '../stories/multicast/multicast-blocks.ts';
import { outsideServerBlocks } from '../stories/outside-server/outside-server-blocks.ts';
import { beaconBlocks } from '../stories/radio/beacon-blocks.ts';
import { budgetBlocks } from '../stories/radio/budget-blocks.ts';
import { gatewayBlocks } from '../stories/radio/gateway-blocks.ts';
import { downlinkBlocks, uplinkLossBlocks } from '../stories/radio/loss-blocks.ts';
import { trafficBlocks } from '../stories/radio/traffic-blocks.ts';
import type { ReportInput } from '../stories/run/report-input.ts';
import { reproductionBlocks } from '../stories/run/reproduction-blocks.ts';
import {
  expectationBlocks,
  factBlocks,
  keyFigureBlocks,
  stateBlocks,
  warningBlocks,
} from '../stories/run/run-blocks.ts';
import { firstScreen } from './first-screen.ts';
import { explorer, type InteractivePage } from './interactive-parts.ts';
import { pageOf } from './shell.ts';

/** The same input gives the same bytes. With `interactive`, a script shows more of the runs. */
export function renderHtml(input: ReportInput, interactive?: InteractivePage): string {
  const { result, version, goesOn } = input;
  const header = head(result, goesOn ? 'Fleetwave world' : 'Fleetwave run');
  const all = stories(input, interactive !== undefined).map(
    (blocks) => html`${blocks}
`,
  );
  return pageOf({
    title: result.scenario.name,
    version,
    header,
    main:
      interactive === undefined
        ? all
        : [firstScreen(input), explorer(), html`<h2 class="rest">All figures and tables</h2>`, all],
    footer: `Made by Fleetwave ${version}. A run is a function of its scenario and seed.`,
    interactive,
  });
}

/** Each begins a line of its own. What a script shows better, it hides (`isInteractive`). */
function stories(input: ReportInput, isInteractive: boolean): readonly Content[] {
  const { result, goesOn = false } = input;
  const unlessInteractive = (blocks: readonly Block[]): Content =>
    isInteractive ? html`<div class="static-only">${htmlOf(blocks)}</div>` : htmlOf(blocks);
  return [
    htmlOf(stateBlocks(input)),
    goesOn ? '' : verdictSection(input),
    ...[
      warningBlocks(result),
      managedBlocks(result),
      [...followUpBlocks(result), ...campaignBlocks(result, goesOn)],
      outsideServerBlocks(result),
      keyFigureBlocks(result),
    ].map(htmlOf),
    unlessInteractive(trafficBlocks(result)),
    ...[
      uplinkLossBlocks(result),
      downlinkBlocks(result),
      jobBlocks(result),
      configurationBlocks(result),
      multicastBlocks(result),
      deliveryBlocks(result),
      alertBlocks(result),
      beaconBlocks(result),
      gatewayBlocks(result),
      budgetBlocks(result),
      deviceBlocks(result),
      energyBlocks(result),
    ].map(htmlOf),
    unlessInteractive(mapBlocks(result)),
    htmlOf(reproductionBlocks(input)),
  ];
}

function head(result: RunResult, brand: string): Markup {
  const { name, description } = result.scenario;
  return html`<header>
<p class="brand">${brand}</p>
<h1>${name}</h1>
${description === '' ? '' : html`<p class="lead">${description}</p>`}
${htmlOf(factBlocks(result))}
</header>`;
}

function verdictSection(input: ReportInput): Markup {
  const { state, sentence } = verdict(input.expectations);
  if (state === 'open') return html`<section class="card verdict"><h2>${sentence}</h2></section>`;
  return html`<section class="card verdict ${state}">
<h2><span class="sign ${state}">${state === 'holds' ? '✓' : '✗'}</span> ${sentence}</h2>
${htmlOf(expectationBlocks(input))}</section>`;
}
