/** docs/operations.md is complete: every operation and every field that it should tell of. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../core/operations.ts';
import { numbersOf } from '../../support/operations-page.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/operations.md');

/** Words in backticks. */
const quoted = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

/** The kinds of commands and queries, and the rules, of each row. */
const lines = page.split('\n').filter((line) => /^\| \d+ \| [A-Z]+ \//.test(line));

describe('the page of operations', () => {
  it('has each kind of command and query of the platform, and no other', () => {
    const beside = quoted(/^Beside the service,.*$/m.exec(page)![0]);
    const kinds = [...lines.flatMap((line) => quoted(line.split('|')[3]!)), ...beside];
    expect(kinds.sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  it('has each row and rule once, in their order', () => {
    const { rows, rules } = numbersOf(page);
    expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
    expect(rules).toEqual([...new Set(rules)].sort((a, b) => a - b));
    expect(lines.length).toBe(rows.length);
  });

  it('has rules for rows that stand in the table of rules', () => {
    const { rules } = numbersOf(page);
    const named = lines.flatMap((line) =>
      [
        ...line
          .split('|')
          .at(-2)!
          .matchAll(/E(\d+)/g),
      ].map(([, digits]) => Number(digits)),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((rule) => !rules.includes(rule))).toEqual([]);
  });

  it('names codes of refusals that the platform has', () => {
    const folder = 'core/update-service';
    const sources = readdirSync(new URL(`../../../${folder}`, import.meta.url), { recursive: true })
      .filter((name) => `${name}`.endsWith('.ts'))
      .map((name) => read(`${folder}/${name}`));
    const codes = [...page.matchAll(/^\| E\d+ \|.*$/gm)]
      .flatMap(([line]) => quoted(line.split('|')[3]!))
      .filter((code) => !sources.some((source) => source.includes(`'${code}'`)));
    expect(codes).toEqual([]);
  });
});
