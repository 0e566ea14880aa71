/**
 * What each device has consumed, as sums of whole µs and nC by cause, and what its
 * radio does now. Nothing is added while a state lasts: `energy.ts` derives that.
 */

import { f64, opaque, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';
import { NEVER } from './device-table.ts';

/**
 * What listens, or does not, between the windows of uplinks: class C, a multicast session of class
 * C, the search for a first beacon.
 */
export const Background = { sleep: 0, classC: 1, multicast: 2, search: 3 } as const;
export const BACKGROUND_NAMES = ['sleep', 'classC', 'multicast', 'beacon'] as const;

const energyColumns = {
  /** `Background`, and since when. */
  background: u8,
  backgroundSinceUs: f64,
  /** Share of its sleep for which windows in ping slots are open, parts per billion. */
  slotPpb: u32,
  /** That of them of sessions for updates, which the sessions of the device give. */
  sessionPpb: opaque(u32),

  // The latest uplink, until the next one begins.
  /** 0 before the first, 1 a join request, 2 data. */
  uplink: u8,
  txFromUs: f64,
  txUntilUs: f64,
  txMicroAmp: u32,
  /** Windows as they were set; a frame that one caught may have stretched it. */
  rx1FromUs: f64,
  rx1UntilUs: f64,
  rx2FromUs: f64,
  rx2UntilUs: f64,
  /** How long before a window opens its radio is switched on; 0 where it is on anyway. */
  wakeUpUs: u32,
  /** Window in which a frame for this device came, 0 for none, and when that ended. */
  answeredIn: u8,
  answeredAtUs: f64,

  // Sums over uplinks and states that have ended. Charges are whole nC: µA·µs / 1000, rounded for
  // each transmission.
  joinNc: f64,
  uplinkNc: f64,
  txUs: f64,
  rx1WithoutFrameUs: f64,
  rx1FrameUs: f64,
  rx2WithoutFrameUs: f64,
  rx2FrameUs: f64,
  wakeUs: f64,
  classCUs: f64,
  multicastUs: f64,
  beaconUs: f64,
  pingUs: f64,
  flashBytes: f64,
  /** When its battery was found empty; NEVER while it is not. */
  diedAtUs: f64,
};

export class EnergyTable {
  readonly table = new Table(energyColumns);
  readonly column = this.table.column;

  /** Adds rows up to that of a device whose energy is counted, and which has consumed nothing. */
  addDevice(device: number): void {
    while (this.table.rows <= device) {
      const row = this.table.add();
      this.table.column.diedAtUs[row] = NEVER;
    }
  }

  save(): SavedTable {
    return this.table.save();
  }

  load(saved: SavedTable): void {
    this.table.load(saved);
  }
}
