/** The report of one run as a single HTML file that reads without scripts and without a network. */
import type { RunResult } from '../../core/result/result.ts';
import { keyFigures } from '../figures/key-figures.ts';
import { figureFinder, verdict } from '../figures/verdict.ts';
import { type Content, html, type Markup, trusted } from '../markup/markup.ts';
import { figureTile, table, tiles } from '../markup/parts.ts';
import { STYLE } from '../markup/style.ts';
import { campaignSections } from '../stories/campaigns/campaign-sections.ts';
import { managedSections } from '../stories/campaigns/managed-section.ts';
import { configurationSection } from '../stories/configuration/configuration-section.ts';
import { alertSection, deliverySection } from '../stories/delivery/delivery-section.ts';
import { deviceSection, mapSections } from '../stories/devices/device-sections.ts';
import { energySection } from '../stories/energy/energy-section.ts';
import { jobSection } from '../stories/jobs/job-section.ts';
import { multicastSection } from '../stories/multicast/multicast-section.ts';
import { beaconSection } from '../stories/radio/beacon-section.ts';
import {
  downlinkSection,
  gatewaySection,
  lossSection,
  trafficSection,
} from '../stories/radio/radio-sections.ts';
import type { ReportInput } from '../stories/run/report-input.ts';
import { reproductionSection } from '../stories/run/reproduction-section.ts';
import { actual, count, counted, duration } from '../text/format.ts';

/** The same input gives the same bytes. */
export function renderHtml(input: ReportInput): string {
  const { result, version, goesOn = false } = input;
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
${goesOn ? goesOnBanner(result) : partialBanner(result)}
${goesOn ? '' : verdictSection(input)}
${warningBox(result.warnings)}
${managedSections(result)}
${campaignSections(result, goesOn)}
${keyTiles(result)}
${trafficSection(result)}
${lossSection(result)}
${downlinkSection(result)}
${jobSection(result)}
${configurationSection(result)}
${multicastSection(result)}
${deliverySection(result)}
${alertSection(result)}
${beaconSection(result)}
${gatewaySection(result)}
${deviceSection(result)}
${energySection(result)}
${mapSections(result)}
${reproductionSection(input)}
</main>
<footer>Made by Fleetwave ${version}. A run is a function of its scenario and seed.</footer>
</body>
</html>
`;
  return page.markup;
}

function head(result: RunResult, brand: string): Markup {
  const facts: readonly (readonly [string, Content])[] = [
    ['Region', result.region],
    ['Virtual time', duration(result.virtualSeconds)],
    ['Devices', count(result.devices.total)],
    ['Gateways', count(result.gateways.length)],
    ['Events', count(result.events)],
    ['Frames', result.frames],
    ['Seed', html`<code>${result.seed}</code>`],
    ['Digest', html`<code>${result.digest}</code>`],
  ];
  const rows = facts.map(([term, fact]) => html`<div><dt>${term}</dt><dd>${fact}</dd></div>`);
  const { name, description } = result.scenario;
  return html`<header>
<p class="brand">${brand}</p>
<h1>${name}</h1>
${description === '' ? '' : html`<p class="lead">${description}</p>`}
<dl class="facts">${rows}</dl>
</header>`;
}

function partialBanner({ complete, virtualSeconds }: RunResult): Content {
  if (complete) return '';
  return html`<div class="note" role="note"><p><strong>Partial run.</strong> It was interrupted
after ${duration(virtualSeconds)} of virtual time; every figure below is of that time
only.</p></div>`;
}

const goesOnBanner = ({ virtualSeconds }: RunResult): Content =>
  html`<div class="note" role="note"><p><strong>A world that goes on.</strong> Every figure below is
of its first ${duration(virtualSeconds)} of virtual time.</p></div>`;

function verdictSection({ result, expectations }: ReportInput): Markup {
  const { state, sentence } = verdict(expectations);
  if (state === 'open') return html`<section class="card verdict"><h2>${sentence}</h2></section>`;
  const shape = {
    name: 'What the scenario expects of a run',
    columns: [{ head: 'Expectation' }, { head: 'Actual', kind: 'number' }, { head: 'Verdict' }],
  } as const;
  const figureOf = figureFinder(result);
  const rows = expectations.map((one) => {
    const figure = figureOf(one);
    return [
      html`<code>${one.expectation}</code><small>${figure?.label ?? ''}</small>`,
      actual(one.actual, figure?.unit),
      sign(one.holds),
    ];
  });
  return html`<section class="card verdict ${state}">
<h2><span class="sign ${state}">${state === 'holds' ? '✓' : '✗'}</span> ${sentence}</h2>
${table(shape, rows)}</section>`;
}

function sign(holds: boolean): Markup {
  const [state, mark] = holds ? ['holds', '✓'] : ['fails', '✗'];
  return html`<span class="sign ${state}">${mark} ${state}</span>`;
}

function warningBox(warnings: readonly string[]): Content {
  if (warnings.length === 0) return '';
  const items = warnings.map((warning) => html`<li>${warning}</li>`);
  return html`<div class="note" role="note">
<p><strong>${counted(warnings.length, 'warning')}</strong></p>
<ul>${items}</ul></div>`;
}

/** Figures of campaigns stand in the sections of the campaigns. */
function keyTiles(result: RunResult): Markup {
  const shown = keyFigures(result).filter(({ figure }) => figure.group !== 'campaigns');
  return tiles('Key figures', shown.map(figureTile));
}
