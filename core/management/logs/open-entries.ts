/**
 * The latest entries of a log, which are not sealed yet. They stand in the order of their instants:
 * an uplink is taken in after its end, so what has happened meanwhile stands behind it.
 */
import { type Chunk, sealed } from './chunk.ts';
import {
  type ColumnsOf,
  columnsFor,
  ENTRY_COLUMNS,
  type EntryColumns,
  NOBODY,
  RECEPTION_COLUMNS,
  type ReceptionColumns,
} from './entries.ts';

const FIRST_ENTRIES = 16;
const FIRST_BYTES = 256;
/** Largest delay, 36 minutes: later entries are clamped to it. */
const LONGEST_DELAY_US = 0x7fff_ffff;

type Column = Uint8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float64Array;
type Columns = Readonly<Record<string, Column>>;

/** Plain data. */
export interface SavedEntries {
  readonly entries: EntryColumns;
  readonly receptions: ReceptionColumns;
  readonly bytes: Uint8Array;
  readonly devEuis: readonly string[];
  readonly gatewayEuis: readonly string[];
}

export class OpenEntries {
  entries: EntryColumns = columnsFor(ENTRY_COLUMNS, FIRST_ENTRIES);
  #receptions: ReceptionColumns = columnsFor(RECEPTION_COLUMNS, FIRST_ENTRIES);
  #bytes = new Uint8Array(FIRST_BYTES);
  #size = 0;
  #usedReceptions = 0;
  #usedBytes = 0;
  /** Places in the lists by EUI. */
  #devices = new Map<string, number>();
  #devEuis: string[] = [];
  #gateways = new Map<string, number>();
  #gatewayEuis: string[] = [];
  /** Whether a gateway is one's own, since it was asked last. */
  readonly #owns = new Map<string, boolean>();
  readonly #isOwn: (gatewayEui: string) => boolean;

  constructor(isOwn: (gatewayEui: string) => boolean) {
    this.#isOwn = isOwn;
  }

  get size(): number {
    return this.#size;
  }

  // ── adding ─────────────────────────────────────────────────────────────────────────────────────

  /**
   * Makes room for an entry behind those that are no later; everything of it is 0. Its place. ''
   * is no device.
   */
  begin(atUs: number, devEui: string): number {
    const size = this.#size++;
    if (size === this.entries.atUs.length) this.entries = longer(ENTRY_COLUMNS, this.entries);
    const { entries } = this;
    let place = size;
    while (place > 0 && entries.atUs[place - 1]! > atUs) place--;
    const columns = entries as unknown as Columns;
    for (const name in columns) {
      const column = columns[name]!;
      if (place < size) column.copyWithin(place + 1, place, size);
      column[place] = 0;
    }
    entries.atUs[place] = atUs;
    entries.device[place] = this.#deviceNumber(devEui);
    entries.bytesFrom[place] = this.#usedBytes;
    entries.receptionsFrom[place] = this.#usedReceptions;
    return place;
  }

  /** Bytes of the entry that was begun last, one after the other. */
  addBytes(bytes: Uint8Array): void {
    const end = this.#usedBytes + bytes.length;
    if (end > this.#bytes.length) {
      const more = new Uint8Array(Math.max(2 * this.#bytes.length, end));
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#bytes.set(bytes, this.#usedBytes);
    this.#usedBytes = end;
  }

  /** A reception of the entry that was begun last, at its place. */
  addReception(
    place: number,
    gatewayEui: string,
    espCentiDbm: number,
    snrCentiDb: number,
    delayUs: number,
    isLate: boolean,
  ): void {
    const at = this.#usedReceptions++;
    if (at === this.#receptions.late.length) {
      this.#receptions = longer(RECEPTION_COLUMNS, this.#receptions);
    }
    const r = this.#receptions;
    r.gateway[at] = this.#gatewayNumber(gatewayEui);
    r.espCentiDbm[at] = espCentiDbm;
    r.snrCentiDb[at] = snrCentiDb;
    r.delayUs[at] = Math.min(delayUs, LONGEST_DELAY_US);
    r.late[at] = isLate ? 1 : 0;
    this.entries.receptions[place]! += 1;
  }

  /** A gateway came or went: whose it is may be another now. */
  forgetGateway(eui: string): void {
    this.#owns.delete(eui);
  }

  #deviceNumber(devEui: string): number {
    if (devEui === '') return NOBODY;
    const known = this.#devices.get(devEui);
    if (known !== undefined) return known;
    this.#devices.set(devEui, this.#devEuis.length);
    return this.#devEuis.push(devEui) - 1;
  }

  #gatewayNumber(eui: string): number {
    if (!this.#ownsNow(eui)) return NOBODY;
    const known = this.#gateways.get(eui);
    if (known !== undefined) return known;
    this.#gateways.set(eui, this.#gatewayEuis.length);
    return this.#gatewayEuis.push(eui) - 1;
  }

  /** One that is named here may be another's by now. */
  #ownsNow(eui: string): boolean {
    const known = this.#owns.get(eui);
    if (known !== undefined) return known;
    const owns = this.#isOwn(eui);
    this.#owns.set(eui, owns);
    return owns;
  }

  // ── what becomes of them ───────────────────────────────────────────────────────────────────────

  /** The first entries as a chunk; these stay as they are. */
  sealed(entries = this.#size): Chunk {
    return sealed(this.#copy(0, entries));
  }

  /** Drops the first entries: they are sealed. */
  drop(entries: number): void {
    this.load(this.#copy(entries, this.#size));
  }

  /** Shares nothing with these. */
  save(): SavedEntries {
    return this.#copy(0, this.#size);
  }

  /** What is given is these from now on. */
  load({ entries, receptions, bytes, devEuis, gatewayEuis }: SavedEntries): void {
    this.#size = entries.atUs.length;
    this.#usedReceptions = receptions.late.length;
    this.#usedBytes = bytes.length;
    this.entries = roomy(ENTRY_COLUMNS, entries);
    this.#receptions = roomy(RECEPTION_COLUMNS, receptions);
    this.#bytes = bytes.length === 0 ? new Uint8Array(FIRST_BYTES) : bytes.slice();
    this.#devEuis = [...devEuis];
    this.#devices = new Map(devEuis.map((devEui, number) => [devEui, number]));
    this.#gatewayEuis = [...gatewayEuis];
    this.#gateways = new Map(gatewayEuis.map((eui, number) => [eui, number]));
  }

  /** Some of them with what belongs to them alone, one after the other. */
  #copy(from: number, until: number): SavedEntries {
    const entries = sliceOf(this.entries, from, until) as EntryColumns;
    const size = until - from;
    let [bytesUsed, receptionsUsed] = [0, 0];
    for (let i = 0; i < size; i++) {
      bytesUsed += bytesAt(entries, i);
      receptionsUsed += entries.receptions[i]!;
    }
    const bytes = new Uint8Array(bytesUsed);
    const receptions = columnsFor(RECEPTION_COLUMNS, receptionsUsed);
    let [toByte, toReception] = [0, 0];
    for (let i = 0; i < size; i++) {
      const fromByte = entries.bytesFrom[i]!;
      const count = bytesAt(entries, i);
      for (let k = 0; k < count; k++) bytes[toByte + k] = this.#bytes[fromByte + k]!;
      entries.bytesFrom[i] = toByte;
      toByte += count;
      const fromReception = entries.receptionsFrom[i]!;
      entries.receptionsFrom[i] = toReception;
      for (let k = 0; k < entries.receptions[i]!; k++) {
        copyAt(this.#receptions, fromReception + k, receptions, toReception++);
      }
    }
    const devEuis = renumbered(entries.device, this.#devEuis);
    const gatewayEuis = renumbered(receptions.gateway, this.#gatewayEuis);
    return { entries, receptions, bytes, devEuis, gatewayEuis };
  }
}

/** Bytes that an entry has. */
const bytesAt = (
  { fOptsLength, payloadLength }: Pick<EntryColumns, 'fOptsLength' | 'payloadLength'>,
  place: number,
): number => fOptsLength[place]! + payloadLength[place]!;

function copyAt(from: ReceptionColumns, at: number, to: ReceptionColumns, place: number): void {
  to.gateway[place] = from.gateway[at]!;
  to.espCentiDbm[place] = from.espCentiDbm[at]!;
  to.snrCentiDb[place] = from.snrCentiDb[at]!;
  to.delayUs[place] = from.delayUs[at]!;
  to.late[place] = from.late[at]!;
}

/** Names the EUIs of a list by their places in a list of those that the column names. */
function renumbered(column: Uint16Array, euis: readonly string[]): string[] {
  const numbers = new Int32Array(euis.length).fill(-1);
  const named: string[] = [];
  for (let at = 0; at < column.length; at++) {
    const each = column[at]!;
    if (each === NOBODY) continue;
    if (numbers[each]! < 0) numbers[each] = named.push(euis[each]!) - 1;
    column[at] = numbers[each]!;
  }
  return named;
}

const sliceOf = (columns: object, from: number, until: number): object =>
  Object.fromEntries(
    Object.entries(columns as Columns).map(([name, column]) => [name, column.slice(from, until)]),
  );

type Table = Record<string, new (length: number) => Column>;

/** Twice as many places. */
function longer<T extends Table>(table: T, columns: ColumnsOf<T>): ColumnsOf<T> {
  return withCapacity(table, columns, 2 * lengthOf(columns));
}

/** A copy with room for some at least. */
const roomy = <T extends Table>(table: T, columns: ColumnsOf<T>): ColumnsOf<T> =>
  withCapacity(table, columns, Math.max(FIRST_ENTRIES, lengthOf(columns)));

const lengthOf = (columns: object): number => Object.values(columns as Columns)[0]!.length;

function withCapacity<T extends Table>(
  table: T,
  columns: ColumnsOf<T>,
  places: number,
): ColumnsOf<T> {
  const more = columnsFor(table, places);
  for (const name in table) {
    (more as unknown as Columns)[name]!.set((columns as unknown as Columns)[name]!);
  }
  return more;
}
