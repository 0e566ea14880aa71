/**
 * Messages that a device's packages want to send, and its answers to application downlinks: a short
 * list per device, sorted by the time from which each may go out. They go before the device's own
 * traffic. Answers that ride on that have a list of their own.
 */
import { assert } from '../base/assert.ts';
import { ByteSlots } from '../kernel/byte-slots.ts';
import { insertByRank, takeFirst } from '../kernel/chain.ts';
import { f64, i16, i32, NONE, opaque, Pool, type SavedPool, u8, wide } from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';
import { NEVER } from './device-table.ts';

/** Longest FRMPayload of a package message; that of an answer stands in a slot. */
export const OUTGOING_BYTES = 64;

/** FPort of an empty uplink that only opens receive windows. */
export const NO_PORT = -1;

/** What is to be done when a message is sent. */
export const MessageKind = {
  plain: 0,
  /** An AppTimeReq that was asked for: the clock is put in when the frame is made. */
  timeRequest: 1,
  /** The AppTimeReq of a period: likewise, and the next one follows. */
  periodicTimeRequest: 2,
  /** Answers of TS005: TimeToStart is put in when the frame is made. */
  multicastAnswers: 3,
  /** A FragDataBlockReceivedReq: repeated until it is answered. */
  blockReceived: 4,
  /** An empty frame that opens windows or acknowledges: any other uplink does that too. */
  empty: 5,
  /** An answer to an application downlink, by itself. */
  answer: 6,
  /** One that takes the place of port and payload in a message of the device's own traffic. */
  ridingAnswer: 7,
  /** A DevVersionAns unasked: the version is put in when the frame is made; another follows. */
  versionReport: 8,
  /** What a device is set to, likewise in the place of a message of its own. */
  settingsReport: 9,
} as const;
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind];

/** Whether a message holds the device's clock. */
export const isTimeRequest = (kind: number): boolean =>
  kind === MessageKind.timeRequest || kind === MessageKind.periodicTimeRequest;

/** Whether a message answers an application downlink. */
export const isAnswer = (kind: number): boolean =>
  kind === MessageKind.answer || kind === MessageKind.ridingAnswer;

/** Whether a message takes the place of one of the device's own traffic. */
const isRiding = (kind: number): boolean =>
  kind === MessageKind.ridingAnswer || kind === MessageKind.settingsReport;

const outgoingColumns = {
  next: opaque(i32),
  dueAtUs: f64,
  fPort: i16,
  length: u8,
  bytes: wide(u8, OUTGOING_BYTES),
  /** `MessageKind`. */
  kind: u8,
  /** Slot of an answer's bytes, which may be more than a row has; NONE of other messages. */
  slot: opaque(i32),
};

export interface SavedOutgoing {
  readonly pool: SavedPool;
  readonly slots: SavedPool;
}

export class Outgoing {
  readonly pool = new Pool(outgoingColumns);
  /** Payloads of answers. */
  readonly slots = new ByteSlots();

  /** Whether a message is one of the device's own traffic, something riding on it or not. */
  isOwn(row: number): boolean {
    return row === NONE || isRiding(this.pool.column.kind[row]);
  }

  /** Appends a message to the chain that begins at `heads[device]`. */
  add(
    heads: Int32Array,
    device: number,
    dueAtUs: number,
    fPort: number,
    payload: Uint8Array,
    kind: MessageKind = MessageKind.plain,
  ): void {
    assert(isAnswer(kind) || payload.length <= OUTGOING_BYTES, 'a package message fits its row');
    assert(dueAtUs >= 0, 'a message that waits has a time');
    const row = this.single(fPort, kind);
    const c = this.pool.column;
    c.dueAtUs[row] = dueAtUs;
    c.length[row] = payload.length;
    if (isAnswer(kind)) {
      c.slot[row] = this.slots.take();
      this.slots.copyIn(c.slot[row], payload, payload.length);
    } else c.bytes.set(payload, row * OUTGOING_BYTES);
    insertByRank(heads, device, c.next, c.dueAtUs, row);
  }

  /** An empty message that is to go out at once, in no chain; `give` it back when it was sent. */
  single(fPort: number, kind: MessageKind = MessageKind.plain): number {
    const row = this.pool.take();
    const c = this.pool.column;
    c.next[row] = NONE;
    c.dueAtUs[row] = 0;
    c.fPort[row] = fPort;
    c.length[row] = 0;
    c.bytes.fill(0, row * OUTGOING_BYTES, (row + 1) * OUTGOING_BYTES);
    c.kind[row] = kind;
    c.slot[row] = NONE;
    return row;
  }

  /** Gives back a message that was taken, and the slot that it may have. */
  give(row: number): void {
    this.slots.give(this.pool.column.slot[row]);
    this.pool.give(row);
  }

  /** A message that was taken waits again, in its place. */
  putBack(heads: Int32Array, device: number, row: number): void {
    const { next, dueAtUs } = this.pool.column;
    insertByRank(heads, device, next, dueAtUs, row);
  }

  /** When the first message may go out; NEVER when none waits. */
  dueAtUs(heads: Int32Array, device: number): number {
    return heads[device] === NONE ? NEVER : this.pool.column.dueAtUs[heads[device]];
  }

  /** The first message, taken out of the chain; `give` it back when it has been sent. */
  take(heads: Int32Array, device: number): number {
    return takeFirst(heads, device, this.pool.column.next);
  }

  /** Whether a message is an answer with this port and payload. */
  says(row: number, fPort: number, payload: Uint8Array): boolean {
    const c = this.pool.column;
    if (c.slot[row] === NONE || c.fPort[row] !== fPort || c.length[row] !== payload.length) {
      return false;
    }
    const own = new Uint8Array(c.length[row]);
    this.slots.copyOut(c.slot[row], own);
    return own.every((byte, at) => byte === payload[at]);
  }

  /** Drops every message of a device that `unwanted` names by its row; returns how many. */
  drop(heads: Int32Array, device: number, unwanted: (row: number) => boolean): number {
    const stored: number[] = [];
    let dropped = 0;
    for (let row = this.take(heads, device); row !== NONE; row = this.take(heads, device)) {
      if (!unwanted(row)) stored.push(row);
      else {
        this.give(row);
        dropped++;
      }
    }
    const { next, dueAtUs } = this.pool.column;
    for (const row of stored) insertByRank(heads, device, next, dueAtUs, row);
    return dropped;
  }

  /** Drops empty messages that wait: another uplink goes out, which opens windows too. */
  dropEmpty(heads: Int32Array, device: number): void {
    const { kind } = this.pool.column;
    if (heads[device] === NONE) return;
    this.drop(heads, device, (row) => kind[row] === MessageKind.empty);
  }

  /** Folds a message that waits or is in hand. */
  digestRow(row: number, digest: Digest): void {
    this.pool.table.digestRow(row, digest);
    this.slots.digest(this.pool.column.slot[row], digest);
  }

  save(): SavedOutgoing {
    return { pool: this.pool.save(), slots: this.slots.save() };
  }

  load(saved: SavedOutgoing): void {
    this.pool.load(saved.pool);
    this.slots.load(saved.slots);
  }
}
