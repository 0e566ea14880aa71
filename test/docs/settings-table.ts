/** The settings of `fleetwave serve` as a table, from their rows. */
import {
  keyOf,
  rowOf,
  SETTING_NAMES,
  type SettingName,
  variableOf,
  wordOf,
} from '../../api/host/settings/table.ts';

/** A row a setting: its names in each place, what may stand there, default and meaning. */
export function settingTable(): string {
  const head = ['Option', 'Variable', 'Key', 'Allowed', 'Default', 'Meaning'];
  const rows = [head, head.map(() => '---'), ...SETTING_NAMES.map(cellsOf)];
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function cellsOf(name: SettingName): string[] {
  const { kind, is } = rowOf(name);
  const isFiles = kind.takes === 'file';
  return [
    isFiles ? '–' : `\`${wordOf(name)}\``,
    isFiles ? '–' : `\`${variableOf(name)}\``,
    `\`${keyOf(name)}\``,
    kind.allowed,
    defaultOf(name),
    is,
  ];
}

function defaultOf(name: SettingName): string {
  const { default: value, absent } = rowOf(name);
  if (absent !== undefined) return absent;
  return Array.isArray(value) ? 'none' : `\`${String(value)}\``;
}
