/**
 * What was lately on the air on one frequency and in one direction, in the order of beginning.
 *
 * A signal's position is its number since the channel's start minus `#dropped`; signals that can no
 * longer overlap anything on the air are dropped from the front, lazily and in bulk.
 */
import { f64, i32, opaque, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';

/** Dropped signals stay in place until this many have gathered. */
const COMPACT_AT = 64;

/** A receiver needs the last five preamble symbols to lock (protocol reference §1.3). */
export const LOCKING_SYMBOLS = 5;

export interface SavedSignalLog {
  readonly signals: SavedTable;
  readonly first: number;
  readonly end: number;
  readonly longestUs: number;
  readonly base: number;
}

export class SignalLog {
  readonly #signals = new Table({
    startUs: f64,
    endUs: f64,
    /** Symbol time, µs. */
    symbolUs: u32,
    spreadingFactor: u8,
    preambleSymbols: u8,
    eirpCentiDbm: i32,
    /** Device row (uplinks) or gateway row (downlinks). */
    sender: opaque(i32),
    /** The sender's links when it began (uplinks). */
    linkStart: opaque(i32),
    linkCount: opaque(i32),
  });
  #first = 0;
  #end = 0;
  /** Number of the signal at position 0. */
  #base = 0;
  #longestUs = 0;

  get column() {
    return this.#signals.column;
  }

  /** One past the position of the latest signal. */
  get end(): number {
    return this.#end;
  }

  /**
   * Appends a signal that begins now; tells its number, which stays valid while it is on the air.
   */
  add(signal: Signal): number {
    if (this.#end === this.#signals.rows) this.#signals.add();
    const at = this.#end++;
    const column = this.#signals.column;
    column.startUs[at] = signal.startUs;
    column.endUs[at] = signal.startUs + signal.airtimeUs;
    column.symbolUs[at] = signal.symbolUs;
    column.spreadingFactor[at] = signal.spreadingFactor;
    column.preambleSymbols[at] = signal.preambleSymbols;
    column.eirpCentiDbm[at] = signal.eirpCentiDbm;
    column.sender[at] = signal.sender;
    column.linkStart[at] = signal.linkStart;
    column.linkCount[at] = signal.linkCount;
    this.#longestUs = Math.max(this.#longestUs, signal.airtimeUs);
    return this.#base + at;
  }

  /** Position of a signal by its number. */
  position(signal: number): number {
    return signal - this.#base;
  }

  /** From when on a receiver's lock on this signal can be broken. */
  lockUs(at: number): number {
    const { startUs, symbolUs, preambleSymbols } = this.#signals.column;
    return startUs[at] + (preambleSymbols[at] - LOCKING_SYMBOLS) * symbolUs[at];
  }

  /** Position of the earliest signal that may still last after `atUs`. */
  firstAfter(atUs: number): number {
    const { startUs } = this.#signals.column;
    const horizonUs = atUs - this.#longestUs;
    let first = this.#end;
    while (first > this.#first && startUs[first - 1] > horizonUs) first--;
    return first;
  }

  /** Forgets what ended before everything that is on the air now can have begun. */
  forget(nowUs: number): void {
    const { endUs } = this.#signals.column;
    const horizonUs = nowUs - this.#longestUs;
    while (this.#first < this.#end && endUs[this.#first] < horizonUs) this.#first++;
    if (this.#first < COMPACT_AT || 2 * this.#first < this.#end) return;
    for (const values of Object.values(this.#signals.column)) {
      values.copyWithin(0, this.#first, this.#end);
    }
    this.#base += this.#first;
    this.#end -= this.#first;
    this.#first = 0;
  }

  save(): SavedSignalLog {
    return {
      signals: this.#signals.save(),
      first: this.#first,
      end: this.#end,
      longestUs: this.#longestUs,
      base: this.#base,
    };
  }

  load(saved: SavedSignalLog): void {
    this.#signals.load(saved.signals);
    this.#first = saved.first;
    this.#end = saved.end;
    this.#longestUs = saved.longestUs;
    this.#base = saved.base;
  }
}

/** A signal that begins; `sender` and links as in the log's columns. */
export interface Signal {
  startUs: number;
  airtimeUs: number;
  symbolUs: number;
  spreadingFactor: number;
  preambleSymbols: number;
  eirpCentiDbm: number;
  sender: number;
  linkStart: number;
  linkCount: number;
}
