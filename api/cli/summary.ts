/** The end of a run on a terminal: figures, expectations, digest. */
import type { ExpectationResult, HostResult, RunResult } from '../../core/result/result.ts';
import type { Block } from '../../reports/document/document.ts';
import { keyFigures } from '../../reports/figures/key-figures.ts';
import { figureFinder, verdict } from '../../reports/figures/verdict.ts';
import { campaignBlocks } from '../../reports/stories/campaigns/campaign-blocks.ts';
import { followUpBlocks } from '../../reports/stories/campaigns/follow-up-blocks.ts';
import { managedBlocks } from '../../reports/stories/campaigns/managed-blocks.ts';
import { configurationBlocks } from '../../reports/stories/configuration/configuration-blocks.ts';
import { alertBlocks } from '../../reports/stories/delivery/alert-blocks.ts';
import { deliveryBlocks } from '../../reports/stories/delivery/delivery-blocks.ts';
import { jobBlocks } from '../../reports/stories/jobs/job-blocks.ts';
import { actual, count, duration, partOf, percent } from '../../reports/text/format.ts';
import { UPLINK_WORDS } from '../../reports/text/words.ts';
import { entriesOf } from '../../sim/base/counts.ts';
import { blocksText, plainTable } from './blocks-text.ts';
import { type Painter, PLAIN } from './colour.ts';

/** Ends in a line feed. */
export function summary(
  result: RunResult,
  expectations: readonly ExpectationResult[],
  host: HostResult,
  files: readonly string[],
  paint: Painter = PLAIN,
): string {
  const judged = verdict(expectations);
  const blocks = [
    paint.heading(headline(result, host)),
    figureTable(result),
    ...storiesOf(result, paint),
    ...(expectations.length > 0 ? [expectationTable(result, expectations, paint)] : []),
    ...result.warnings.map((warning) => paint.warning(`Warning: ${warning}`)),
    verdictPainter(judged.state, paint)(`${judged.sentence}.`),
    `Seed ${result.seed}, digest ${result.digest}`,
    `Results: ${files.join(', ')}`,
    ...whyLines(result, files),
  ];
  return `${blocks.join('\n')}\n`;
}

/** How to go on where devices failed; the folder is that of the first file. */
function whyLines({ campaigns }: RunResult, files: readonly string[]): string[] {
  const folder = /^(.*)\/[^/]*$/.exec(files[0] ?? '')?.[1];
  if (folder === undefined || campaigns.every(({ failed }) => failed === 0)) return [];
  return [
    `Why devices failed, and what would have saved them: fleetwave explain failed --run ${folder}`,
  ];
}

function verdictPainter(state: ReturnType<typeof verdict>['state'], paint: Painter) {
  if (state === 'holds') return paint.good;
  return state === 'fails' ? paint.bad : paint.heading;
}

/** What the stories have for a terminal, each table below its sentence. */
function storiesOf(result: RunResult, paint: Painter): string[] {
  const blocks: readonly Block[] = [
    ...managedBlocks(result),
    ...campaignBlocks(result),
    ...followUpBlocks(result),
    ...jobBlocks(result),
    ...configurationBlocks(result),
    ...deliveryBlocks(result),
    ...alertBlocks(result),
  ];
  return blocksText(blocks, paint);
}

function headline(result: RunResult, host: HostResult): string {
  const { scenario, virtualSeconds, events } = result;
  const speed = host.wallSeconds > 0 ? virtualSeconds / host.wallSeconds : 0;
  const sentence =
    `${scenario.name}: ${duration(virtualSeconds)} of virtual time in ` +
    `${duration(host.wallSeconds)} (${count(speed)} times real time), ${count(events)} events.`;
  return result.complete ? sentence : `${sentence} PARTIAL: stopped before its end.`;
}

function figureTable(result: RunResult): string {
  const table = plainTable();
  for (const { figure, text, hint } of keyFigures(result)) {
    table.push([figure.label, text, hint]);
  }
  for (const [cause, lost] of entriesOf(result.radio.lost)) {
    if (lost === 0) continue;
    const share = percent(lost / result.radio.uplinks);
    table.push([`Lost: ${UPLINK_WORDS[cause].label}`, share, partOf(lost, result.radio.uplinks)]);
  }
  return table.toString();
}

function expectationTable(
  result: RunResult,
  expectations: readonly ExpectationResult[],
  { good, bad }: Painter,
): string {
  const figureOf = figureFinder(result);
  const table = plainTable();
  for (const one of expectations) {
    const value = actual(one.actual, figureOf(one)?.unit);
    table.push([one.holds ? good('✓ holds') : bad('✗ fails'), one.expectation, value]);
  }
  return table.toString();
}
