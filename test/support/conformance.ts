/**
 * docs/conformance.md: every operation with the statuses that it has answered over TLS, each in the
 * test file that has seen them. The tests of the rows hold the page to what they have seen, and
 * write it when asked to (`npm run conformance`).
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { markdownTable } from '../../sim/base/markdown.ts';
import { DOCUMENTED_ROWS } from './documented-rows.ts';
import { mentionedIn, rulesOf } from './operations-page.ts';

/** Paths are from the root of the project, where tests run. */
const PAGE = 'docs/conformance.md';
const OVER_TLS = 'test/e2e';
/** Where other tests name rules. */
const ELSEWHERE = [
  'test/core/resources',
  'test/campaigns',
  'test/http',
  'test/host',
  'test/worlds',
];

/** What an operation has answered, which rules its tests name, and in which file they stand. */
export interface Answered {
  readonly row: number;
  readonly statuses: readonly number[];
  readonly rules: readonly number[];
  readonly file: string;
}

export const isWriting = process.env.FLEETWAVE_CONFORMANCE === 'write';

export const conformancePage = (): string => readFileSync(PAGE, 'utf8');

/** What the page says of each row, by row; a row that stands there twice is refused. */
export function answeredOn(page: string): ReadonlyMap<number, Answered> {
  const all = new Map<number, Answered>();
  for (const line of page.split('\n').filter((each) => /^\| \d+ \|/.test(each))) {
    const [row, , , done, refused, rules, file] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const statuses = `${done} ${refused}`.split(' ').filter(Boolean).map(Number);
    if (all.has(Number(row))) throw new Error(`row ${row} stands twice in ${PAGE}`);
    const answered = { row: Number(row), statuses, rules: rulesIn(rules!), file: file! };
    all.set(answered.row, answered);
  }
  return all;
}

/** Notes what was answered, in the place of what the page had. */
export function note(answered: readonly Answered[]): void {
  const page = conformancePage();
  const known = new Map(answeredOn(page));
  for (const each of answered) known.set(each.row, each);
  const lines = page.split('\n').filter((line) => !/^\| \d+ \|/.test(line));
  const head = lines.findIndex((line) => line.startsWith('| row |')) + 2;
  lines.splice(head, 0, ...linesOf(known));
  writeFileSync(PAGE, lines.join('\n'));
}

/** The table of rows, with what stands there as answered; `npm run docs` writes it anew. */
export function rowTable(): string {
  const head = '| row | method | path | done | refused | rules | test |\n';
  const lines = linesOf(answeredOn(conformancePage()));
  return [
    head,
    '| --- | --- | --- | --- | --- | --- | --- |\n',
    ...lines.map((l) => `${l}\n`),
  ].join('');
}

const linesOf = (known: ReadonlyMap<number, Answered>): readonly string[] =>
  DOCUMENTED_ROWS.flatMap(({ row, method, path }) => {
    const answered = known.get(row);
    if (answered === undefined) return [];
    const { statuses, rules, file } = answered;
    const done = statuses.filter((status) => status < 300).join(' ');
    const refused = statuses.filter((status) => status >= 300).join(' ');
    const named = rules.map((rule) => `E${rule}`).join(' ');
    return [`| ${[row, method, path, done, refused, named, file].join(' | ')} |`];
  });

/** The rules that tests name with a row, of titles of tests with those of what they stand in. */
export function rulesNamedWith(
  row: number,
  tests: readonly (readonly string[])[],
): readonly number[] {
  const all = tests.map((titles) => titles.map(mentionedIn));
  const named = all.filter((titles) => titles.some(({ rows }) => rows.includes(row)));
  const rules = named.flat().flatMap((title) => title.rules);
  return [...new Set(rules)].sort((a, b) => a - b);
}

const rulesIn = (text: string): number[] =>
  [...text.matchAll(/\bE(\d{1,2})\b/g)].map(([, digits]) => Number(digits));

/** The table of rules: which files name it in a title, over TLS and elsewhere. */
export function ruleTable(rules: readonly number[]): string {
  const lines = rules.map((rule) => {
    const elsewhere = ELSEWHERE.flatMap((folder) => filesWith(folder, rule));
    return [`E${rule}`, filesWith(OVER_TLS, rule).join(', '), elsewhere.join(', ')];
  });
  return markdownTable(['rule', 'over TLS', 'elsewhere'], lines);
}

/** Titles, and rows of tables that begin with a rule. */
const TITLE = /'([a-z][^'\n]*)'/g;

const filesWith = (folder: string, rule: number): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => {
      const titles = readFileSync(`${folder}/${name}`, 'utf8').matchAll(TITLE);
      return [...titles].some(([, title]) => rulesOf(title!).includes(rule));
    })
    .map((name) => name.replace('.test.ts', ''));
