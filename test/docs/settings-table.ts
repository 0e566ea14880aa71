/** The settings of `fleetwave serve` as a table, from their rows. */
import { argumentOf } from '../../api/host/settings/kinds.ts';
import {
  keyOf,
  rowOf,
  SETTING_NAMES,
  type SettingName,
  variableOf,
  wordOf,
} from '../../api/host/settings/table.ts';
import { markdownTable } from '../../sim/base/markdown.ts';
import { allowedOf } from '../../sim/base/rows/allowed.ts';

/** A row a setting: its names in each place, what may stand there, default and meaning. */
export function settingTable(): string {
  const head = ['Option', 'Variable', 'Key', 'Allowed', 'Default', 'Meaning'];
  return markdownTable(head, SETTING_NAMES.map(cellsOf));
}

function cellsOf(name: SettingName): string[] {
  const row = rowOf(name);
  const isFiles = argumentOf(row) === 'file';
  return [
    isFiles ? '–' : `\`${wordOf(name)}\``,
    isFiles ? '–' : `\`${variableOf(name)}\``,
    `\`${keyOf(name)}\``,
    allowedOf(row),
    defaultOf(name),
    row.is,
  ];
}

function defaultOf(name: SettingName): string {
  const { default: value, absent } = rowOf(name);
  if (absent !== undefined) return absent;
  return Array.isArray(value) ? 'none' : `\`${String(value)}\``;
}
