/** Colour where a terminal reads, or where it is asked for; plain text everywhere else. */
import { styleText } from 'node:util';

/** What text means; each takes it and gives it back as the reader sees it. */
export interface Painter {
  readonly heading: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warning: (text: string) => string;
  /** The place in a file that a line is about. */
  readonly place: (text: string) => string;
}

const same = (text: string): string => text;
export const PLAIN: Painter = { heading: same, good: same, bad: same, warning: same, place: same };

type Format = Parameters<typeof styleText>[0];
const styled = (format: Format) => (text: string) =>
  styleText(format, text, { validateStream: false });

export const COLOURED: Painter = {
  heading: styled('bold'),
  good: styled('green'),
  bad: styled('red'),
  warning: styled('yellow'),
  place: styled('bold'),
};

/** What `--color` and `--no-color` have said; undefined: nothing. */
let chosen: boolean | undefined;

/** Words behind `--` are another program's; the last word counts. */
export function chooseColour(words: readonly string[]): void {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const last = own.findLast((word) => WORDS.has(word));
  chosen = last === undefined ? undefined : WORDS.get(last);
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['--color', true],
  ['--no-color', false],
]);

/** For text that goes to this stream. */
export const painterOf = (
  stream: { readonly isTTY?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Painter =>
  (chosen ?? wanted(environment) ?? isTerminal(stream, environment)) ? COLOURED : PLAIN;

/** As Node.js has it: FORCE_COLOR counts before NO_COLOR, and 0 or false in it is none. */
function wanted({ FORCE_COLOR, NO_COLOR }: Readonly<Record<string, string | undefined>>) {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return NO_COLOR === undefined || NO_COLOR === '' ? undefined : false;
}

const isTerminal = (
  { isTTY = false }: { readonly isTTY?: boolean | undefined },
  { TERM }: Readonly<Record<string, string | undefined>>,
): boolean => isTTY && TERM !== 'dumb';
