/**
 * CSV files as tables (RFC 4180, and what spreadsheets write): commas, semicolons, tabs or bars,
 * lines above the headers, line feeds within quotes.
 */
import { parse } from 'csv-parse/sync';
import { sentence } from '../../scenarios/language/complaint.ts';
import { knownHeaders } from './fields.ts';
import type { FileText } from './file-text.ts';
import { isEui } from './identifiers.ts';
import { type ListFault, type ListTable, type ReadLists, refused } from './table.ts';

const SEPARATORS = { ';': 'semicolons', '\t': 'tabs', ',': 'commas', '|': 'bars' } as const;
type Separator = keyof typeof SEPARATORS;

interface ParsedRow {
  readonly record: string[];
  /** Where it begins, from 1. */
  readonly line: number;
}

/** Rows in which headers are looked for: exports have a title above them. */
const HEADER_ROWS = 10;

export function csvList(file: string, { text, encoding }: FileText): ReadLists {
  // Excel names the separator in a first line of its own.
  const [first, named] = /^sep=(.)\r?\n/.exec(text) ?? [''];
  const separator = (named as Separator | undefined) ?? separatorOf(text);
  let rows: readonly ParsedRow[];
  try {
    rows = parsedRows(text.slice(first.length), separator, first === '' ? 0 : 1);
  } catch (error) {
    return refused(file, 0, `is not CSV: ${(error as Error).message}`);
  }
  const headerRow = rowOfHeaders(rows);
  const headers = rows[headerRow]?.record;
  if (headers === undefined) {
    const allowed = 'a header such as name;devEui;latitude;longitude';
    return refused(file, 0, sentence({ what: 'is empty', allowed }));
  }
  const hasHeaders = !headers.some(isEui);
  const columns = columnsOf(headers, hasHeaders);
  const body = rows.slice(hasHeaders ? headerRow + 1 : headerRow);
  const { cells, lines, faults } = cellsOf(file, body, columns.length, separator);
  const words = [`CSV, ${SEPARATORS[separator] ?? `"${separator}"`}`];
  const table: ListTable = {
    file,
    form: [...words, ...(encoding === 'UTF-8' ? [] : [encoding])].join(', '),
    columns,
    rows: cells,
    lineOf: (row) => lines[row] ?? 0,
    headerLine: hasHeaders ? (rows[headerRow]?.line ?? 1) : 0,
  };
  return { tables: [table], faults };
}

/** With numbers as headers where the first row is a device already. */
const columnsOf = (headers: readonly string[], hasHeaders: boolean): string[] => {
  const columns = headers.map((header, i) => (hasHeaders ? header : `column ${i + 1}`));
  while (columns.length > 1 && columns.at(-1) === '') columns.pop();
  return columns;
};

/** Each row with the line where it begins; the parser counts lines to its end. */
function parsedRows(text: string, separator: string, skipped: number): ParsedRow[] {
  const rows: ParsedRow[] = [];
  parse(text, {
    delimiter: separator,
    trim: true,
    skip_empty_lines: true,
    comment: '#',
    comment_no_infix: true,
    relax_column_count: true,
    relax_quotes: true,
    on_record: (record: string[], { lines }) => {
      rows.push({ record, line: lines - extraLines(record) + skipped });
      return null;
    },
  });
  return rows;
}

/** Line feeds within cells: lines between the first and the last one of a row. */
const extraLines = (record: readonly string[]): number =>
  record.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);

/** The separator that the first lines have most of outside quotes; a comma where none has any. */
function separatorOf(text: string): Separator {
  const lines = text.slice(0, 10_000).split(/\r\n|\r|\n/, HEADER_ROWS);
  const outside = lines.map((line) => line.replace(/"[^"]*"/g, '')).join('\n');
  const separators = Object.keys(SEPARATORS) as Separator[];
  // A decimal comma beside semicolons or tabs separates nothing.
  const counts = separators.map((one) => outside.split(one).length - 1);
  const [semicolons = 0, tabs = 0, commas = 0, bars = 0] = counts;
  const rows = lines.filter((line) => line.trim() !== '').length;
  if (semicolons >= rows || semicolons > commas) return ';';
  if (tabs >= rows || tabs > commas) return '\t';
  return bars > commas ? '|' : ',';
}

/** The row with most headers that are known; the first one where none is. */
function rowOfHeaders(rows: readonly ParsedRow[]): number {
  const counts = rows.slice(0, HEADER_ROWS).map(({ record }) => knownHeaders(record));
  const most = Math.max(0, ...counts);
  return most === 0 ? 0 : counts.indexOf(most);
}

/** Cells of rows that say something, as many as there are columns. */
function cellsOf(file: string, rows: readonly ParsedRow[], width: number, separator: string) {
  const cells: string[][] = [];
  const lines: number[] = [];
  const faults: ListFault[] = [];
  for (const { record, line } of rows) {
    if (record.every((cell) => cell === '')) continue;
    const excess = record.slice(width).some((cell) => cell !== '');
    const message = tooMany(record.length, width, separator);
    if (excess) faults.push({ file, line, row: cells.length, message });
    const row = record.slice(0, width);
    while (row.length < width) row.push('');
    cells.push(row);
    lines.push(line);
  }
  return { cells, lines, faults };
}

function tooMany(count: number, width: number, separator: string): string {
  const hint = separator === ',' ? '; a decimal comma needs quotes beside commas' : '';
  return sentence({ what: `has ${count} cells`, allowed: `${width}, as the header has${hint}` });
}
