/** The options of `fleetwave serve`, and what holds of them, the environment and a file. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Argv, Options } from 'yargs';
import { describeSystemError } from '../host/process/system-error.ts';
import { argumentOf } from '../host/settings/kinds.ts';
import {
  fromCommandLine,
  fromEnvironment,
  fromFile,
  type InForce,
  inForce,
} from '../host/settings/read.ts';
import {
  optionOf,
  rowOf,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  wordOf,
} from '../host/settings/table.ts';
import { InputError } from './exit.ts';

/** Words by the names of settings, and those that only the command line has. */
export interface ServeWords extends Readonly<Record<string, unknown>> {
  readonly config?: string | undefined;
  readonly printConfig?: boolean | undefined;
}

const WORD = { type: 'string', requiresArg: true } as const;

/** What stands in the working directory is read without being named. */
const SETTINGS_FILE = 'fleetwave.yaml';

export const withServeSettings = (args: Argv): Argv<ServeWords> =>
  withSettings(args, ['scenario'])
    .positional('scenario', { type: 'string', describe: describe('scenario') })
    .options({
      'print-config': { type: 'boolean', describe: 'Print the settings in force, and end' },
    });

/** The scenario is an option here: what stands without one is behind `--`. */
export const withExecSettings = (args: Argv): Argv<ServeWords> =>
  withSettings(args, ['readyFile', 'quiet']);

/** An option a setting; absence has to show, so none has a default of yargs. */
function withSettings(args: Argv, without: readonly SettingName[]): Argv<ServeWords> {
  const named = SETTING_NAMES.filter((name) => {
    return !without.includes(name) && argumentOf(rowOf(name)) !== 'file';
  });
  return args
    .options(Object.fromEntries(named.map((name) => [optionOf(name), yargsOption(name)])))
    .options({
      config: {
        ...WORD,
        describe: `File of settings  [default: ${SETTINGS_FILE}, if it is there]`,
      },
    });
}

function yargsOption(name: SettingName): Options {
  const takes = argumentOf(rowOf(name));
  if (takes === 'nothing') return { type: 'boolean', describe: describe(name) };
  if (takes === 'word') return { ...WORD, describe: describe(name) };
  return { type: 'string', array: true, nargs: 1, describe: describe(name) };
}

/** In the words of yargs; what is off or empty at first says so by itself. */
function describe(name: SettingName): string {
  const { is, default: value, absent } = rowOf(name);
  const begins = typeof value === 'number' || typeof value === 'string' ? String(value) : absent;
  return begins === undefined ? is : `${is}  [default: ${begins}]`;
}

/** Throws `InputError` with all that is wrong with any of them. */
export function settingsInForce(
  words: ServeWords,
  environment: Readonly<Record<string, string | undefined>>,
): InForce {
  const layers = [fromCommandLine(words), fromEnvironment(environment)];
  const named = words.config ?? (environment.FLEETWAVE_CONFIG || undefined);
  const path = named ?? (existsSync(SETTINGS_FILE) ? SETTINGS_FILE : undefined);
  if (path !== undefined) layers.push(fromFile(path, textOf(path)));
  const problems = layers.flatMap((layer) => layer.problems);
  if (problems.length > 0) throw new InputError(problems);
  return inForce(layers);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError([`${path}  cannot be read: ${describeSystemError(error)}`]);
  }
}

/** A line about an option, with the place that has set it where that is not the command line. */
export function placed(line: string, held: InForce): string {
  const name = SETTING_NAMES.find((each) => line.startsWith(`${wordOf(each)} `));
  const by = (name && held.get(name)?.by) ?? 'default';
  return by === 'default' || by.startsWith('flag ') ? line : `${by}  ${line}`;
}

/** The world is stored beside the scenario, or here. */
export const dataFolderOf = ({ data, scenario }: Settings): string =>
  data ?? join(scenario === undefined ? '.' : dirname(scenario), 'fleetwave-data');
