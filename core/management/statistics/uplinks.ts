/**
 * What is counted of each device's uplinks, in columns with a row for each device that has joined
 * or spoken. All of it follows from events; so it is saved, and no digest folds it.
 */

import { centiDbToLinear, linearToCentiDb } from '../../../sim/base/math.ts';
import type { FrameUp, UplinkReception } from '../../../sim/contract/frames.ts';
import { Blocks, type SavedBlocks } from '../../base/blocks.ts';
import { Hours, type SavedHours, type WindowSums } from './hours.ts';

/** Latest uplinks whose times are stored: their mean interval is the device's mean period. */
const TIMES = 8;
/** No DevStatusAns yet, or one that does not know (LoRaWAN 1.0.4 §5.5). */
const BATTERY_UNKNOWN = 255;
/** Battery of a device with external power. */
const EXTERNAL_POWER = 0;

/** Where a data frame stands in its session. */
type SessionPlace = Pick<NonNullable<FrameUp['data']>, 'devAddr' | 'fCnt'>;

/** Plain data. */
export interface SavedUplinks {
  readonly devEuis: readonly string[];
  readonly rows: readonly number[];
  readonly owners: readonly string[];
  readonly table: SavedBlocks;
  readonly hours: SavedHours;
}

export class Uplinks {
  #rows = new Map<string, number>();
  /** Numbers of owners, from 1. */
  #owners = new Map<string, number>();
  readonly #table = new Blocks({
    /** 0: the row is nobody's. */
    owner: [1, (n) => new Uint32Array(n)],
    /** A handle of `hours`. */
    hours: [1, (n) => new Int32Array(n)],
    /** Times of the latest uplinks, a ring: the latest of all is before `next`. */
    times: [TIMES, (n) => new Float64Array(n)],
    timesHeld: [1, (n) => new Uint8Array(n)],
    next: [1, (n) => new Uint8Array(n)],
    /** The session of the latest uplink, by its address, and the counter there. */
    devAddr: [1, (n) => new Uint32Array(n)],
    fCnt: [1, (n) => new Uint32Array(n)],
    hasJoined: [1, (n) => new Uint8Array(n)],
    battery: [1, (n) => new Uint8Array(n)],
    spreadingFactor: [1, (n) => new Uint8Array(n)],
  });
  readonly #hours = new Hours();

  /** Undefined: the device has neither joined nor spoken. */
  rowOf(devEui: string): number | undefined {
    return this.#rows.get(devEui);
  }

  /** Its next session counts from 0. */
  joined(devEui: string, owner: string): void {
    const row = this.#rowFor(devEui, owner);
    this.#table.in(row).hasJoined[this.#table.at(row)] = 1;
  }

  reported(devEui: string, owner: string, battery: number): void {
    const row = this.#rowFor(devEui, owner);
    this.#table.in(row).battery[this.#table.at(row)] = battery;
  }

  /** Counts an accepted data frame, in the hour in which it ended. */
  spoke(frame: FrameUp, data: SessionPlace, owner: string, hour: number): void {
    const { devAddr, fCnt } = data;
    const row = this.#rowFor(frame.devEui, owner);
    const t = this.#table.in(row);
    const at = this.#table.at(row);
    const lost = this.#missing(row, devAddr, fCnt);
    t.devAddr[at] = devAddr;
    t.fCnt[at] = fCnt;
    if (frame.spreadingFactor > 0) t.spreadingFactor[at] = frame.spreadingFactor;
    t.times[at * TIMES + t.next[at]!] = frame.endedAtUs;
    t.next[at] = (t.next[at]! + 1) % TIMES;
    t.timesHeld[at] = Math.min(TIMES, t.timesHeld[at]! + 1);
    const { rssiCentiDbm: espCentiDbm, snrCentiDb } = bestInTime(frame);
    const rssiCentiDbm = rssiOf(espCentiDbm, snrCentiDb);
    const counted = { lost, rssiCentiDbm, snrCentiDb, espCentiDbm };
    t.hours[at] = this.#hours.add(t.hours[at]!, hour, counted);
  }

  /** The device is gone. */
  forget(devEui: string): void {
    const row = this.#rows.get(devEui);
    if (row === undefined) return;
    const t = this.#table.in(row);
    const at = this.#table.at(row);
    this.#hours.end(t.hours[at]!);
    t.owner[at] = 0;
    this.#table.give(row);
    this.#rows.delete(devEui);
  }

  /** Rows of an owner's devices, in no particular order. */
  rowsOf(owner: string): readonly number[] {
    const rows: number[] = [];
    const number = this.#owners.get(owner);
    if (number === undefined) return rows;
    for (let row = 0; row < this.#table.end; row++) {
      if (this.#table.in(row)?.owner[this.#table.at(row)] === number) rows.push(row);
    }
    return rows;
  }

  // ── reading ────────────────────────────────────────────────────────────────────────────────────

  /** What the windows of an hour hold. */
  read(row: number, hour: number, into: WindowSums): void {
    this.#hours.read(this.#table.in(row).hours[this.#table.at(row)]!, hour, into);
  }

  /** End of its latest uplink, µs; −1: there was none. */
  lastAtUs(row: number): number {
    const { times, next, timesHeld } = this.#table.in(row);
    const at = this.#table.at(row);
    if (timesHeld[at] === 0) return -1;
    return times[at * TIMES + ((next[at]! + TIMES - 1) % TIMES)]!;
  }

  /** Mean interval of its latest eight uplinks, µs; 0: it has spoken once at most. */
  meanPeriodUs(row: number): number {
    const { times, next, timesHeld } = this.#table.in(row);
    const at = this.#table.at(row);
    const held = timesHeld[at]!;
    if (held < 2) return 0;
    const first = times[at * TIMES + ((next[at]! + TIMES - held) % TIMES)]!;
    return (this.lastAtUs(row) - first) / (held - 1);
  }

  spreadingFactor(row: number): number {
    return this.#table.in(row).spreadingFactor[this.#table.at(row)]!;
  }

  /** DevStatusAns' 1 to 254; −1: there is none to tell. */
  battery(row: number): number {
    const battery = this.#table.in(row).battery[this.#table.at(row)]!;
    return battery === BATTERY_UNKNOWN || battery === EXTERNAL_POWER ? -1 : battery;
  }

  // ── saving ─────────────────────────────────────────────────────────────────────────────────────

  save(): SavedUplinks {
    return {
      devEuis: [...this.#rows.keys()],
      rows: [...this.#rows.values()],
      owners: [...this.#owners.keys()],
      table: this.#table.save(),
      hours: this.#hours.save(),
    };
  }

  load({ devEuis, rows, owners, table, hours }: SavedUplinks): void {
    this.#owners = new Map(owners.map((owner, i) => [owner, i + 1]));
    this.#rows = new Map(devEuis.map((devEui, i) => [devEui, rows[i]!]));
    this.#table.load(table);
    this.#hours.load(hours);
  }

  #rowFor(devEui: string, owner: string): number {
    const known = this.#rows.get(devEui);
    if (known !== undefined) return known;
    const number = this.#owners.get(owner) ?? this.#owners.size + 1;
    this.#owners.set(owner, number);
    const row = this.#table.take();
    const t = this.#table.in(row);
    const at = this.#table.at(row);
    t.owner[at] = number;
    t.hours[at] = this.#hours.begin();
    t.battery[at] = BATTERY_UNKNOWN;
    this.#rows.set(devEui, row);
    return row;
  }

  /**
   * Uplinks that are missing before one with this counter. A session that began with a join counts
   * from 0, and an unknown device from its first uplink.
   */
  #missing(row: number, devAddr: number, fCnt: number): number {
    const t = this.#table.in(row);
    const at = this.#table.at(row);
    const isFirst = t.timesHeld[at] === 0;
    if (isFirst && t.hasJoined[at] === 0) return 0;
    const isSame = !isFirst && t.devAddr[at] === devAddr && fCnt > t.fCnt[at]!;
    return isSame ? fCnt - t.fCnt[at]! - 1 : fCnt;
  }
}

/** They stand the best first; one at least was in time. */
function bestInTime({ receptions }: FrameUp): UplinkReception {
  for (const reception of receptions) if (!reception.late) return reception;
  return receptions[0]!;
}

/**
 * RSSI, what a receiver indicates: the signal (ESP) and the noise beside it, 1/100 dBm,
 * whole. RSSI = ESP + 10·log10(1 + 10^(−SNR/10)); so it is that
 * ESP = RSSI + SNR − 10·log10(1 + 10^(SNR/10)).
 */
export const rssiOf = (espCentiDbm: number, snrCentiDb: number): number =>
  espCentiDbm + linearToCentiDb(1 + centiDbToLinear(-snrCentiDb));
