/** What is wrong with words of the command line, in sentences that say what would be right. */
import type { Argv } from 'yargs';
import { nearest, quote, sentence } from '../../scenarios/language/complaint.ts';
import { InputError } from './exit.ts';

/** What yargs knows of the command that it has come to; its types leave it out. */
interface Known {
  getOptions(): {
    readonly key: Readonly<Record<string, unknown>>;
    readonly boolean: readonly string[];
    readonly array: readonly string[];
    readonly choices: Readonly<Record<string, readonly (string | number)[]>>;
  };
  getGroups(): Readonly<Record<string, readonly string[]>>;
  getInternalMethods(): {
    getContext(): { readonly commands: readonly string[] };
    getCommandInstance(): { getCommands(): readonly string[] };
    getUsageInstance(): { getDescriptions(): Readonly<Record<string, string | undefined>> };
  };
}

/** `fault` is a message of yargs, `words` is all that was given. */
export function complaintsOf(fault: string, words: readonly string[], parser: Argv): string[] {
  const known = parser as unknown as Known;
  for (const [pattern, complaint] of COMPLAINTS) {
    const found = pattern.exec(fault);
    if (found === null) continue;
    const said = complaint(known, found[1] ?? '', words);
    return ofCommand(known, typeof said === 'string' ? [said] : said);
  }
  return ofCommand(known, [fault]);
}

/** Each after the command that it is about, with where to read on. */
function ofCommand(known: Known, said: readonly string[]): string[] {
  const command = ['fleetwave', ...pathOf(known)].join(' ');
  return [...said.map((each) => `${command}: ${each}`), `Help: ${command} --help`];
}

type Complaint = (
  known: Known,
  what: string,
  words: readonly string[],
) => string | readonly string[];

/** Message that yargs shows where no command is named. */
export const NO_COMMAND_SAID = 'Name a command';
const NO_COMMAND = new RegExp(`^${NO_COMMAND_SAID}$`);

const COMPLAINTS: readonly (readonly [RegExp, Complaint])[] = [
  [/^Not enough arguments following: (.*)$/, (known, key) => needsValue(known, key)],
  [/^Unknown arguments?: (.*)$/s, (known, list, words) => unknownWords(known, list, words)],
  [/^Invalid values:\s+Argument: (.*)/, (known, said, words) => notAChoice(known, said, words)],
  [/^Missing required arguments?: (.*)$/, (known, list) => missing(known, list.split(', '))],
  [/^Not enough non-option arguments: got (\d+)/, (known, got) => missingWord(known, Number(got))],
  [NO_COMMAND, (known) => sentence({ what: 'name a command', allowed: listed(known) })],
];

function needsValue(known: Known, key: string): string {
  const choices = choicesOf(known, key);
  if (choices.length === 0) return `--${key} needs a value${described(known, key)}`;
  return sentence({ what: `--${key} needs a value`, allowed: choices.join(', ') });
}

/** The first word that is none; yargs lists all, and some in two spellings. */
function unknownWords(known: Known, list: string, words: readonly string[]): string {
  const option = optionWords(words, known).find((word) => !isKnown(known, word));
  if (option !== undefined) return unknownOption(known, option);
  const word = ownWords(words).find((each) => list.split(', ').includes(each)) ?? list;
  const commands = commandsOf(known);
  if (commands.length === 0) return `${quote(word)} is one word too many`;
  const meant = nearestWord(word, commands);
  const what = `${quote(word)} is not a command`;
  return sentence({ what, allowed: listed(known), ...(meant && { meant }) });
}

/** There may be thirty options: the message lists all of them if none is similar. */
function unknownOption(known: Known, word: string): string {
  const options = optionsOf(known);
  const name = nameOf(word);
  const bare = name.replace(/^no-/, '');
  const meant = nearestWord(name, options) ?? nearestWord(bare, options);
  const what = `${word.startsWith('--') ? '--' : '-'}${name} is not an option`;
  if (meant !== undefined) return sentence({ what, meant: `--${meant}` });
  return sentence({ what, allowed: options.map((each) => `--${each}`).join(', ') });
}

/** `said` is `frames, Given: "none", Choices: …`; for numbers yargs shows the parsed value. */
function notAChoice(known: Known, said: string, words: readonly string[]): string {
  const [, key = '', read = ''] = /^([^,]*), Given: "?(.*?)"?, Choices: /.exec(said) ?? [];
  const choices = choicesOf(known, key).map(String);
  const at = words.findIndex((word) => isOption(word) && nameOf(word) === key);
  const [, inWord] = /=(.*)$/s.exec(words[at] ?? '') ?? [];
  const given = at < 0 ? read : (inWord ?? words[at + 1] ?? '');
  const meant = nearestWord(given, choices);
  return sentence({
    what: `${at < 0 ? key.toUpperCase() : `--${key}`} ${quote(given)} is not right`,
    allowed: choices.join(', '),
    ...(meant && { meant }),
  });
}

const missing = (known: Known, keys: readonly string[]): readonly string[] =>
  keys.map((key) => `--${key} is missing${described(known, key)}`);

/** The first positional argument that is missing, of those required. */
function missingWord(known: Known, given: number): string {
  const name = positionalsOf(known)[given] ?? 'word';
  return `${name.toUpperCase()} is missing${described(known, name)}`;
}

/** The same letters in another order, one that begins so, or one that is a few letters off. */
function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  const letters = (text: string) => [...text].sort().join('');
  const swapped = candidates.find((each) => letters(each) === letters(word));
  const begun = candidates.filter((each) => word.length > 1 && each.startsWith(word));
  return swapped ?? (begun.length === 1 ? begun[0] : nearest(word, candidates));
}

/**
 * What yargs lets pass: an option that is given twice, though only lists may be; `--no-x` of one
 * that has a value; `--x=3` of one that has none.
 */
export function wellFormed(words: readonly string[], parser: Argv): true {
  const known = parser as unknown as Known;
  const { boolean, array } = known.getOptions();
  const seen = new Set<string>();
  const refuse = (fault: string): never => {
    throw new InputError(ofCommand(known, [fault]));
  };
  for (const word of optionWords(words, known)) {
    const name = nameOf(word).replace(/^no-/, '');
    const isFlag = boolean.includes(name);
    if (!isFlag && !isDefined(known, nameOf(word))) refuse(unknownOption(known, word));
    if (isFlag && /=(?!(true|false)$)/.test(word)) refuse(`--${name} takes no value`);
    if (seen.has(name) && !array.includes(name)) refuse(`--${name} is given more than once`);
    seen.add(name);
  }
  return true;
}

/** The words that are options, not values of options. */
function optionWords(words: readonly string[], known: Known): string[] {
  const { boolean } = known.getOptions();
  const found: string[] = [];
  let isValue = false;
  for (const word of ownWords(words)) {
    if (!isValue && isOption(word)) {
      found.push(word);
      isValue = !word.includes('=') && isDefined(known, nameOf(word));
      isValue &&= !boolean.includes(nameOf(word));
    } else isValue = false;
  }
  return found;
}

/** What stands behind `--` is the words of another program. */
function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

const isOption = (word: string): boolean => /^-./.test(word);

/** yargs takes `--verifyImages` for `--verify-images`. */
const nameOf = (word: string): string =>
  word
    .replace(/^--?/, '')
    .replace(/=.*$/s, '')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isDefined = (known: Known, name: string): boolean =>
  Object.hasOwn(known.getOptions().key, name);

const isKnown = (known: Known, word: string): boolean =>
  isDefined(known, nameOf(word)) ||
  known.getOptions().boolean.includes(nameOf(word).replace(/^no-/, ''));

const choicesOf = (known: Known, key: string) => known.getOptions().choices[key] ?? [];

/** Those with a name of several letters; positional words are no options. */
function optionsOf(known: Known): string[] {
  const positional = positionalsOf(known);
  return Object.keys(known.getOptions().key).filter(
    (key) => key.length > 1 && !positional.includes(key),
  );
}

const pathOf = (known: Known) => known.getInternalMethods().getContext().commands;
const commandsOf = (known: Known) => known.getInternalMethods().getCommandInstance().getCommands();

const listed = (known: Known): string => commandsOf(known).join(', ');
const positionalsOf = (known: Known) => known.getGroups()['Positionals:'] ?? [];

/** In parentheses: the line of the help about it, without what holds in its absence. */
function described(known: Known, key: string): string {
  const said = known.getInternalMethods().getUsageInstance().getDescriptions()[key] ?? '';
  const plain = said.replace('__yargsString__:', '').replace(/ {2}\[default: .*$/, '');
  const inside = plain.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  return inside === '' ? '' : ` (${inside})`;
}
