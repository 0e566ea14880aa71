/** Bundles what a report page runs in a browser into dist/report-page.js, as one script. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

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
const code = output[0].code.replace(/[\u0080-\uffff]/g, (each) => {
  return `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
});
const target = path('../dist/report-page.js');
writeFileSync(`${target}.new`, code);
renameSync(`${target}.new`, target);
