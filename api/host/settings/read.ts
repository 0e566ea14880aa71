/**
 * Settings from where they are said: words of the command line, variables of the environment, a
 * file. All problems are reported with their places; with any problem, no setting is applied.
 */
import { quote, unknownKey } from '../../../scenarios/language/complaint.ts';
import {
  type Fault,
  faultsOf,
  format,
  messageOf,
  type Problem,
  problemsOf,
} from '../../../scenarios/language/problem.ts';
import { parseYaml } from '../../../scenarios/language/yaml-source.ts';
import { isMap } from '../../../sim/base/plain-data.ts';
import { argumentOf, readSetting, valueOfWord } from './kinds.ts';
import {
  keyOf,
  rowOf,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  variableOf,
  wordOf,
} from './table.ts';

/** A value and its source: `flag --port`, `environment FLEETWAVE_PORT`, `fleetwave.yaml:3`. */
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
    const value = typeof word === 'string' ? valueOfWord(rowOf(name), word) : word;
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
    const row = rowOf(name);
    const place = variableOf(name);
    const word = argumentOf(row) === 'file' ? '' : (environment[place] ?? '');
    if (word === '') return undefined;
    return { value: valueOfWord(row, word), place, by: `environment ${place}` };
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
    const read = valueIn(name, found.value);
    if ('value' in read) said.set(name, { value: read.value, by });
    else problems.push(...read.faults.map((fault) => `${place} ${messageOf(fault)}`));
  }
  return { said, problems };
}

/** A value as its row reads it, or all that is wrong with it; paths begin at `at`. */
function valueIn(name: SettingName, given: unknown, at: Fault['path'] = []): Reading {
  const row = rowOf(name);
  if (row.inFile === undefined) {
    const read = readSetting(row, given);
    return read.ok ? read : { faults: [{ path: at, complaint: read.complaint }] };
  }
  const read = row.inFile.safeParse(given);
  return read.success ? { value: read.data } : { faults: faultsOf(read.error.issues, at) };
}

type Reading = { readonly value: unknown } | { readonly faults: readonly Fault[] };

// ── the file ─────────────────────────────────────────────────────────────────────────────────────

const KEYS = SETTING_NAMES.map(keyOf);

/** Settings in YAML, by their keys; comments alone say nothing. */
export function fromFile(path: string, text: string): Layer {
  if (text.replaceAll(/#.*$/gm, '').trim() === '') return NOTHING;
  const { value, source, problems } = parseYaml(path, text);
  if (problems.length > 0) return refused(problems);
  const faults: Fault[] = [];
  const said = new Map<SettingName, Said>();
  if (isMap(value)) {
    for (const key of Object.keys(value).filter((each) => !KEYS.includes(each))) {
      faults.push({ path: [key], ofKey: true, complaint: () => unknownKey(key, KEYS) });
    }
    for (const name of SETTING_NAMES) {
      const key = keyOf(name);
      if (value[key] === undefined) continue;
      const read = valueIn(name, value[key], [key]);
      const by = `${path}:${source.locate([key], true).line}`;
      if ('value' in read) said.set(name, { value: read.value, by });
      else faults.push(...read.faults);
    }
  } else {
    const what = `${quote(value)} is not a map of keys and values`;
    faults.push({ path: [], complaint: { what, allowed: `a map with ${KEYS.join(', ')}` } });
  }
  return faults.length > 0 ? refused(problemsOf(faults, source, path)) : { said, problems: [] };
}

const NOTHING: Layer = { said: new Map(), problems: [] };

const refused = (problems: readonly Problem[]): Layer => {
  return { said: new Map(), problems: problems.map(format) };
};
