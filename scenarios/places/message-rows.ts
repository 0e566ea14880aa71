/**
 * What the columns of a table of messages mean: which device sends what, and when
 * (docs/decisions/0076).
 */
import { isWithin } from '../../sim/base/rows/range.ts';
import { isApplicationFPort } from '../../sim/contract/downlinks.ts';
import type { ListedMessages } from '../../sim/plan/network-plan.ts';
import { nearest, quote, sentence } from '../language/complaint.ts';
import type { Longest } from '../language/longest-message.ts';
import type { Problem } from '../language/problem.ts';
import { quantity } from '../language/quantity.ts';
import { PORT_ALLOWED } from '../language/readers.ts';
import type { MessageLists } from '../schema/traffic-schema.ts';
import { findColumns, noteOfUnused } from './columns.ts';
import type { PlaceTable } from './place-table.ts';

const COLUMNS = ['time', 'device', 'fPort', 'bytes', 'payload', 'confirmed'] as const;
type Column = (typeof COLUMNS)[number];

/** Longest FRMPayload of any region and data rate. */
const BYTES_MAX = 242;

const TIME = 'seconds such as 90.5, or a duration such as 1 h 30 min, from 0 s to 3650 d';

const duration = quantity('duration', '0 s', '3650 d');

export interface DeviceDefaults {
  readonly fPort: number;
  /** Bytes. */
  readonly payload: number;
  readonly longest: Longest;
}

/** What a population has where a row does not say. */
export interface MessageDefaults {
  readonly names: readonly string[];
  /** The same of a device, by its number from 0: rows of places may give it knobs of its own. */
  readonly of: (device: number) => DeviceDefaults;
  /** When the run ends, µs: what is later is never sent. */
  readonly endUs: number;
}

interface Growing {
  readonly atUs: number[];
  readonly fPorts: number[];
  readonly lengths: number[];
  readonly confirmed: (boolean | null)[];
  readonly payloads: (string | null)[];
}

type Report = (row: number | undefined, column: number, message: string) => undefined;

/**
 * The messages of a table by device, and a warning where some are after the end; or all that is
 * wrong with it, at most that many problems.
 */
export function readMessages(
  table: PlaceTable,
  defaults: MessageDefaults,
  most: number,
):
  | { readonly lists: MessageLists; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (row, column, message) => {
    if (problems.length >= most) return;
    const { where, line } = table.locate(row, column);
    problems.push({ where, line, pointer: '', message });
  };
  const { columnOf, note } = columnsOf(table, report);
  if (problems.length > 0) return { problems };
  const reading = new Reading(columnOf, defaults, report);
  for (const [row, cells] of table.rows.entries()) {
    reading.add(cells, row);
    if (problems.length >= most) break;
  }
  if (problems.length > 0) return { problems };
  const notes = note === undefined ? [] : [note];
  return { lists: reading.lists(), warnings: [...notes, ...reading.warnings(table)] };
}

const KNOWN = { names: COLUMNS, also: { fPort: ['port'] } };

/** Columns by what they say, and a note of the others; those that lack are reported. */
function columnsOf(
  table: PlaceTable,
  report: Report,
): { readonly columnOf: ReadonlyMap<Column, number>; readonly note: Problem | undefined } {
  const found = findColumns(table.columns, KNOWN);
  const columnOf = found.columnOf as ReadonlyMap<Column, number>;
  for (const column of found.repeated) {
    report(undefined, column, `the column ${table.columns[column]} is there twice`);
  }
  for (const column of ['time', 'device'] as const) {
    if (columnOf.has(column)) continue;
    const misspelt = found.unused.find((at) => nearest(table.columns[at]!, COLUMNS) === column);
    if (misspelt === undefined) {
      const what = `has no column ${column}`;
      report(undefined, 0, sentence({ what, allowed: 'time, device, and what a message is' }));
    } else {
      const what = `${quote(table.columns[misspelt])} is not a column`;
      const allowed = COLUMNS.join(', ');
      report(undefined, misspelt, sentence({ what, allowed, meant: column }));
    }
  }
  if (columnOf.has('bytes') && columnOf.has('payload')) {
    const what = 'has both bytes and payload';
    report(undefined, columnOf.get('payload')!, sentence({ what, allowed: 'one of them' }));
  }
  return { columnOf, note: noteOfUnused(table, found.unused, KNOWN, columnOf) };
}

/** Rows, one after the other. */
class Reading {
  readonly #columnOf: ReadonlyMap<Column, number>;
  readonly #defaults: MessageDefaults;
  readonly #report: Report;
  readonly #byName = new Map<string, Growing>();
  /** Numbers of devices from 0. */
  readonly #numberOf: ReadonlyMap<string, number>;
  /** Rows after the end of the run. */
  readonly #lateRows: number[] = [];
  /** Those that are too long for the data rate at which their device begins. */
  readonly #longRows: { readonly row: number; readonly device: number; readonly bytes: number }[] =
    [];

  constructor(columnOf: ReadonlyMap<Column, number>, defaults: MessageDefaults, report: Report) {
    this.#columnOf = columnOf;
    this.#defaults = defaults;
    this.#report = report;
    this.#numberOf = new Map(defaults.names.map((name, number) => [name, number]));
  }

  lists(): Readonly<Record<string, ListedMessages>> {
    const entries = [...this.#byName].map(([name, { payloads, ...list }]) => {
      const says = payloads.some((payload) => payload !== null);
      return [name, says ? { ...list, payloads } : list] as const;
    });
    return Object.fromEntries(entries);
  }

  /** What is allowed, but not wise: of each kind the first row, and how many there are. */
  warnings({ rows, locate }: PlaceTable): readonly Problem[] {
    const { endUs, of } = this.#defaults;
    const report = (found: readonly number[], column: number, what: string, allowed: string) => {
      const { where, line } = locate(found[0]!, column);
      const message = sentence({ what: `${what}${andSo(found.length - 1)}`, allowed });
      return { where, line, pointer: '', message };
    };
    const warnings: Problem[] = [];
    if (this.#lateRows.length > 0) {
      const column = this.#columnOf.get('time')!;
      const what = `${quote(rows[this.#lateRows[0]!]![column])} is after the end of the run`;
      warnings.push(report(this.#lateRows, column, what, `at most ${endUs / 1e6} s`));
    }
    const [early] = this.#longRows;
    if (early !== undefined) {
      const { atFirst } = of(early.device).longest;
      const what =
        `${early.bytes} B do not fit into a frame ${atFirst!.at}, at which the device begins: ` +
        `lost ${atFirst!.until}`;
      const found = this.#longRows.map(({ row }) => row);
      warnings.push(report(found, this.#lengthColumn, what, `at most ${atFirst!.bytes} B`));
    }
    return warnings;
  }

  add(cells: readonly unknown[], row: number): void {
    const cell = (column: Column): string => {
      const at = this.#columnOf.get(column);
      return at === undefined ? '' : String(cells[at] ?? '');
    };
    const refuse = (column: Column, allowed: string, meant?: string): undefined => {
      const complaint = { what: `${quote(cell(column))} is not right here`, allowed };
      const whole = meant === undefined ? complaint : { ...complaint, meant };
      return this.#report(row, this.#columnOf.get(column)!, sentence(whole));
    };
    const name = this.#deviceOf(cell('device'));
    if (name === undefined) {
      const { names } = this.#defaults;
      const [first, last] = [names[0], names.at(-1)];
      const allowed =
        first === undefined
          ? 'none, since the population has no devices'
          : `${first} to ${last}, or a number from 1 to ${names.length}`;
      refuse('device', allowed, nearest(cell('device'), names));
    }
    const device = this.#numberOf.get(name ?? '') ?? 0;
    const at = timeOf(cell('time')) ?? refuse('time', TIME);
    const fPort = this.#fPortOf(cell('fPort'), device) ?? refuse('fPort', PORT_ALLOWED);
    const payload = payloadOf(cell('payload'));
    if (payload === undefined) refuse('payload', `at most ${BYTES_MAX} bytes in hexadecimal`);
    const length = this.#lengthOf(cell('bytes'), device) ?? refuse('bytes', `0 to ${BYTES_MAX}`);
    const confirmed = confirmedOf(cell('confirmed'));
    if (confirmed === undefined) refuse('confirmed', 'true or false');
    if (name === undefined || at === undefined || fPort === undefined) return;
    if (length === undefined || payload === undefined || confirmed === undefined) return;
    const list = this.#listOf(name);
    const before = list.atUs.at(-1) ?? 0;
    if (at < before) {
      refuse('time', `at least ${before / 1e6} s, the time of ${name} in an earlier row`);
      return;
    }
    const bytes = payload === null ? length : payload.length / 2;
    if (!this.#isCarried(device, bytes, row)) return;
    if (at > this.#defaults.endUs) this.#lateRows.push(row);
    list.atUs.push(at);
    list.fPorts.push(fPort);
    list.lengths.push(bytes);
    list.confirmed.push(confirmed);
    list.payloads.push(payload);
  }

  /** Whether a frame of the device ever carries so much; what does not fit is reported. */
  #isCarried(device: number, bytes: number, row: number): boolean {
    const { bytes: most, at, atFirst } = this.#defaults.of(device).longest;
    if (atFirst !== undefined && bytes > atFirst.bytes) this.#longRows.push({ row, device, bytes });
    if (bytes <= most) return true;
    const what = `${bytes} B do not fit into a frame ${at}`;
    this.#report(row, this.#lengthColumn, sentence({ what, allowed: `at most ${most} B` }));
    return false;
  }

  /** Where a row says how long its message is; where it says none, the device. */
  get #lengthColumn(): number {
    const column = this.#columnOf.get('payload') ?? this.#columnOf.get('bytes');
    return column ?? this.#columnOf.get('device')!;
  }

  #listOf(name: string): Growing {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const list = { atUs: [], fPorts: [], lengths: [], confirmed: [], payloads: [] };
    this.#byName.set(name, list);
    return list;
  }

  /** A device by its name, or by its number in the population. */
  #deviceOf(cell: string): string | undefined {
    if (this.#numberOf.has(cell)) return cell;
    return /^[1-9]\d{0,6}$/.test(cell) ? this.#defaults.names[Number(cell) - 1] : undefined;
  }

  #fPortOf(cell: string, device: number): number | undefined {
    if (cell === '') return this.#defaults.of(device).fPort;
    const port = within(cell, 1, 255);
    return port !== undefined && isApplicationFPort(port) ? port : undefined;
  }

  #lengthOf(cell: string, device: number): number | undefined {
    return cell === '' ? this.#defaults.of(device).payload : within(cell, 0, BYTES_MAX);
  }
}

const andSo = (more: number): string => {
  if (more === 0) return '';
  return more === 1 ? ', and so is 1 more row' : `, and so are ${more} more rows`;
};

function within(cell: string, least: number, most: number): number | undefined {
  const number = /^\d{1,4}$/.test(cell) ? Number(cell) : -1;
  return isWithin(number, { least, most }) ? number : undefined;
}

/** µs since the start. */
function timeOf(cell: string): number | undefined {
  const reading = duration(/^\d+(\.\d+)?$/.test(cell) ? `${cell} s` : cell);
  return reading.ok ? reading.value : undefined;
}

/** Upper-case digits; null: the row does not say. */
function payloadOf(cell: string): string | null | undefined {
  if (cell === '') return null;
  const isRight = /^([0-9A-Fa-f]{2})+$/.test(cell) && cell.length <= 2 * BYTES_MAX;
  return isRight ? cell.toUpperCase() : undefined;
}

function confirmedOf(cell: string): boolean | null | undefined {
  if (cell === '') return null;
  return cell === 'true' || cell === 'false' ? cell === 'true' : undefined;
}
