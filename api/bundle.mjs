/**
 * Bundles the command line into dist/fleetwave.js, with what is loaded later in dist/chunks and
 * dist/scripts. A command that starts meanwhile finds either the old or the new one whole.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** What a bundle does not take in. */
const EXTERNAL = [
  // It is native code.
  'classic-level',
  // It serves files that lie beside its code.
  /^@fastify\/swagger-ui/,
  // Fastify loads them only where it is given no compilers of its own (api/http/compilers.ts).
  /^@fastify\/(ajv|fast-json-stringify)-compiler/,
];

/** Comments and white space cost time at every start; names stay, for stack traces. */
const minify = { compress: false, mangle: false, codegen: true };

async function bundled(input, format, external = []) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    cwd: path('..'),
    external: [...EXTERNAL, ...external],
    // yargs looks for files of settings beside itself, which Fleetwave has none of.
    checks: { emptyImportMeta: false },
  });
  const { output } = await bundle.generate({ minify, ...format });
  await bundle.close();
  return output;
}

const modules = await bundled(
  { fleetwave: path('./cli/main.ts') },
  {
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
  },
);

/** The commands that answer at once, in one script whose compiled code is kept. */
const scripts = await bundled(
  { 'command-line': path('./cli/command-line.ts') },
  { format: 'cjs', codeSplitting: false, entryFileNames: 'scripts/[name]-[hash].cjs' },
  // They are called for as modules (api/cli/main.ts).
  [/^\.\/(serve|exec|journal|serve-settings)\.ts$/],
);

const folders = ['chunks', 'scripts'];
for (const folder of folders) mkdirSync(path(`../dist/${folder}`), { recursive: true });
// The entry comes last, when all that it may load is there.
const files = [...scripts, ...modules.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry))];
for (const file of files) {
  const target = path(`../dist/${file.fileName}`);
  writeFileSync(`${target}.new`, file.code, { mode: file.isEntry ? 0o755 : 0o644 });
  renameSync(`${target}.new`, target);
}
const made = new Set(files.map(({ fileName }) => fileName));
for (const folder of folders) {
  for (const name of readdirSync(path(`../dist/${folder}`))) {
    if (!made.has(`${folder}/${name}`)) rmSync(path(`../dist/${folder}/${name}`), { force: true });
  }
}
