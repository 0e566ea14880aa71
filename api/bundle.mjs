/**
 * Bundles the command line into dist/fleetwave.js, with what is loaded later in dist/chunks. A
 * command that starts meanwhile finds either the old or the new one whole.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const bundle = await rolldown({
  input: { fleetwave: path('./cli/main.ts') },
  platform: 'node',
  cwd: path('..'),
  external: [
    // It is native code.
    'classic-level',
    // It serves files that lie beside its code.
    /^@fastify\/swagger-ui/,
    // Fastify loads them only where it is given no compilers of its own (api/http/compilers.ts).
    /^@fastify\/(ajv|fast-json-stringify)-compiler/,
  ],
});
const { output } = await bundle.generate({
  format: 'esm',
  // Comments and white space cost time at every start; names stay, for stack traces.
  minify: { compress: false, mangle: false, codegen: true },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
});
await bundle.close();

mkdirSync(path('../dist/chunks'), { recursive: true });
// The entry comes last, when all that it may load is there.
for (const file of output.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry))) {
  const target = path(`../dist/${file.fileName}`);
  writeFileSync(`${target}.new`, file.code, { mode: file.isEntry ? 0o755 : 0o644 });
  renameSync(`${target}.new`, target);
}
const made = new Set(output.map(({ fileName }) => fileName));
for (const name of readdirSync(path('../dist/chunks'))) {
  if (!made.has(`chunks/${name}`)) rmSync(path(`../dist/chunks/${name}`), { force: true });
}
