/**
 * The words about a wrong value: what is wrong, what is allowed, and the nearest right word.
 */
import { distance } from 'fastest-levenshtein';

export interface Complaint {
  /** What is wrong, with the value in it. */
  readonly what: string;
  /** What would be right. */
  readonly allowed?: string;
  /** The right word the user most likely meant. */
  readonly meant?: string;
}

/** A value read from a scenario file, or the complaint about it. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly complaint: Complaint };

/** Turns what stands in the file into a value in base units. `undefined` is a missing entry. */
export type Reader<Value> = (input: unknown) => Reading<Value>;

export const read = <Value>(value: Value): Reading<Value> => ({ ok: true, value });

export const refuse = (what: string, allowed?: string, meant?: string): Reading<never> => ({
  ok: false,
  complaint: {
    what,
    ...(allowed === undefined ? {} : { allowed }),
    ...(meant === undefined ? {} : { meant }),
  },
});

/** `what; allowed: …; did you mean "…"?` */
export function sentence({ what, allowed, meant }: Complaint): string {
  const parts = [what];
  if (allowed !== undefined) parts.push(`allowed: ${allowed}`);
  if (meant !== undefined) parts.push(`did you mean "${meant}"?`);
  return parts.join('; ');
}

/**
 * The number of candidates are looked at: a scenario has up to 100 000 figures that could be meant.
 */
const CANDIDATES_MAX = 2_000;

/** The candidate nearest to `word`, or nothing when none is near enough to be a slip of the pen. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 200) return undefined;
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = (word.length < 2 ? 0 : Math.ceil(word.length / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > CANDIDATES_MAX) break;
    const steps = distance(wanted, candidate.toLowerCase());
    if (steps >= bestDistance) continue;
    best = candidate;
    bestDistance = steps;
  }
  return best;
}

/** A refused word among known ones. */
export function unknownWord(what: string, word: string, known: readonly string[]): Reading<never> {
  return refuse(what, known.join(', '), nearest(word, known));
}

/** A name that no thing of a kind has. */
export function unknownName(name: string, kind: string, known: readonly string[]): Complaint {
  const meant = nearest(name, known);
  return {
    what: `"${name}" is not ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} of this scenario`,
    allowed: known.length === 0 ? `no ${kind}, for there is none` : known.slice(0, 40).join(', '),
    ...(meant === undefined ? {} : { meant }),
  };
}

/** A key that a map does not have, among those that it has. */
export function unknownKey(key: string, known: readonly string[]): Complaint {
  const meant = nearest(key, known);
  return {
    what: `${quote(key)} is not a known key here`,
    allowed: known.join(', '),
    ...(meant === undefined ? {} : { meant }),
  };
}

/** A value as a user would recognise it, at most 40 characters long and on one line. */
export function quote(input: unknown): string {
  if (input === null) return 'an empty value';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'a map';
  if (typeof input !== 'string') return String(input);
  const short = input.length > 40 ? `${input.slice(0, 39)}…` : input;
  return `"${short.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, escaped)}"`;
}

/** A control character as JSON writes it, so that it moves no cursor of a terminal. */
const escaped = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
