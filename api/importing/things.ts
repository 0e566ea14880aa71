/** Rows of lists as devices and gateways, with all that is wrong in their cells. */
import { quote, sentence } from '../../scenarios/language/complaint.ts';
import { DEVICE_KNOBS } from '../../scenarios/places/place-rows.ts';
import { type Degrees, readDegrees, readPosition } from './degrees.ts';
import type { FieldName, Kind } from './fields.ts';
import { type Read, readEui, readGatewayEui, readKey } from './identifiers.ts';
import { isGatewayWord, type Mapping } from './mapping.ts';
import { type FoundRegion, regionNamed } from './regions.ts';
import { type ListFault, type ListTable, RowFault } from './table.ts';
import {
  readActivation,
  readBytes,
  readClass,
  readDuration,
  readFlag,
  readLorawan,
  readRx1Delay,
  readVersion,
} from './values.ts';

/** Metres on a grid that nobody has named. */
export interface GridPoint {
  readonly x: number;
  readonly y: number;
}

/** A device or gateway of a list. */
export interface Thing {
  readonly kind: Kind;
  readonly table: ListTable;
  readonly row: number;
  /** As the list has it, on one line; '' where it has none. */
  readonly name: string;
  /** 16 upper-case digits; '' where the list has none. */
  readonly eui: string;
  /** 32 upper-case digits; '' where the list has none. */
  readonly appKey: string;
  /** null: the list does not say where it stands. */
  readonly place: Degrees | GridPoint | null;
  /** What its population has in common; '' where the list does not say. */
  readonly type: string;
  /** Knobs of a places file by their path. */
  readonly knobs: Readonly<Record<string, string>>;
  readonly region: FoundRegion | undefined;
  readonly rx1Delay: string;
}

export interface ReadThings {
  readonly things: readonly Thing[];
  readonly faults: readonly ListFault[];
  /** What was changed, in a sentence each. */
  readonly notes: readonly ListFault[];
}

const NAME_LENGTH = 80;

/** Knobs that have fields of their own, and how their cells are read. */
const KNOB_FIELDS: readonly (readonly [FieldName, string, (cell: string) => Read<string>])[] = [
  ['class', 'class', readClass],
  ['lorawan', 'lorawan', readLorawan],
  ['activation', 'activation', readActivation],
  ['firmware', 'firmware', readVersion],
  ['hardware', 'hardware', readVersion],
  ['every', 'traffic.every', readDuration],
  ['payload', 'traffic.payload', readBytes],
];

const OWN_KNOBS = KNOB_FIELDS.map(([, knob]) => knob);

/** `mappings`: by the kind that a row may be of. */
export function readThings(
  table: ListTable,
  mappings: Readonly<Partial<Record<Kind, Mapping>>>,
): ReadThings {
  const reader = new ThingReader(table);
  const [only] = Object.values(mappings);
  const kindColumn = only?.columnOf.get('kind');
  const isMixed = kindColumn !== undefined && mappings.devices && mappings.gateways;
  for (const [row, cells] of table.rows.entries()) {
    const isGateway = isMixed && isGatewayWord(cells[kindColumn]!);
    const mapping = isMixed ? mappings[isGateway ? 'gateways' : 'devices'] : only;
    if (mapping !== undefined) reader.add(cells, row, mapping);
  }
  return reader;
}

class ThingReader implements ReadThings {
  readonly things: Thing[] = [];
  readonly faults: ListFault[] = [];
  readonly notes: ListFault[] = [];
  readonly #table: ListTable;
  #row = 0;
  #cells: readonly string[] = [];
  #columnOf: ReadonlyMap<string, number> = new Map();
  #isFaulty = false;
  /** By their cells: rows of one plan share its settings. */
  readonly #regions = new Map<string, FoundRegion | undefined>();

  constructor(table: ListTable) {
    this.#table = table;
  }

  add(cells: readonly string[], row: number, { kind, columnOf }: Mapping): void {
    this.#row = row;
    this.#cells = cells;
    this.#columnOf = columnOf;
    this.#isFaulty = false;
    const thing = this.#thing(kind);
    // A row with a fault is left out as a whole.
    if (!this.#isFaulty) this.things.push(thing);
  }

  #thing(kind: Kind): Thing {
    const isDevice = kind === 'devices';
    const eui = isDevice ? this.#read('devEui', readEui) : this.#read('eui', readGatewayEui);
    const regionCell = this.#cell('region');
    return {
      kind,
      table: this.#table,
      row: this.#row,
      name: this.#name(),
      eui: eui ?? '',
      appKey: isDevice ? (this.#read('appKey', readKey) ?? '') : '',
      place: this.#place(),
      type: isDevice ? this.#type() : '',
      knobs: isDevice ? this.#knobs() : {},
      region: regionCell === '' ? undefined : this.#region(regionCell),
      rx1Delay: this.#read('rx1Delay', readRx1Delay) ?? '',
    };
  }

  #cell(field: string): string {
    const column = this.#columnOf.get(field);
    return column === undefined ? '' : this.#cells[column]!;
  }

  #report(message: string): undefined {
    this.#isFaulty = true;
    this.faults.push(new RowFault(this.#table, this.#row, message));
  }

  #read<Value>(field: FieldName, reader: (cell: string) => Read<Value>): Value | undefined {
    const cell = this.#cell(field);
    if (cell === '') return undefined;
    const read = reader(cell);
    return 'value' in read ? read.value : this.#report(read.fault);
  }

  /** One line of at most 80 characters, as scenarios have them. */
  #name(): string {
    const given = this.#cell('name') || this.#cell('id');
    if (given.length <= NAME_LENGTH && /^[ -~\u00a0-\u2027\u202a-\uffff]*$/.test(given))
      return given;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away.
    const line = given.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
    const name = shortened(line);
    const what = `the name ${quote(given)} is ${quote(name)} here`;
    const message = sentence({ what, allowed: '1 to 80 characters on one line' });
    this.notes.push(new RowFault(this.#table, this.#row, message));
    return name;
  }

  #type(): string {
    return [this.#cell('brand'), this.#cell('type')].filter((word) => word !== '').join(' ');
  }

  #region(cell: string): FoundRegion | undefined {
    if (!this.#regions.has(cell)) this.#regions.set(cell, regionNamed(cell));
    const region = this.#regions.get(cell);
    if (region !== undefined) return region;
    const allowed = 'a region or plan such as EU868, EU_863_870_TTN or US_902_928_FSB_2';
    return this.#report(sentence({ what: `${quote(cell)} is no known region`, allowed }));
  }

  #place(): Thing['place'] {
    if (this.#columnOf.has('position')) {
      const both = this.#read('position', readPosition);
      if (both !== undefined) return both;
    }
    const [north, east] = [this.#cell('latitude'), this.#cell('longitude')];
    if (north === '' && east === '') return this.#gridPoint();
    const latitude = readDegrees(north, 90);
    const longitude = readDegrees(east, 180);
    if ('value' in latitude && 'value' in longitude) {
      const place = { latitude: latitude.value, longitude: longitude.value };
      return this.#isNowhere(place) ? null : place;
    }
    const swapped = [readDegrees(east, 90), readDegrees(north, 180)];
    if (swapped.every((read) => 'value' in read)) {
      const what = `latitude ${north} and longitude ${east} seem to be swapped`;
      this.#report(sentence({ what, allowed: 'latitude from -90 to 90' }));
      return null;
    }
    for (const read of [latitude, longitude]) if ('fault' in read) this.#report(read.fault);
    return null;
  }

  /** Where trackers without a fix say that they are. */
  #isNowhere({ latitude, longitude }: Degrees): boolean {
    if (latitude !== 0 || longitude !== 0) return false;
    const message = '0, 0 is taken as no place: it stands at random in the area';
    this.notes.push(new RowFault(this.#table, this.#row, message));
    return true;
  }

  /** Metres of a grid; map servers write degrees in such columns as well. */
  #gridPoint(): Thing['place'] {
    const [x, y] = [this.#cell('x'), this.#cell('y')];
    if (x === '' && y === '') return null;
    const [east, north] = [metres(x), metres(y)];
    if (isInDegrees(x, 180) && isInDegrees(y, 90)) return { latitude: north, longitude: east };
    if (Number.isFinite(east) && Number.isFinite(north)) return { x: east, y: north };
    const what = `${quote(x)}, ${quote(y)} is no place`;
    this.#report(sentence({ what, allowed: 'metres east and north' }));
    return null;
  }

  #knobs(): Record<string, string> {
    const knobs: Record<string, string> = {};
    for (const [field, knob, reader] of KNOB_FIELDS) {
      const value = this.#read(field, reader);
      if (value !== undefined) knobs[knob] = value;
    }
    // Class C is a device's own if it is both, as network servers have it.
    if (this.#read('supportsClassB', readFlag)) knobs.class ??= 'B';
    const isC = this.#read('supportsClassC', readFlag);
    if (isC !== undefined) knobs.class = isC ? 'C' : (knobs.class ?? 'A');
    const joins = this.#read('supportsJoin', readFlag);
    if (joins !== undefined) knobs.activation ??= joins ? 'otaa' : 'abp';
    if (this.#cell('devAddr') !== '' && this.#cell('appKey') === '') knobs.activation ??= 'abp';
    for (const knob of DEVICE_KNOBS) {
      const cell = OWN_KNOBS.includes(knob) ? '' : this.#cell(knob);
      if (cell !== '') knobs[knob] = cell;
    }
    return knobs;
  }
}

/** Four decimals and more: as metres they would be less than a millimetre. */
const isInDegrees = (cell: string, most: number): boolean =>
  /[.,]\d{4,}$/.test(cell) && Math.abs(metres(cell)) <= most;

const metres = (cell: string): number => Number(cell.replace(/\s/g, '').replace(',', '.') || 'x');

/** At most 80 units of UTF-16, without half a character at the end. */
const shortened = (line: string): string =>
  line.length <= NAME_LENGTH
    ? line
    : line
        .slice(0, NAME_LENGTH)
        .replace(/[\ud800-\udbff]$/, '')
        .trim();
