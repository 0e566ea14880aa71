/** Which script runs a command: the fewer commands one has, the sooner it starts. */
import type { ScriptName } from '../host/process/scripts.ts';

/** The script of each command that answers at once. */
const QUICK: ReadonlyMap<string, ScriptName> = new Map([
  ['run', 'runs'],
  ['validate', 'runs'],
  ['replay', 'runs'],
  ['plan', 'runs'],
  ['schema', 'runs'],
  ['airtime', 'calculators'],
  ['fragments', 'calculators'],
]);

/** The script of each command that takes its time. */
const LONG: ReadonlyMap<string, ScriptName> = new Map([
  ['init', 'tools'],
  ['import', 'tools'],
  ['diff', 'tools'],
  ['report', 'tools'],
  ['explain', 'tools'],
  ['branch', 'tools'],
  ['completion', 'tools'],
  ['fidelity', 'tools'],
  ['study', 'studies'],
  ['worker', 'studies'],
  ['serve', 'services'],
  ['exec', 'services'],
  ['journal', 'services'],
  ['bridge', 'services'],
]);

/** What may be of many seeds, and then is a study. */
const MANY: ReadonlySet<string> = new Set(['run', 'plan']);
const STUDY = /^--(seeds|verify)(=|$)/;

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** A script, and what it is run for. */
export interface Chosen {
  readonly script: ScriptName;
  /** A word that may stand in the name of a file. */
  readonly use: string;
  /** It answers and exits; all else may live on. */
  readonly isQuick: boolean;
}

/** The command that words name, before which options may stand. */
export const commandIn = (words: readonly string[]): string | undefined =>
  words.find((word) => QUICK.has(word) || LONG.has(word));

/** What is no command is answered with help, which every script has, but for that of servers. */
export function scriptFor(words: readonly string[]): Chosen {
  const word = commandIn(words) ?? '';
  const long = LONG.get(word);
  const isHelp = long !== 'services' && words.some((each) => HELP.has(each));
  if (isHelp) return { script: 'calculators', use: 'help', isQuick: true };
  if (MANY.has(word) && words.some((each) => STUDY.test(each))) {
    return { script: 'studies', use: word, isQuick: false };
  }
  if (long !== undefined) return { script: long, use: word, isQuick: false };
  return { script: QUICK.get(word) ?? 'calculators', use: word || 'help', isQuick: true };
}
