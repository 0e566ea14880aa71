/**
 * Options of library functions, checked as knobs of a scenario file are: a name that there is not
 * is refused with the one that was probably meant, and so is a value of another kind. All that is
 * wrong is reported at once, a line each.
 */
import { isMap } from './plain-data.ts';
import { allowedOf } from './rows/allowed.ts';
import { ANY_NUMBER, type Kind } from './rows/fields.ts';
import { readerOf, Wrong } from './rows/reading.ts';

/**
 * What an option may be. An option that is given as `undefined` is left out, unless it is required.
 */
export type OptionKind = Kind & { readonly required?: true };

/** A row for each option of a map of options. */
export type OptionRows<Options> = { readonly [Name in keyof Options]-?: OptionKind };

/** Throws a TypeError unless what a function was given is a map of options that it has. */
export function checkOptions<Options extends object>(
  of: string,
  given: Options,
  rows: OptionRows<Options>,
): void {
  const faults = optionFaults(of, given, rows);
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
}

/** The same of the names alone, where the function itself judges the values. */
export function checkOptionNames<Options extends object>(
  of: string,
  given: Options,
  names: readonly (keyof Options & string)[],
): void {
  checkOptions<object>(of, given, Object.fromEntries(names.map((name) => [name, ANY_OPTION])));
}

/** One whose value is judged elsewhere. */
export const ANY_OPTION: OptionKind = { type: 'any' };

/** All that is wrong with the options of a function, a line each; empty when nothing is. */
export function optionFaults(
  of: string,
  given: unknown,
  rows: Readonly<Record<string, OptionKind>>,
): string[] {
  const known = Object.keys(rows);
  if (!isMap(given)) return [`${of}: ${worded(given)} is no map of options; ${allowed(known)}`];
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(rows, name));
  const wrong = known.flatMap((name) => {
    const row = rows[name]!;
    const value = given[name];
    if (value === undefined && !row.required) return [];
    if (value !== undefined && !(readerOf(row)(value) instanceof Wrong)) return [];
    const what = value === undefined ? 'missing' : `not ${worded(value)}`;
    return [`${of}: ${name} is ${what}; allowed: ${allowedOf(row)}`];
  });
  return [...unknown.map((name) => unknownOption(of, name, known)), ...wrong];
}

function unknownOption(of: string, name: string, known: readonly string[]): string {
  const meant = nearestOf(name, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return `${of}: ${worded(name)} is no option; ${allowed(known)}${hint}`;
}

const allowed = (names: readonly string[]): string => `allowed: ${names.join(', ')}`;

const WORD_MAX = 40;

/** A value in a complaint: short, and on one line. */
function worded(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > WORD_MAX ? `${value.slice(0, WORD_MAX - 1)}…` : value);
}

// ── kinds ────────────────────────────────────────────────────────────────────────────────────────

/** A text of limited length on one line. */
export const lineOption = (most: number): OptionKind => ({
  type: 'text',
  raw: 'unpaired',
  most,
  pattern: /^[^\r\n]*$/,
  allowed: `a text of 1 to ${most} characters on one line`,
});

/** Any text; `allowed` says which. */
export const textOption = (allowed: string): OptionKind => ({ ...ANY_TEXT, allowed });

/** A text of characters that every encoding has, on any number of lines. */
export const asciiOption = (allowed: string): OptionKind => {
  return { ...ANY_TEXT, pattern: /^[\t\n\r -~]*$/, allowed };
};

const ANY_TEXT = { type: 'text', raw: 'unpaired', least: 0, most: ANY_NUMBER } as const;

/** A list of texts; `allowed` says which. */
export const textsOption = (allowed: string): OptionKind => ({
  type: 'list',
  of: ANY_TEXT,
  most: ANY_NUMBER,
  allowed,
});

/** Texts by names; `allowed` says which. */
export const textMapOption = (allowed: string): OptionKind => ({
  type: 'map',
  keys: ANY_TEXT,
  of: ANY_TEXT,
  most: ANY_NUMBER,
  allowed,
});

export const FLAG_OPTION: OptionKind = { type: 'flag' };

/** A whole number in a range, its ends included. */
export const wholeOption = (least: number, most: number): OptionKind => {
  return { type: 'whole', least, most };
};

/** A function; `allowed` says what it is called with. */
export const functionOption = (allowed: string): OptionKind => ({ type: 'function', allowed });

/** An object with these methods; `allowed` says what it is. */
export const objectOption = (allowed: string, ...methods: readonly string[]): OptionKind => {
  return { type: 'object', methods, allowed };
};

/** The same, and it has to be there. */
export const needed = (kind: OptionKind): OptionKind => ({ ...kind, required: true });

// ── the word that was meant ──────────────────────────────────────────────────────────────────────

/** The name that is nearest to a word, when a slip of the pen leads from one to the other. */
function nearestOf(word: string, names: readonly string[]): string | undefined {
  if (word.length > WORD_MAX) return undefined;
  let meant: string | undefined;
  let fewest = Math.ceil(word.length / 2) + 1;
  for (const name of names) {
    const steps = stepsBetween(word.toLowerCase(), name.toLowerCase());
    if (steps >= fewest) continue;
    meant = name;
    fewest = steps;
  }
  return meant;
}

/** Letters to put in or to leave out: `sed` is nearer to `seed` than to `set`. */
function stepsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      next.push(isSame ? row[j - 1]! : 1 + Math.min(row[j]!, next[j - 1]!));
    }
    row = next;
  }
  return row[to.length]!;
}
