/** The report of one run as a single HTML file that reads without scripts and without a network. */
import type { RunResult } from '../../core/result/result.ts';
import { htmlOf } from '../document/html.ts';
import { verdict } from '../figures/verdict.ts';
import { type Content, html, type Markup, trusted } from '../markup/markup.ts';
import { STYLE } from '../markup/style.ts';
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

/** The same input gives the same bytes. */
export function renderHtml(input: ReportInput): string {
  const { result, version, goesOn } = input;
  const title = `${result.scenario.name} – Fleetwave`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Fleetwave ${version}">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
${head(result, goesOn ? 'Fleetwave world' : 'Fleetwave run')}
<main>
${stories(input).map(
  (blocks) => html`${blocks}
`,
)}</main>
<footer>Made by Fleetwave ${version}. A run is a function of its scenario and seed.</footer>
</body>
</html>
`;
  return page.markup;
}

/** Each begins a line of its own. */
function stories(input: ReportInput): readonly Content[] {
  const { result, goesOn = false } = input;
  return [
    htmlOf(stateBlocks(input)),
    goesOn ? '' : verdictSection(input),
    ...[
      warningBlocks(result),
      managedBlocks(result),
      [...followUpBlocks(result), ...campaignBlocks(result, goesOn)],
      outsideServerBlocks(result),
      keyFigureBlocks(result),
      trafficBlocks(result),
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
      mapBlocks(result),
      reproductionBlocks(input),
    ].map(htmlOf),
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
