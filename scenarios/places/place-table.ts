/** Tables of places: the rows of a CSV file, or the points of a GeoJSON file (RFC 7946). */
import { quote, sentence } from '../language/complaint.ts';
import type { Place, Problem } from '../language/problem.ts';
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

/** The header names the columns; empty lines and lines that begin with # are skipped. */
function readCsv(file: string, text: string, headers: string): ReadTable {
  const lines = text.split(/\r?\n/);
  const used: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '' && !line.startsWith('#')) used.push(index);
  }
  const [head, ...others] = used;
  const at = (line: number, column: number): Place => ({
    where: `${file}:${line + 1}:${column}`,
    line: line + 1,
    file,
  });
  if (head === undefined) {
    const allowed = `a header such as ${headers}`;
    return refused({ where: file, line: 0 }, sentence({ what: 'is empty', allowed }));
  }
  const columns = cellsOf(lines[head]!).map(({ text: name }) => name);
  const rows: string[][] = [];
  for (const index of others) {
    const cells = cellsOf(lines[index]!);
    if (cells.length !== columns.length) {
      const what = `has ${cells.length} cells`;
      const allowed = `${columns.length}, as the header has`;
      return refused(at(index, 1), sentence({ what, allowed }));
    }
    rows.push(cells.map(({ text: cell }) => cell));
  }
  const locate = (row: number | undefined, column: number): Place => {
    const index = row === undefined ? head : others[row]!;
    return at(index, cellsOf(lines[index]!)[column]?.column ?? 1);
  };
  return { ok: true, table: { file, columns, rows, locate } };
}

/** Cells of a line with the column, from 1, at which each begins; quotes may hold commas. */
function cellsOf(line: string): { text: string; column: number }[] {
  if (!line.includes('"')) {
    let column = 1;
    return line.split(',').map((raw) => {
      const cell = { text: raw.trim(), column: column + raw.length - raw.trimStart().length };
      column += raw.length + 1;
      return cell;
    });
  }
  const cells: { text: string; column: number }[] = [];
  const CELL = /\s*(?:"((?:[^"]|"")*)"|([^,]*?))\s*(,|$)/y;
  for (let at = 0; ; at = CELL.lastIndex) {
    CELL.lastIndex = at;
    const match = CELL.exec(line);
    // A quote that does not end is a part of its cell.
    const [, quoted, plain = line.slice(at), end = ''] = match ?? [];
    cells.push({ text: quoted?.replaceAll('""', '"') ?? plain, column: at + 1 });
    if (end !== ',') return cells;
  }
}

// ── GeoJSON ──────────────────────────────────────────────────────────────────────────────────────

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
  const columns = new Map<string, number>([
    ['longitude', 0],
    ['latitude', 1],
  ]);
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
      if (value === null) continue;
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
