/** Sentences of a study as HTML and as Markdown. */

import { code } from '../../markup/markdown-parts.ts';
import { type Content, html } from '../../markup/markup.ts';
import type { Sentence } from './sentences.ts';

export const proseHtml = (sentences: readonly Sentence[]): Content =>
  sentences.map((sentence, at) => [
    at === 0 ? '' : ' ',
    sentence.map((part) => (typeof part === 'string' ? part : html`<code>${part.quoted}</code>`)),
  ]);

export const proseMarkdown = (sentences: readonly Sentence[]): string =>
  sentences
    .map((sentence) =>
      sentence
        .map((part) => (typeof part === 'string' ? gently(part) : code(part.quoted)))
        .join(''),
    )
    .join(' ');

/**
 * Text inside a line of Markdown that is read as it is, and can be read in the source too: only
 * what begins markup, a link or a mention is escaped.
 */
export function gently(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, (space) => (space === '\u202F' ? space : ' '))
    .replace(/[\\`*_[\]~|#@]|:(?=\/)|(?<=www)\./gi, (character) => `\\${character}`)
    .replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
