/** The page of a run with its script, and the file of recorded columns beside the result. */
import { readFileSync } from 'node:fs';
import type { RunColumns } from '../../../core/result/columns.ts';
import { packed } from '../../../reports/packing/packed.ts';
import { renderHtml } from '../../../reports/pages/html.ts';
import { asciiScript, type PageRun } from '../../../reports/pages/interactive-parts.ts';
import type { ReportInput } from '../../../reports/stories/run/report-input.ts';
import { packageFile } from './package-root.ts';

/** What a page runs in a browser, bundled by api/bundle-page.mjs. */
export const pageScript = (): string =>
  asciiScript(readFileSync(packageFile('dist/report-page.js'), 'utf8'));

export const columnsFile = (columns: RunColumns): Uint8Array => packed(columns);

export const reportPage = (input: ReportInput): string =>
  renderHtml(input, { script: pageScript(), runs: [pageRun(input, input.result.scenario.name)] });

export function pageRun({ result, columns, expectations }: ReportInput, label: string): PageRun {
  const failing = expectations.filter(({ holds }) => !holds).map((one) => one.expectation);
  return { label, result, columns, failing };
}
