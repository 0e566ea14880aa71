/**
 * Bundles the command line into dist/fleetwave.js, with what is loaded later in dist/chunks and
 * dist/scripts. A command that starts meanwhile finds either the old or the new one whole.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { ascii } from './ascii.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** What a bundle does not take in. */
const EXTERNAL = [
  // It is native code.
  'classic-level',
  // They look for files that lie beside their code.
  /^@fastify\/swagger-ui/,
  'piscina',
  // Few need them (api/engine/).
  'bullmq',
  'ioredis',
  'pg',
  // Fastify loads them only where it is given no compilers of its own (api/http/compilers.ts).
  /^@fastify\/(ajv|fast-json-stringify)-compiler/,
];

/** Comments and white space cost time at every start; names stay, for stack traces. */
const minify = { compress: false, mangle: false, codegen: true };

const PROGRAM = 'fleetwave';

const OWN_WIDTHS = '\0own-widths';
const TEXT_WIDTH = JSON.stringify(path('./cli/text-width.ts'));

/**
 * yargs measures its help by a package that makes a segmenter of the world's scripts at every
 * start: a twelfth of a short run, for a help that is seldom asked for.
 */
const ownWidths = {
  name: 'own-widths',
  resolveId: (asked, _, { kind }) =>
    asked === 'string-width' && kind === 'import-statement' ? OWN_WIDTHS : null,
  load: (id) => (id === OWN_WIDTHS ? `export { textWidth as default } from ${TEXT_WIDTH}` : null),
};

/** Its other entry point asks for worker threads, which no page needs, at every start. */
const alias = { fflate: 'fflate/browser' };

async function bundled(input, format, plugins = []) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    cwd: path('..'),
    external: EXTERNAL,
    resolve: { alias },
    plugins: [ownWidths, ...plugins],
    // yargs looks for files of settings beside itself, which Fleetwave has none of.
    checks: { emptyImportMeta: false },
  });
  const { output } = await bundle.generate({ minify, ...format });
  await bundle.close();
  return output;
}

const modules = await bundled(
  // The second begins the threads of a study (api/workers/threads.ts).
  {
    'command-line': path('./cli/command-line.ts'),
    'study-worker': path('./workers/study-worker.ts'),
  },
  {
    format: 'esm',
    entryFileNames: ({ name }) =>
      name === 'study-worker' ? '[name].js' : 'chunks/[name]-[hash].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
);

const commandLine = modules.find(({ name, isEntry }) => isEntry && name === 'command-line');

/** The program is one file, since each further one costs a start of the loader. */
const program = await bundled(
  { [PROGRAM]: path('./cli/main.ts') },
  {
    format: 'esm',
    codeSplitting: false,
    entryFileNames: '[name].js',
    banner: '#!/usr/bin/env node',
  },
  [
    {
      name: 'command-line-apart',
      resolveId: (asked, _, { kind }) =>
        asked === './command-line.ts' && kind === 'dynamic-import'
          ? { id: `./${commandLine.fileName}`, external: 'relative' }
          : null,
    },
  ],
);

const script = async (name, entry, ...plugins) => {
  const [file] = await bundled(
    { [name]: path(entry) },
    { format: 'cjs', codeSplitting: false, entryFileNames: 'scripts/[name]-[hash].cjs' },
    plugins,
  );
  return { ...file, code: ascii(file.code) };
};

/** Commands that answer from a script; all others are loaded as modules (api/cli/main.ts). */
const only = (commands) => ({
  name: 'only-commands',
  resolveId: (asked, importer, { kind }) =>
    kind === 'dynamic-import' && /\/api\/cli\//.test(importer) && !commands.test(asked)
      ? { id: asked, external: true }
      : null,
});

/** What runs short is a script, too, whose code is stored (api/host/process/compiled-code.ts). */
const scripts = [
  await script(
    'command-line',
    './cli/command-line.ts',
    only(/^\.\/(run|validate|replay|plan|plan-file|schema|watch|summary)\.ts$|^\.\.\//),
  ),
  await script('calculators', './cli/command-line.ts', only(/^\.\/(airtime|fragments)\.ts$/)),
  await script('study-thread', './workers/study-thread.ts'),
];

const folders = ['chunks', 'scripts'];
for (const folder of folders) mkdirSync(path(`../dist/${folder}`), { recursive: true });
// The program comes last, when all that it may load is there.
const files = [...scripts, ...modules, ...program];
for (const file of files) {
  const target = path(`../dist/${file.fileName}`);
  writeFileSync(`${target}.new`, file.code, { mode: file.isEntry ? 0o755 : 0o644 });
  renameSync(`${target}.new`, target);
}
const created = new Set(files.map(({ fileName }) => fileName));
for (const folder of folders) {
  for (const name of readdirSync(path(`../dist/${folder}`))) {
    if (!created.has(`${folder}/${name}`))
      rmSync(path(`../dist/${folder}/${name}`), { force: true });
  }
}
