/**
 * What makes a report interactive: the data of its runs, packed, and the script that shows them.
 * The policy of the page lets this one script run, and nothing reach out.
 */
import type { RunResult } from '../../core/result/result.ts';
import { toBase64 } from '../../sim/base/bytes.ts';
import { html, type Markup, trusted } from '../markup/markup.ts';
import { packed } from '../packing/packed.ts';
import type { ReportInput } from '../stories/run/report-input.ts';

/** What runs in the page, and what it shows. */
export interface InteractivePage {
  readonly script: PageScript;
  readonly runs: readonly PageRun[];
}

/** A script in ASCII, and the base64 text of its SHA-256. */
export interface PageScript {
  readonly text: string;
  readonly hash: string;
}

export interface PageRun {
  /** What the run is called beside others. */
  readonly label: string;
  readonly result: RunResult;
  /** Recorded columns, packed; undefined: nothing was recorded of single devices. */
  readonly columns: Uint8Array | undefined;
  /** Names of expectations that fail. */
  readonly failing: readonly string[];
  /** Lines of the outline of the land, m from the middle of the plan. */
  readonly outline?: readonly (readonly (readonly [x: number, y: number])[])[];
}

/** A run of a page; `columns`: its recorded columns, packed. */
export function pageRun(
  { result, expectations, outline }: ReportInput,
  columns: Uint8Array | undefined,
  label: string,
): PageRun {
  const failing = expectations.filter(({ holds }) => !holds).map((one) => one.expectation);
  return { label, result, columns, failing, ...(outline && { outline }) };
}

/** Data of a run as the script reads it, beside columns: what it does not show is left out. */
export type RunData = ReturnType<typeof dataOf>;

function dataOf({ label, result, columns, failing, outline = [] }: PageRun) {
  const { scenario, seed, digest, virtualSeconds, campaigns, gateways, series } = result;
  const { budgets, outages = [], devices, energy } = result;
  // Old results have no columns: the sample of the map stands in for them.
  const map = columns === undefined ? devices.map : undefined;
  return {
    label,
    name: scenario.name,
    seed,
    digest,
    virtualSeconds,
    total: devices.total,
    hasEnergy: energy !== undefined,
    gateways: gateways.map(({ name, eui, xMeters, yMeters, dutyCycleLimits }) => {
      return { name, eui, xMeters, yMeters, limits: dutyCycleLimits ?? {} };
    }),
    campaigns: campaigns.map(({ name, devices: all, stages, completionSeconds, nbFrag }) => {
      return { name, devices: all, stages, nbFrag, completionSeconds: rounded(completionSeconds) };
    }),
    series,
    budgets,
    outages,
    failing,
    outline,
    map,
  };
}

const rounded = (seconds: readonly number[]): number[] => seconds.map((each) => Math.round(each));

const ONLY_STYLES =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Content-Security-Policy: nothing is loaded, and at most the given script runs. */
export const policyOf = (script?: PageScript): string =>
  script === undefined
    ? ONLY_STYLES
    : `${ONLY_STYLES}; script-src 'sha256-${script.hash}'; img-src data: blob:`;

/** Where the script draws, before it does: nothing. */
export const explorer = (): Markup => html`<div id="explorer"></div>
`;

/** At the end of the body; a run without columns has an empty text in their place. */
export function dataAndScript({ runs, script }: InteractivePage): Markup {
  const data = runs.map(
    (
      run,
    ) => html`<script type="application/gzip" class="run">${base64(packed(dataOf(run)))}</script>
<script type="application/gzip" class="columns">${base64(run.columns ?? new Uint8Array())}</script>
`,
  );
  return html`${data}<script>${trusted(script.text)}</script>
`;
}

const base64 = (bytes: Uint8Array): Markup => trusted(toBase64(bytes));
