/**
 * The public face `fleetwave/reports`: reports of results. A report is a pure function of its
 * result: equal results give equal bytes, on every machine, without a clock and without files.
 *
 *     writeFileSync('report.html', htmlReport(result));     // one file, no scripts, no network
 *     console.log(markdownReport(result));                  // GitHub's flavour
 *
 * A result is what `runScenario` of `fleetwave/testing` and `World.result()` of `fleetwave/core`
 * return, or what `result.json` of `fleetwave run` holds, parsed.
 */
import type { Explanation } from '../core/result/explanation.ts';
import type { Manifest } from '../core/result/manifest.ts';
import type { ExpectationResult, RunResult } from '../core/result/result.ts';
import { toBase64 } from '../sim/base/bytes.ts';
import {
  asciiOption,
  checkOptions,
  FLAG_OPTION,
  lineOption,
  type OptionRows,
} from '../sim/base/options.ts';
import { sha256 } from '../sim/base/sha256.ts';
import { terminalOf } from './document/terminal.ts';
import { explanationBlocks } from './explanations/explanation-blocks.ts';
import { renderHtml } from './pages/html.ts';
import { pageRun } from './pages/interactive-parts.ts';
import { renderMarkdown } from './pages/markdown.ts';
import type { ReportInput } from './stories/run/report-input.ts';
import { VERSION } from './version.ts';

export type { Explanation } from '../core/result/explanation.ts';
export type { Manifest } from '../core/result/manifest.ts';
export type { ExpectationResult, RunResult } from '../core/result/result.ts';
export { FIGURES } from './figures/figures.ts';
export {
  type Interval,
  meanInterval,
  type PairedDifference,
  pairedDifference,
  proportionInterval,
  quantileInterval,
} from './statistics/intervals.ts';
export { isotonicFit } from './statistics/isotonic.ts';
export { type LevelMean, parameterSwing, type Swing } from './statistics/one-at-a-time.ts';
export {
  type CommonRandomNumbers,
  commonRandomNumbers,
} from './statistics/paired.ts';
export { type Goal, paretoFront } from './statistics/pareto.ts';
export { exactProportionInterval } from './statistics/proportions.ts';
export {
  type Crossing,
  type CurvePoint,
  crossings,
  differenceCurve,
  isMonotone,
  responseCurve,
} from './statistics/response-curve.ts';
export {
  fewestSeedsToAccept,
  isNarrowEnough,
  judgeShare,
  type NarrownessOptions,
  type ShareSeen,
  type Verdict,
} from './statistics/sequential.ts';
export {
  type SaltelliOutputs,
  type SobolIndex,
  type SobolIndices,
  type SobolOptions,
  saltelliOutputs,
  sobolIndices,
} from './statistics/sobol-indices.ts';
export { mean, percentile, standardDeviation } from './statistics.ts';

/** A result, and what may stand beside it. */
export interface ReportedResult extends RunResult {
  /** Verdicts on what its scenario expects, in the scenario's order; none when absent. */
  readonly expectations?: readonly ExpectationResult[];
  /** What the run was made of, as `result.json` holds it. */
  readonly manifest?: Manifest;
  /** Version of Fleetwave that made the run; this one when absent. */
  readonly version?: string;
}

export interface ReportOptions {
  /** Version that the report names, such as `0.1.0`; the result's when absent. */
  readonly version?: string;
}

export interface HtmlReportOptions extends ReportOptions {
  /** Whether the world goes on: the result is of its time so far. False when absent. */
  readonly goesOn?: boolean;
  /** Text of `fleetwave/report-page.js`: with it the page can be asked. Static when absent. */
  readonly script?: string;
}

const MARKDOWN_OPTIONS: OptionRows<ReportOptions> = { version: lineOption(40) };
const HTML_OPTIONS: OptionRows<HtmlReportOptions> = {
  ...MARKDOWN_OPTIONS,
  goesOn: FLAG_OPTION,
  script: asciiOption('the text of fleetwave/report-page.js'),
};

/**
 * The report as a single HTML file that reads without scripts and without a network. Throws a
 * TypeError about options that are none.
 */
export function htmlReport(result: ReportedResult, options: HtmlReportOptions = {}): string {
  checkOptions('htmlReport', options, HTML_OPTIONS);
  const { goesOn = false, script } = options;
  const input = { ...inputOf(result, options), goesOn };
  if (script === undefined) return renderHtml(input);
  const hash = toBase64(sha256(Uint8Array.from(script, (each) => each.charCodeAt(0))));
  const runs = [pageRun(input, undefined, result.scenario.name)];
  return renderHtml(input, { script: { text: script, hash }, runs });
}

/** The summary as Markdown; ends in a line feed. Throws as `htmlReport` does. */
export function markdownReport(result: ReportedResult, options: ReportOptions = {}): string {
  checkOptions('markdownReport', options, MARKDOWN_OPTIONS);
  return renderMarkdown(inputOf(result, options));
}

/** An explanation of `explainRun` as lines of text; columns of tables stand beside each other. */
export const explanationLines = (explanation: Explanation): readonly string[] =>
  terminalOf(explanationBlocks(explanation)).flatMap((part) =>
    typeof part === 'string' ? [part] : [part.heads, ...part.rows].map((row) => row.join('  ')),
  );

function inputOf(result: ReportedResult, options: ReportOptions): ReportInput {
  const { expectations = [], manifest } = result;
  const version = options.version ?? result.version ?? VERSION;
  return { result, expectations, version, ...(manifest && { manifest }) };
}
