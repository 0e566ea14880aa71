/** What class B makes a device remember: the beacon it follows, its ping slots, its own timer. */
import { f64, type SavedTable, Table, u8, u32 } from '../../kernel/columns.ts';
import type { Digest } from '../../kernel/digest.ts';
import { NEVER } from '../device-table.ts';

/** Whether the server knows the ping slots (PingSlotInfoReq, PingSlotInfoAns). */
export const PingInfo = { unknown: 0, asked: 1, known: 2 } as const;

const classBColumns = {
  /** Looks for every beacon, for class B or for a multicast session. */
  follows: u8,
  /** First beacon number not looked at yet: how far it has come, which may be long ago. */
  nextBeacon: f64,
  /** Rests until then: it looks for no beacon that begins before, µs. */
  looksFromUs: f64,
  /** GPS instant of the latest beacon heard, as world time, µs; NEVER before the first. */
  lastBeaconUs: f64,
  pingInfo: u8,
  /** 2^(7 − periodicity) ping slots in a beacon period. */
  periodicity: u8,
  /** Beacon and ping slot channels set by the server, Hz; 0: the region's. */
  beaconHz: u32,
  pingHz: u32,
  pingDataRate: u8,
  /** The message in hand, and the latest uplink, have the ClassB bit. */
  bitInHand: u8,
  announced: u8,
  /** Multicast sessions of class B that are open. */
  openClassBSessions: u8,
  /** Times in a row that it announced its class to the server and had no answer. */
  asks: u8,
  /** Beacons missed since the last that was heard. */
  misses: u32,
  /** Own timer, µs; NEVER when it is not set. */
  dueAtUs: f64,
};

/** Devices have rows once one of them, or one of a later row, has to do with class B. */
export class ClassBTable {
  readonly #table = new Table(classBColumns);
  readonly column = this.#table.column;

  /** Adds rows up to that of a device, if it has none yet; it follows no beacon. */
  addDevice(device: number): void {
    while (this.#table.rows <= device) {
      const row = this.#table.add();
      this.column.lastBeaconUs[row] = NEVER;
      this.column.dueAtUs[row] = NEVER;
    }
  }

  /** Whether it looks for every beacon. */
  follows(device: number): boolean {
    return device < this.#table.rows && this.column.follows[device] === 1;
  }

  /** GPS instant of the latest beacon heard, as world time, µs; NEVER before the first. */
  lastBeaconUs(device: number): number {
    return device < this.#table.rows ? this.column.lastBeaconUs[device] : NEVER;
  }

  /** Own timer, µs; NEVER when it is not set. */
  dueAtUs(device: number): number {
    return device < this.#table.rows ? this.column.dueAtUs[device] : NEVER;
  }

  /** Multicast sessions of class B that are open. */
  openSessions(device: number): number {
    return device < this.#table.rows ? this.column.openClassBSessions[device] : 0;
  }

  pingInfo(device: number): number {
    return device < this.#table.rows ? this.column.pingInfo[device] : PingInfo.unknown;
  }

  cancelTimer(device: number): void {
    if (device < this.#table.rows) this.column.dueAtUs[device] = NEVER;
  }

  /** No beacon was heard yet, and none is looked for. */
  forgetBeacon(device: number): void {
    if (device >= this.#table.rows) return;
    this.column.follows[device] = 0;
    this.column.lastBeaconUs[device] = NEVER;
    this.column.misses[device] = 0;
  }

  /** Folds what decides of a device that has to do with class B. */
  digestDevice(device: number, digest: Digest): void {
    const isUsed =
      this.follows(device) || this.lastBeaconUs(device) !== NEVER || this.dueAtUs(device) !== NEVER;
    if (isUsed) this.#table.digestRow(device, digest);
  }

  save(): SavedTable {
    return this.#table.save();
  }

  load(saved: SavedTable): void {
    this.#table.load(saved);
  }
}
