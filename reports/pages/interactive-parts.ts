/**
 * What makes a report interactive: the data of its runs, packed, and the script that shows them.
 * The policy of the page lets this one script run, and nothing reach out.
 */
import type { RunColumns } from '../../core/result/columns.ts';
import type { RunResult } from '../../core/result/result.ts';
import { toBase64 } from '../../sim/base/bytes.ts';
import { sha256 } from '../../sim/base/sha256.ts';
import { html, type Markup, trusted } from '../markup/markup.ts';
import { packed } from '../packing/packed.ts';

/** The script, as text, and what it shows. */
export interface InteractivePage {
  readonly script: string;
  readonly runs: readonly PageRun[];
}

export interface PageRun {
  /** What the run is called beside others. */
  readonly label: string;
  readonly result: RunResult;
  readonly columns: RunColumns | undefined;
  /** Names of expectations that fail. */
  readonly failing: readonly string[];
  /** Lines of the outline of the land, m from the middle of the plan. */
  readonly outline?: readonly (readonly (readonly [x: number, y: number])[])[];
}

/** Data of a run as the script reads it: what it does not show is left out. */
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
    columns,
    map,
  };
}

const rounded = (seconds: readonly number[]): number[] => seconds.map((each) => Math.round(each));

const ONLY_STYLES =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Content-Security-Policy: nothing is loaded, and at most the given script runs. */
export function policyOf(script?: string): string {
  if (script === undefined) return ONLY_STYLES;
  const hash = toBase64(sha256(utf8(script)));
  return `${ONLY_STYLES}; script-src 'sha256-${hash}'; img-src data: blob:`;
}

/** In pure ASCII, so that its bytes and its hash are plain. */
export const asciiScript = (script: string): string =>
  script.replace(/[\u0080-\uffff]/g, (each) => {
    return `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

const utf8 = (ascii: string): Uint8Array =>
  Uint8Array.from(ascii, (character) => character.charCodeAt(0));

/** Where the script draws, before it does: nothing. */
export const explorer = (): Markup => html`<div id="explorer"></div>
`;

/** At the end of the body. */
export function dataAndScript({ runs, script }: InteractivePage): Markup {
  const data = runs.map(
    (run) => html`<script type="application/gzip" class="run">${trusted(
      toBase64(packed(dataOf(run))),
    )}</script>
`,
  );
  return html`${data}<script>${trusted(script)}</script>
`;
}
