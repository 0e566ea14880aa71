/** What the value of a setting may be, and how it is said in a word. */
import type * as z from 'zod';
import { parseInstant } from '../../../core/base/instant.ts';
import { nearest, quote, read, refuse } from '../../../scenarios/language/complaint.ts';
import { leaf } from '../../../scenarios/language/knob.ts';

export interface Kind<Value> {
  /** Of values as YAML has them; its complaints are sentences. */
  readonly schema: z.ZodType<Value, unknown>;
  /** What is allowed, in words. */
  readonly allowed: string;
  /** How the command line says it; `file`: a settings file alone has it. */
  readonly takes: 'nothing' | 'word' | 'words' | 'file';
  /** The value that a word stands for; a word that stands for none stays what it is. */
  readonly ofWord: (word: string) => unknown;
}

/** A kind whose values are reported by one look: undefined where one is not allowed. */
function plain<Value>(
  allowed: string,
  right: (given: unknown) => Value | undefined,
  ofWord: (word: string) => unknown = (word) => word,
  words: readonly string[] = [],
): Kind<Value> {
  const schema = leaf<Value>((given) => {
    const value = right(given);
    if (value !== undefined) return read(value);
    if (given === undefined) return refuse('is missing', allowed);
    const meant = typeof given === 'string' ? nearest(given, words) : undefined;
    return refuse(`${quote(given)} is not right`, allowed, meant);
  }, {});
  return { schema, allowed, takes: 'word', ofWord };
}

/** A number as YAML would read the word. */
const numberOf = (word: string): unknown =>
  /^(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word) ? Number(word) : word;

/** On one line; YAML reads some texts as whole numbers. */
export const line = (most: number): Kind<string> =>
  plain(`1 to ${most} characters on one line`, (given) => {
    const text = Number.isSafeInteger(given) ? String(given) : given;
    const isLine = typeof text === 'string' && text.trim() !== '' && !/[\r\n]/.test(text);
    return isLine && text.length <= most ? text : undefined;
  });

/** `note`: what some of the numbers mean. */
export const whole = (least: number, most: number, note = ''): Kind<number> =>
  plain(
    `${least} to ${most}${note}`,
    (given) => (isWhole(given, least, most) ? given : undefined),
    numberOf,
  );

/** On one line, of a form of its own. */
export const lineOf = (allowed: string, isRight: (line: string) => boolean): Kind<string> =>
  plain(allowed, (given) => (typeof given === 'string' && isRight(given) ? given : undefined));

/** At most that many; 0, or null in YAML, says that there is no limit. */
export const limit = (most: number): Kind<number> =>
  plain(
    `1 to ${most}, 0 is no limit`,
    (given) => (given === null ? 0 : isWhole(given, 0, most) ? given : undefined),
    numberOf,
  );

/** A number, or a word in its place. */
export const numberOr = <const Word extends string>(
  { least, most }: { readonly least: number; readonly most: number },
  word: Word,
): Kind<number | Word> =>
  plain(
    `${least} to ${most}, or ${word}`,
    (given) => (given === word || isWithin(given, least, most) ? (given as number) : undefined),
    numberOf,
    [word],
  );

export const choice = <const Word extends string>(words: readonly Word[]): Kind<Word> =>
  plain(words.join(', '), (given) => words.find((word) => word === given), undefined, words);

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const flag: Kind<boolean> = {
  ...plain(
    'true, false',
    (given) => (typeof given === 'boolean' ? given : undefined),
    (word) => FLAGS.get(word) ?? word,
  ),
  takes: 'nothing',
};

/** RFC 3339, in these years. */
export const instant = ({ least, most }: { readonly least: number; readonly most: number }) =>
  plain<string>(
    `an instant of the years ${least} to ${most} such as 2026-01-31T12:00:00Z`,
    (given) => {
      if (typeof given !== 'string' || !parseInstant(given).ok) return undefined;
      return isWithin(Number(given.slice(0, 4)), least, most) ? given : undefined;
    },
  );

/** Several lines; a variable of the environment has one of them on each line. */
export const linesOf = (
  allowed: string,
  isRight: (line: string) => boolean,
): Kind<readonly string[]> => ({
  ...plain(
    allowed,
    (given) =>
      Array.isArray(given) && given.every((each) => typeof each === 'string' && isRight(each))
        ? given
        : undefined,
    (word) => word.split('\n').filter((each) => each !== ''),
  ),
  takes: 'words',
});

export const lines = linesOf('a list of texts', () => true);

const isWithin = (given: unknown, least: number, most: number): given is number =>
  typeof given === 'number' && given >= least && given <= most;

const isWhole = (given: unknown, least: number, most: number): given is number =>
  isWithin(given, least, most) && Number.isInteger(given);
