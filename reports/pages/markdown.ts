/** The summary of one run as Markdown (GitHub's flavour), for pages of continuous integration. */
import type { RunResult } from '../../core/result/result.ts';
import { keyFigures } from '../figures/key-figures.ts';
import { figureFinder, verdict } from '../figures/verdict.ts';
import { code, plain, table } from '../markup/markdown-parts.ts';
import { campaigns, followUpList, managedBlocks } from '../stories/campaigns/campaign-markdown.ts';
import { configurationBlocks } from '../stories/configuration/configuration-markdown.ts';
import { alertBlocks, deliveryBlocks } from '../stories/delivery/delivery-markdown.ts';
import { energyTable } from '../stories/energy/energy-markdown.ts';
import { jobTable } from '../stories/jobs/job-markdown.ts';
import { multicastTable } from '../stories/multicast/multicast-markdown.ts';
import { beaconTable, gatewayTable, lossTable } from '../stories/radio/radio-markdown.ts';
import type { ReportInput } from '../stories/run/report-input.ts';
import { facts, partial, runAgain, warningList } from '../stories/run/run-markdown.ts';
import { actual } from '../text/format.ts';

/** The same input gives the same bytes; ends in a line feed. */
export function renderMarkdown(input: ReportInput): string {
  const { result, expectations, version } = input;
  const { state, sentence } = verdict(expectations);
  const sign = { holds: '✓ ', fails: '✗ ', open: '' }[state];
  const blocks = [
    `## ${sign}${plain(result.scenario.name)}`,
    `**${sentence}.**`,
    ...(result.complete ? [] : [partial(result)]),
    facts(result),
    ...(expectations.length > 0 ? [expectationTable(input)] : []),
    ...(result.warnings.length > 0 ? [warningList(result.warnings)] : []),
    keyFigureTable(result),
    ...managedBlocks(result),
    ...followUpList(result),
    ...campaigns(result),
    ...jobTable(result),
    ...configurationBlocks(result),
    ...multicastTable(result),
    ...deliveryBlocks(result),
    ...alertBlocks(result),
    lossTable(result),
    ...(result.gateways.length > 0 ? [gatewayTable(result)] : []),
    ...beaconTable(result),
    ...energyTable(result),
    runAgain(input),
    `Made by Fleetwave ${plain(version)}.`,
  ];
  return blocks.join('\n\n') + '\n';
}

function expectationTable({ result, expectations }: ReportInput): string {
  const figureOf = figureFinder(result);
  const rows = expectations.map((one) => [
    code(one.expectation),
    actual(one.actual, figureOf(one)?.unit),
    one.holds ? '✓ holds' : '✗ **fails**',
  ]);
  return table(['Expectation', 'Actual', 'Verdict'], 'lrl', rows);
}

function keyFigureTable(result: RunResult): string {
  const rows = keyFigures(result).map(({ figure, text, hint }) => [figure.label, text, hint]);
  return table(['Figure', 'Value', 'Count'], 'lrr', rows);
}
