/**
 * De-duplication: collects the copies of one uplink that several gateways received.
 *
 * Problem: gateways forward the same frame over backhauls of different delay. The server must
 * accept the frame once, with the best copy for signal figures and for the choice of a downlink
 * gateway.
 *
 * Approach: the collection ends a fixed de-duplication time after the first arrival, and copies
 * that came until then count. The simulator knows all arrivals when the frame ends, so one event
 * per uplink suffices. Collections of a transmitter form a chain by due time, since uplinks with
 * slow backhauls may overlap. Later copies decide nothing. They stay in a second chain, which no
 * digest folds, for listeners that are notified of all receptions.
 *
 * Rejected: an event for each arriving copy. Only the end of the collection decides, and late
 * copies would cost events in worlds without listeners (docs/decisions/0040). Also rejected: a
 * decision at the first copy. The fastest backhaul would choose the gateway, not the signal.
 */
import { assert } from '../base/assert.ts';
import { NEVER_US } from '../gateway/downlinks.ts';
import { insertByRank, takeFirst } from '../kernel/chain.ts';
import {
  f64,
  i32,
  NONE,
  opaque,
  Pool,
  type SavedPool,
  type SavedTable,
  Table,
  u8,
  u32,
} from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';

export interface SavedCollector {
  readonly copies: SavedPool;
  readonly collections: SavedPool;
  readonly pending: SavedTable;
}

export class Collector {
  readonly copies = new Pool({
    next: opaque(i32),
    gateway: i32,
    rssiCentiDbm: i32,
    snrCentiDb: i32,
    arrivesAtUs: f64,
  });
  readonly collections = new Pool({
    next: opaque(i32),
    frame: u32,
    frameSlot: opaque(i32),
    firstCopy: opaque(i32),
    /** Chain of the copies that come too late. No digest folds it, and no decision reads it. */
    lateCopy: opaque(i32),
    collectedAtUs: f64,
    endedAtUs: f64,
    frequencyHz: u32,
    dataRate: u8,
    /** The server's row of the device, and what the uplink calls for, once it is taken in. */
    registration: opaque(i32),
    answer: u8,
  });
  /** Chain of collections per transmitter. */
  readonly #pending = new Table({ first: opaque(i32), answering: opaque(i32) });
  readonly #deduplicationUs: number;
  /** Copies of the uplink in hand. */
  readonly #early: number[] = [];
  readonly #late: number[] = [];

  constructor(deduplicationUs: number) {
    this.#deduplicationUs = deduplicationUs;
  }

  /** Grows the columns to a number of transmitters. */
  reserve(transmitters: number): void {
    this.#pending.reserve(transmitters);
  }

  addTransmitter(transmitter: number): void {
    while (this.#pending.rows <= transmitter) {
      const row = this.#pending.add();
      this.#pending.column.first[row] = NONE;
      this.#pending.column.answering[row] = NONE;
    }
  }

  /** One copy on its way to the server; `chain` is the copies so far. */
  copy(chain: number, gateway: number, rssi: number, snr: number, arrivesAtUs: number): number {
    const row = this.copies.take();
    const c = this.copies.column;
    c.gateway[row] = gateway;
    c.rssiCentiDbm[row] = rssi;
    c.snrCentiDb[row] = snr;
    c.arrivesAtUs[row] = arrivesAtUs;
    c.next[row] = chain;
    return row;
  }

  /**
   * Appoints the collection of an uplink's copies; returns when the transmitter's next one is due.
   */
  gather(transmitter: number, uplink: GatheredUplink): number {
    assert(uplink.firstCopy !== NONE, 'an uplink that is collected has a copy');
    const row = this.collections.take();
    const c = this.collections.column;
    c.frame[row] = uplink.frame;
    c.frameSlot[row] = uplink.frameSlot;
    c.endedAtUs[row] = uplink.endedAtUs;
    c.frequencyHz[row] = uplink.frequencyHz;
    c.dataRate[row] = uplink.dataRate;
    c.registration[row] = NONE;
    c.answer[row] = 0;
    const { next, arrivesAtUs } = this.copies.column;
    let firstUs = Number.POSITIVE_INFINITY;
    for (let row = uplink.firstCopy; row !== NONE; row = next[row])
      firstUs = Math.min(firstUs, arrivesAtUs[row]);
    c.collectedAtUs[row] = firstUs + this.#deduplicationUs;
    this.#sortOut(row, uplink.firstCopy);
    insertByRank(this.#pending.column.first, transmitter, c.next, c.collectedAtUs, row);
    return this.nextUs(transmitter);
  }

  /** When the transmitter's next collection is due; `NEVER_US` when none is. */
  nextUs(transmitter: number): number {
    const first = this.#pending.column.first[transmitter];
    return first === NONE ? NEVER_US : this.collections.column.collectedAtUs[first];
  }

  /**
   * The next collection of a transmitter that is due, taken out of its chain; NONE when none is.
   */
  takeDue(transmitter: number, nowUs: number): number {
    const dueAtUs = this.nextUs(transmitter);
    if (dueAtUs === NEVER_US || dueAtUs > nowUs) return NONE;
    return takeFirst(this.#pending.column.first, transmitter, this.collections.column.next);
  }

  /** Keeps a collection until its answer is sent, in the same instant. */
  keepForAnswer(transmitter: number, collection: number): void {
    const { answering } = this.#pending.column;
    const { next, collectedAtUs } = this.collections.column;
    insertByRank(answering, transmitter, next, collectedAtUs, collection);
  }

  /** A collection whose answer is due; NONE when there is none. */
  takeForAnswer(transmitter: number): number {
    return takeFirst(this.#pending.column.answering, transmitter, this.collections.column.next);
  }

  /** Copies that arrived in time. */
  copyCount(collection: number): number {
    let copies = 0;
    let copy = this.collections.column.firstCopy[collection];
    for (; copy !== NONE; copy = this.copies.column.next[copy]) copies++;
    return copies;
  }

  /** Rows of all copies, late ones among them, strongest first. */
  allCopies(collection: number): { readonly copy: number; readonly late: boolean }[] {
    const { firstCopy, lateCopy } = this.collections.column;
    const { next } = this.copies.column;
    const all: { copy: number; late: boolean }[] = [];
    let early = firstCopy[collection];
    let late = lateCopy[collection];
    while (early !== NONE || late !== NONE) {
      const isLate = early === NONE || (late !== NONE && this.#goesBefore(late, early));
      const copy = isLate ? late : early;
      all.push({ copy, late: isLate });
      if (isLate) late = next[copy];
      else early = next[copy];
    }
    return all;
  }

  /** Folds a transmitter's uplinks that are still being gathered. */
  digestPending(transmitter: number, digest: Digest): void {
    let row = this.#pending.column.first[transmitter];
    for (; row !== NONE; row = this.collections.column.next[row]) {
      this.collections.table.digestRow(row, digest);
      let copy = this.collections.column.firstCopy[row];
      for (; copy !== NONE; copy = this.copies.column.next[copy]) {
        this.copies.table.digestRow(copy, digest);
      }
    }
  }

  /** Gives a collection and its copies back. */
  close(collection: number): void {
    const { firstCopy, lateCopy } = this.collections.column;
    for (const first of [firstCopy, lateCopy]) {
      for (let copy = first[collection]; copy !== NONE; ) {
        const next = this.copies.column.next[copy];
        this.copies.give(copy);
        copy = next;
      }
    }
    this.collections.give(collection);
  }

  save(): SavedCollector {
    return {
      copies: this.copies.save(),
      collections: this.collections.save(),
      pending: this.#pending.save(),
    };
  }

  load(saved: SavedCollector): void {
    this.copies.load(saved.copies);
    this.collections.load(saved.collections);
    this.#pending.load(saved.pending);
  }

  /** Those that arrive in time and the late ones, each strongest first. */
  #sortOut(collection: number, chain: number): void {
    const c = this.collections.column;
    const { next, arrivesAtUs } = this.copies.column;
    const untilUs = c.collectedAtUs[collection];
    const [early, late] = [this.#early, this.#late];
    early.length = late.length = 0;
    for (let row = chain; row !== NONE; row = next[row]) {
      (arrivesAtUs[row] > untilUs ? late : early).push(row);
    }
    c.firstCopy[collection] = this.#chained(early);
    c.lateCopy[collection] = this.#chained(late);
  }

  /** Makes a chain of copies, strongest first; returns its head. */
  #chained(rows: number[]): number {
    if (rows.length > 1) rows.sort(this.#byStrength);
    const { next } = this.copies.column;
    let head = NONE;
    for (let i = rows.length - 1; i >= 0; i--) {
      next[rows[i]!] = head;
      head = rows[i]!;
    }
    return head;
  }

  readonly #byStrength = (a: number, b: number): number => (this.#goesBefore(a, b) ? -1 : 1);

  /** By SNR, then RSSI, then the gateway's row. */
  #goesBefore(a: number, b: number): boolean {
    const { snrCentiDb, rssiCentiDbm, gateway } = this.copies.column;
    if (snrCentiDb[a] !== snrCentiDb[b]) return snrCentiDb[a] > snrCentiDb[b];
    if (rssiCentiDbm[a] !== rssiCentiDbm[b]) return rssiCentiDbm[a] > rssiCentiDbm[b];
    return gateway[a] < gateway[b];
  }
}

export interface GatheredUplink {
  readonly frame: number;
  readonly frameSlot: number;
  readonly firstCopy: number;
  readonly endedAtUs: number;
  readonly frequencyHz: number;
  readonly dataRate: number;
}
