/** Which test holds which row of docs/operations.md, and which of its rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rowsOf, rulesOf } from '../../support/operations-page.ts';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const PAGE = readFileSync(join(FOLDER, '../../../docs/operations.md'), 'utf8');

/** Rows of the page, but for those of campaigns, which test/campaigns/ holds. */
const LINES = PAGE.split('\n').filter((line) => /^\| \d+ \| [A-Z]+ \/(?!campaigns)/.test(line));
const ROWS = LINES.map((line) => Number(line.split('|')[1]));
/** The rules that they name; E58 holds for all. */
const RULES = [58, ...LINES.flatMap((line) => rulesOf(line.split('|').at(-2)!))];

/** Titles of all tests beside this one. */
const titles = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.test.ts') && name !== 'rows.test.ts')
  .sort()
  .flatMap((name) => {
    const source = readFileSync(join(FOLDER, name), 'utf8');
    const found = source.matchAll(
      /^\s+(?:it|it\.each\(.*\)|\]\)|\))\(?\s*'((?:rows? \d|E\d)[^']*)'/gm,
    );
    return [...found].map(([, title]) => ({ title: title!, file: name }));
  });

describe('the resources of the firmware update service', () => {
  it('hold each of their rows by a test', () => {
    const table = ROWS.map((row) => ({
      row,
      tests: titles.filter(({ title }) => rowsOf(title).includes(row)),
    }));
    const lines = table.flatMap(({ row, tests }) =>
      tests.map(({ title, file }) => `${String(row).padStart(3)}  ${file}  ${title}`),
    );
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(table.filter(({ tests }) => tests.length === 0).map(({ row }) => row)).toEqual([]);
  });

  it('hold each of their error cases by a test', () => {
    const held = new Set(titles.flatMap(({ title }) => rulesOf(title)));
    expect(RULES.length).toBeGreaterThan(20);
    expect(RULES.filter((number) => !held.has(number))).toEqual([]);
  });

  it('are named by rows in every way that titles do it', () => {
    expect(rowsOf('row 9: x')).toEqual([9]);
    expect(rowsOf('rows 9, 11 and 13 to 15, E5: x')).toEqual([9, 11, 13, 14, 15]);
    expect(rowsOf('E58: sees nothing')).toEqual([]);
    expect(rulesOf('rows 10, 12 and 13, E11, E24: is E99')).toEqual([11, 24]);
  });
});
