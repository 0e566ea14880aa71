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
  /** What of the file is no row, and is left out. */
  readonly note?: Problem | undefined;
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

const COLLECTION = 'a FeatureCollection of Points or MultiPoints (RFC 7946)';

/** Geometries that are no places of single things. */
const NOT_PLACES = [
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
];

/** Features without a place that a note names. */
const NAMED_MAX = 12;

interface Feature {
  readonly index: number;
  /** As RFC 7946 has it, or what stands in its place. */
  readonly type: unknown;
  readonly coordinates: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Undefined: it is no feature. */
function featureOf(value: unknown, index: number): Feature | undefined {
  const { geometry, properties } = (value ?? {}) as Record<string, unknown>;
  if (geometry === undefined) return undefined;
  const { type, coordinates } = (geometry ?? { type: null }) as Record<string, unknown>;
  return { index, type, coordinates, properties: (properties ?? {}) as Feature['properties'] };
}

/** The points of a feature; undefined: it is none of points. */
function pointsOf({ type, coordinates }: Feature): readonly (readonly unknown[])[] | undefined {
  if (!Array.isArray(coordinates)) return undefined;
  if (type === 'Point') return [coordinates];
  return type === 'MultiPoint' && coordinates.every(Array.isArray) ? coordinates : undefined;
}

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
  const points = new PointRows();
  const left: Feature[] = [];
  for (const [index, value] of features.entries()) {
    const feature = featureOf(value, index);
    const own = feature && pointsOf(feature);
    if (feature !== undefined && own !== undefined) points.add(feature, own);
    else if (feature !== undefined && isNoPlace(feature)) left.push(feature);
    else {
      const type = feature?.type;
      const what = `is ${type === undefined ? 'no feature' : `a ${quote(type)}`}`;
      return refused(at(['features', index]), sentence({ what, allowed: COLLECTION }));
    }
  }
  const [first] = left;
  const lineOf = ({ index }: Feature) => at(['features', index]).line;
  const what = first && wordsOfLeft(left, lineOf);
  if (first !== undefined && points.rows.length === 0) {
    return refused(at(['features', first.index]), sentence({ what: what!, allowed: COLLECTION }));
  }
  const note = first && { ...at(['features', first.index]), pointer: '', message: what! };
  return { ok: true, table: { file, ...points.table(at), note } };
}

/** A feature may have no geometry at all. */
const isNoPlace = ({ type }: Feature): boolean =>
  type === null || NOT_PLACES.includes(type as string);

/** Names the features that no things stand at. */
function wordsOfLeft(left: readonly Feature[], lineOf: (feature: Feature) => number): string {
  const words = left.slice(0, NAMED_MAX).map((feature) => {
    const { name } = feature.properties;
    const named = typeof name === 'string' && name !== '' ? `${quote(name)} ` : '';
    const kind = feature.type === null ? 'no geometry' : String(feature.type);
    return `${named}(${kind}, line ${lineOf(feature)})`;
  });
  const more = left.length - words.length;
  const they =
    left.length === 1
      ? 'a feature that is no point, and is'
      : 'features that are no points, and are';
  return `has ${they} not used: ${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A row for each point; those of one feature share its properties. */
class PointRows {
  readonly rows: unknown[][] = [];
  readonly #columns = new Map(OF_GEOMETRY.map((name, column) => [name, column]));
  /** The path to the coordinates of each row. */
  readonly #paths: (readonly (string | number)[])[] = [];

  add({ index, type, properties }: Feature, points: readonly (readonly unknown[])[]): void {
    const shared: unknown[] = [];
    for (const [name, value] of Object.entries(properties)) {
      // The geometry says where things stand, whatever a property says beside it.
      if (value === null || OF_GEOMETRY.includes(name)) continue;
      if (!this.#columns.has(name)) this.#columns.set(name, this.#columns.size);
      shared[this.#columns.get(name)!] = value;
    }
    for (const [number, [longitude, latitude]] of points.entries()) {
      this.rows.push([longitude, latitude, ...shared.slice(OF_GEOMETRY.length)]);
      const path = ['features', index, 'geometry', 'coordinates'];
      this.#paths.push(type === 'Point' ? path : [...path, number]);
    }
  }

  table(at: (path: readonly (string | number)[]) => Place): Omit<PlaceTable, 'file'> {
    const columns = [...this.#columns.keys()];
    const locate = (row: number | undefined, column: number): Place => {
      const place = row ?? this.rows.findIndex((cells) => cells[column] !== undefined);
      const path = this.#paths[place] ?? [];
      return at(
        column < 2 ? [...path, column] : [...path.slice(0, 2), 'properties', columns[column]!],
      );
    };
    return { columns, rows: this.rows, locate };
  }
}
