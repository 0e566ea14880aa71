/**
 * JSON files as tables: GeoJSON (RFC 7946), lists of records as APIs return them, and records one
 * after another, as The Things Stack exports them. Nested fields are columns such as `ids.dev_eui`.
 */

import { quote, sentence } from '../../scenarios/language/complaint.ts';
import { offsetIn, placeOfOffset } from '../../scenarios/places/json-places.ts';
import { readTable } from '../../scenarios/places/place-table.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import { type ListTable, type ReadLists, refused } from './table.ts';

const RECORDS = 'a list of records, records one after another, or a GeoJSON FeatureCollection';

/** Names under which APIs return their lists. */
const LISTS = ['end_devices', 'devices', 'gateways', 'result', 'results', 'items', 'data'];

type Fields = Readonly<Record<string, unknown>>;

interface Document {
  readonly value: unknown;
  /** Offset of its first character in the text. */
  readonly from: number;
  readonly text: string;
}

export function jsonList(file: string, text: string): ReadLists {
  const documents = documentsIn(text);
  if (!Array.isArray(documents)) return refused(file, documents.line, documents.message);
  const [first] = documents;
  if (isMap(first?.value) && first.value.type === 'FeatureCollection') return features(file, text);
  const records = documents.flatMap(recordsIn);
  const wrong = records.find(({ fields }) => !isMap(fields));
  if (records.length === 0 || wrong !== undefined) {
    const found = wrong === undefined ? 'no records' : quote(wrong.fields);
    const line = wrong === undefined ? 0 : placeOfOffset(text, wrong.offset()).line;
    return refused(file, line, sentence({ what: `has ${found}`, allowed: RECORDS }));
  }
  return { tables: [tableOf(file, text, records as Entry<Fields>[])], faults: [] };
}

/** One document, or several one after another; else what is wrong with the text. */
function documentsIn(
  text: string,
): Document[] | { readonly line: number; readonly message: string } {
  try {
    return [{ value: JSON.parse(text), from: 0, text }];
  } catch {
    const found: Document[] = [];
    let from = 0;
    for (const piece of objectsIn(text)) {
      try {
        found.push({ value: JSON.parse(piece.text), from: piece.from, text: piece.text });
      } catch (error) {
        return { line: placeOfOffset(text, piece.from).line, message: notJson(error) };
      }
      from = piece.from + piece.text.length;
    }
    if (found.length > 0 && text.slice(from).trim() === '') return found;
    return { line: placeOfOffset(text, from).line, message: 'is not JSON; allowed: JSON text' };
  }
}

const notJson = (error: unknown): string => `is not JSON: ${(error as Error).message}`;

/** Texts of the objects that stand one after another. */
function objectsIn(text: string): { readonly text: string; readonly from: number }[] {
  const found: { text: string; from: number }[] = [];
  const SIGN = /"(?:[^"\\]|\\.)*"|[{}]|\S/gs;
  let [depth, from] = [0, 0];
  for (const { 0: sign, index } of text.matchAll(SIGN)) {
    if (depth === 0 && sign !== '{' && sign !== ',') return found;
    if (sign === '{' && depth++ === 0) from = index;
    if (sign === '}' && --depth === 0) found.push({ text: text.slice(from, index + 1), from });
  }
  return found;
}

interface Entry<Of = unknown> {
  readonly fields: Of;
  readonly offset: () => number;
}

/** Offsets of the elements of the list that begins at an offset, found when they are needed. */
function elementOffsets(text: string, from: number): () => readonly number[] {
  let offsets: number[] | undefined;
  return () => {
    offsets ??= [...elementsFrom(text, from)];
    return offsets;
  };
}

function* elementsFrom(text: string, from: number): Generator<number> {
  const SIGN = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s"{}[\],]+/gs;
  SIGN.lastIndex = from + 1;
  let [depth, isNext] = [1, true];
  for (let sign = SIGN.exec(text); sign !== null && depth > 0; sign = SIGN.exec(text)) {
    const [word] = sign;
    if (depth === 1 && isNext && word !== ']') yield sign.index;
    isNext = depth === 1 && word === ',';
    if (word === '{' || word === '[') depth++;
    if (word === '}' || word === ']') depth--;
  }
}

/** Lines of ascending offsets, counted in one pass when the first is needed. */
function linesOf(text: string, offsets: () => readonly number[]): (index: number) => number {
  let lines: number[] | undefined;
  const counted = () => {
    let [line, at] = [1, 0];
    return offsets().map((offset) => {
      for (; at < offset; at++) if (text.charCodeAt(at) === LINE_FEED) line++;
      return line;
    });
  };
  return (index) => {
    lines ??= counted();
    return lines[index] ?? 0;
  };
}

const LINE_FEED = 10;

/** The records of a document: itself, its elements, or those of the list that it has. */
function recordsIn({ value, from, text }: Document): Entry[] {
  const name = isMap(value) ? LISTS.find((each) => Array.isArray(value[each])) : undefined;
  const list = name === undefined ? value : (value as Fields)[name];
  if (!Array.isArray(list)) return [{ fields: pointOf(value), offset: () => from }];
  const offsets = elementOffsets(text, offsetIn(text, name === undefined ? [] : [name]));
  return list.map((fields: unknown, at) => {
    // Rows of ChirpStack's and others' lists may hold the record in a field of its own.
    const inner = isMap(fields) && isMap(fields.end_device) ? fields.end_device : fields;
    return { fields: pointOf(inner), offset: () => from + (offsets()[at] ?? 0) };
  });
}

/** A feature of GeoJSON that stands alone (RFC 8142) is a record with its place. */
function pointOf(fields: unknown): unknown {
  if (!isMap(fields) || fields.type !== 'Feature' || !isMap(fields.geometry)) return fields;
  const { type, coordinates } = fields.geometry;
  if (type !== 'Point' || !Array.isArray(coordinates)) return fields;
  const [longitude, latitude] = coordinates as readonly unknown[];
  return { ...(fields.properties as object | null), latitude, longitude };
}

function tableOf(file: string, text: string, records: readonly Entry<Fields>[]): ListTable {
  const columns = new Map<string, number>();
  const rows = records.map(({ fields }) => {
    const row: string[] = [];
    for (const [path, value] of fieldsOf(fields, '')) {
      if (!columns.has(path)) columns.set(path, columns.size);
      row[columns.get(path)!] = value;
    }
    return row;
  });
  const width = columns.size;
  const whole = rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''));
  const isTheThingsStack = columns.has('ids.dev_eui') || columns.has('ids.gateway_id');
  return {
    file,
    form: isTheThingsStack ? 'JSON of The Things Stack' : 'JSON',
    columns: [...columns.keys()],
    rows: whole,
    lineOf: linesOf(text, () => records.map(({ offset }) => offset())),
    headerLine: 0,
  };
}

/** Paths with points, and their values as text. */
function* fieldsOf(value: unknown, path: string): Generator<readonly [string, string]> {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') {
    yield [path, String(value).trim()];
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    yield* fieldsOf(inner, path === '' ? key : `${path}.${key}`);
  }
}

/** Points of GeoJSON; what has no point is left out with a note in the table's form. */
function features(file: string, text: string): ReadLists {
  const read = readTable(file.replace(/(\.(geo)?json)?$/, '.geojson'), text, '');
  if (!read.ok) return refused(file, read.problem.line, read.problem.message);
  const { table } = read;
  const left = table.note === undefined ? '' : `; ${table.note.message}`;
  return {
    faults: [],
    tables: [
      {
        file,
        form: `GeoJSON${left}`,
        columns: table.columns,
        rows: table.rows.map((cells) =>
          table.columns.map((_, column) => String(cells[column] ?? '').trim()),
        ),
        lineOf: lineOfPoint(text),
        headerLine: 0,
      },
    ],
  };
}

/** Lines of rows by their features: a feature has a row for each of its points. */
function lineOfPoint(text: string): (row: number) => number {
  const lineOf = linesOf(text, elementOffsets(text, offsetIn(text, ['features'])));
  let featureOf: number[] | undefined;
  return (row) => {
    featureOf ??= (JSON.parse(text) as { features: unknown[] }).features.flatMap(pointsIn);
    return lineOf(featureOf[row] ?? 0);
  };
}

/** The index of a feature, as often as it has points. */
function pointsIn(feature: unknown, index: number): number[] {
  const { type, coordinates } = ((feature as Fields).geometry ?? {}) as Fields;
  if (type === 'Point') return [index];
  return type === 'MultiPoint' && Array.isArray(coordinates) ? coordinates.map(() => index) : [];
}
