/**
 * What has gone wrong with devices beside their links: power that is cut, and frames that get lost
 * for a while. Only a device that had such trouble has a row that says something.
 */
import { assert } from '../base/assert.ts';
import { MILLION } from '../base/units.ts';
import { f64, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';

/** Power is there, is cut as soon as no frame is being sent, or is off. */
export const Power = { on: 0, failing: 1, off: 2 } as const;
export type Power = (typeof Power)[keyof typeof Power];

/** A trouble that is on, since when, µs; of `loss` the share, parts per million. */
export interface DeviceTrouble {
  readonly fault: 'power' | 'loss';
  readonly sinceUs: number;
  readonly lossPpm: number;
}

export class DeviceTroubles {
  readonly #table = new Table({
    power: u8,
    powerSinceUs: f64,
    /** How long it was on before it was last switched on, µs. */
    aliveBeforeUs: f64,
    /** Frames lost beyond what its type loses, each way, parts per million. */
    lossPpm: u32,
    lossSinceUs: f64,
    /** Begins, changes and ends so far. */
    changes: u32,
  });

  power(device: number): Power {
    return device < this.#table.rows ? (this.#table.column.power[device] as Power) : Power.on;
  }

  aliveBeforeUs(device: number): number {
    return device < this.#table.rows ? this.#table.column.aliveBeforeUs[device] : 0;
  }

  setPower(device: number, power: Power, nowUs: number): void {
    const c = this.#columnsOf(device);
    c.power[device] = power;
    c.powerSinceUs[device] = nowUs;
    c.changes[device]++;
  }

  /** A device that was on since an instant is off from now on. */
  noteAlive(device: number, sinceUs: number, nowUs: number): void {
    this.#columnsOf(device).aliveBeforeUs[device] += Math.max(0, nowUs - sinceUs);
  }

  /**
   * Share of a device's frames that is lost on each link; `ofType` would be lost anyway; parts per
   * million. Looked at for each frame.
   */
  lossPpm(device: number, ofType: number): number {
    if (device >= this.#table.rows) return ofType;
    const own = this.#table.column.lossPpm[device];
    return own === 0 ? ofType : ofType + own - Math.round((ofType * own) / MILLION);
  }

  /** Other losses, 0 for none; false when they are that already. */
  setLoss(device: number, lossPpm: number, nowUs: number): boolean {
    assert(lossPpm >= 0 && lossPpm <= MILLION, 'a share of frames is lost');
    const now = device < this.#table.rows ? this.#table.column.lossPpm[device] : 0;
    if (now === lossPpm) return false;
    const c = this.#columnsOf(device);
    c.lossPpm[device] = lossPpm;
    c.lossSinceUs[device] = nowUs;
    c.changes[device]++;
    return true;
  }

  /** Those that are on. */
  of(device: number): DeviceTrouble[] {
    if (device >= this.#table.rows) return [];
    const { power, powerSinceUs, lossPpm, lossSinceUs } = this.#table.column;
    const cut = { fault: 'power', sinceUs: powerSinceUs[device], lossPpm: 0 } as const;
    const loss = { fault: 'loss', sinceUs: lossSinceUs[device], lossPpm: lossPpm[device] } as const;
    return [...(power[device] === Power.on ? [] : [cut]), ...(loss.lossPpm === 0 ? [] : [loss])];
  }

  /** Folds what decides, of what has had trouble. */
  digest(device: number, digest: Digest): void {
    if (device < this.#table.rows && this.#table.column.changes[device] > 0) {
      this.#table.digestRow(device, digest);
    }
  }

  save(): SavedTable {
    return this.#table.save();
  }

  load(saved: SavedTable): void {
    this.#table.load(saved);
  }

  #columnsOf(device: number) {
    while (this.#table.rows <= device) this.#table.add();
    return this.#table.column;
  }
}
