/** Settings in force as a `fleetwave.yaml` that says the same, with who said so. */
import { stringify } from 'yaml';
import type { InForce } from './read.ts';
import { keyOf, rowOf, SETTING_NAMES, type SettingName } from './table.ts';

/** A line each; a setting without a value is a comment. */
export const printed = (held: InForce): string =>
  SETTING_NAMES.map((name) => lineOf(name, held)).join('');

function lineOf(name: SettingName, held: InForce): string {
  const said = held.get(name);
  if (said === undefined) return `# ${keyOf(name)}:  # default: ${rowOf(name).absent}\n`;
  return `${keyOf(name)}: ${inFlow(said.value)}  # ${said.by}\n`;
}

/** On one line, however long it is. */
const inFlow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, blockQuote: false }).trim();
