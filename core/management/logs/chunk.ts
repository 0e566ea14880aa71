/**
 * A sealed chunk of log entries. It never changes, so snapshots, forks and stepwise responses share
 * it. Its devices and gateways stand in two indexes, each with the places of its entries; and for
 * each class of filters there is a count.
 */
import { Lasting } from '../../base/plain.ts';
import { type EntryColumns, NOBODY, type ReceptionColumns } from './entries.ts';

/** Entries by an EUI: plain data. EUIs stand in their order, as two words each. */
export interface Postings {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** Where the places of each one's entries begin in `places`, and where the last ones end. */
  readonly from: Uint16Array | Uint32Array;
  /** Places of entries, those of an EUI in their order. */
  readonly places: Uint16Array;
}

/** Plain data: what a chunk is made of. */
export interface ChunkParts {
  readonly entries: EntryColumns;
  readonly receptions: ReceptionColumns;
  readonly bytes: Uint8Array;
  readonly devices: Postings;
  /** The subscriber's own gateways. */
  readonly gateways: Postings;
  /** Entries of each class. */
  readonly classes: Uint16Array;
}

export class Chunk extends Lasting implements ChunkParts {
  readonly entries: EntryColumns;
  readonly receptions: ReceptionColumns;
  readonly bytes: Uint8Array;
  readonly devices: Postings;
  readonly gateways: Postings;
  readonly classes: Uint16Array;

  constructor({ entries, receptions, bytes, devices, gateways, classes }: ChunkParts) {
    super();
    this.entries = entries;
    this.receptions = receptions;
    this.bytes = bytes;
    this.devices = devices;
    this.gateways = gateways;
    this.classes = classes;
  }

  /** Entries in it. */
  get size(): number {
    return this.entries.atUs.length;
  }
}

/** Number of an EUI in an index; −1: it is not there. */
export function numberOf({ high, low }: Postings, [wantedHigh, wantedLow]: EuiWords): number {
  const at = firstWhere(high.length, (i) => {
    return high[i]! > wantedHigh || (high[i] === wantedHigh && low[i]! >= wantedLow);
  });
  return high[at] === wantedHigh && low[at] === wantedLow ? at : -1;
}

/** Upper-case hexadecimal. */
export const euiAt = ({ high, low }: Postings, number: number): string =>
  hexWord(high[number]!) + hexWord(low[number]!);

/** DevEUI of an entry; '' where nobody knows it. */
export const deviceOf = ({ entries, devices }: Chunk, place: number): string => {
  const device = entries.device[place]!;
  return device === NOBODY ? '' : euiAt(devices, device);
};

export type EuiWords = readonly [high: number, low: number];

/** Of 16 hexadecimal digits. */
export const wordsOf = (eui: string): EuiWords => [
  Number.parseInt(eui.slice(0, 8), 16) >>> 0,
  Number.parseInt(eui.slice(8), 16) >>> 0,
];

/** Eight digits. */
export const hexWord = (word: number): string => word.toString(16).toUpperCase().padStart(8, '0');

/** Binary search: the first place for which a monotonic condition holds. */
export function firstWhere(places: number, holds: (place: number) => boolean): number {
  let [from, until] = [0, places];
  while (from < until) {
    const middle = (from + until) >> 1;
    if (holds(middle)) until = middle;
    else from = middle + 1;
  }
  return from;
}

// ── making one ───────────────────────────────────────────────────────────────────────────────────

/** What is to be sealed: its numbers of devices and gateways are places in these lists. */
export interface Unsealed {
  readonly entries: EntryColumns;
  readonly receptions: ReceptionColumns;
  readonly bytes: Uint8Array;
  readonly devEuis: readonly string[];
  readonly gatewayEuis: readonly string[];
}

/** Its columns become the chunk's. */
export function sealed({ entries, receptions, bytes, devEuis, gatewayEuis }: Unsealed): Chunk {
  const { atUs, device, class: classOf } = entries;
  const size = atUs.length;
  const classes = new Uint16Array(256);
  for (let place = 0; place < size; place++) classes[classOf[place]!]! += 1;
  const own: number[] = [];
  for (let place = 0; place < size; place++) {
    const from = entries.receptionsFrom[place]!;
    for (let i = 0; i < entries.receptions[place]!; i++) own[from + i] = place;
  }
  return new Chunk({
    entries,
    receptions,
    bytes,
    devices: indexed(device, devEuis, (i) => i),
    gateways: indexed(receptions.gateway, gatewayEuis, (i) => own[i]!),
    classes,
  });
}

/**
 * The index of what a column names by its place in a list; the column names it by its number in the
 * index from now on. What is beyond the list stands in no index.
 */
function indexed(
  column: Uint16Array,
  euis: readonly string[],
  placeOf: (at: number) => number,
): Postings {
  const used = new Uint8Array(euis.length);
  let named = 0;
  for (const each of column) {
    if (each >= euis.length) continue;
    used[each] = 1;
    named++;
  }
  const inOrder = [...new Set(euis.filter((_, i) => used[i] === 1))].sort();
  const numbers = new Map(inOrder.map((eui, number) => [eui, number]));
  const numberAt = euis.map((eui) => numbers.get(eui) ?? -1);
  const From = named < 0x1_0000 ? Uint16Array : Uint32Array;
  const from = new From(inOrder.length + 1);
  for (let at = 0; at < column.length; at++) {
    const each = column[at]!;
    if (each >= euis.length) continue;
    column[at] = numberAt[each]!;
    from[column[at]! + 1]! += 1;
  }
  for (let i = 1; i < from.length; i++) from[i]! += from[i - 1]!;
  return {
    high: Uint32Array.from(inOrder, (eui) => wordsOf(eui)[0]),
    low: Uint32Array.from(inOrder, (eui) => wordsOf(eui)[1]),
    from,
    places: placesOf(column, from, named, placeOf),
  };
}

/** Places of each number, in their order. */
function placesOf(
  column: Uint16Array,
  from: Postings['from'],
  named: number,
  placeOf: (at: number) => number,
): Uint16Array {
  const places = new Uint16Array(named);
  const next = from.slice();
  for (let at = 0; at < column.length; at++) {
    const number = column[at]!;
    if (number < from.length - 1) places[next[number]!++] = placeOf(at);
  }
  return places;
}
