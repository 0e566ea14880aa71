/** Sentences of comments are short enough to be read once. */
import type { House, Rule } from './house-rule.ts';
import { lineOf } from './source.ts';

/** Words of a sentence at most. Code and what stands in brackets count as one word or none. */
const MOST_WORDS = 25;

/** A comment of several lines, or lines of the other kind that follow each other. */
const COMMENT = /^[ \t]*\/\*\*?([\s\S]*?)\*\/|(?:^[ \t]*\/\/.*\n)+/gm;
/** Tables and code that is shown. */
const SHOWN = /^\s{4}|\|/m;

const withoutMarks = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*(\*|\/\/)?\s?/, ''))
    .join('\n');

/** Paragraphs of a comment and entries of its lists. */
const paragraphsOf = (comment: string): string[] =>
  withoutMarks(comment).split(/\n\s*\n|\n(?=\s*[-*•] )/);

const sentencesOf = (paragraph: string): string[] =>
  paragraph
    .replace(/`[^`]*`/g, 'code')
    .replace(/\([^()]*\)/g, ' ')
    .split(/(?<=[.!?:;])\s+/);

const wordsOf = (sentence: string): number => sentence.split(/\s+/).filter(Boolean).length;

function longSentences({ files }: House): string[] {
  return Object.entries(files)
    .filter(([path]) => path.endsWith('.ts') && !path.includes('/generated/'))
    .flatMap(([path, text]) =>
      [...text.matchAll(COMMENT)].flatMap((found) =>
        paragraphsOf(found[1] ?? found[0])
          .filter((paragraph) => !SHOWN.test(paragraph))
          .flatMap(sentencesOf)
          .filter((sentence) => wordsOf(sentence) > MOST_WORDS)
          .map((sentence) => {
            const begins = sentence.trim().slice(0, 40);
            return `${path}:${lineOf(text, found.index)} has ${wordsOf(sentence)} words: ${begins}`;
          }),
      ),
    );
}

const commented = (words: number) => ({
  'core/platform.ts': `/**\n * ${'word '.repeat(words)}\n * end.\n */\n`,
});

export const SENTENCE_RULES: readonly Rule[] = [
  {
    name: `a sentence of a comment has at most ${MOST_WORDS} words`,
    check: longSentences,
    breaks: [
      commented(MOST_WORDS),
      { 'core/platform.ts': `// ${'word '.repeat(20)}\n// ${'word '.repeat(6)}\n` },
    ],
    keeps: {
      ...commented(MOST_WORDS - 1),
      'core/rows.ts': `/** ${'word '.repeat(20)}(${'aside '.repeat(9)}) \`${'a '.repeat(9)}\`. */`,
      'core/two.ts': `// ${'word '.repeat(20)}end. ${'word '.repeat(20)}end.\n`,
    },
  },
];
