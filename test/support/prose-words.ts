/**
 * Words that a stranger has to read twice. In names they are banned; in prose (comments, texts of
 * the code, test titles, pages) their number may only fall. CONTRIBUTING.md says what to write
 * instead.
 */
import { type Files, found, type House, type Rule } from './house-rule.ts';
import { lineOf } from './source.ts';

/** Parts of names of files, types, functions and constants. */
const IN_NAMES = new Set(
  (
    'told tells tell kept made whose whom whoever offered living lane lanes parcel parcels ' +
    'door doors knock ear ears luck asker askers vain'
  ).split(' '),
);

/** What users see or call by, and lanes of a hash, which are the standard word. */
const ALLOWED_NAMES =
  /^(madeOtherwise|dwellTimesAreKept|settingsAreKept|beaconsAreKeptClear|LANE_[01])$/;
/** Decisions keep their addresses. */
const ALLOWED_FILES = /^docs\/decisions\//;

/** How often prose has each today: lower a number whenever it has fallen, and never raise one. */
const IN_PROSE: Readonly<Record<string, readonly [words: RegExp, most: number]>> = {
  told: [/\btold\b/gi, 4],
  tells: [/\btells\b/gi, 0],
  whoever: [/\bwhoever\b/gi, 1],
  whom: [/\bwhom\b/gi, 8],
  kept: [/\bkept\b/gi, 14],
  'in vain': [/\bin vain\b/gi, 0],
  'so many': [/\bso many\b/gi, 0],
  'goes on with': [/\bgoes on with\b/gi, 0],
  'comes to': [/\bcomes to\b/gi, 0],
  'of which': [/\bof which\b/gi, 18],
  'may be asked': [/\bmay be asked\b/gi, 1],
  askers: [/\baskers?\b/gi, 14],
  doors: [/\bdoors?\b/gi, 18],
  lanes: [/\blanes?\b/gi, 4],
  parcels: [/\bparcels?\b/gi, 0],
};
/** A count that has fallen by more than this is lowered here, too. */
const SLACK = 10;

const DECLARED = new RegExp(
  '^[ \\t]*(?:export )?(?:declare |abstract |async |default )*' +
    String.raw`(?:function\*?|const|let|class|interface|type) +([\w$]+)`,
  'gm',
);

const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const bannedIn = (name: string): string | undefined =>
  ALLOWED_NAMES.test(name) ? undefined : partsOf(name).find((part) => IN_NAMES.has(part));

const isGenerated = (path: string): boolean => path.includes('/generated/');

function bannedNames({ files, sources }: House): string[] {
  const named = sources
    .filter(({ path }) => !isGenerated(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(DECLARED)].flatMap(([, name = '']) => {
        const word = bannedIn(name);
        return word === undefined ? [] : [`${path} declares ${name}: "${word}" is banned`];
      }),
    );
  const called = Object.keys(files)
    .filter((path) => !ALLOWED_FILES.test(path))
    .flatMap((path) => {
      const word = bannedIn(path.split('/').at(-1)!.replace(/\..*/, ''));
      return word === undefined ? [] : [`${path} is called by "${word}", which is banned`];
    });
  return [...named, ...called];
}

/** Places in comments and texts of the code, and anywhere in pages. */
function* proseFound({ files, sources }: House, pattern: RegExp): Iterable<string> {
  for (const [path, text] of Object.entries(files)) {
    if (!path.endsWith('.md') || path === 'CHANGELOG.md') continue;
    yield* found(path, text.replace(/`[^`\n]*`/g, ''), pattern);
  }
  for (const { path, text, code } of sources) {
    if (isGenerated(path) || path === 'test/support/prose-words.ts') continue;
    for (const { index, 0: word } of text.matchAll(pattern)) {
      if (code[index] === ' ') yield `${path}:${lineOf(text, index)} has ${word}`;
    }
  }
}

function wordsOfProse(house: House): string[] {
  const isWhole = house.sources.length > 100;
  return Object.entries(IN_PROSE).flatMap(([word, [pattern, most]]) => {
    const where = [...proseFound(house, pattern)];
    if (where.length > most) {
      const some = where.slice(0, 20).join('; ');
      return [`"${word}" stands ${where.length} times, at most ${most}: ${some}`];
    }
    const isLow = isWhole && where.length < most - SLACK;
    return isLow ? [`"${word}" stands only ${where.length} times: lower its ${most}`] : [];
  });
}

const inSim = (text: string): Files => ({ 'sim/network/network.ts': text });

export const PROSE_RULES: readonly Rule[] = [
  {
    name: 'names are standard words',
    check: bannedNames,
    breaks: [
      inSim('export const toldOf = 1;'),
      inSim('interface KeptFolder {}'),
      { 'api/host/offered.ts': '' },
    ],
    keeps: inSim('// told\nconst makes = 1; type Retold = 2;'),
  },
  {
    name: 'words that have to be read twice get fewer in prose',
    check: wordsOfProse,
    breaks: Object.entries(IN_PROSE).map(([word, [, most]]) =>
      inSim(`// ${`${word}, `.repeat(most + 1)}`),
    ),
    keeps: inSim('const told = askers; // foretold'),
  },
];
