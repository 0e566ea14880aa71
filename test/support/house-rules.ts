/** The rules of the house as checks of its files, each with planted breaks that it must notice. */

import { EXPORT_RULES } from './house-exports.ts';
import { ROW_RULES } from './house-rows.ts';
import { banned, type Files, found, type House, type Rule, readable } from './house-rule.ts';
import { SOURCE_RULES } from './house-sources.ts';
import { IMPORT_RULES } from './house-walls.ts';
import { PROSE_RULES } from './prose-words.ts';
import { SENTENCE_RULES } from './sentences.ts';
import { blocksOf, isTableEntry, lineOf } from './source.ts';

const BELOW = /^(sim|core|scenarios|reports)\//;
/** Runs in a browser, which unpacks data and copies drawings in its own time. */
const IN_BROWSER = /^reports\/interactive\//;
const EVERYWHERE = /^/;
const inSim = (code: string): Files => ({ 'sim/network/network.ts': code });

/** A name that is neither a property nor the key of one. */
const globals = (names: string): RegExp => new RegExp(`(?<![.\\w$])(${names})\\b(?!\\s*[?:])`);

/** What IEEE 754 or the language defines to the last bit. */
const EXACT = 'sqrt|abs|min|max|floor|ceil|round|trunc|imul|clz32|fround';

/** What no type of the package lets through: there the silencing is the test. */
const MISUSES = 'test/fresh-project/misuses.ts';
const SILENCED = /@ts-(ignore|nocheck|expect-error)|biome-ignore [^:\n]*:?\s*(?=\n|$)/;

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
    name: 'the floors below the entry points do not log, and run no code that is not theirs',
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
    name: 'nothing waits below the entry points',
    check: banned(
      BELOW,
      new RegExp(`${globals('Promise(Like)?|Atomics|async|await').source}|\\.then\\s*\\(`),
      IN_BROWSER,
    ),
    breaks: [
      inSim('async function f() {}'),
      inSim('let p: Promise<void>;'),
      { 'reports/figures/figures.ts': 'await f()' },
      { 'reports/pages/html.ts': 'export async function html() {}' },
    ],
    keeps: { 'reports/pages/html.ts': '/** Who would await it? */ const awaited = a.async;' },
  },
  {
    name: 'no value is of any type',
    check: banned(
      EVERYWHERE,
      /\bas\s+any\b|(?:[:<]|(?<![|&])[|&])\s*any\b|\bany(>|\[\])|\btype\s+\w+\s*=\s*any\b/,
      /(^|\/)(schema|message)\.ts$/,
    ),
    breaks: [
      inSim('let a: any;'),
      inSim('b as any;'),
      inSim('const c: Map<A, any> = d;'),
      inSim('type E = F & any;'),
    ],
    keeps: inSim(
      `/** any */ const company = z.any(); f(any && !any); const say = 'any: any'; // as any`,
    ),
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
      sources.flatMap(({ path, text }) => (path === MISUSES ? [] : found(path, text, SILENCED))),
    breaks: [inSim(`// @ts-${'ignore'}\n`), inSim(`// biome-${'ignore'} lint/style/a\nlet b;`)],
    keeps: inSim(`// biome-${'ignore'} format: a table is read by columns.\nlet b;`),
  },
  {
    name: 'no list or object is spread where it is written: the formatter lays out its items',
    check: ({ sources }) => sources.flatMap(({ path, code }) => spreadLiterals(path, code)),
    breaks: [
      inSim("const a = [...['b', 'c'], 'd'];"),
      inSim('const a = [\n  ...[1, [2]],\n  3,\n];'),
      inSim('const a = { ...{ b, c: { d } }, e };'),
      inSim('f(...[a, b]);'),
    ],
    keeps: inSim('f(...[...a].sort()); const b = { ...c, ...(d ? [1] : []) }; // ...[1]'),
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

/** Spreads of lists and objects that are written there, not made by a call on them. */
function spreadLiterals(path: string, code: string): string[] {
  return [...code.matchAll(/\.\.\.[[{]/g)].flatMap(({ index, 0: { length } }) => {
    let end = index + length;
    for (let open = 1; open > 0 && end < code.length; end++) {
      if ('[{('.includes(code[end]!)) open++;
      if (']})'.includes(code[end]!)) open--;
    }
    const isLiteral = /^\s*[,\]})]/.test(code.slice(end));
    return isLiteral ? [`${path}:${lineOf(code, index)} spreads a literal`] : [];
  });
}

const MOST_LINES = 600;
const MOST_FUNCTION_LINES = 70;

const lines = (count: number): string => 'a();\n'.repeat(count);
/** Entries of tables, which count neither for a file nor for a function; and what is none. */
const TABLE = `b([\n${"'c',\n1,\nd: { e: [-2, 'f'], g: null },\n".repeat(30)}]);\n`;
const NO_TABLE = `b([\n${'c,\nd(1),\n...[2],\n{ e: [f] },\n'.repeat(18)}]);\n`;

const MOST_ARCHITECTURE_LINES = 250;

const sizeRules: readonly Rule[] = [
  {
    name: 'ARCHITECTURE.md has at most 250 lines',
    check: ({ files }) => {
      const count = (files['ARCHITECTURE.md'] ?? '').trimEnd().split('\n').length;
      return count > MOST_ARCHITECTURE_LINES ? [`ARCHITECTURE.md has ${count} lines`] : [];
    },
    breaks: [{ 'ARCHITECTURE.md': lines(251) }],
    keeps: { 'ARCHITECTURE.md': lines(250) },
  },
  {
    name: 'a file has at most 600 lines, entries of literal tables left out',
    check: ({ sources }) =>
      sources
        .filter(({ path }) => !path.includes('/generated/'))
        .map(({ path, code }) => {
          const counted = code
            .trimEnd()
            .split('\n')
            .filter((line) => !isTableEntry(line));
          return { path, count: counted.length };
        })
        .filter(({ count }) => count > MOST_LINES)
        .map(({ path, count }) => `${path} has ${count} lines`),
    breaks: [inSim(lines(601)), inSim(lines(590) + NO_TABLE)],
    keeps: inSim(lines(598) + TABLE),
  },
  {
    name: 'a function has at most 70 lines, entries of literal tables left out',
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
      inSim(`function f() {\n${NO_TABLE}}`),
    ],
    keeps: inSim(
      [
        `function f() {\n${lines(68)}}`,
        `function f() {\n${lines(66)}${TABLE}}`,
        `export class A extends B {\n${lines(90)}}`,
        `export interface C {\n${lines(90)}}`,
        `const d = {\n${lines(90)}};`,
        `g({\n${lines(90)}});`,
        `describe('a', () => {\n${lines(90)}});`,
      ].join('\n'),
    ),
  },
];

/** Words are split here, so that this file keeps its own rules. */
const FOREIGN_WORDS = [
  'pro(?:)mpts?',
  'chat(?:)bot',
  'language mo(?:)dels?',
  'LL(?:)Ms?',
  '(?:coding|chat|working|agent|our|my) se(?:)ssion',
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
      { 'README.md': `done in our ${'ses'}${'sion'}` },
    ],
    keeps: {
      'README.md': 'The next multicast session starts promptly; our device keeps its session.',
    },
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

/** `docs/decisions/0017-a-name.md`, which begins with `# 0017 `. */
const RECORD = /^docs\/decisions\/(\d{4})-[a-z0-9-]+\.md$/;

const recordsOf = ({ files }: House): string[] =>
  Object.keys(files)
    .flatMap((path) => RECORD.exec(path)?.[1] ?? [])
    .sort();

const records = (...numbers: string[]): Files =>
  Object.fromEntries(numbers.map((n, i) => [`docs/decisions/${n}-a${i}.md`, `# ${n} A choice\n`]));

const recordRules: readonly Rule[] = [
  {
    name: 'records of choices are numbered from 0001 without gap, and each names its number',
    check: (house) => [
      ...recordsOf(house)
        .filter((number, i) => Number(number) !== i + 1)
        .map((number) => `docs/decisions/${number} is twice, or one before it is missing`),
      ...Object.entries(house.files)
        .filter(([path, text]) => !text.startsWith(`# ${RECORD.exec(path)?.[1] ?? ''}`))
        .flatMap(([path]) => (RECORD.test(path) ? [`${path} does not begin with its number`] : [])),
    ],
    breaks: [
      records('0001', '0002', '0002'),
      records('0001', '0003'),
      { 'docs/decisions/0001-a.md': '# A choice' },
    ],
    keeps: records('0001', '0002'),
  },
  {
    name: 'a record that is named exists',
    check: (house) =>
      readable(house).flatMap(([path, text]) =>
        [...text.matchAll(/\bdecisions\/(\d{4})/g)]
          .filter(([, number = '']) => !recordsOf(house).includes(number))
          .map(([named]) => `${path} names ${named}`),
      ),
    breaks: [{ ...records('0001'), 'sim/network/network.ts': `// see decisions/${'0002'}` }],
    keeps: { ...records('0001'), 'sim/network/network.ts': `// see decisions/${'0001'}` },
  },
];

const MOST_READING_LINES = 1300;
const READING = /^\*\*The first 30 minutes\*\*.*?\n\n/ms;

/** This page and the files that the first part of its reading path names. */
function readingLines({ files }: House): string[] {
  const page = files['ARCHITECTURE.md'] ?? '';
  const paths = [...(READING.exec(page)?.[0] ?? '').matchAll(/`([^`]+)`/g)].map(
    ([, at = '']) => at,
  );
  const missing = paths.filter((path) => files[path] === undefined);
  if (missing.length > 0 || paths.length === 0) return [`not to be read: ${missing.join(', ')}`];
  const texts = [page, ...paths.map((path) => files[path] ?? '')];
  const count = texts.reduce((sum, text) => sum + text.trimEnd().split('\n').length, 0);
  return count > MOST_READING_LINES ? [`the first 30 minutes are ${count} lines`] : [];
}

/** Lines of code that what every resource is made of may have, without comments. */
const MOST_KIT_LINES = 400;

function kitLines({ files }: House): string[] {
  const texts = Object.keys(files).filter((path) => path.startsWith('core/kit/'));
  const codeOf = (text: string) =>
    text.split('\n').filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length;
  const count = texts.reduce((sum, path) => sum + codeOf(files[path] ?? ''), 0);
  return count > MOST_KIT_LINES ? [`core/kit has ${count} lines of code`] : [];
}

const READS = '**The first 30 minutes**: this page,\n`a.ts` → `b.ts`.\n\n`c.ts`\n';
const readingOf = (count: number): Files => ({
  'ARCHITECTURE.md': READS,
  'a.ts': lines(count),
  'b.ts': lines(100),
});

/** Entries of the recorded times that name no test file. */
function staleTimes({ files }: House): string[] {
  const recorded = Object.keys(JSON.parse(files['test/times.json'] ?? '{}') as object);
  return recorded.filter((path) => files[path] === undefined).map((path) => `${path} is no test`);
}

const TIMES = '{ "test/base/math.test.ts": { "cpu": 1 } }';

const pageRules: readonly Rule[] = [
  {
    name: 'every file of api/host/ stands in the folder of its subject',
    check: ({ files }) => Object.keys(files).filter((path) => /^api\/host\/[^/]+$/.test(path)),
    breaks: [{ 'api/host/worlds.ts': '' }],
    keeps: { 'api/host/world/worlds.ts': '', 'api/emulator.ts': '' },
  },
  {
    name: 'test/times.json records the times of test files that exist',
    check: staleTimes,
    breaks: [{ 'test/times.json': TIMES }],
    keeps: { 'test/times.json': TIMES, 'test/base/math.test.ts': 'expect(1).toBe(1);' },
  },
  {
    name: 'the kit of resources has at most 400 lines of code',
    check: kitLines,
    breaks: [{ 'core/kit/a.ts': lines(200), 'core/kit/b.ts': lines(201) }],
    keeps: { 'core/kit/a.ts': lines(400), 'core/base/b.ts': lines(100) },
  },
  {
    name: 'the first 30 minutes of the reading path are at most 1300 lines of files that exist',
    check: readingLines,
    breaks: [
      readingOf(1197),
      { ...readingOf(1), 'ARCHITECTURE.md': '# None' },
      { 'ARCHITECTURE.md': READS },
    ],
    keeps: readingOf(1196),
  },
];

export const HOUSE_RULES: readonly Rule[] = [
  ...pageRules,
  ...IMPORT_RULES,
  ...codeRules,
  ...sizeRules,
  ...wordRules,
  ...recordRules,
  ...SOURCE_RULES,
  ...ROW_RULES,
  ...EXPORT_RULES,
  ...PROSE_RULES,
  ...SENTENCE_RULES,
];
