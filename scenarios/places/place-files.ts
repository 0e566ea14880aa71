/** Files of places that a scenario names: read once, with the rows that its entries take. */
import type { Coordinates } from '../../core/base/geography.ts';
import { isMap } from '../../sim/base/plain-data.ts';
import type { Bundle } from '../composing/texts.ts';
import { BELOW_FOLDER } from '../language/paths.ts';
import { PROBLEMS_MAX, type Problem } from '../language/problem.ts';
import type { MessageLists } from '../schema/traffic-schema.ts';
import { type MessageDefaults, readMessages } from './message-rows.ts';
import { type PlaceRows, type PlaceThing, readRows } from './place-rows.ts';
import { type ReadTable, readTable } from './place-table.ts';
import { tableText } from './table-text.ts';

/** Tables of bytes that are still there, since a scenario is loaded in several turns. */
const tables = new WeakMap<
  Uint8Array,
  { readonly file: string; readonly headers: string; readonly read: ReadTable }
>();

/** What the first line of a CSV file may be, by what the file is of. */
const HEADERS = {
  places: 'x,y or name,latitude,longitude',
  messages: 'time,device or time,device,fPort,bytes',
} as const;

export class PlaceFiles {
  /** Files that the bundle lacks. */
  readonly missing = new Set<string>();
  readonly problems: Problem[] = [];
  /** What is allowed, but not wise. */
  readonly warnings: Problem[] = [];
  readonly #folder: string;
  readonly #bundle: Bundle;
  readonly #origin: Coordinates;
  /** By the file and whose places they are; undefined: missing, or wrong. */
  readonly #rows = new Map<string, PlaceRows | undefined>();

  constructor(folder: string, bundle: Bundle, origin: Coordinates) {
    this.#folder = folder;
    this.#bundle = bundle;
    this.#origin = origin;
  }

  /** Rows of a file for these things; `path` is relative to the scenario. */
  rowsFor(path: string, things: PlaceThing): PlaceRows | undefined {
    const key = `${things} ${path}`;
    if (!this.#rows.has(key)) this.#rows.set(key, this.#read(this.#folder + path, things));
    return this.#rows.get(key);
  }

  /** Rows that an entry of the scenario’s plain data takes. */
  rowsOf(entry: unknown, things: PlaceThing): PlaceRows | undefined {
    const path = fileOf(entry);
    return path === undefined ? undefined : this.rowsFor(path, things);
  }

  /** The plain data with the counts that files have where entries have none. */
  counted(value: unknown): unknown {
    if (!isMap(value)) return value;
    const listed = (['gateways', 'devices'] as const).flatMap((things) => {
      const list = value[things];
      if (!Array.isArray(list) || list.every((entry) => fileOf(entry) === undefined)) return [];
      const entries = list.map((entry) => {
        const rows = this.rowsOf(entry, things);
        if (rows === undefined || !isMap(entry) || entry.count !== undefined) return entry;
        return { ...entry, count: rows.rows.length };
      });
      return [[things, entries] as const];
    });
    return listed.length === 0 ? value : { ...value, ...Object.fromEntries(listed) };
  }

  /** The messages that a file says for the devices of a population. */
  messagesFor(path: string, defaults: MessageDefaults): MessageLists {
    const file = this.#folder + path;
    const bytes = this.#bundle.get(file);
    if (bytes === undefined) this.missing.add(file);
    const read = bytes && tableOf(file, bytes, HEADERS.messages);
    if (read === undefined) return {};
    const found = read.ok
      ? readMessages(read.table, defaults, PROBLEMS_MAX)
      : { problems: [read.problem] };
    if ('lists' in found) {
      this.warnings.push(...found.warnings);
      return found.lists;
    }
    this.problems.push(...found.problems);
    return {};
  }

  #read(file: string, things: PlaceThing): PlaceRows | undefined {
    const bytes = this.#bundle.get(file);
    if (bytes === undefined) {
      this.missing.add(file);
      return undefined;
    }
    const read = tableOf(file, bytes, HEADERS.places);
    if (!read.ok) {
      this.problems.push(read.problem);
      return undefined;
    }
    const rows = readRows(read.table, things, this.#origin, PROBLEMS_MAX);
    if ('problems' in rows) {
      this.problems.push(...rows.problems);
      return undefined;
    }
    this.warnings.push(...rows.notes);
    return rows;
  }
}

function tableOf(file: string, bytes: Uint8Array, headers: string): ReadTable {
  const known = tables.get(bytes);
  if (known?.file === file && known.headers === headers) return known.read;
  const text = tableText(file, bytes);
  const read: ReadTable =
    typeof text === 'string' ? readTable(file, text, headers) : { ok: false, problem: text };
  tables.set(bytes, { file, headers, read });
  return read;
}

/** The file that an entry is placed by; undefined: by none, or its path is wrong. */
function fileOf(entry: unknown): string | undefined {
  const placement = isMap(entry) ? entry.placement : undefined;
  const file = isMap(placement) ? placement.file : undefined;
  return typeof file === 'string' && BELOW_FOLDER.test(file) ? file : undefined;
}
