/** Every export is used by the product; those that tests alone use are in one list. */
import { posix } from 'node:path';
import type { Files, House, Rule } from './house-rule.ts';
import type { Source } from './source.ts';
import { TESTED_EXPORTS } from './tested-exports.ts';

const PRODUCT = /^(sim|core|scenarios|reports|api)\//;
/** The faces of the package, whose exports are for its users; and what is generated. */
const FACES = new RegExp(
  [
    '^(sim|core|reports)/library',
    '^scenarios/(scenarios|testing/testing)',
    '^api/(emulator|client/client|.*/generated/.*)',
  ].join('|'),
);
/** Called by its name from elsewhere: piscina calls what threads export. */
const CALLED_BY_NAME = new RegExp(
  [
    String.raw`^api/workers/study-worker\.ts runTasks$`,
    // The sender of a kind of targets (senders.ts).
    String.raw`^api/host/deliveries/senders/[a-z-]+\.ts [a-z]\w*Sender$`,
  ].join('|'),
);

const EXPORTED = new RegExp(
  '^export (?:declare |abstract |async )*' +
    String.raw`(function\*?|const|let|class|interface|type|enum) +([\w$]+)`,
  'gm',
);
const NAMED = new RegExp(
  String.raw`(?:import|export)(?: type)? *(?:[\w$]+ *, *)?` +
    String.raw`(\{[^}]*\}|\* as [\w$]+|\*) *from *'([^']+)'`,
  'g',
);
/** Files that are named by a string: `import('./a.ts')`, and what bundle.mjs begins with. */
const BY_STRING = /(?<!from )'(\.{1,2}\/[^'\n]+\.ts)'/g;

/** `path name`, or `path *` where any name may be meant. */
type Use = string;

/** What a file takes from others by name. */
function usesIn({ path, text }: Source): Use[] {
  const from = (specifier: string) => posix.join(posix.dirname(path), specifier);
  const named = [...text.matchAll(NAMED)].flatMap(([, names = '', specifier = '']) => {
    const target = from(specifier);
    if (names.startsWith('*')) return [`${target} *`];
    const each = names.slice(1, -1).split(',');
    return each.map(
      (one) =>
        `${target} ${
          one
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0]
        }`,
    );
  });
  const byString = [...text.matchAll(BY_STRING)].map(([, specifier = '']) => from(specifier));
  const words = byString.length === 0 ? [] : [...new Set(text.match(/[\w$]+/g))];
  return [...named, ...byString.flatMap((target) => words.map((word) => `${target} ${word}`))];
}

interface Exported {
  readonly path: string;
  readonly name: string;
  /** What others mention without its name: a type in a signature, a class in an inferred type. */
  readonly isMentioned: boolean;
}

function exportsOf({ path, code }: Source): Exported[] {
  return [...code.matchAll(EXPORTED)].map(([, kind = '', name = '']) => {
    const count = code.match(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'))?.length ?? 0;
    return { path, name, isMentioned: /class|interface|type/.test(kind) && count > 1 };
  });
}

/** Exports that no other file of the product uses, as `path name`. */
function unused({ sources }: House): string[] {
  const product = sources.filter(({ path }) => PRODUCT.test(path));
  const used = new Set(product.flatMap(usesIn));
  return product
    .filter(({ path }) => path.endsWith('.ts') && !FACES.test(path))
    .flatMap(exportsOf)
    .filter(({ path, name, isMentioned }) => {
      const isUsed = used.has(`${path} ${name}`) || used.has(`${path} *`);
      return !isMentioned && !isUsed && !CALLED_BY_NAME.test(`${path} ${name}`);
    })
    .map(({ path, name }) => `${path} ${name}`);
}

function check(house: House): string[] {
  const found = unused(house);
  const others = house.sources.filter(({ path }) => !PRODUCT.test(path));
  const tested = new Set(others.flatMap(usesIn));
  const listed = new Set(TESTED_EXPORTS);
  return [
    ...found
      .filter((use) => !listed.has(use))
      .map((use) => `${use} is ${tested.has(use) ? 'used by tests alone' : 'used by nobody'}`),
    ...TESTED_EXPORTS.filter((use) => {
      const [path = ''] = use.split(' ');
      return path in house.files && !found.includes(use);
    }).map((use) => `${use} is listed, and the product uses it or it is gone`),
  ];
}

/** As many as there are: anyone who needs one less lowers it, and nobody raises it. */
const MOST_TESTED = 95;
const LIST = 'test/support/tested-exports.ts';
const listedIn = ({ files }: House): number => files[LIST]?.match(/^ {2}'/gm)?.length ?? 0;
const listOf = (count: number): Files => ({ [LIST]: "  'sim/a.ts a',\n".repeat(count) });

const planted = (text: string, others: Files = {}): Files => ({ 'sim/a.ts': text, ...others });

export const EXPORT_RULES: readonly Rule[] = [
  {
    name: 'every export is used by the product, but for those listed that tests alone use',
    check,
    breaks: [
      planted('export const a = 1;'),
      planted('export function a() {}\na();'),
      planted('export interface A {}'),
      planted('export const a = 1;', { 'test/a.test.ts': "import { a } from '../sim/a.ts';" }),
      planted('export const a = 1;', { 'sim/b.ts': "import { c } from './a.ts'; // a" }),
      { [TESTED_EXPORTS[0]?.split(' ')[0] ?? '']: 'export const other = 1;' },
    ],
    keeps: planted(
      [
        'export const a = 1, b = 2;',
        'export interface Options {}',
        'export type C = (options: Options) => void;',
        'export function d() {}',
        'export const e = 1;',
        'const f = 1; // export const g = 1;',
      ].join('\n'),
      {
        'sim/b.ts': "import { a, type C } from './a.ts';",
        'api/c.ts': "const { d } = await import('../sim/a.ts');",
        'sim/library.ts': "export { e } from './a.ts';\nexport const h = 1;",
      },
    ),
  },
  {
    name: `${MOST_TESTED} exports at most are there for tests alone`,
    check: (house) =>
      listedIn(house) > MOST_TESTED ? [`${LIST} lists ${listedIn(house)} exports`] : [],
    breaks: [listOf(MOST_TESTED + 1)],
    keeps: listOf(MOST_TESTED),
  },
];
