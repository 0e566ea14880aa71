/** The small parts of a report in Markdown: texts that stay as they are, and tables. */
import { assert } from '../../sim/base/assert.ts';
import { NOTHING } from '../text/format.ts';

/** Text that Markdown and HTML leave as it is, on one line. */
export function plain(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]()<>#+\-.!|~&:@=$^"']/g, (character) =>
    HTML_SPECIAL.test(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`,
  );
}

/** Text as code, on one line, fit for a table's cell. */
export function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\|');
  if (line.trim() === '') return NOTHING;
  const fence = fenceFor(line, 1);
  return fence === '`' ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

const HTML_SPECIAL = /[<>&"']/;

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ');
}

/** A fence of back-ticks: at least the given number, and more than the text has in a row. */
export function fenceFor(text: string, atLeast: number): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
  return '`'.repeat(Math.max(atLeast, longest + 1));
}

/** `aligned` has one letter for each column: l or r. Cells are finished Markdown. */
export function table(
  heads: readonly string[],
  aligned: string,
  rows: readonly (readonly string[])[],
): string {
  assert(heads.length === aligned.length, 'every column has an alignment');
  const line = (cells: readonly string[]) => {
    assert(cells.length === heads.length, 'a row has a cell for each column');
    return `| ${cells.join(' | ')} |`;
  };
  const rule = heads.map((_, column) => (aligned[column] === 'r' ? '---:' : '---'));
  return [line(heads), line(rule), ...rows.map(line)].join('\n');
}

/** Entries of a cell, with commas; a dash where there is none. */
export const listed = (entries: readonly string[]): string =>
  entries.length === 0 ? NOTHING : plain(entries.join(', '));
