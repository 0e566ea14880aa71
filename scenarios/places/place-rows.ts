/**
 * What the columns of a table of places mean: where things stand, what they are called, and knobs
 * of their population that are theirs alone (docs/decisions/0072).
 */
import { type Coordinates, placeAt } from '../../core/base/geography.ts';
import { FARTHEST_METERS } from '../../core/simulator/fields.ts';
import { quote, sentence } from '../language/complaint.ts';
import { GIVEN_NAME } from '../language/naming.ts';
import type { PlaceRow, Point } from '../language/placement.ts';
import type { Problem } from '../language/problem.ts';
import { quantity } from '../language/quantity.ts';
import { findColumns, noteOfUnused } from './columns.ts';
import type { PlaceTable } from './place-table.ts';

/** Knobs that rows share: values by path, and the first row that has them. */
export interface RowKind {
  readonly knobs: readonly { readonly path: readonly string[]; readonly value: unknown }[];
  readonly row: number;
}

export interface PlaceRows {
  readonly table: PlaceTable;
  readonly rows: readonly PlaceRow[];
  readonly kinds: readonly RowKind[];
  /** The column that says a knob, by its path with points. */
  readonly columnOf: ReadonlyMap<string, number>;
  /** What of the table is not used, or not as it stands there. */
  readonly notes: readonly Problem[];
}

/** Most different sets of knobs in a file: each is a type of devices by itself. */
const KINDS_MAX = 1_000;

/** Knobs of devices that a column may say. */
export const DEVICE_KNOBS = [
  'activation class lorawan pingSlotPeriodicity joinWithin dataRate adr maxEirp antennaGain',
  'indoor drift nbTrans confirmedTries dutyCycle frameLoss firmware hardware',
  'clock.source energy.battery energy.sleep energy.selfDischarge',
  'traffic.process traffic.every traffic.jitter traffic.payload traffic.fPort traffic.confirmed',
].flatMap((line) => line.split(' '));

/** Other headers of columns. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  latitude: ['lat', 'gpslat', 'gpslatitude', 'latwgs84', 'wgs84lat', 'breitengrad', 'latitud'],
  longitude: ['lon', 'lng', 'long', 'gpslon', 'gpslng', 'gpslongitude', 'lonwgs84'].concat([
    'wgs84lon',
    'laengengrad',
    'longitud',
  ]),
  name: ['gatewayname', 'devicename', 'displayname', 'label', 'title', 'bezeichnung', 'nom'],
  devEui: ['deviceeui', 'eui', 'eui64'],
  eui: ['gatewayeui', 'gweui', 'eui64'],
  appKey: ['applicationkey'],
};

/** Headers that may mean a knob, but as often something else. */
const SUGGESTED: Readonly<Record<string, string>> = {
  battery: 'energy.battery',
  period: 'traffic.every',
  every: 'traffic.every',
  payload: 'traffic.payload',
  clockerror: 'drift',
  deviceclass: 'class',
};

export type PlaceThing = 'devices' | 'gateways' | 'timeline';

const COLUMNS: Readonly<Record<PlaceThing, readonly string[]>> = {
  devices: ['x', 'y', 'latitude', 'longitude', 'name', 'devEui', 'appKey', ...DEVICE_KNOBS],
  gateways: ['x', 'y', 'latitude', 'longitude', 'name', 'eui'],
  timeline: ['x', 'y', 'latitude', 'longitude'],
};

const TEXTS = {
  name: { pattern: GIVEN_NAME, allowed: '1 to 80 characters on one line' },
  eui: { pattern: /^[0-9A-Fa-f]{16}$/, allowed: '16 hexadecimal digits' },
  appKey: { pattern: /^[0-9A-Fa-f]{32}$/, allowed: '32 hexadecimal digits' },
} as const;

const length = quantity('length', '-1000 km', '1000 km');

/** Rows of a table for these things, or all that is wrong with it, at most that many problems. */
export function readRows(
  table: PlaceTable,
  things: PlaceThing,
  origin: Coordinates,
  most: number,
): PlaceRows | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report = (row: number | undefined, column: number, message: string): undefined => {
    if (problems.length >= most) return;
    const { where, line } = table.locate(row, column);
    problems.push({ where, line, pointer: '', message });
  };
  const { columnOf, note } = columnsOf(table, things, report);
  if (problems.length > 0) return { problems };
  const pointOf = pointReader(columnOf, things, origin, report);
  const kinds = new Kinds(columnOf);
  const seen = new Map<string, number>();
  const names = new OwnNames(table, columnOf.get('name'));
  const textIn = (
    cells: readonly unknown[],
    row: number,
    key: string,
    kind: keyof typeof TEXTS,
  ) => {
    const column = columnOf.get(key);
    const cell = column === undefined ? undefined : cells[column];
    if (column === undefined || cell === undefined || cell === '') return undefined;
    const { pattern, allowed } = TEXTS[kind];
    const text = kind === 'name' ? nameIn(cell) : plainHex(cell);
    if (typeof cell === 'object' || !pattern.test(text)) {
      return report(row, column, sentence({ what: `${quote(cell)} is not right here`, allowed }));
    }
    if (kind === 'appKey') return text;
    if (kind === 'name') return names.of(text, row);
    const first = seen.get(text);
    seen.set(text, first ?? row);
    if (first === undefined) return text;
    const there = table.locate(first, column).where;
    const what = `${key} ${text} is taken by ${there}`;
    return report(row, column, sentence({ what, allowed: `a ${key} of its own for every row` }));
  };
  const rows = table.rows.map((cells, row): PlaceRow => {
    const point = pointOf(cells, row);
    const name = textIn(cells, row, 'name', 'name');
    const eui = textIn(cells, row, things === 'gateways' ? 'eui' : 'devEui', 'eui');
    const appKey = textIn(cells, row, 'appKey', 'appKey');
    const kind = kinds.of(cells, row);
    return {
      ...(point === undefined ? {} : { point }),
      ...(name === undefined ? {} : { name }),
      ...(eui === undefined ? {} : { eui }),
      ...(appKey === undefined ? {} : { appKey }),
      ...(kind === undefined ? {} : { kind }),
    };
  });
  if (kinds.all.length > KINDS_MAX) {
    const what = `has ${kinds.all.length} different sets of knobs`;
    const allowed = `at most ${KINDS_MAX}; rounded values make fewer`;
    const message = sentence({ what, allowed });
    problems.push({ where: table.file, line: 0, pointer: '', message });
  }
  if (problems.length > 0) return { problems };
  const notes = [table.note, note, names.note()].filter((each) => each !== undefined);
  return { table, rows, kinds: kinds.all, columnOf, notes };
}

const nameIn = (cell: unknown): string => String(cell).trim();

/** Rows with the name of another that a note reports of. */
const RENAMED_MAX = 12;
const NAME_LENGTH = 80;

/** Names of rows. One that another row has already gets the next number that no row has. */
class OwnNames {
  readonly #table: PlaceTable;
  readonly #column: number;
  /** The latest number that rows of a name were given. */
  readonly #latest = new Map<string, number>();
  /** By the name, the first row that has it, or was given it. */
  readonly #rows = new Map<string, number>();
  readonly #renamed: { readonly name: string; readonly own: string; readonly row: number }[] = [];

  constructor(table: PlaceTable, column = -1) {
    this.#table = table;
    this.#column = column;
    for (const [row, cells] of table.rows.entries()) {
      const name = nameIn(cells[column] ?? '');
      if (!this.#rows.has(name)) this.#rows.set(name, row);
    }
  }

  of(name: string, row: number): string {
    if (this.#rows.get(name) === row) return name;
    let number = (this.#latest.get(name) ?? 1) + 1;
    while (this.#rows.has(numbered(name, number))) number++;
    const own = numbered(name, number);
    this.#latest.set(name, number);
    this.#rows.set(own, row);
    this.#renamed.push({ name, own, row });
    return own;
  }

  note(): Problem | undefined {
    const [first] = this.#renamed;
    if (first === undefined) return undefined;
    const lineOf = (row: number) => this.#table.locate(row, this.#column).line;
    const words = this.#renamed.slice(0, RENAMED_MAX).map(({ name, own, row }) => {
      const lines = `lines ${lineOf(this.#rows.get(name)!)} and ${lineOf(row)}`;
      return `${quote(name)} in ${lines} (the latter is ${quote(own)} here)`;
    });
    const more = this.#renamed.length - words.length;
    const message = `has names twice: ${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const { where, line } = this.#table.locate(first.row, this.#column);
    return { where, line, pointer: '', message };
  }
}

/** As things of a population are numbered: `meter-2`. */
const numbered = (name: string, number: number): string => {
  const suffix = `-${number}`;
  return name.slice(0, NAME_LENGTH - suffix.length) + suffix;
};

type ReportCell = (row: number | undefined, column: number, message: string) => undefined;

/** An EUI or a key without dashes, colons and what marks it as hexadecimal. */
const plainHex = (cell: unknown): string =>
  String(cell)
    .replace(/^\s*0x/i, '')
    .replace(/[-:.\s]/g, '')
    .toUpperCase();

/** Columns by what they say; a note is left of those that say nothing of such things. */
function columnsOf(
  table: PlaceTable,
  things: PlaceThing,
  report: ReportCell,
): { readonly columnOf: ReadonlyMap<string, number>; readonly note: Problem | undefined } {
  const known = { names: COLUMNS[things], also: ALSO, suggested: SUGGESTED };
  const { columnOf: found, unused, repeated } = findColumns(table.columns, known);
  for (const column of repeated) {
    report(undefined, column, `the column ${table.columns[column]} is there twice`);
  }
  const pairs = [
    ['latitude', 'longitude'],
    ['x', 'y'],
  ];
  const pair = pairs.find((names) => names.every((name) => found.has(name)));
  if (pair === undefined) {
    const allowed = 'x and y (metres), or latitude and longitude';
    report(undefined, 0, sentence({ what: 'does not say where things stand', allowed }));
  }
  // Degrees are of one place on Earth, whatever x and y beside them are counted from.
  const left = pairs.flat().filter((name) => found.has(name) && !pair?.includes(name));
  const columnOf = new Map([...found].filter(([name]) => !left.includes(name)));
  const others = left.map((name) => found.get(name)!);
  const all = [...unused, ...others].sort((a, b) => a - b);
  return { columnOf, note: noteOfUnused(table, all, known, found) };
}

type PointOf = (cells: readonly unknown[], row: number) => Point | undefined;

/** Points of rows, in metres from the origin; undefined: the row does not say, or not right. */
function pointReader(
  columnOf: ReadonlyMap<string, number>,
  things: PlaceThing,
  origin: Coordinates,
  report: ReportCell,
): PointOf {
  const [x, y] = [columnOf.get('x'), columnOf.get('y')];
  const reader =
    x === undefined || y === undefined
      ? degreesReader(columnOf, origin, report)
      : metersReader(x, y, report);
  if (things === 'timeline') return reader;
  const columns = [x ?? columnOf.get('latitude')!, y ?? columnOf.get('longitude')!];
  return (cells, row) =>
    columns.every((column) => cells[column] === '') ? undefined : reader(cells, row);
}

function metersReader(x: number, y: number, report: ReportCell): PointOf {
  const metersIn = (cells: readonly unknown[], row: number, column: number) => {
    const cell = cells[column];
    const isPlain = typeof cell === 'number' || /^[-+.\deE]+$/.test(String(cell));
    const reading = length(isPlain ? `${String(cell)} m` : cell);
    if (reading.ok) return reading.value;
    const allowed = 'a length such as 1200 (metres) or 1.2 km, at most 1000 km either way';
    return report(row, column, sentence({ what: `${quote(cell)} is not right here`, allowed }));
  };
  return (cells, row) => {
    const [xMeters, yMeters] = [metersIn(cells, row, x), metersIn(cells, row, y)];
    return xMeters === undefined || yMeters === undefined ? undefined : { xMeters, yMeters };
  };
}

function degreesReader(
  columnOf: ReadonlyMap<string, number>,
  origin: Coordinates,
  report: ReportCell,
): PointOf {
  const [north, east] = [columnOf.get('latitude')!, columnOf.get('longitude')!];
  const degreesIn = (cells: readonly unknown[], row: number, column: number, most: number) => {
    const cell = cells[column];
    const isText = typeof cell === 'string' && cell.trim() !== '';
    const degrees = isText ? Number(cell.replace(',', '.').replace(/\s*°$/, '')) : cell;
    if (typeof degrees === 'number' && Math.abs(degrees) <= most) return degrees;
    const allowed = `degrees from -${most} to ${most}`;
    return report(row, column, sentence({ what: `${quote(cell)} is not right here`, allowed }));
  };
  return (cells, row) => {
    const latitude = degreesIn(cells, row, north, 90);
    const longitude = degreesIn(cells, row, east, 180);
    if (latitude === undefined || longitude === undefined) return undefined;
    const { xMeters, yMeters } = placeAt({ latitude, longitude }, origin);
    if (Math.max(Math.abs(xMeters), Math.abs(yMeters)) <= FARTHEST_METERS) {
      return { xMeters: toMillimetres(xMeters), yMeters: toMillimetres(yMeters) };
    }
    const what = `${latitude}, ${longitude} is beyond the world’s edge`;
    const allowed = `at most ${FARTHEST_METERS / 1_000} km from the scenario’s origin, either way`;
    return report(row, north, sentence({ what, allowed }));
  };
}

const toMillimetres = (meters: number): number => Math.round(meters * 1000) / 1000 + 0;

/** The different sets of knobs that rows have. */
class Kinds {
  readonly all: RowKind[] = [];
  readonly #byText = new Map<string, number>();
  readonly #columns: readonly (readonly [path: readonly string[], column: number])[];

  constructor(columnOf: ReadonlyMap<string, number>) {
    this.#columns = [...columnOf]
      .filter(([name]) => DEVICE_KNOBS.includes(name))
      .map(([name, column]) => [name.split('.'), column] as const);
  }

  of(cells: readonly unknown[], row: number): number | undefined {
    const said = this.#columns.filter(([, column]) => (cells[column] ?? '') !== '');
    if (said.length === 0) return undefined;
    const text = JSON.stringify(said.map(([, column]) => [column, cells[column]]));
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const knobs = said.map(([path, column]) => ({ path, value: scalarOf(cells[column]) }));
    this.#byText.set(text, this.all.length);
    return this.all.push({ knobs, row }) - 1;
  }
}

/** A cell as YAML would read it. */
function scalarOf(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  if (cell === 'true' || cell === 'false') return cell === 'true';
  return /^-?(0|[1-9]\d{0,8})(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}
