/** Sentences in which some words are code, so that HTML and Markdown each write them their way. */
import { counted } from '../../text/format.ts';

export interface Quoted {
  readonly quoted: string;
}

export type Sentence = readonly (string | Quoted)[];

export const quoted = (text: string): Quoted => ({ quoted: text });

/** Sentences as plain text, code as it is. */
export const textOf = (sentences: readonly Sentence[]): string =>
  sentences
    .map((each) => each.map((part) => (typeof part === 'string' ? part : part.quoted)).join(''))
    .join(' ');

/** `a, b and c`. */
export function listed(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** The same of sentences' parts. */
export function listedParts(parts: readonly Sentence[], last = 'and'): Sentence {
  return parts.flatMap((part, at) => {
    if (at === 0) return part;
    return [at === parts.length - 1 ? ` ${last} ` : ', ', ...part];
  });
}

/** `all 8 points`, `the one point`, `5 of 8 points`. */
export function shareOfPoints(some: number, all: number): string {
  if (some < all) return `${some} of ${counted(all, 'point')}`;
  return all === 1 ? 'the only point' : `all ${counted(all, 'point')}`;
}
