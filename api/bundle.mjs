/**
 * Bundles the command line into dist/fleetwave.js, with the scripts that it runs in dist/scripts.
 * A command that starts meanwhile finds either the old or the new one whole.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { ascii } from './ascii.mjs';
import { namedSenders } from './named-senders.mjs';
import { plainCode } from './plain-code.mjs';

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

const OWN_WIDTHS = '\0own-widths';
const TEXT_WIDTH = JSON.stringify(path('./cli/text-width.ts'));
const PLAIN_ASSERT = '\0plain-assert';

/** What yargs loads, and asks for at every start, is in a bundle what it needs of it. */
const lightYargs = {
  name: 'light-yargs',
  resolveId(asked, importer, { kind }) {
    if (kind !== 'import-statement') return null;
    if (asked === 'string-width') return OWN_WIDTHS;
    return asked === 'assert' && /[\\/]yargs[\\/]/.test(importer) ? PLAIN_ASSERT : null;
  },
  load: (id) => LIGHT.get(id) ?? null,
};

const LIGHT = new Map([
  // The package makes a segmenter of the world's scripts, for a help that is seldom asked for.
  [OWN_WIDTHS, `export { textWidth as default } from ${TEXT_WIDTH}`],
  // yargs looks for a version, and fails, before it is given ours: Node.js words that failure with
  // its place in the code, for which the engine parses it anew.
  [
    PLAIN_ASSERT,
    `const insist = (holds) => { if (!holds) throw new TypeError('yargs is used wrongly'); };
     export const strictEqual = (a, b) => insist(Object.is(a, b));
     export const notStrictEqual = (a, b) => insist(!Object.is(a, b));`,
  ],
]);

/** Its other entry point asks for worker threads, which no page needs, at every start. */
const alias = { fflate: 'fflate/browser' };

async function bundled(input, format, { plugins = [], define = {} } = {}) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    cwd: path('..'),
    resolve: { alias },
    transform: { define },
    plugins: [lightYargs, namedSenders, plainCode, ...plugins],
    // yargs looks for files of settings beside itself, which Fleetwave has none of.
    checks: { emptyImportMeta: false },
  });
  const { output } = await bundle.generate({ minify, codeSplitting: false, ...format });
  await bundle.close();
  return output[0];
}

const LAZY = '\0lazy:';
const isExternal = (asked) =>
  isBuiltin(asked) ||
  EXTERNAL.some((each) => (typeof each === 'string' ? each === asked : each.test(asked)));

/** What a script does not have within is loaded with the first part of it that imports it. */
const lazyExternals = {
  name: 'lazy-externals',
  resolveId(asked, importer, { kind }) {
    if (!isExternal(asked)) return null;
    if (importer?.startsWith(LAZY) || kind !== 'import-statement') {
      return { id: asked, external: true };
    }
    return LAZY + asked;
  },
  load: (id) =>
    id.startsWith(LAZY)
      ? `module.exports = require(${JSON.stringify(id.slice(LAZY.length))});`
      : null,
};

/** A script, whose code is stored after it has run (api/host/process/compiled-code.ts). */
async function script(name, entry, plugins = []) {
  const format = { format: 'cjs', entryFileNames: 'scripts/[name]-[hash].cjs' };
  const file = await bundled({ [name]: path(entry) }, format, {
    plugins: [lazyExternals, ...plugins],
  });
  return { ...file, code: ascii(withImportModule(file.code)) };
}

/**
 * A script with stored code imports nothing by itself on Node.js 20: packages that it imports when
 * they are needed come by `importPackage`, which it is given.
 */
const withImportModule = (code) =>
  code.replace(/\bimport\(([`"'])([@\w][\w@/:.-]*)\1\)/g, (whole, _, asked) =>
    isExternal(asked) ? `importPackage(${JSON.stringify(asked)})` : whole,
  );

/** Of the commands that the tables of words name, a script has some. */
const only = (commands) => ({
  name: 'only-commands',
  resolveId: (asked, importer, { kind }) =>
    kind === 'dynamic-import' &&
    /\/api\/cli\/([a-z]+-)?commands?\.ts$/.test(importer) &&
    !commands.test(asked)
      ? { id: asked, external: true }
      : null,
});

const COMMANDS = './cli/command-line.ts';
const commands = (name, words) =>
  script(name, COMMANDS, [only(new RegExp(`^\\./(${words})\\.ts$`))]);

/** The commands of each: the fewer they are, the sooner it starts (api/cli/script-for.ts). */
const scripts = {
  calculators: await commands('calculators', 'airtime|fragments'),
  runs: await commands('runs', 'run|validate|replay|plan|plan-file|schema|watch'),
  tools: await commands('tools', 'init|import|diff|report|explain|branch|completion|fidelity'),
  studies: await commands('studies', 'study.*|worker|plan.*'),
  services: await commands('services', 'serve.*|exec|journal|bridge.*'),
  'study-thread': await script('study-thread', './workers/study-thread.ts'),
};

const names = Object.entries(scripts).map(([name, { fileName }]) => [name, fileName]);

/** A program names its scripts, and so their contents: digests of builds lean on it. */
const program = (name, entry, banner) =>
  bundled(
    { [name]: path(entry) },
    { format: 'esm', entryFileNames: '[name].js', banner },
    {
      define: { SCRIPTS: JSON.stringify(Object.fromEntries(names)) },
      // What the sources load where there are no scripts.
      plugins: [
        {
          name: 'scripts-alone',
          resolveId: (asked, _, { kind }) =>
            kind === 'dynamic-import' ? { id: asked, external: true } : null,
        },
      ],
    },
  );

mkdirSync(path('../dist/scripts'), { recursive: true });
// The programs come last, when all that they may load is there.
const files = [
  ...Object.values(scripts),
  // It begins the threads of a study (api/workers/threads.ts).
  await program('study-worker', './workers/study-worker.ts', ''),
  await program('fleetwave', './cli/main.ts', '#!/usr/bin/env node'),
];
for (const file of files) {
  const target = path(`../dist/${file.fileName}`);
  const created = `${target}.${process.pid}`;
  writeFileSync(created, file.code, { mode: 0o755 });
  renameSync(created, target);
}
const current = new Set(files.map(({ fileName }) => fileName));
for (const name of readdirSync(path('../dist/scripts'))) {
  // Another bundler may be at work, under names of its own.
  if (name.endsWith('.cjs') && !current.has(`scripts/${name}`))
    rmSync(path(`../dist/scripts/${name}`), { force: true });
}
// That of builds before all commands were scripts.
rmSync(path('../dist/chunks'), { recursive: true, force: true });
