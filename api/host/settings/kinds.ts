/**
 * Kinds of settings: rows (sim/base/rows/fields.ts) that say what is allowed in few words, how a
 * word of the command line is understood, and what is wrong with a value.
 */
import type * as z from 'zod';
import {
  type Complaint,
  nearest,
  quote,
  type Reading,
  read,
} from '../../../scenarios/language/complaint.ts';
import { allowedOf } from '../../../sim/base/rows/allowed.ts';
import { ANY_NUMBER, type Kind, type Limits } from '../../../sim/base/rows/fields.ts';
import { isWithin } from '../../../sim/base/rows/range.ts';
import { readerOf, Wrong } from '../../../sim/base/rows/reading.ts';
import { isInstant } from '../../../sim/base/utc.ts';

/** A row of settings. */
export type Setting = Kind & {
  readonly is: string;
  /** What holds where nobody says anything; absent: there is no value, which means this. */
  readonly default?: unknown;
  readonly absent?: string;
  /** What null stands for. */
  readonly ofNull?: number;
  /** How maps of a file are read, which no word stands for. */
  readonly inFile?: z.ZodType;
};

/** A row with its meaning. */
export const setting = <K extends Kind, About extends Omit<Setting, keyof Kind>>(
  kind: K,
  about: About,
): K & About => ({ ...kind, ...about });

// ── kinds ────────────────────────────────────────────────────────────────────────────────────────

const ANY_TEXT = { type: 'text', raw: 'unpaired', least: 0, most: ANY_NUMBER } as const;

/** On one line; YAML reads some texts as whole numbers. */
export const line = (most: number) =>
  ({
    ...ANY_TEXT,
    most,
    rule: (given: string) => given.trim() !== '' && !/[\r\n]/.test(given),
    allowed: `1 to ${most} characters on one line`,
  }) as const;

/** `note`: what some of the numbers mean. */
export const whole = (least: number, most: number, note = '') =>
  ({ type: 'whole', least, most, allowed: `${least} to ${most}${note}` }) as const;

/** On one line, of a form of its own. */
export const lineOf = (allowed: string, rule: (line: string) => boolean) =>
  ({ ...ANY_TEXT, rule, allowed }) as const;

/** Upper limit; 0, or null in YAML: no limit. */
export const limit = (most: number) =>
  ({ ...whole(0, most), ofNull: 0, allowed: `1 to ${most}, 0 is no limit` }) as const;

/** A number, or a word in its place. */
export const numberOr = <const Word extends string>({ least, most }: Limits, word: Word) =>
  ({
    type: 'either',
    kinds: [
      { type: 'number', least, most },
      { type: 'choice', words: [word] },
    ],
    allowed: `${least} to ${most}, or ${word}`,
  }) as const;

export const choice = <const Word extends string>(words: readonly Word[]) =>
  ({ type: 'choice', words, allowed: words.join(', ') }) as const;

export const flag = { type: 'flag', allowed: 'true, false' } as const;

/** RFC 3339, in these years. */
export const instant = ({ least, most }: Limits) =>
  lineOf(
    `an instant of the years ${least} to ${most} such as 2026-01-31T12:00:00Z`,
    (given) => isInstant(given) && isWithin(Number(given.slice(0, 4)), { least, most }),
  );

/** Several lines; a variable of the environment has one of them on each line. */
export const linesOf = (allowed: string, rule: (line: string) => boolean) =>
  ({ type: 'list', of: { ...ANY_TEXT, rule }, most: ANY_NUMBER, allowed }) as const;

export const lines = linesOf('a list of texts', () => true);

// ── words ────────────────────────────────────────────────────────────────────────────────────────

/** How the command line says it; `file`: a settings file alone has it. */
export function argumentOf(row: Setting): 'nothing' | 'word' | 'words' | 'file' {
  if (row.type === 'flag') return 'nothing';
  if (row.type !== 'list') return 'word';
  return row.of.type === 'record' ? 'file' : 'words';
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** The value that a word stands for; a word that stands for none stays what it is. */
export function valueOfWord(row: Setting, word: string): unknown {
  switch (row.type) {
    case 'flag':
      return FLAGS.get(word) ?? word;
    case 'list':
      return word.split('\n').filter((each) => each !== '');
    case 'text':
    case 'choice':
      return word;
    default:
      // A number as YAML would read the word.
      return /^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word) ? Number(word) : word;
  }
}

// ── values ───────────────────────────────────────────────────────────────────────────────────────

/** The value as it is stored. A wrong line is a fault of its list. */
export function readSetting(row: Kind & Pick<Setting, 'ofNull'>, given: unknown): Reading<unknown> {
  const isNull = given === null && row.ofNull !== undefined;
  const isDigits = row.type === 'text' && Number.isSafeInteger(given);
  const value = readerOf(row)(isNull ? row.ofNull : isDigits ? String(given) : given);
  return value instanceof Wrong ? { ok: false, complaint: complaintOf(row, given) } : read(value);
}

function complaintOf(row: Kind, given: unknown): Complaint {
  const allowed = allowedOf(row);
  if (given === undefined) return { what: 'is missing', allowed };
  const what = `${quote(given)} is not right`;
  const meant = typeof given === 'string' ? nearest(given, wordsOf(row)) : undefined;
  return { what, allowed, ...(meant === undefined ? {} : { meant }) };
}

function wordsOf(kind: Kind): readonly string[] {
  if (kind.type === 'either') return kind.kinds.flatMap(wordsOf);
  return kind.type === 'choice' ? kind.words : [];
}
