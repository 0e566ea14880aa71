/** The last section: how to run it again, and all that the run was made of. */
import type { ManifestFile } from '../../../core/result/manifest.ts';
import { type Content, html, type Markup } from '../../markup/markup.ts';
import { card } from '../../markup/parts.ts';
import { counted } from '../../text/format.ts';
import type { ReportInput } from './report-input.ts';
import { REPLAY, reproduction, SESSION_AGAIN } from './reproduction.ts';

export function reproductionSection(input: ReportInput): Markup {
  const { result, manifest, version, goesOn = false } = input;
  const byFile = reproduction(result, manifest);
  const { command, sentence } = goesOn ? SESSION_AGAIN : manifest ? REPLAY : byFile;
  return card(
    'Run it again',
    html`<pre><code>${command}</code></pre>
<p>${sentence} Its digest is <code>${result.digest}</code>: Fleetwave ${version} gives
the same one on every machine.</p>`,
    manifest === undefined
      ? ''
      : html`<p class="hint">From the file of the scenario. ${byFile.sentence}</p>
<pre><code>${byFile.command}</code></pre>
${unfolded('The scenario as it was read', manifest.scenario)}
${manifest.files.map(fileIn)}`,
  );
}

const fileIn = (file: ManifestFile): Content =>
  'text' in file
    ? unfolded(file.path, file.text)
    : html`<p class="hint">${file.path}, ${counted(bytesOf(file.base64), 'byte')}: its bytes are in
result.json.</p>`;

const unfolded = (name: string, text: string): Markup =>
  html`<details><summary>${name}, ${counted(text.trimEnd().split('\n').length, 'line')}</summary>
<pre><code>${text}</code></pre></details>
`;

/** Of base64 with its padding. */
const bytesOf = (base64: string): number =>
  (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);
