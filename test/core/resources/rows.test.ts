/** Which test holds which row of docs/operations.md, and which of its rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DOCUMENTED_ROWS } from '../../support/documented-rows.ts';
import { rowsOf, rulesOf } from '../../support/operations-page.ts';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const PAGE = readFileSync(join(FOLDER, '../../../docs/operations.md'), 'utf8');

/** Rows of the page, but for those of campaigns, which test/campaigns/ holds. */
const LINES = PAGE.split('\n').filter((line) => /^\| \d+ \| [A-Z]+ \/(?!campaigns)/.test(line));
/** Those of device and gateway management. */
const OF_MANAGEMENT = {
  first: 52,
  last: 115,
  rules: [43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59],
};
/** Those of data delivery and device configuration, the last of the page. */
const OF_DELIVERY = {
  first: 116,
  last: 144,
  rules: [60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76],
};
const numbers = LINES.map((line) => Number(line.split('|')[1]));
const ROWS = numbers.filter((row) => row < OF_MANAGEMENT.first);
/** The rules that these name; E58 holds for all. */
const RULES = [
  58,
  ...LINES.slice(0, ROWS.length).flatMap((line) =>
    [
      ...line
        .split('|')
        .at(-2)!
        .matchAll(/\bE(\d+)\b/g),
    ].map(([, rule]) => Number(rule)),
  ),
];
interface Titled {
  readonly title: string;
  readonly file: string;
}

/** Titles of the tests of a folder that name rows or rules. */
const titlesIn = (folder: string, isMeant: (name: string) => boolean): readonly Titled[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && isMeant(name))
    .sort()
    .flatMap((name) => {
      const source = readFileSync(join(folder, name), 'utf8');
      const found = source.matchAll(
        /^(?:describe|\s+(?:it|it\.each\(.*\)|\]\)|\)))\(?\s*'([a-z][^']*)'/gm,
      );
      return [...found].map(([, title]) => ({ title: title!, file: name }));
    });

/** All tests beside this one, and those over HTTPS. */
const titles = titlesIn(FOLDER, (name) => name !== 'rows.test.ts');
const overHttps = titlesIn(join(FOLDER, '../../e2e'), (name) => name.startsWith('rows-'));

/** Prints which test holds which row, and reports the rows that none holds. */
function withoutTest(rows: readonly number[], tests: readonly Titled[]): readonly number[] {
  const table = rows.map((row) => ({
    row,
    held: tests.filter(({ title }) => rowsOf(title).includes(row)),
  }));
  const lines = table.flatMap(({ row, held }) =>
    held.map(({ title, file }) => `${String(row).padStart(3)}  ${file}  ${title}`),
  );
  process.stdout.write(`${lines.join('\n')}\n`);
  return table.filter(({ held }) => held.length === 0).map(({ row }) => row);
}

/** Of some rules, those that no test holds. */
function rulesWithoutTest(rules: readonly number[], tests: readonly Titled[]): readonly number[] {
  const held = new Set(tests.flatMap(({ title }) => rulesOf(title)));
  return rules.filter((number) => !held.has(number));
}

describe('the resources of the firmware update service', () => {
  it('hold each of their rows by a test', () => {
    expect(ROWS.length).toBeGreaterThan(40);
    expect(withoutTest(ROWS, titles)).toEqual([]);
  });

  it('hold each of their error cases by a test', () => {
    expect(RULES.length).toBeGreaterThan(20);
    expect(rulesWithoutTest(RULES, titles)).toEqual([]);
  });
});

describe.each([
  ['device and gateway management', OF_MANAGEMENT],
  ['data delivery and device configuration', OF_DELIVERY],
] as const)('%s', (_, { first, last, rules }) => {
  const all = DOCUMENTED_ROWS.map(({ row }) => row);
  const rows = all.filter((row) => row >= first && row <= last);

  it('has every row on the page', () => {
    expect(rows).toHaveLength(last - first + 1);
    const missing = rows.filter((row) => !numbers.includes(row));

    expect(missing).toEqual([]);
  });

  it.each([
    ['of its resources', titles],
    ['over HTTPS', overHttps],
  ] as const)('holds each of its rows by a test %s', (_, tests) => {
    const missing = withoutTest(rows, tests);

    expect(missing).toEqual([]);
  });

  it('holds each of its error cases by a test over HTTPS', () => {
    const missing = rulesWithoutTest(rules, overHttps);

    expect(missing).toEqual([]);
  });
});

describe('titles of tests', () => {
  it('name rows in every way that they do it', () => {
    expect(rowsOf('deviceGroup.list: x')).toEqual([9]);
    const several = 'deviceGroup.list, get and update to addDevices, unknownId: x';
    expect(rowsOf(several)).toEqual([9, 11, 13, 14, 15]);
    expect(rulesOf(several)).toEqual([5]);
    expect(rowsOf('deviceGroup.delete to history.get')).toEqual([14, 15, 16, 17, 18, 19, 20, 21]);
    expect(rowsOf('foreignThing: sees nothing')).toEqual([]);
    expect(rulesOf('image.list, mixedClasses, tooManyGateways: is badTag')).toEqual([11, 24]);
    expect(rowsOf('key.upload and uploadDeprecated: x')).toEqual([31, 35]);
    expect([rowsOf('stays as it is, and so on'), rulesOf('stays as it is')]).toEqual([[], []]);
  });
});
