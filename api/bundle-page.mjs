/** Bundles what a report page runs in a browser into dist/report-page.js, as one script. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { ascii } from './ascii.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const bundle = await rolldown({
  input: path('../reports/interactive/app.tsx'),
  platform: 'browser',
  cwd: path('..'),
  transform: { target: 'es2022' },
});
const { output } = await bundle.generate({ format: 'iife', minify: true, codeSplitting: false });
await bundle.close();
mkdirSync(path('../dist'), { recursive: true });
// In ASCII, so that a page may hold it whatever its encoding, and its hash is that of its bytes.
const code = ascii(output[0].code);
const target = path('../dist/report-page.js');
writeFileSync(`${target}.new`, code);
renameSync(`${target}.new`, target);
