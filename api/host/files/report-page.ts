/** The page of a run with its script, and the file of recorded columns beside the result. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RunColumns } from '../../../core/result/columns.ts';
import { packed } from '../../../reports/packing/packed.ts';
import { renderHtml } from '../../../reports/pages/html.ts';
import { type PageScript, pageRun } from '../../../reports/pages/interactive-parts.ts';
import type { ReportInput } from '../../../reports/stories/run/report-input.ts';
import { packageFile } from './package-root.ts';

/** What a page runs in a browser, bundled by api/bundle-page.mjs. */
export function pageScript(): PageScript {
  const text = readFileSync(packageFile('dist/report-page.js'), 'latin1');
  return { text, hash: createHash('sha256').update(text, 'latin1').digest('base64') };
}

/** Bytes of the file, which a page has, too. */
export const columnsFile = (columns: RunColumns): Uint8Array => packed(columns);

/** `columns`: those of the input, packed. */
export const reportPage = (input: ReportInput, columns?: Uint8Array): string =>
  renderHtml(input, {
    script: pageScript(),
    runs: [pageRun(input, columns, input.result.scenario.name)],
  });
