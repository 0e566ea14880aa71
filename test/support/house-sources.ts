/** What comments and titles cite can be read in a clone: sections of docs/, rows and rules. */
import { type Files, found, type House, type Rule, readable } from './house-rule.ts';
import { namesOn, numbersOf, unknownIn } from './operations-page.ts';

const STANDARD = 'docs/standard.md';
const OPERATIONS = 'docs/operations.md';
const PAGES = [STANDARD, OPERATIONS, 'docs/glossary.md'];

/** What may stand behind the name of a page and a comma. */
function sectionsOf({ files }: House, page: string): string[] {
  const text = files[page] ?? '';
  const { rows, rules } = numbersOf(text);
  return [
    ...[...text.matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading ?? ''),
    ...rows.map((row) => `row ${row}`),
    ...rules.map((rule) => `E${rule}`),
  ];
}

/** Comments and paragraphs as one line. */
const joined = (text: string): string => text.replace(/\s*\n\s*(\*(?!\/)|\/\/)?\s*/g, ' ');

/** The first section of a citation, `Class B` or `ADR and Class B`, that the page does not have. */
function unknownSection(cited: string, sections: readonly string[]): string | undefined {
  const isNamed = (section: string) =>
    cited.startsWith(section) && !/^[\w-]/.test(cited.slice(section.length));
  const [named] = sections.filter(isNamed).sort((a, b) => b.length - a.length);
  if (named === undefined) return cited.slice(0, 40);
  const rest = cited.slice(named.length);
  const next = /^(,| and) (?=[A-Z])/.exec(rest);
  return next === null ? undefined : unknownSection(rest.slice(next[0].length), sections);
}

function unknownSections(house: House, page: string): string[] {
  const sections = sectionsOf(house, page);
  const citation = new RegExp(`\\b${page.replace('.', '\\.')}, (?=[A-Z]|row \\d)`, 'g');
  return readable(house).flatMap(([path, text]) => {
    const line = joined(text);
    return [...line.matchAll(citation)].flatMap((match) => {
      const unknown = unknownSection(line.slice(match.index + match[0].length), sections);
      return unknown === undefined ? [] : [`${path} cites ${page} for “${unknown}”`];
    });
  });
}

/** Titles, and their beginnings in tables of cases, that begin with an operation. */
const NAMING = /(['"`])([a-z]\w*\.[a-z]\w*(?:(?:, | and | to )[a-z][\w.]*)*: [^'"`\n]*)\1/g;
/** Titles that give a number in the place of a name. */
const NUMBERING = /(['"`])(?:rows? \d|E\d{1,2}\b)[^'"`\n]*\1/g;

function unknownNames({ files }: House): string[] {
  const names = namesOn(files[OPERATIONS] ?? '');
  const tests = Object.entries(files).filter(([path]) =>
    /^test\/(core|campaigns|e2e\/rows-).*\.test\.ts$/.test(path),
  );
  return tests.flatMap(([path, text]) => [
    ...found(path, text, NUMBERING),
    ...[...text.matchAll(NAMING)].flatMap(([, , title = '']) => {
      const unknown = unknownIn(title, names);
      return unknown === undefined ? [] : [`${path} names ${unknown}`];
    }),
  ]);
}

/** Files that the pages name as the place where a fact lives; vectors are not among `files`. */
function missingFiles({ files }: House): string[] {
  const paths = Object.keys(files);
  const isThere = (named: string) =>
    named.startsWith('test/vectors/') || paths.some((path) => path.startsWith(named));
  return PAGES.flatMap((page) =>
    [...(files[page] ?? '').matchAll(/`((?:sim|core|scenarios|reports|api|test|docs)\/[^`…]+)`/g)]
      .filter(([, named = '']) => !/[ ,]/.test(named) && !isThere(named))
      .map(([, named]) => `${page} names ${named}`),
  );
}

const page = (path: string, text: string): Files => ({ [path]: text });
const standard = page(STANDARD, '# Facts\n\n## Class B\n\n## ADR\n');
const operations = page(
  OPERATIONS,
  '| 9 | GET / | `thing.list` |\n| 10 | POST / | `thing.create` |\n| E4 | *absent*: what is |\n',
);
/** Citations are split here, so that this file keeps its own rules. */
const cite = (what: string): Files => ({ 'sim/network/network.ts': `/** See ${what} */` });
const titled = (title: string): Files => ({ 'test/core/a.test.ts': `it('${title}', () => {});` });

export const SOURCE_RULES: readonly Rule[] = [
  {
    name: 'no citation names a page that a clone does not have',
    check: (house) =>
      readable(house).flatMap(([path, text]) =>
        found(path, text, /protocol[\s*/]+refer(?:)ence\b|\brefer(?:)ence[\s*/]+§/i),
      ),
    breaks: [
      cite(`the protocol ${'refer'}ence §1.2.`),
      cite(`the protocol\n * ${'refer'}ence`),
      cite(`(TS005, ${'refer'}ence §3.6).`),
    ],
    keeps: cite('the reference decoders, §3 of TS005.'),
  },
  {
    name: 'a section of docs/standard.md or docs/operations.md that is cited exists',
    check: (house) => [STANDARD, OPERATIONS].flatMap((path) => unknownSections(house, path)),
    breaks: [
      { ...standard, ...cite(`(docs/standard.md${','} Class D).`) },
      { ...standard, ...cite(`(docs/standard.md${','}\n * Class).`) },
      { ...standard, ...cite(`(docs/standard.md${','} Class B and Clocks).`) },
      { ...operations, ...cite(`(docs/operations.md${','} E5).`) },
      { ...operations, ...cite(`(docs/operations.md${','} row 11).`) },
    ],
    keeps: {
      ...standard,
      ...operations,
      ...cite(`(docs/standard.md${','} Class\n * B and ADR; docs/operations.md${','} row 9)`),
      'docs/a.md': `docs/standard.md, which says it; docs/operations.md${','} E4.`,
    },
  },
  {
    name: 'an operation or rule that a test names is in docs/operations.md, and has no number',
    check: unknownNames,
    breaks: [
      { ...operations, ...titled('thing.get: is reported') },
      { ...operations, ...titled('thing.list and get, absent: are reported') },
      { ...operations, ...titled('thing.list, unheardOf: is unknown') },
      { ...operations, ...titled(`${'row'} 9: is reported`) },
      { ...operations, 'test/campaigns/a.test.ts': `it.each([['${'E'}4']])('%s: is', f);` },
    ],
    keeps: { ...operations, ...titled('thing.list and create, absent: do not report thing.get') },
  },
  {
    name: 'a file that docs/standard.md, docs/operations.md or docs/glossary.md names exists',
    check: missingFiles,
    breaks: [page(STANDARD, 'In the code: `sim/radio/gone.ts`.')],
    keeps: {
      ...page('docs/glossary.md', 'In `sim/radio/`, `sim/radio/noise.ts`, `test/vectors/a.json`.'),
      'sim/radio/noise.ts': 'export const noise = 1;',
    },
  },
];
