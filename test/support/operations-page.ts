/**
 * What titles of tests name of docs/operations.md: its rows by their operations, its rules by their
 * names. `deviceGroup.list, get and update to addDevices, mixedClasses: …` names rows 9, 11 and 13
 * to 15, and rule E11. What stands behind the colon names nothing.
 */
import { readFileSync } from 'node:fs';

/** Rows and rules that the page has. */
export function numbersOf(page: string): { readonly rows: number[]; readonly rules: number[] } {
  const first = (pattern: RegExp) =>
    [...page.matchAll(pattern)].map(([, digits]) => Number(digits));
  return { rows: first(/^\| (\d+) \|/gm), rules: first(/^\| E(\d+) \|/gm) };
}

/** Numbers of the page by what titles call them. */
export interface PageNames {
  readonly rows: ReadonlyMap<string, number>;
  readonly rules: ReadonlyMap<string, number>;
}

/** A row is called by its first operation; one that is deprecated shares that with another. */
export function namesOn(page: string): PageNames {
  const rows = [...page.matchAll(/^\| (\d+) \| [A-Z]+ [^|]*\| `([\w.]+)`.*$/gm)].map(
    ([line, row, kind]) =>
      [line.includes('deprecated') ? `${kind}Deprecated` : kind!, Number(row)] as const,
  );
  const rules = [...page.matchAll(/^\| E(\d+) \| \*(\w+)\*: /gm)].map(
    ([, rule, name]) => [name!, Number(rule)] as const,
  );
  return { rows: new Map(rows), rules: new Map(rules) };
}

/** Paths are from the root of the project, where tests run. */
const NAMES = namesOn(readFileSync('docs/operations.md', 'utf8'));

/** Names, and what stands between them. */
const HEAD = /^[a-z][\w.]*(?:(?:, | and | to )[a-z][\w.]*)*/;

/** A name of a title; undefined: it is an ordinary word. */
type Named = { readonly row: number } | { readonly rule: number } | undefined;

/** What a title begins with, up to its first ordinary word. */
function namedIn(
  title: string,
  names = NAMES,
): { readonly rows: number[]; readonly rules: number[]; readonly unknown?: string } {
  const rows: number[] = [];
  const rules: number[] = [];
  let resource = '';
  let joint = '';
  for (const part of (HEAD.exec(title)?.[0] ?? '').split(/(, | and | to )/)) {
    if (/^, $|^ and $|^ to $/.test(part)) {
      joint = part;
      continue;
    }
    const named = meant(part, resource, names);
    if (named === undefined) return { rows, rules, unknown: part };
    if ('rule' in named) rules.push(named.rule);
    else {
      const from = joint === ' to ' ? rows.at(-1)! + 1 : named.row;
      for (let row = from; row <= named.row; row++) rows.push(row);
      if (part.includes('.')) resource = part.split('.')[0]!;
    }
  }
  return { rows, rules };
}

/** A word without a resource is an operation of the one before, or a rule. */
function meant(word: string, resource: string, names: PageNames): Named {
  const row = names.rows.get(word.includes('.') ? word : `${resource}.${word}`);
  if (row !== undefined) return { row };
  const rule = names.rules.get(word);
  return rule === undefined ? undefined : { rule };
}

/** Operations that follow each other, anywhere in a text. */
const OPERATIONS = /(?<![\w.])[a-z]\w*\.[a-z]\w*(?:(?:, | and | to )[a-z][\w.]*)*/g;

/** Rows and rules that a title names in any place. */
export const mentionedIn = (
  title: string,
): { readonly rows: number[]; readonly rules: number[] } => ({
  rows: [...title.matchAll(OPERATIONS)].flatMap(([text]) => namedIn(text).rows),
  rules: [...title.matchAll(/\w+/g)].flatMap(([word]) => NAMES.rules.get(word) ?? []),
});

export const rowsOf = (title: string): number[] => namedIn(title).rows;

export const rulesOf = (title: string): number[] => namedIn(title).rules;

/** The first name of a title that the page does not have; undefined: it has all. */
export const unknownIn = (title: string, names: PageNames): string | undefined =>
  namedIn(title, names).unknown;

/** How titles call a row. */
export const nameOfRow = (row: number): string =>
  [...NAMES.rows].find(([, number]) => number === row)![0];
