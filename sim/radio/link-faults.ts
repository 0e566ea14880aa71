/**
 * What weakens or cuts the links of devices, or of gateways, until it is taken away again: a fault
 * of an antenna, its cable, or what stands before it. It concerns both directions. The links
 * themselves know of it (`links.ts`), so a frame costs nothing more. And noise at a receiver, a
 * jammer beside it: what arrives has to be so much stronger, and what is sent is as ever. Noise on
 * single channels stands in `channel-noise.ts`.
 */
import { assert } from '../base/assert.ts';
import { centiDbToLinear, linearToCentiDb } from '../base/math.ts';
import { f64, i32, type SavedTable, Table, u8, u32 } from '../kernel/columns.ts';
import type { Digest } from '../kernel/digest.ts';
import { ChannelNoise, type SavedChannelNoise } from './channel-noise.ts';

/** A fault that is on, since when, µs, and how strong it is, 1/100 dB; 0 of a radio. */
export interface LinkFault {
  readonly fault: 'radio' | 'attenuation' | 'noise';
  readonly sinceUs: number;
  readonly centiDb: number;
  /** Of noise on one channel alone: its frequency. */
  readonly frequencyHz?: number;
}

export interface SavedLinkFaults {
  readonly table: SavedTable;
  readonly channels: SavedChannelNoise;
}

/** Of the devices, or of the gateways, by row; whose row is beyond the table never had a fault. */
export class LinkFaults {
  readonly #table = new Table({
    /** 1/100 dB; 0 when nothing weakens its links. */
    lossCentiDb: i32,
    lossSinceUs: f64,
    /** By how much its noise has risen, 1/100 dB. */
    noiseCentiDb: i32,
    noiseSinceUs: f64,
    /** Its radio has failed, and it has no links. */
    mute: u8,
    /** When the radio failed last, and when it last came back. */
    muteSinceUs: f64,
    muteUntilUs: f64,
    /** Begins, changes and ends so far. */
    changes: u32,
  });
  readonly #channels = new ChannelNoise();

  lossCentiDb(row: number): number {
    return row < this.#table.rows ? this.#table.column.lossCentiDb[row] : 0;
  }

  /**
   * By how much noise has risen on a channel, 1/100 dB: looked at for each frame that a gateway
   * notices. What rises on all channels and on this one adds up, as powers do.
   */
  noiseCentiDb(row: number, frequencyHz: number): number {
    if (row >= this.#table.rows) return 0;
    const everywhere = this.#table.column.noiseCentiDb[row];
    const here = this.#channels.centiDb(row, frequencyHz);
    if (here === undefined) return everywhere;
    const power = centiDbToLinear(everywhere) + centiDbToLinear(here) - 1;
    return linearToCentiDb(power);
  }

  isMute(row: number): boolean {
    return row < this.#table.rows && this.#table.column.mute[row] === 1;
  }

  /** Those that are on. */
  of(row: number): LinkFault[] {
    if (row >= this.#table.rows) return [];
    const c = this.#table.column;
    const [loss, noise] = [c.lossCentiDb[row], c.noiseCentiDb[row]];
    const all: readonly (LinkFault & { readonly on: boolean })[] = [
      { fault: 'radio', sinceUs: c.muteSinceUs[row], centiDb: 0, on: c.mute[row] === 1 },
      { fault: 'attenuation', sinceUs: c.lossSinceUs[row], centiDb: loss, on: loss > 0 },
      { fault: 'noise', sinceUs: c.noiseSinceUs[row], centiDb: noise, on: noise > 0 },
    ];
    const onChannels = this.#channels
      .of(row)
      .map((noise) => ({ fault: 'noise', ...noise }) as const);
    return [...all.flatMap(({ on, ...fault }) => (on ? fault : [])), ...onChannels];
  }

  /** Whether a frame that began at this instant went out through a radio that had failed. */
  wasMuteAt(row: number, atUs: number): boolean {
    return this.wasMuteWithin(row, atUs, atUs);
  }

  /**
   * Whether the radio had failed at some instant from … until. The latest failure alone is known,
   * so who asks of an earlier one does it before the next begins.
   */
  wasMuteWithin(row: number, fromUs: number, untilUs: number): boolean {
    if (row >= this.#table.rows) return false;
    const { mute, muteSinceUs, muteUntilUs } = this.#table.column;
    // A fault begins and ends after all else of its instant.
    return muteSinceUs[row] < untilUs && (mute[row] === 1 || fromUs <= muteUntilUs[row]);
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

  /** Other noise, 0 for what there always is; false when it is that already. */
  drown(row: number, centiDb: number, nowUs: number): boolean {
    assert(centiDb >= 0, 'noise rises, and falls back');
    if (row < this.#table.rows && this.#table.column.noiseCentiDb[row] === centiDb) return false;
    if (row >= this.#table.rows && centiDb === 0) return false;
    const c = this.#columnsOf(row);
    c.noiseCentiDb[row] = centiDb;
    c.noiseSinceUs[row] = nowUs;
    c.changes[row]++;
    return true;
  }

  /** Other noise on one channel, 0 for none; false when it is that already. */
  drownChannel(row: number, frequencyHz: number, centiDb: number, nowUs: number): boolean {
    if (!this.#channels.raise(row, frequencyHz, centiDb, nowUs)) return false;
    this.#columnsOf(row).changes[row]++;
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

  /** What is put up elsewhere has the loss that it had, and the noise. */
  inherit(row: number, from: number): void {
    if (this.of(from).length === 0) return;
    const c = this.#columnsOf(row);
    c.noiseCentiDb[row] = c.noiseCentiDb[from];
    c.noiseSinceUs[row] = c.noiseSinceUs[from];
    c.lossCentiDb[row] = c.lossCentiDb[from];
    c.lossSinceUs[row] = c.lossSinceUs[from];
    c.changes[row] = c.changes[from];
    this.#channels.inherit(row, from);
  }

  /** Folds what decides, of what has had a fault. */
  digest(row: number, digest: Digest): void {
    if (row < this.#table.rows && this.#table.column.changes[row] > 0) {
      this.#table.digestRow(row, digest);
      this.#channels.digest(row, digest);
    }
  }

  save(): SavedLinkFaults {
    return { table: this.#table.save(), channels: this.#channels.save() };
  }

  load({ table, channels }: SavedLinkFaults): void {
    this.#table.load(table);
    this.#channels.load(channels);
  }

  #columnsOf(row: number) {
    while (this.#table.rows <= row) this.#table.add();
    return this.#table.column;
  }
}
