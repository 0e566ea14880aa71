/** What the server knows of its devices' ping slots (LoRaWAN 1.0.4 §12). */
import { f64, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';

/** Periodicity that the server assumes until PingSlotInfoReq comes. */
const DEFAULT_PERIODICITY = 7;

/** Devices have rows once one of them, or one of a later row, has said its ping slots. */
export class ClassBRegistrations {
  readonly #table = new Table({
    /** Its latest uplink had the ClassB bit. */
    active: u8,
    /** It has said its ping slots (PingSlotInfoReq). */
    slotsKnown: u8,
    periodicity: u8,
    /** Ping slot channel that the device was given; 0 Hz: the region's. */
    frequencyHz: u32,
    dataRate: u8,
    /** No ping slot before this: a frame is on its way, or its answer. */
    notBeforeUs: f64,
    /** An acknowledgement is waited for until then (CLASS_B_RESP_TIMEOUT). */
    awaitsUntilUs: f64,
  });
  readonly column = this.#table.column;

  /** Adds rows up to that of a device, if it has none yet. */
  add(row: number): void {
    while (this.#table.rows <= row) {
      const added = this.#table.add();
      this.column.periodicity[added] = DEFAULT_PERIODICITY;
    }
  }

  /** Whether its latest uplink had the ClassB bit. */
  isActive(row: number): boolean {
    return row < this.#table.rows && this.column.active[row] === 1;
  }

  /** Its latest uplink had the ClassB bit, or not: that counts once it has said its ping slots. */
  noteBit(row: number, bit: boolean): void {
    if (row >= this.#table.rows) return;
    const { active, slotsKnown } = this.column;
    active[row] = bit && slotsKnown[row] === 1 ? 1 : 0;
  }

  /** A fresh session: the device is class A again. */
  forget(row: number): void {
    if (row >= this.#table.rows) return;
    const c = this.column;
    c.active[row] = 0;
    c.slotsKnown[row] = 0;
    c.periodicity[row] = DEFAULT_PERIODICITY;
    c.frequencyHz[row] = 0;
    c.dataRate[row] = 0;
    c.notBeforeUs[row] = 0;
    c.awaitsUntilUs[row] = 0;
  }

  /** Folds what decides, of a device that has said its ping slots. */
  digest(row: number, digest: Digest): void {
    if (row >= this.#table.rows || this.column.slotsKnown[row] === 0) return;
    this.#table.digestRow(row, digest);
  }

  save(): SavedTable {
    return this.#table.save();
  }

  load(saved: SavedTable): void {
    this.#table.load(saved);
  }
}
