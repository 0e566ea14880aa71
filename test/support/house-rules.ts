/** The rules of the house as checks of its files, each with a planted break that it must notice. */
import { posix } from 'node:path';
import { blocksOf, type Import, lineOf, readSource, type Source } from './source.ts';

/** Text files by path from the root. */
export type Files = Readonly<Record<string, string>>;

export interface Rule {
  readonly name: string;
  /** One sentence per break, with the place; nothing when the rule is kept. */
  check(house: House): string[];
  /** Files that break the rule, one kind of break each. */
  readonly breaks: readonly Files[];
  /** Files that come close and keep it. */
  readonly keeps: Files;
}

export interface House {
  readonly files: Files;
  readonly sources: readonly Source[];
}

export function houseOf(files: Files): House {
  const paths = Object.keys(files).filter((path) => /\.(ts|mjs)$/.test(path));
  return { files, sources: paths.map((path) => readSource(path, files[path])) };
}

/** A relative import as a path from the root, any other as `package:name` or `node:name`. */
export function targetOf(source: Source, { specifier }: Import): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(source.path), specifier);
  if (specifier.startsWith('node:')) return specifier;
  return `package:${/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0]}`;
}

/** Applies `judge` to every import of the house. */
function eachImport(
  judge: (target: string, source: Source, imported: Import) => string | undefined,
): Rule['check'] {
  return ({ sources }) =>
    sources.flatMap((source) =>
      source.imports.flatMap((imported) => {
        const why = judge(targetOf(source, imported), source, imported);
        return why === undefined ? [] : [`${source.path} imports ${imported.specifier}: ${why}`];
      }),
    );
}

/** Finds `pattern` in the code of the files that `where` names. */
function banned(where: RegExp, pattern: RegExp, except?: RegExp): Rule['check'] {
  return ({ sources }) =>
    sources
      .filter(({ path }) => where.test(path) && !except?.test(path))
      .flatMap((source) => found(source.path, source.code, pattern));
}

function found(path: string, text: string, pattern: RegExp): string[] {
  const all = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
  return [...text.matchAll(all)].map(
    (match) => `${path}:${lineOf(text, match.index)} has ${JSON.stringify(match[0].trim())}`,
  );
}

/** The never-table of the architecture: `from` never imports `never`, but for `except`. */
interface Wall {
  readonly name: string;
  readonly from: RegExp;
  readonly never: RegExp;
  readonly except?: RegExp;
  /** Two paths: an import that breaks the wall, and one that keeps it. */
  readonly breaks: readonly [string, string];
  readonly keeps: readonly [string, string];
}

const PRODUCT = /^(sim|core|scenarios|reports|api)\//;

const WALLS: readonly Wall[] = [
  {
    name: 'the network knows nothing of the floors above',
    from: /^sim\//,
    never: /^(core|scenarios|reports|api)\//,
    breaks: ['sim/network.ts', 'core/world.ts'],
    keeps: ['sim/network.ts', 'sim/radio/medium.ts'],
  },
  {
    name: 'only the World touches the living network; plain plans and the standard are free',
    from: /^core\/(?!world\.ts$)/,
    never: /^sim\//,
    except: /^sim\/(base\/|lorawan\/|network-plan\.ts$)/,
    breaks: ['core/devices.ts', 'sim/network.ts'],
    keeps: ['core/world.ts', 'sim/network.ts'],
  },
  {
    name: 'the platform knows nothing of those who ask and tell',
    from: /^core\//,
    never: /^(scenarios|reports|api)\//,
    breaks: ['core/result.ts', 'reports/kpi.ts'],
    keeps: ['core/keys.ts', 'sim/lorawan/aes.ts'],
  },
  {
    name: 'the standard does not know the product',
    from: /^sim\/lorawan\//,
    never: /^/,
    except: /^sim\/(lorawan|base)\//,
    breaks: ['sim/lorawan/frame.ts', 'sim/events.ts'],
    keeps: ['sim/lorawan/frame.ts', 'sim/base/bytes.ts'],
  },
  {
    name: 'a device meets the network as bytes only',
    from: /^sim\/device\//,
    never: /^sim\/(network-server|gateway)\//,
    breaks: ['sim/device/mac.ts', 'sim/network-server/uplink.ts'],
    keeps: ['sim/device/mac.ts', 'sim/lorawan/frame.ts'],
  },
  {
    name: 'the network meets a device as bytes only',
    from: /^sim\/(network-server|gateway)\//,
    never: /^sim\/device\//,
    breaks: ['sim/gateway/gateway.ts', 'sim/device/mac.ts'],
    keeps: ['sim/network-server/uplink.ts', 'sim/gateway/backhaul.ts'],
  },
  {
    name: 'the kernel is a clock and a few data structures',
    from: /^sim\/kernel\//,
    never: /^/,
    except: /^sim\/(kernel|base)\//,
    breaks: ['sim/kernel/digest.ts', 'sim/lorawan/aes.ts'],
    keeps: ['sim/kernel/event-queue.ts', 'sim/base/assert.ts'],
  },
  {
    name: 'a report reads results, not a living world',
    from: /^reports\//,
    never: /^(sim|core|scenarios|api)\//,
    except: /^(core\/result\.ts$|sim\/(base|lorawan)\/|sim\/(network-plan|observer)\.ts$)/,
    breaks: ['reports/kpi.ts', 'core/world.ts'],
    keeps: ['reports/kpi.ts', 'core/result.ts'],
  },
  {
    name: 'what asks worlds does not know the doors',
    from: /^scenarios\//,
    never: /^api\//,
    breaks: ['scenarios/load.ts', 'api/host/files.ts'],
    keeps: ['scenarios/run.ts', 'core/world.ts'],
  },
  {
    name: 'the one sideways door leads from studies and expectations to statistics and figures',
    from: /^scenarios\//,
    never: /^reports\//,
    breaks: ['scenarios/load.ts', 'reports/kpi.ts'],
    keeps: ['api/cli/report.ts', 'reports/kpi.ts'],
  },
  {
    name: 'the product does not lean on its tests',
    from: PRODUCT,
    never: /^(test\/|package:vitest$)/,
    breaks: ['api/cli/run.ts', 'test/support/vectors.ts'],
    keeps: ['test/kernel/digest.test.ts', 'test/support/vectors.ts'],
  },
  {
    name: 'an import never leaves the project',
    from: /^/,
    never: /^\.\./,
    breaks: ['test/house.test.ts', '../shared/reference/vectors/adr.json'],
    keeps: ['test/lorawan/adr.test.ts', 'test/vectors/adr.json'],
  },
  {
    name: 'mathjs has one door',
    from: /^(?!reports\/statistics\.ts$|scenarios\/study|api\/host\/|test\/)/,
    never: /^package:mathjs$/,
    breaks: ['scenarios/load.ts', 'package:mathjs'],
    keeps: ['reports/statistics.ts', 'package:mathjs'],
  },
  {
    name: 'seedrandom has one door',
    from: /^(?!sim\/base\/random\.ts$|test\/)/,
    never: /^package:seedrandom$/,
    breaks: ['sim/device/traffic.ts', 'package:seedrandom'],
    keeps: ['sim/base/random.ts', 'package:seedrandom'],
  },
  {
    name: 'msgpack is for journals, snapshots and traces',
    from: /^(?!test\/|.*\b(?:journal|snapshot|trace)\b)/,
    never: /^package:@msgpack\/msgpack$/,
    breaks: ['core/logs.ts', 'package:@msgpack/msgpack'],
    keeps: ['api/host/snapshot-file.ts', 'package:@msgpack/msgpack'],
  },
  {
    name: 'pino has one door',
    from: /^(?!api\/host\/logger\.ts$)/,
    never: /^package:pino$/,
    breaks: ['api/cli/run.ts', 'package:pino'],
    keeps: ['api/host/logger.ts', 'package:pino'],
  },
  {
    name: 'the terminal belongs to the command line',
    from: /^(?!api\/cli\/|test\/)/,
    never: /^package:(yargs|cli-progress|cli-table3)$/,
    breaks: ['api/host/files.ts', 'package:yargs'],
    keeps: ['api/cli/main.ts', 'package:yargs'],
  },
  {
    name: 'vega draws charts for reports',
    from: /^(?!reports\/render\/|api\/host\/|test\/)/,
    never: /^package:vega(-lite)?$/,
    breaks: ['reports/kpi.ts', 'package:vega'],
    keeps: ['reports/render/charts.ts', 'package:vega-lite'],
  },
];

/** The sideways door, and nothing else that breaks the wall it goes through. */
const SIDEWAYS_FROM = /^scenarios\/(study|expectations)(\.ts$|\/)/;
const SIDEWAYS_TO = /^reports\/(statistics|kpi)(\.ts$|\/)/;

function wallRule(wall: Wall): Rule {
  const plant = ([from, to]: readonly [string, string]): Files => {
    const specifier = to.startsWith('package:')
      ? to.slice('package:'.length)
      : `./${posix.relative(posix.dirname(from), to)}`;
    return { [from]: `import { a } from '${specifier}';\n` };
  };
  return {
    name: wall.name,
    check: eachImport((target, source) => {
      if (!wall.from.test(source.path) || !wall.never.test(target)) return undefined;
      if (wall.except?.test(target)) return undefined;
      if (SIDEWAYS_FROM.test(source.path) && SIDEWAYS_TO.test(target)) return undefined;
      return wall.name;
    }),
    breaks: [plant(wall.breaks)],
    keeps: plant(wall.keeps),
  };
}

const importRules: readonly Rule[] = [
  {
    name: 'studies and expectations may use the sideways door',
    check: wallRule(WALLS.find(({ breaks }) => breaks[0] === 'scenarios/load.ts')!).check,
    breaks: [{ 'scenarios/expectations.ts': `import { a } from '../api/cli/main.ts';` }],
    keeps: { 'scenarios/expectations.ts': `import { KPIS } from '../reports/kpi.ts';` },
  },
  {
    name: 'mathjs is loaded when it is needed, since loading takes a second',
    check: eachImport((target, _, { how }) =>
      target === 'package:mathjs' && how === 'static' ? 'use import()' : undefined,
    ),
    breaks: [{ 'api/host/expressions.ts': `import { evaluate } from 'mathjs';` }],
    keeps: {
      'api/host/expressions.ts': `import type { M } from 'mathjs';\nconst m = import('mathjs');`,
    },
  },
  {
    name: 'the floors below the doors are free of Node.js',
    check: eachImport((target, { path }) =>
      /^(sim|core|scenarios|reports)\//.test(path) && target.startsWith('node:')
        ? 'they run in a browser too'
        : undefined,
    ),
    breaks: [{ 'core/world.ts': `import { readFileSync } from 'node:fs';` }],
    keeps: { 'api/host/files.ts': `import { readFileSync } from 'node:fs';` },
  },
  {
    name: 'a relative import names its file with the extension',
    check: eachImport((target, { path }, { specifier }) =>
      specifier.startsWith('.') && !/\.(ts|json|mjs|js)$/.test(target)
        ? 'no extension'
        : specifier.startsWith('.') && /\.ts$/.test(path) && /\.js$/.test(target)
          ? 'the source ends in .ts'
          : undefined,
    ),
    breaks: [
      { 'sim/network.ts': `import { a } from './events';` },
      { 'sim/network.ts': `import { a } from './events.js';` },
    ],
    keeps: { 'sim/network.ts': `import { a } from './events.ts';` },
  },
  {
    name: 'there are no barrels: nothing is exported on, but at the doors of the package',
    check: eachImport((_, { path }, { how }) =>
      how === 'reexport' && !/^(sim\/library|scenarios\/testing)\.ts$/.test(path)
        ? 'an import path names the room'
        : undefined,
    ),
    breaks: [
      { 'sim/radio/index.ts': `export * from './medium.ts';` },
      { 'sim/radio/index.ts': `export type { Medium } from './medium.ts';` },
    ],
    keeps: { 'sim/library.ts': `export { Network } from './network.ts';\nexport const a = 'b';` },
  },
  {
    name: 'imports make no circle',
    check: circles,
    breaks: [
      {
        'sim/a.ts': `import { b } from './b.ts';`,
        'sim/b.ts': `import type { C } from './c/c.ts';`,
        'sim/c/c.ts': `import { a } from '../a.ts';`,
      },
      { 'sim/a.ts': `import { a } from './a.ts';` },
    ],
    keeps: {
      'sim/a.ts': `import { b } from './b.ts';\nimport { c } from './c.ts';`,
      'sim/b.ts': `import { c } from './c.ts';`,
      'sim/c.ts': '',
    },
  },
];

/** Walks the imports depth first; one that leads back into the present path closes a circle. */
function circles({ sources }: House): string[] {
  const targets = new Map(
    sources.map((source) => [source.path, source.imports.map((one) => targetOf(source, one))]),
  );
  const done = new Set<string>();
  const circlesFound: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const back = trail.indexOf(path);
    if (back >= 0) circlesFound.push([...trail.slice(back), path].join(' → '));
    if (back >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return circlesFound;
}

const BELOW = /^(sim|core|scenarios|reports)\//;
const EVERYWHERE = /^/;
const inSim = (code: string): Files => ({ 'sim/network.ts': code });

/** A name that is neither a property nor the key of one. */
const globals = (names: string): RegExp => new RegExp(`(?<![.\\w$])(${names})\\b(?!\\s*[?:])`);

/** What IEEE 754 or the language defines to the last bit. */
const EXACT = 'sqrt|abs|min|max|floor|ceil|round|trunc|imul|clz32|fround';

const codeRules: readonly Rule[] = [
  {
    name: 'time comes in as an argument: no Date, no timers',
    check: banned(
      BELOW,
      globals('Date|set(Timeout|Interval|Immediate)|clear(Timeout|Interval)|queueMicrotask'),
    ),
    breaks: [
      inSim('const t = Date.now();'),
      inSim('setTimeout(f, 1);'),
      inSim('queueMicrotask(f);'),
    ],
    keeps: inSim('/** Date.now */ const startDate = plan.Date; // setTimeout'),
  },
  {
    name: 'arithmetic has the same bits on every engine',
    check: banned(
      BELOW,
      new RegExp(`\\bMath\\b(?!\\.(${EXACT}|[A-Z][A-Z0-9_]*)\\b)(\\.\\w+)?|\\*\\*`),
    ),
    breaks: [
      inSim('Math.random()'),
      inSim('Math.pow(2, 3)'),
      inSim('const { log10 } = Math;'),
      inSim('2 ** x'),
      inSim('a **= 2'),
      inSim('`${' + ' 10 ** n }`'),
    ],
    keeps: inSim('/* 2 ** 3 */ Math.sqrt(2) + Math.PI + a * b; const re = /a**b/;'),
  },
  {
    name: 'nothing depends on a language or a place',
    check: banned(BELOW, /\bIntl\b|\.(toLocale\w*|localeCompare|normalize)\s*\(/),
    breaks: [inSim('new Intl.NumberFormat()'), inSim('a.localeCompare(b)')],
    keeps: inSim('/** Intl */ const text = a.toString();'),
  },
  {
    name: 'the floors below the doors do not log, and run no code that is not theirs',
    check: banned(BELOW, globals('console|WebAssembly|globalThis|eval|Function')),
    breaks: [
      inSim('console.log(1)'),
      inSim('new WebAssembly.Module(b)'),
      inSim('globalThis.Date'),
      inSim('new Function(a)'),
    ],
    keeps: inSim(`plan.console; // console`),
  },
  {
    name: 'nothing waits below the doors, but the drawing of reports',
    check: banned(
      BELOW,
      new RegExp(`${globals('Promise(Like)?|Atomics|async|await').source}|\\.then\\s*\\(`),
      /^reports\/render\//,
    ),
    breaks: [
      inSim('async function f() {}'),
      inSim('let p: Promise<void>;'),
      { 'reports/kpi.ts': 'await f()' },
    ],
    keeps: { 'reports/render/html.ts': 'export async function html(): Promise<string> {}' },
  },
  {
    name: 'no value is of any type',
    check: banned(
      EVERYWHERE,
      /\bas\s+any\b|[:<|&]\s*any\b|\bany(>|\[\])|\btype\s+\w+\s*=\s*any\b/,
      /(^|\/)(schema|message)\.ts$/,
    ),
    breaks: [inSim('let a: any;'), inSim('b as any;'), inSim('const c: Map<A, any> = d;')],
    keeps: inSim(`/** any */ const company = z.any(); f(any); const say = 'any: any'; // as any`),
  },
  {
    name: 'no export is a default',
    check: banned(EVERYWHERE, /\bexport\s+default\b|\bas\s+default\b/, /(^|\/)vitest\.config\.ts$/),
    breaks: [inSim('export default 1;'), inSim('export { a as default };')],
    keeps: inSim('switch (a) { default: b(); }'),
  },
  {
    name: 'no finding of the compiler or the linter is silenced without a reason',
    check: ({ sources }) =>
      sources.flatMap(({ path, text }) =>
        found(path, text, /@ts-(ignore|nocheck|expect-error)|biome-ignore [^:\n]*:?\s*(?=\n|$)/),
      ),
    breaks: [inSim(`// @ts-${'ignore'}\n`), inSim(`// biome-${'ignore'} lint/style/a\nlet b;`)],
    keeps: inSim(`// biome-${'ignore'} format: a table is read by columns.\nlet b;`),
  },
  {
    name: 'a test file expects something, and none of its tests is left out or alone',
    check: ({ sources }) =>
      sources
        .filter(({ path }) => path.endsWith('.test.ts'))
        .flatMap(({ path, code }) => [
          ...(/\bexpect\s*\(/.test(code) ? [] : [`${path} expects nothing`]),
          ...found(path, code, /\b(it|test|describe)\.(only|skip|todo|fails)\b/),
        ]),
    breaks: [
      { 'test/a.test.ts': `it('is', () => {}); // expect(1)` },
      { 'test/a.test.ts': `it.skip('is', () => { expect(1).toBe(1); });` },
      { 'test/a.test.ts': `describe.only('a', () => { expect(1).toBe(1); });` },
    ],
    keeps: { 'test/a.test.ts': `it('is', () => { expect(1).toBe(1); });` },
  },
];

const MOST_COLUMNS = 100;
const MOST_LINES = 600;
const MOST_FUNCTION_LINES = 70;
/** Files that are tables of literals, so longer than others may be. */
const LITERAL_TABLES: readonly string[] = [];

const lines = (count: number): string => 'a();\n'.repeat(count);

const sizeRules: readonly Rule[] = [
  {
    name: 'a line has at most 100 columns',
    check: ({ sources }) =>
      sources.flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, i) => {
          const columns = [...line].length;
          return columns > MOST_COLUMNS ? [`${path}:${i + 1} has ${columns} columns`] : [];
        }),
      ),
    breaks: [inSim(`// ${'a'.repeat(98)}`)],
    keeps: inSim(`// ${'µ'.repeat(97)}\n`),
  },
  {
    name: 'a file has at most 600 lines, tables of literals excepted',
    check: ({ sources }) =>
      sources
        .filter(({ path }) => !LITERAL_TABLES.includes(path))
        .map(({ path, text }) => ({ path, count: text.trimEnd().split('\n').length }))
        .filter(({ count }) => count > MOST_LINES)
        .map(({ path, count }) => `${path} has ${count} lines`),
    breaks: [inSim(lines(601))],
    keeps: inSim(lines(600)),
  },
  {
    name: 'a function has at most 70 lines',
    check: ({ sources }) =>
      sources.flatMap(({ path, code }) =>
        blocksOf(code)
          .filter(({ kind, lines }) => kind === 'function' && lines > MOST_FUNCTION_LINES)
          .map(({ firstLine, lines }) => `${path}:${firstLine} is a function of ${lines} lines`),
      ),
    breaks: [
      inSim(`function f(a: { b: number }): number {\n${lines(70)}}`),
      inSim(`const f = (a: number): { b: number } => {\n${lines(70)}};`),
      inSim(`class A {\n  g(): Map<string, { b: number }> {\n${lines(70)}}\n}`),
      inSim(`class A extends B {\n  #g(): void {\n    if (a) {\n${lines(70)}}\n  }\n}`),
    ],
    keeps: inSim(
      [
        `function f() {\n${lines(68)}}`,
        `export class A extends B {\n${lines(90)}}`,
        `export interface C {\n${lines(90)}}`,
        `const d = {\n${lines(90)}};`,
        `g({\n${lines(90)}});`,
        `describe('a', () => {\n${lines(90)}});`,
      ].join('\n'),
    ),
  },
];

/** Everything a person reads, but the texts that others wrote. */
function readable({ files }: House): [string, string][] {
  return Object.entries(files).filter(([path]) => !/^(LICENSE|package-lock\.json)$/.test(path));
}

/** Words are split here, so that this file keeps its own rules. */
const FOREIGN_WORDS = [
  'pro(?:)mpts?',
  'chat(?:)bot',
  'language mo(?:)dels?',
  'LL(?:)Ms?',
  '(?:this|last|next|previous|coding|chat|earlier|later) se(?:)ssion',
  'se(?:)ssion (?:notes?|logs?|transcript)',
  'AI assi(?:)stants?',
];

const wordRules: readonly Rule[] = [
  {
    name: 'nothing is put off in a comment',
    check: (house) =>
      readable(house).flatMap(([path, text]) =>
        found(path, text, /\b(TO[D]O|FIX[M]E|X[X]X|HAC[K])\b/),
      ),
    breaks: [inSim(`// ${'TO'}${'DO'}: later`), { 'README.md': `${'FIX'}${'ME'}` }],
    keeps: inSim('const todos = 1;'),
  },
  {
    name: 'the project speaks of the product only',
    check: (house) =>
      readable(house).flatMap(([path, text]) =>
        found(path, text, new RegExp(`\\b(${FOREIGN_WORDS.join('|')})\\b`, 'i')),
      ),
    breaks: [
      inSim(`// as the ${'pro'}${'mpt'} says`),
      { 'README.md': `done in the previous ${'ses'}${'sion'}` },
    ],
    keeps: { 'README.md': 'A multicast session starts promptly; the session history of keys.' },
  },
  {
    name: 'no path of a machine is named',
    check: (house) =>
      readable(house).flatMap(([path, text]) =>
        found(path, text, /(?<![\w.:/-])\/(work|root|home|Users)\/\w*/),
      ),
    breaks: [inSim(`// see ${'/wo'}${'rk/'}shared`), { 'a.yaml': `file: "${'/ro'}${'ot/'}a"` }],
    keeps: { 'README.md': 'api/work/x https://a.example/home/page ./work/a' },
  },
  {
    name: 'the lock file names no registry',
    check: ({ files }) =>
      found('package-lock.json', files['package-lock.json'] ?? '', /"resolved"/),
    breaks: [{ 'package-lock.json': '{"resolved": "https://registry.example/a.tgz"}' }],
    keeps: { 'package-lock.json': '{"version": "1.0.0"}' },
  },
];

export const HOUSE_RULES: readonly Rule[] = [
  ...WALLS.map(wallRule),
  ...importRules,
  ...codeRules,
  ...sizeRules,
  ...wordRules,
];
