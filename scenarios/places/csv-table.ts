/**
 * CSV files as people have them (RFC 4180 and what spreadsheets write): cells separated by commas,
 * semicolons or tabs, decimal commas beside the latter two, line feeds within quotes.
 */

export interface CsvLine {
  /** Index of its first line in the file. */
  readonly index: number;
  readonly text: string;
}

/** Lines that a quote may hold: a quote that does not end is a part of its cell. */
const QUOTED_LINES_MAX = 50;

/** Lines with cells: empty ones are skipped, and those that begin with #. */
export function csvLines(text: string): CsvLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  const used: CsvLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const more = line.includes('"') ? linesInQuotes(lines, index) : 0;
    const whole = more === 0 ? line : lines.slice(index, index + more + 1).join('\n');
    used.push({ index, text: whole });
    index += more;
  }
  return used;
}

/** How many further lines belong to the one at an index, by its quotes. */
function linesInQuotes(lines: readonly string[], index: number): number {
  let quotes = 0;
  for (let more = 0; more < QUOTED_LINES_MAX && index + more < lines.length; more++) {
    quotes += lines[index + more]!.split('"').length - 1;
    if (quotes % 2 === 0) return more;
  }
  return 0;
}

const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The one that the header has most of; a comma where it has none. */
export function separatorOf(header: string): Separator {
  const outside = header.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => outside.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}

export interface CsvCell {
  readonly text: string;
  /** From 1, where it begins. */
  readonly column: number;
}

const CELLS: Readonly<Record<Separator, RegExp>> = {
  ',': /\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(,|$)/y,
  ';': /\s*(?:"((?:[^"]|"")*)"|([^;]*?))\s*(;|$)/y,
  '\t': /[^\S\t]*(?:"((?:[^"]|"")*)"|([^\t]*?))[^\S\t]*(\t|$)/y,
};

/** Cells of a line; quotes may hold separators. */
export function cellsOf(line: string, separator: Separator): CsvCell[] {
  if (!line.includes('"')) {
    let column = 1;
    return line.split(separator).map((raw) => {
      const cell = { text: raw.trim(), column: column + raw.length - raw.trimStart().length };
      column += raw.length + 1;
      return cell;
    });
  }
  const cells: CsvCell[] = [];
  const CELL = CELLS[separator];
  for (let at = 0; ; at = CELL.lastIndex) {
    CELL.lastIndex = at;
    const match = CELL.exec(line);
    // A quote that does not end is a part of its cell.
    const [, quoted, plain = line.slice(at), end = ''] = match ?? [];
    cells.push({ text: quoted?.replaceAll('""', '"') ?? plain, column: at + 1 });
    if (end !== separator) return cells;
  }
}

/** A number with a decimal comma, with a unit or without. */
const DECIMAL_COMMA = /^([-+]?\d+),(\d+)(\s*[\p{L}%°/µ]*)$/u;

/** Where a comma does not separate cells it is that of decimals. */
export const withDecimalPoint = (cell: string, separator: Separator): string =>
  separator === ',' ? cell : cell.replace(DECIMAL_COMMA, '$1.$2$3');
