/** Tables of places: the rows of a CSV file, or the points of a GeoJSON file (RFC 7946). */
import { quote, sentence } from '../language/complaint.ts';
import type { Place, Problem } from '../language/problem.ts';
import { type CsvLine, cellsOf, csvLines, separatorOf, withDecimalPoint } from './csv-table.ts';
import { offsetIn, placeOfOffset } from './json-places.ts';

/** Cells as they stand in the file; what a row does not say is undefined or empty. */
export interface PlaceTable {
  readonly file: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Where a cell stands; where the column is named when there is no row. */
  readonly locate: (row: number | undefined, column: number) => Place;
}

export type ReadTable =
  | { readonly ok: true; readonly table: PlaceTable }
  | { readonly ok: false; readonly problem: Problem };

const refused = (place: Place, message: string): ReadTable => ({
  ok: false,
  problem: { where: place.where, line: place.line, pointer: '', message },
});

/** `headers` are what the first line of a CSV file may be, for who has none. */
export const readTable = (file: string, text: string, headers: string): ReadTable =>
  /\.(geo)?json$/.test(file) ? readGeoJson(file, text) : readCsv(file, text, headers);

// ── CSV ──────────────────────────────────────────────────────────────────────────────────────────

/** The header names the columns; rows without a cell that says something are skipped. */
function readCsv(file: string, text: string, headers: string): ReadTable {
  const [head, ...others] = csvLines(text);
  const at = ({ index, text: line }: CsvLine, column: number): Place => {
    // A cell may hold line feeds, and so begin further down.
    const before = line.slice(0, column - 1).split('\n');
    const number = index + before.length;
    return { where: `${file}:${number}:${before.at(-1)!.length + 1}`, line: number, file };
  };
  if (head === undefined) {
    const allowed = `a header such as ${headers}`;
    return refused({ where: file, line: 0 }, sentence({ what: 'is empty', allowed }));
  }
  const separator = separatorOf(head.text);
  const cellsIn = ({ text: line }: CsvLine) => cellsOf(line, separator);
  const columns = cellsIn(head).map(({ text: name }) => name);
  while (columns.length > 1 && columns.at(-1) === '') columns.pop();
  const rows: string[][] = [];
  const lines: CsvLine[] = [];
  for (const line of others) {
    const cells = cellsIn(line).map(({ text: cell }) => withDecimalPoint(cell, separator));
    // Separators at the end of a line hold nothing.
    while (cells.length > columns.length && cells.at(-1) === '') cells.pop();
    if (columns.length > 1 && cells.every((cell) => cell === '')) continue;
    if (cells.length !== columns.length) {
      const what = `has ${cells.length} cells`;
      const allowed = `${columns.length}, as the header has`;
      return refused(at(line, 1), sentence({ what, allowed }));
    }
    rows.push(cells);
    lines.push(line);
  }
  const locate = (row: number | undefined, column: number): Place => {
    const line = row === undefined ? head : lines[row]!;
    return at(line, cellsIn(line)[column]?.column ?? 1);
  };
  return { ok: true, table: { file, columns, rows, locate } };
}

// ── GeoJSON ──────────────────────────────────────────────────────────────────────────────────────

/** The columns that coordinates are. */
const OF_GEOMETRY = ['longitude', 'latitude'];

const COLLECTION = 'a FeatureCollection of Points (RFC 7946)';

/** Longitude and latitude are the first columns, the properties of all features the others. */
function readGeoJson(file: string, text: string): ReadTable {
  const at = (path: readonly (string | number)[]): Place => {
    const { line, column } = placeOfOffset(text, offsetIn(text, path));
    return { where: `${file}:${line}:${column}`, line, file };
  };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return refused({ where: file, line: 0 }, `is not JSON: ${(error as Error).message}`);
  }
  const { features } = (document ?? {}) as { readonly features?: unknown };
  if (!Array.isArray(features)) {
    return refused(at([]), sentence({ what: 'has no features', allowed: COLLECTION }));
  }
  const columns = new Map(OF_GEOMETRY.map((name, column) => [name, column]));
  const rows: unknown[][] = [];
  for (const [index, feature] of features.entries()) {
    const { geometry, properties } = (feature ?? {}) as Record<string, Record<string, unknown>>;
    const { type, coordinates } = geometry ?? {};
    if (type !== 'Point' || !Array.isArray(coordinates)) {
      const what = `is ${type === undefined ? 'no feature' : `a ${quote(type)}`}`;
      return refused(at(['features', index]), sentence({ what, allowed: COLLECTION }));
    }
    const row: unknown[] = [coordinates[0], coordinates[1]];
    for (const [name, value] of Object.entries(properties ?? {})) {
      // The geometry says where things stand, whatever a property says beside it.
      if (value === null || OF_GEOMETRY.includes(name)) continue;
      if (!columns.has(name)) columns.set(name, columns.size);
      row[columns.get(name)!] = value;
    }
    rows.push(row);
  }
  const names = [...columns.keys()];
  const locate = (row: number | undefined, column: number): Place => {
    const first = rows.findIndex((cells) => cells[column] !== undefined);
    const own = column < 2 ? ['geometry', 'coordinates', column] : ['properties', names[column]!];
    return at(['features', row ?? first, ...own]);
  };
  return { ok: true, table: { file, columns: names, rows, locate } };
}
