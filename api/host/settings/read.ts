/**
 * Settings from where they are said: words of the command line, variables of the environment, a
 * file. All that is wrong is reported with its place, and then nothing holds.
 */
import * as z from 'zod';
import { record } from '../../../scenarios/language/knob.ts';
import { faultsOf, format, type Problem, problemsOf } from '../../../scenarios/language/problem.ts';
import { parseYaml } from '../../../scenarios/language/yaml-source.ts';
import {
  keyOf,
  rowOf,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  variableOf,
  wordOf,
} from './table.ts';

/** A value, and by whom: `flag --port`, `environment FLEETWAVE_PORT`, `fleetwave.yaml:3`. */
export interface Said {
  readonly value: unknown;
  readonly by: string;
}

/** What one place says, and what is wrong there, a line each. */
export interface Layer {
  readonly said: ReadonlyMap<SettingName, Said>;
  readonly problems: readonly string[];
}

/** What holds of each setting; one that has no value has none here either. */
export type InForce = ReadonlyMap<SettingName, Said>;

/** The first that says something counts. */
export function inForce(layers: readonly Layer[]): InForce {
  const held = SETTING_NAMES.map((name) => {
    const said = layers.map((layer) => layer.said.get(name)).find((each) => each !== undefined);
    return [name, said ?? { value: rowOf(name).default, by: 'default' }] as const;
  });
  return new Map(held.filter(([, { value }]) => value !== undefined));
}

export const settingsOf = (held: InForce): Settings =>
  Object.fromEntries([...held].map(([name, { value }]) => [name, value]));

/** Words by the names of settings, as yargs has them; flags are true and false already. */
export const fromCommandLine = (words: Readonly<Record<string, unknown>>): Layer =>
  layerOf((name) => {
    const word = words[name];
    const isAbsent = word === undefined || (Array.isArray(word) && word.length === 0);
    const value = typeof word === 'string' ? rowOf(name).kind.ofWord(word) : word;
    return isAbsent ? undefined : { value, place: wordOf(name), by: `flag ${wordOf(name)}` };
  });

/** Values as a program gives them; what is no setting is for others to look at. */
export const fromProgram = (values: { readonly [Name in SettingName]?: unknown }): Layer =>
  layerOf((name) => {
    const value = values[name];
    return value === undefined ? undefined : { value, place: wordOf(name), by: 'program' };
  });

/** A variable that is empty says nothing. */
export const fromEnvironment = (environment: Readonly<Record<string, string | undefined>>) =>
  layerOf((name) => {
    const { kind } = rowOf(name);
    const place = variableOf(name);
    const word = kind.takes === 'file' ? '' : (environment[place] ?? '');
    if (word === '') return undefined;
    return { value: kind.ofWord(word), place, by: `environment ${place}` };
  });

interface Found extends Said {
  /** Where it stands, as complaints have it. */
  readonly place: string;
}

function layerOf(find: (name: SettingName) => Found | undefined): Layer {
  const said = new Map<SettingName, Said>();
  const problems: string[] = [];
  for (const name of SETTING_NAMES) {
    const found = find(name);
    if (found === undefined) continue;
    const { place, by } = found;
    const read = rowOf(name).kind.schema.safeParse(found.value);
    if (read.success) said.set(name, { value: read.data, by });
    else problems.push(...read.error.issues.map(({ message }) => `${place} ${message}`));
  }
  return { said, problems };
}

// ── the file ─────────────────────────────────────────────────────────────────────────────────────

const FILE = record(
  Object.fromEntries(
    SETTING_NAMES.map((name) => [keyOf(name), z.optional(rowOf(name).kind.schema)]),
  ),
);

/** Settings in YAML, by their keys; comments alone say nothing. */
export function fromFile(path: string, text: string): Layer {
  if (text.replaceAll(/#.*$/gm, '').trim() === '') return NOTHING;
  const { value, source, problems } = parseYaml(path, text);
  if (problems.length > 0) return refused(problems);
  const read = FILE.safeParse(value);
  if (!read.success) return refused(problemsOf(faultsOf(read.error.issues), source, path));
  const names = SETTING_NAMES.filter((name) => read.data[keyOf(name)] !== undefined);
  const said = names.map((name): [SettingName, Said] => {
    const { line } = source.locate([keyOf(name)], true);
    return [name, { value: read.data[keyOf(name)], by: `${path}:${line}` }];
  });
  return { said: new Map(said), problems: [] };
}

const NOTHING: Layer = { said: new Map(), problems: [] };

const refused = (problems: readonly Problem[]): Layer => {
  return { said: new Map(), problems: problems.map(format) };
};
