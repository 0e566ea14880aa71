/**
 * What weakens or cuts the links of devices, or of gateways, until it is taken away again: a fault
 * of an antenna, its cable, or what stands before it. It concerns both directions. The links
 * themselves know of it (`links.ts`), so a frame costs nothing more.
 */
import { assert } from '../base/assert.ts';
import { f64, i32, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';

/** A fault that is on, since when, µs, and by how much it weakens each link, 1/100 dB. */
export interface LinkFault {
  readonly fault: 'radio' | 'attenuation';
  readonly sinceUs: number;
  readonly lossCentiDb: number;
}

/** Of the devices, or of the gateways, by row; whose row is beyond the table never had a fault. */
export class LinkFaults {
  readonly #table = new Table({
    /** 1/100 dB; 0 when nothing weakens its links. */
    lossCentiDb: i32,
    lossSinceUs: f64,
    /** Its radio has failed, and it has no links. */
    mute: u8,
    /** When the radio failed last, and when it last came back. */
    muteSinceUs: f64,
    muteUntilUs: f64,
    /** Begins, changes and ends so far. */
    changes: u32,
  });

  lossCentiDb(row: number): number {
    return row < this.#table.rows ? this.#table.column.lossCentiDb[row] : 0;
  }

  isMute(row: number): boolean {
    return row < this.#table.rows && this.#table.column.mute[row] === 1;
  }

  /** Those that are on. */
  of(row: number): LinkFault[] {
    const { lossSinceUs, muteSinceUs } = this.#table.column;
    const lossCentiDb = this.lossCentiDb(row);
    const radio = { fault: 'radio', sinceUs: muteSinceUs[row], lossCentiDb: 0 } as const;
    const loss = { fault: 'attenuation', sinceUs: lossSinceUs[row], lossCentiDb } as const;
    return [...(this.isMute(row) ? [radio] : []), ...(lossCentiDb > 0 ? [loss] : [])];
  }

  /** Whether a frame that began at this instant went out through a radio that had failed. */
  wasMuteAt(row: number, atUs: number): boolean {
    if (row >= this.#table.rows) return false;
    const { mute, muteSinceUs, muteUntilUs } = this.#table.column;
    // A fault begins and ends after all else of its instant.
    return muteSinceUs[row] < atUs && (mute[row] === 1 || atUs <= muteUntilUs[row]);
  }

  /** Another loss, 0 for none; false when it is that already. */
  weaken(row: number, lossCentiDb: number, nowUs: number): boolean {
    assert(lossCentiDb >= 0, 'what weakens links is no gain');
    if (this.lossCentiDb(row) === lossCentiDb) return false;
    const c = this.#columnsOf(row);
    c.lossCentiDb[row] = lossCentiDb;
    c.lossSinceUs[row] = nowUs;
    c.changes[row]++;
    return true;
  }

  /** The radio fails, or works again; false when it is so already. */
  mute(row: number, on: boolean, nowUs: number): boolean {
    if (this.isMute(row) === on) return false;
    const c = this.#columnsOf(row);
    c.mute[row] = on ? 1 : 0;
    (on ? c.muteSinceUs : c.muteUntilUs)[row] = nowUs;
    c.changes[row]++;
    return true;
  }

  /** What is put up elsewhere has the loss that it had. */
  inherit(row: number, from: number): void {
    if (this.lossCentiDb(from) === 0) return;
    const c = this.#columnsOf(row);
    c.lossCentiDb[row] = c.lossCentiDb[from];
    c.lossSinceUs[row] = c.lossSinceUs[from];
    c.changes[row] = c.changes[from];
  }

  /** Folds what decides, of what has had a fault. */
  digest(row: number, digest: Digest): void {
    if (row < this.#table.rows && this.#table.column.changes[row] > 0) {
      this.#table.digestRow(row, digest);
    }
  }

  save(): SavedTable {
    return this.#table.save();
  }

  load(saved: SavedTable): void {
    this.#table.load(saved);
  }

  #columnsOf(row: number) {
    while (this.#table.rows <= row) this.#table.add();
    return this.#table.column;
  }
}
