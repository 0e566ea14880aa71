/** The options `--junit` and `--markdown` of commands that judge expectations. */
import { WORD } from './option-kinds.ts';

export interface CheckFiles {
  /** Path of the JUnit XML. */
  readonly junit?: string | undefined;
  /** Path of the Markdown. */
  readonly markdown?: string | undefined;
}

export const CHECK_OPTIONS = {
  junit: { ...WORD, describe: 'Write the expectations to this file as JUnit XML' },
  markdown: { ...WORD, describe: 'Write them to this file as Markdown, for a pull request' },
} as const;
