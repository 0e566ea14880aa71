/**
 * Signals on the air on one frequency in one direction, and those that may still overlap one, in
 * the order of their start; and the logs of all frequencies. Logs of near frequencies refer to each
 * other, because wide channels overlap.
 *
 * A signal's position is its number since the channel's start minus `#dropped`; signals that can no
 * longer overlap anything on the air are dropped from the front, lazily and in bulk.
 */
import { assert } from '../base/assert.ts';
import { f64, i32, opaque, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';
import { Earshot } from './earshot.ts';

/** Dropped signals stay in place until this many have gathered. */
const COMPACT_AT = 64;

/** A receiver needs the last five preamble symbols to lock (docs/standard.md, Interference). */
export const LOCKING_SYMBOLS = 5;

/** The widest channel, Hz: logs farther apart than this have nothing to do with each other. */
const WIDEST_HZ = 500_000;

export interface SavedSignalLog {
  readonly signals: SavedTable;
  readonly first: number;
  readonly end: number;
  readonly longestUs: number;
  readonly base: number;
  readonly widestHz: number;
}

export class SignalLog {
  readonly #signals = new Table({
    startUs: f64,
    endUs: f64,
    /** Symbol time, µs. */
    symbolUs: u32,
    spreadingFactor: u8,
    bandwidthHz: u32,
    preambleSymbols: u8,
    eirpCentiDbm: i32,
    /** Number of this transmission of its sender. */
    frame: u32,
    /** Device row (uplinks) or gateway row (downlinks). */
    sender: opaque(i32),
    /** The sender's links when it began (uplinks). */
    linkStart: opaque(i32),
    linkCount: opaque(i32),
  });
  readonly column = this.#signals.column;
  #first = 0;
  #end = 0;
  /** Number of the signal at position 0. */
  #base = 0;
  #longestUs = 0;
  #widestHz = 0;
  /** Who hears what of it, as far as its sender's links tell (uplinks). */
  readonly earshot = new Earshot();
  /** Logs of the frequencies around, in ascending order. */
  readonly near: SignalLog[] = [];
  readonly frequencyHz: number;

  constructor(frequencyHz = 0) {
    this.frequencyHz = frequencyHz;
  }

  /** Bandwidth of the widest signal so far, Hz. */
  get widestHz(): number {
    return this.#widestHz;
  }

  get longestUs(): number {
    return this.#longestUs;
  }

  /** Number of the earliest signal that may still overlap another. */
  get oldest(): number {
    return this.#base + this.#first;
  }

  /** Number of the signal at position 0. */
  get base(): number {
    return this.#base;
  }

  /** One past the position of the latest signal. */
  get end(): number {
    return this.#end;
  }

  /**
   * Appends a signal that begins now; returns its number, which is valid while it is on the air.
   */
  add(signal: Signal): number {
    assert(signal.airtimeUs > 0, 'a signal ends after it starts');
    assert(Number.isInteger(signal.eirpCentiDbm), 'a level is whole 1/100 dBm');
    if (this.#end === this.#signals.rows) this.#signals.add();
    const at = this.#end++;
    const column = this.#signals.column;
    assert(
      at === this.#first || column.startUs[at - 1] <= signal.startUs,
      'signals are logged in the order of their start',
    );
    column.startUs[at] = signal.startUs;
    column.endUs[at] = signal.startUs + signal.airtimeUs;
    column.symbolUs[at] = signal.symbolUs;
    column.spreadingFactor[at] = signal.spreadingFactor;
    column.bandwidthHz[at] = signal.bandwidthHz;
    column.frame[at] = signal.frame;
    column.preambleSymbols[at] = signal.preambleSymbols;
    column.eirpCentiDbm[at] = signal.eirpCentiDbm;
    column.sender[at] = signal.sender;
    column.linkStart[at] = signal.linkStart;
    column.linkCount[at] = signal.linkCount;
    this.#longestUs = Math.max(this.#longestUs, signal.airtimeUs);
    this.#widestHz = Math.max(this.#widestHz, signal.bandwidthHz);
    return this.#base + at;
  }

  /** Position of a signal by its number; it is on the air, or has just ended. */
  position(signal: number): number {
    const at = signal - this.#base;
    assert(at >= this.#first && at < this.#end, 'a signal is known while it is on the air');
    return at;
  }

  /** From when on a receiver's lock on this signal can be broken. */
  lockUs(at: number): number {
    const { startUs, symbolUs, preambleSymbols } = this.#signals.column;
    return startUs[at] + (preambleSymbols[at] - LOCKING_SYMBOLS) * symbolUs[at];
  }

  /** By when a receiver has to hear a signal to lock on it. */
  preambleEndsAtUs(at: number): number {
    const { startUs, symbolUs, preambleSymbols } = this.#signals.column;
    return startUs[at] + preambleSymbols[at] * symbolUs[at];
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
    let longestUs = this.#longestUs;
    for (const log of this.near) longestUs = Math.max(longestUs, log.longestUs);
    const horizonUs = nowUs - longestUs;
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
      widestHz: this.#widestHz,
    };
  }

  load(saved: SavedSignalLog): void {
    this.#signals.load(saved.signals);
    this.#first = saved.first;
    this.#end = saved.end;
    this.#longestUs = saved.longestUs;
    this.#base = saved.base;
    this.#widestHz = saved.widestHz;
  }
}

/** A signal that begins; `sender` and links as in the log's columns. */
export interface Signal {
  startUs: number;
  airtimeUs: number;
  symbolUs: number;
  spreadingFactor: number;
  bandwidthHz: number;
  frame: number;
  preambleSymbols: number;
  eirpCentiDbm: number;
  sender: number;
  linkStart: number;
  linkCount: number;
}

export type SavedSignalLogs = readonly (readonly [frequencyHz: number, log: SavedSignalLog])[];

/** The logs of one direction by frequency. */
export class SignalLogs {
  readonly #logs = new Map<number, SignalLog>();

  on(frequencyHz: number): SignalLog {
    return this.#logs.get(frequencyHz) ?? this.#open(frequencyHz);
  }

  all(): Iterable<SignalLog> {
    return this.#logs.values();
  }

  save(): SavedSignalLogs {
    return [...this.#logs].map(([hz, log]) => [hz, log.save()] as const);
  }

  load(saved: SavedSignalLogs): void {
    this.#logs.clear();
    for (const [hz, log] of saved) this.on(hz).load(log);
  }

  #open(frequencyHz: number): SignalLog {
    const opened = new SignalLog(frequencyHz);
    for (const log of this.#logs.values()) {
      if (Math.abs(log.frequencyHz - frequencyHz) >= WIDEST_HZ) continue;
      for (const [one, other] of [
        [log, opened],
        [opened, log],
      ] as const) {
        one.near.push(other);
        one.near.sort((a, b) => a.frequencyHz - b.frequencyHz);
      }
    }
    this.#logs.set(frequencyHz, opened);
    return opened;
  }
}
