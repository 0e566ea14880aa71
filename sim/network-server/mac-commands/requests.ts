/**
 * MAC commands on their way to devices: a short list per device, in the order they are written.
 *
 * A request that has an answer goes with every downlink until it is answered, or has been tried
 * often enough; a command without an answer goes once. An entry may be a block of several commands
 * (LinkADRReq), which are never parted.
 */
import { assert } from '../../base/assert.ts';
import { insertByRank, removeRow } from '../../kernel/chain.ts';
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
  wide,
} from '../../kernel/columns.ts';
import type { Digest } from '../../kernel/digest.ts';

/** Longest block of commands: four LinkADRReq. */
export const REQUEST_BYTES = 20;

/** Downlinks that carry a request before the server gives it up. */
export const REQUEST_TRIES = 8;

/** Answers to a device's own requests are written before the server's requests. */
const Rank = { answer: 0, request: 1 } as const;

export class MacRequests {
  readonly #pool = new Pool({
    next: opaque(i32),
    rank: f64,
    length: u8,
    bytes: wide(u8, REQUEST_BYTES),
    /** Downlinks that may still carry it. */
    triesLeft: u8,
    awaitsAnswer: u8,
    /** It was in a downlink at least once. */
    sent: u8,
  });
  /** Chains by the server's row of the device. */
  readonly #chains = new Table({ first: opaque(i32) });

  /** Grows the columns to a number of devices. */
  reserve(devices: number): void {
    this.#chains.reserve(devices);
  }

  addRow(): void {
    const row = this.#chains.add();
    this.#chains.column.first[row] = NONE;
  }

  /** Asks a device until it answers; commands of the same kind that wait already stay. */
  ask(row: number, commands: Uint8Array, tries = REQUEST_TRIES): void {
    this.#append(row, commands, Rank.request, tries, 1);
  }

  /** The same in place of the commands of this kind that wait: the newest request counts. */
  askInstead(row: number, commands: Uint8Array): void {
    const c = this.#pool.column;
    const found = this.#find(row, commands[0]!);
    if (found === NONE) return this.ask(row, commands);
    const at = found * REQUEST_BYTES;
    let same = c.length[found] === commands.length;
    for (let i = 0; i < commands.length; i++) same &&= c.bytes[at + i] === commands[i];
    if (same && c.triesLeft[found] > 0) return;
    this.#remove(row, found);
    this.ask(row, commands);
  }

  /** Sends a command that has no answer, once, with the next downlink. */
  send(row: number, commands: Uint8Array): void {
    this.#append(row, commands, Rank.answer, 1, 0);
  }

  /** The same in place of those of its kind that wait: an older one speaks of an older uplink. */
  sendInstead(row: number, commands: Uint8Array): void {
    this.withdraw(row, commands[0]!);
    this.send(row, commands);
  }

  /** Takes back what waits with this identifier. */
  withdraw(row: number, cid: number): void {
    for (let at = this.#find(row, cid); at !== NONE; at = this.#find(row, cid)) {
      this.#remove(row, at);
    }
  }

  clear(row: number): void {
    const { first } = this.#chains.column;
    while (first[row] !== NONE) this.#remove(row, first[row]);
  }

  /** Bytes that the next downlink should carry. */
  bytesDue(row: number): number {
    const { next, length, triesLeft } = this.#pool.column;
    let bytes = 0;
    for (let at = this.#chains.column.first[row]; at !== NONE; at = next[at]) {
      if (triesLeft[at] > 0) bytes += length[at];
    }
    return bytes;
  }

  isWaiting(row: number, cid: number): boolean {
    return this.#find(row, cid) !== NONE;
  }

  /** Writes what is due, at most `most` bytes, in its order, and counts the try. */
  write(row: number, out: Uint8Array, most: number): number {
    const c = this.#pool.column;
    let length = 0;
    let at = this.#chains.column.first[row];
    while (at !== NONE) {
      const following = c.next[at];
      if (c.triesLeft[at] === 0) {
        this.#remove(row, at);
      } else {
        if (length + c.length[at] > most) break;
        const from = at * REQUEST_BYTES;
        for (let i = 0; i < c.length[at]; i++) out[length++] = c.bytes[from + i];
        c.triesLeft[at]--;
        c.sent[at] = 1;
        if (c.awaitsAnswer[at] === 0) this.#remove(row, at);
      }
      at = following;
    }
    assert(length <= most, 'requests fit where they are written');
    return length;
  }

  /** An answer has come: the oldest request of its kind that was sent, taken out of the list. */
  takeAnswered(row: number, cid: number): Uint8Array | undefined {
    const c = this.#pool.column;
    for (let at = this.#chains.column.first[row]; at !== NONE; at = c.next[at]) {
      if (c.bytes[at * REQUEST_BYTES] !== cid || c.sent[at] === 0) continue;
      const from = at * REQUEST_BYTES;
      const commands = c.bytes.slice(from, from + c.length[at]);
      this.#remove(row, at);
      return commands;
    }
    return undefined;
  }

  digest(row: number, digest: Digest): void {
    const { next } = this.#pool.column;
    for (let at = this.#chains.column.first[row]; at !== NONE; at = next[at]) {
      this.#pool.table.digestRow(at, digest);
    }
  }

  save(): SavedMacRequests {
    return { pool: this.#pool.save(), chains: this.#chains.save() };
  }

  load(saved: SavedMacRequests): void {
    this.#pool.load(saved.pool);
    this.#chains.load(saved.chains);
  }

  #append(
    row: number,
    commands: Uint8Array,
    rank: number,
    tries: number,
    awaitsAnswer: number,
  ): void {
    const { length } = commands;
    assert(length > 0 && length <= REQUEST_BYTES, 'a block of MAC commands has 1…20 bytes');
    const at = this.#pool.take();
    const c = this.#pool.column;
    c.rank[at] = rank;
    c.length[at] = commands.length;
    c.bytes.fill(0, at * REQUEST_BYTES, (at + 1) * REQUEST_BYTES);
    c.bytes.set(commands, at * REQUEST_BYTES);
    c.triesLeft[at] = tries;
    c.awaitsAnswer[at] = awaitsAnswer;
    c.sent[at] = 0;
    insertByRank(this.#chains.column.first, row, c.next, c.rank, at);
  }

  #find(row: number, cid: number): number {
    const { next, bytes } = this.#pool.column;
    let at = this.#chains.column.first[row];
    while (at !== NONE && bytes[at * REQUEST_BYTES] !== cid) at = next[at];
    return at;
  }

  #remove(row: number, at: number): void {
    removeRow(this.#chains.column.first, row, this.#pool.column.next, at);
    this.#pool.give(at);
  }
}

export interface SavedMacRequests {
  readonly pool: SavedPool;
  readonly chains: SavedTable;
}
