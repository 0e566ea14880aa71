/** All presets as a Markdown text, made from their tables so that it cannot lag behind. */
import { markdownTable } from '../../sim/base/markdown.ts';
import { BOARDS } from './boards.ts';
import { FORWARDERS } from './forwarders.ts';
import type { Preset, PresetRow, Presets } from './preset.ts';
import { SERVERS } from './servers.ts';
import { STACKS } from './stacks.ts';

/** Sections of the page: where the word stands in a file, and its presets. */
const SECTIONS: readonly (readonly [title: string, key: string, presets: Presets])[] = [
  ['Stacks', 'devices[].stack', STACKS],
  ['Boards', 'devices[].board', BOARDS],
  ['Servers', 'server, or server.preset', SERVERS],
  ['Gateways', 'gateways[].preset', FORWARDERS],
];

/** Ends in a line feed. */
export const presetPages = (): string =>
  SECTIONS.map(([title, key, presets]) => {
    const pages = Object.entries(presets).map(([name, preset]) => pageOf(name, preset));
    return `## ${title}: \`${key}\`\n\n${pages.join('\n')}`;
  }).join('\n');

function pageOf(name: string, { is, rows, campaign = [], faults = [], missing }: Preset): string {
  const parts = [
    `### ${name}\n\n${is[0]!.toUpperCase()}${is.slice(1)}.\n`,
    ...tableOf('Knob', rows),
    ...tableOf('Knob of each campaign', campaign),
    ...listOf('What its users meet in the field', faults),
    ...listOf('Not modelled, or not known', missing),
  ];
  return parts.join('\n');
}

function tableOf(head: string, rows: readonly PresetRow[]): string[] {
  if (rows.length === 0) return [];
  return [markdownTable([head, 'Value', 'Source'], rows.map(lineOf))];
}

function lineOf({ knob, value, source, isInferred, where, unless = [] }: PresetRow): string[] {
  const inferred = isInferred === true ? ' *(inferred)*' : '';
  const beside = unless.map((one) => `; not beside \`${one}\``).join('');
  const only = where === undefined ? '' : `; where \`${where[0]}\` is \`${shown(where[1])}\``;
  return [`\`${knob}\``, `\`${shown(value)}\``, `${source}${inferred}${only}${beside}`];
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value).replaceAll('"', '');

const listOf = (title: string, sentences: readonly string[]): string[] =>
  sentences.length === 0 ? [] : [`${title}:\n\n${sentences.map((one) => `- ${one}\n`).join('')}`];
