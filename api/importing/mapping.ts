/**
 * Which column of a list is which field: as `--map` says, else guessed from headers and from what
 * the cells look like.
 */
import { nearest, quote, sentence } from '../../scenarios/language/complaint.ts';
import { plainHeader } from '../../scenarios/places/columns.ts';
import { isPosition, readDegrees } from './degrees.ts';
import { FIELDS, type Kind, KNOWN, mappable } from './fields.ts';
import { isEui, isKey, readGatewayEui } from './identifiers.ts';
import { regionNamed } from './regions.ts';
import type { ListTable } from './table.ts';
import { readClass, readLorawan } from './values.ts';

/** `--map field=header`: a header that is empty takes the field from no column. */
export interface Wish {
  readonly field: string;
  readonly header: string;
}

export interface Mapping {
  readonly kind: Kind;
  /** Columns by field or knob. */
  readonly columnOf: ReadonlyMap<string, number>;
  /** Fields that `--map` named. */
  readonly wished: ReadonlySet<string>;
  readonly unused: readonly number[];
}

/** Words of a column that says what each row is. */
const GATEWAY = /^(lora(wan)?[- ]?)?(gateways?|gw|base ?stations?|basisstation(en)?|antennen?)$/i;
const DEVICE =
  /^(lora(wan)?[- ]?)?((end)?[- ]?devices?|sensor(s|en)?|nodes?|meters?|geräte?|zähler)$/i;

export const isGatewayWord = (word: string): boolean => GATEWAY.test(word);

/** What cells of a guessed column look like; a column that does not is another thing. */
const LOOKS: Partial<Readonly<Record<string, (cell: string) => boolean>>> = {
  devEui: isEui,
  eui: (cell) => 'value' in readGatewayEui(cell),
  appKey: isKey,
  latitude: (cell) => 'value' in readDegrees(cell, 180),
  longitude: (cell) => 'value' in readDegrees(cell, 180),
  position: isPosition,
  x: (cell) => /^[-+]?[\d ]+([.,]\d*)?$/.test(cell),
  y: (cell) => /^[-+]?[\d ]+([.,]\d*)?$/.test(cell),
  kind: (cell) => GATEWAY.test(cell) || DEVICE.test(cell),
  region: (cell) => regionNamed(cell) !== undefined,
  class: (cell) => 'value' in readClass(cell),
  lorawan: (cell) => 'value' in readLorawan(cell),
  firmware: (cell) => /^v?\d+(\.\d+)*$/i.test(cell),
  hardware: (cell) => /^v?\d+(\.\d+)*$/i.test(cell),
  every: (cell) => /^\d/.test(cell),
  payload: (cell) => /^\d/.test(cell),
};

/** Headers that mean one thing alone: cells that do not look so are faults. */
const CERTAIN: ReadonlySet<string> = new Set(
  [
    'deveui deviceeui idsdeveui gatewayeui gweui appkey latitude longitude lat lon lng',
    'frequencyplan frequencyplanid frequencyplanids0',
  ].flatMap((line) => line.split(' ')),
);

/** Cells that are looked at. */
const SAMPLE = 200;

/** At least half of the cells that say something look like the field. */
function fits(table: ListTable, column: number, looks: (cell: string) => boolean): boolean {
  let [seen, right] = [0, 0];
  for (const row of table.rows) {
    const cell = row[column]!;
    if (cell === '') continue;
    if (looks(cell)) right++;
    if (++seen === SAMPLE) break;
  }
  return seen > 0 && right * 2 >= seen;
}

export function mapColumns(table: ListTable, kind: Kind, wishes: readonly Wish[]): Mapping {
  const { columns } = table;
  const plain = columns.map(plainHeader);
  const columnOf = new Map<string, number>();
  const taken = new Set<number>();
  const wished = new Set<string>();
  const give = (name: string, column: number) => {
    columnOf.set(name, column);
    taken.add(column);
  };
  for (const { field, header } of wishes) {
    if (!mappable(kind).includes(field)) continue;
    const column = header === '' ? undefined : columnNamed(columns, plain, header);
    if (header !== '' && column === undefined) continue;
    wished.add(field);
    if (column !== undefined) give(field, column);
  }
  const guess = (name: string, headers: readonly number[]) => {
    const looks = LOOKS[name];
    const column = headers.find(
      (one) =>
        !taken.has(one) &&
        (looks === undefined || CERTAIN.has(plain[one]!) || fits(table, one, looks)) &&
        // A column of devices alone is rather a type of theirs.
        (name !== 'kind' || table.rows.some((row) => GATEWAY.test(row[one]!))),
    );
    if (column !== undefined) give(name, column);
  };
  for (const name of KNOWN[kind].names) {
    if (wished.has(name)) continue;
    const words = [plainHeader(name), ...(KNOWN[kind].also?.[name] ?? [])];
    const exact = columns.flatMap((header, at) => (header === name ? [at] : []));
    const others = words.flatMap((word) => plain.flatMap((one, at) => (one === word ? [at] : [])));
    guess(name, [...exact, ...others]);
  }
  const all = columns.map((_, at) => at);
  const identifier = kind === 'devices' ? 'devEui' : 'eui';
  // An EUI is known by its form, whatever its header is.
  if (!columnOf.has(identifier) && !wished.has(identifier)) {
    const names = /^(join|app)?eui$|^appeui|joineui/;
    const others = all.filter((at) => !names.test(plain[at]!));
    guess(
      identifier,
      others.filter((at) => fits(table, at, isEui)),
    );
  }
  return {
    kind,
    columnOf,
    wished,
    unused: all.filter((at) => !taken.has(at) && columns[at] !== ''),
  };
}

/** The column with this header, in this spelling or another. */
function columnNamed(
  columns: readonly string[],
  plain: readonly string[],
  header: string,
): number | undefined {
  const small = header.toLowerCase();
  const found = [
    columns.indexOf(header),
    columns.findIndex((each) => each.toLowerCase() === small),
    plain.indexOf(plainHeader(header)),
  ];
  return found.find((column) => column >= 0);
}

/** `field=header`, or what is wrong with the word. */
export function readWish(word: string): Wish | string {
  const at = word.indexOf('=');
  const field = at < 0 ? word : word.slice(0, at);
  const names = [...new Set([...mappable('devices'), ...mappable('gateways')])];
  if (at < 0) {
    const what = `${quote(word)} is not right`;
    return sentence({ what, allowed: 'FIELD=HEADER, such as devEui="Device EUI"' });
  }
  if (names.includes(field)) return { field, header: word.slice(at + 1).trim() };
  const meant = nearest(field, names);
  const allowed = Object.keys(FIELDS).join(', ');
  return sentence({ what: `${quote(field)} is no field`, allowed, ...(meant && { meant }) });
}

/** Wishes that fit no column of any list, with the headers that there are. */
export function unmetWishes(
  tables: readonly ListTable[],
  wishes: readonly Wish[],
): readonly string[] {
  return wishes.flatMap(({ field, header }) => {
    const isThere = (table: ListTable) =>
      columnNamed(table.columns, table.columns.map(plainHeader), header) !== undefined;
    if (header === '' || tables.some(isThere)) return [];
    const all = tables.flatMap(({ columns }) => columns);
    const meant = nearest(header, all);
    const lists = tables.map(({ file, columns }) => `${file} has ${columns.map(quote).join(', ')}`);
    const what = `--map ${field}=${quote(header)} fits no column`;
    return [sentence({ what: `${what}; ${lists.join('; ')}`, ...(meant && { meant }) })];
  });
}
