/** Bundles the command line into dist/fleetwave.js, with what is loaded later in dist/chunks. */
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

rmSync(path('../dist/chunks'), { recursive: true, force: true });
const bundle = await rolldown({
  input: { fleetwave: path('./cli/main.ts') },
  platform: 'node',
  cwd: path('..'),
});
await bundle.write({
  dir: path('../dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
  banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false } },
});
await bundle.close();
chmodSync(path('../dist/fleetwave.js'), 0o755);
