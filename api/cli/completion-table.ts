/** All commands, options and what stands for their words, as scripts for completion have them. */
import yargs, { type Argv } from 'yargs';
import { REGION_NAMES } from '../../sim/lorawan/region.ts';
import { optionOf, rowOf, SETTING_NAMES } from '../host/settings/table.ts';
import { TEMPLATES } from './templates.ts';

/** What stands for a word: some words, files that end so, folders, any file, or anything. */
export type Kind =
  | { readonly is: 'words'; readonly words: readonly string[] }
  | { readonly is: 'files'; readonly endings: readonly string[] }
  | { readonly is: 'folders' }
  | { readonly is: 'anything' };

export interface CompletedOption {
  readonly name: string;
  readonly about: string;
  /** Undefined: it takes none. */
  readonly value?: Kind;
}

export interface CompletedCommand {
  /** `journal verify`. */
  readonly path: string;
  readonly about: string;
  readonly options: readonly CompletedOption[];
  readonly positionals: readonly Kind[];
  /** Names of those below it. */
  readonly commands: readonly string[];
}

const SCENARIO: Kind = { is: 'files', endings: ['yaml', 'yml'] };
const FOLDER: Kind = { is: 'folders' };
const ANY_FILE: Kind = { is: 'files', endings: [] };

/** What words stand for beyond those that have choices; by command and name, or by name alone. */
const KINDS: Readonly<Record<string, Kind>> = {
  'diff a': ANY_FILE,
  'diff b': ANY_FILE,
  'diff html': ANY_FILE,
  'diff markdown': ANY_FILE,
  'report runs': FOLDER,
  'report out': { is: 'files', endings: ['html'] },
  'report outline': { is: 'files', endings: ['geojson', 'json'] },
  'explain run': FOLDER,
  'branch run': FOLDER,
  'explain what': { is: 'words', words: ['failed', 'slowest', 'gateway', 'campaign'] },
  'replay file': { is: 'files', endings: ['json'] },
  'init template': { is: 'words', words: Object.keys(TEMPLATES) },
  file: SCENARIO,
  scenario: SCENARIO,
  folder: FOLDER,
  out: FOLDER,
  'journal export out': ANY_FILE,
  pcap: FOLDER,
  'import files': ANY_FILE,
  'import gateways': ANY_FILE,
  'import out': SCENARIO,
  junit: ANY_FILE,
  markdown: ANY_FILE,
  'plan write': SCENARIO,
  'plan session': { is: 'words', words: ['B', 'C'] },
  region: { is: 'words', words: REGION_NAMES },
  data: FOLDER,
  logs: ANY_FILE,
  deliveries: ANY_FILE,
  config: ANY_FILE,
  'delivery-ca': ANY_FILE,
  'ready-file': ANY_FILE,
};

/** What yargs keeps of a command that it has not come to; its types leave it out. */
interface Handler {
  readonly original: string;
  readonly description: string;
  readonly builder: (args: Argv) => unknown;
  readonly demanded: readonly { readonly cmd: readonly string[] }[];
  readonly optional: readonly { readonly cmd: readonly string[] }[];
}

interface Built {
  getOptions(): {
    readonly key: Readonly<Record<string, unknown>>;
    readonly boolean: readonly string[];
    readonly default: Readonly<Record<string, unknown>>;
    readonly choices: Readonly<Record<string, readonly (string | number)[]>>;
  };
  getInternalMethods(): {
    getCommandInstance(): { getCommandHandlers(): Readonly<Record<string, Handler>> };
    getUsageInstance(): { getDescriptions(): Readonly<Record<string, string | undefined>> };
  };
}

/** Has all commands, as the command line itself has them. */
export type AddCommands = (
  parser: Argv,
  chosen: () => void,
  settings: typeof import('./serve-settings.ts'),
) => void;

/** Every command, with those below it; the first is the program itself. */
export async function commandTable(addCommands: AddCommands): Promise<CompletedCommand[]> {
  const settings = await import('./serve-settings.ts');
  const parser = yargs([]);
  addCommands(parser, () => undefined, settings);
  return below(parser, '', 'LoRaWAN networks and firmware updates, simulated');
}

function below(
  parser: Argv,
  path: string,
  about: string,
  positional: readonly string[] = [],
): CompletedCommand[] {
  const built = parser as unknown as Built;
  const handlers = built.getInternalMethods().getCommandInstance().getCommandHandlers();
  const own: CompletedCommand = {
    path,
    about,
    options: optionsOf(built, path, positional),
    positionals: positional.map((name) => kindOf(built, path, name)),
    commands: Object.keys(handlers),
  };
  const further = Object.entries(handlers).flatMap(([name, handler]) => {
    const inner = yargs([]);
    handler.builder(inner);
    const words = [...handler.demanded, ...handler.optional].map(({ cmd }) => cmd[0] ?? '');
    return below(inner, `${path} ${name}`.trim(), handler.description, words);
  });
  return [own, ...further];
}

/** Those that every command has, too; a flag that is on has the option that turns it off. */
function optionsOf(built: Built, path: string, positional: readonly string[]): CompletedOption[] {
  const { key, boolean, default: defaults } = built.getOptions();
  const said = built.getInternalMethods().getUsageInstance().getDescriptions();
  const names = Object.keys(key).filter((name) => !positional.includes(name) && name.length > 1);
  const own = names.map((name): CompletedOption => {
    const about = (said[name] ?? '').replace('__yargsString__:', '').replace(/ {2}\[.*$/, '');
    if (!boolean.includes(name)) return { name, about, value: kindOf(built, path, name) };
    return defaults[name] === true
      ? { name: `no-${name}`, about: `Do not: ${about}` }
      : { name, about };
  });
  const others: CompletedOption[] = [
    { name: 'color', about: 'Colour everywhere' },
    { name: 'no-color', about: 'No colour' },
    { name: 'verbose', about: 'Report caches of compiled code that are not used' },
    { name: 'help', about: 'Show help' },
    { name: 'version', about: 'Show version number' },
  ];
  const known = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !known.has(name))];
}

function kindOf(built: Built, path: string, name: string): Kind {
  const words = built.getOptions().choices[name];
  if (words !== undefined) return { is: 'words', words: words.map(String) };
  const setting = SETTING_NAMES.find((each) => optionOf(each) === name);
  const row = setting === undefined ? undefined : rowOf(setting);
  if (row?.type === 'choice') return { is: 'words', words: row.words };
  if (row?.type === 'flag') return { is: 'words', words: ['true', 'false'] };
  return KINDS[`${path} ${name}`] ?? KINDS[name] ?? { is: 'anything' };
}
