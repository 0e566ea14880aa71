/** Noise on single channels at receivers, by row: such as that of a narrow interferer beside it. */
import { assert } from '../base/assert.ts';
import type { Digest } from '../kernel/digest.ts';

/** What rises on one channel, since when, µs, and by how much, 1/100 dB. */
export interface NoiseOnChannel {
  readonly frequencyHz: number;
  readonly centiDb: number;
  readonly sinceUs: number;
}

export type SavedChannelNoise = readonly (readonly [
  row: number,
  noise: readonly NoiseOnChannel[],
])[];

export class ChannelNoise {
  /** By row: in the order of frequencies. */
  readonly #rows = new Map<number, readonly NoiseOnChannel[]>();

  /** By how much it has risen on a channel, 1/100 dB; undefined: by nothing. */
  centiDb(row: number, frequencyHz: number): number | undefined {
    return this.#rows.get(row)?.find((one) => one.frequencyHz === frequencyHz)?.centiDb;
  }

  of(row: number): readonly NoiseOnChannel[] {
    return this.#rows.get(row) ?? [];
  }

  /** Other noise on one channel, 0 for none; false when it is that already. */
  raise(row: number, frequencyHz: number, centiDb: number, nowUs: number): boolean {
    assert(centiDb >= 0, 'noise rises, and falls back');
    if ((this.centiDb(row, frequencyHz) ?? 0) === centiDb) return false;
    const others = this.of(row).filter((one) => one.frequencyHz !== frequencyHz);
    if (centiDb > 0) others.push({ frequencyHz, centiDb, sinceUs: nowUs });
    this.#rows.set(
      row,
      others.sort((a, b) => a.frequencyHz - b.frequencyHz),
    );
    return true;
  }

  /** What is put up elsewhere has the noise that it had. */
  inherit(row: number, from: number): void {
    const channels = this.#rows.get(from);
    if (channels !== undefined) this.#rows.set(row, channels);
  }

  digest(row: number, digest: Digest): void {
    for (const { frequencyHz, centiDb, sinceUs } of this.of(row)) {
      for (const number of [frequencyHz, centiDb, sinceUs]) digest.addNumber(number);
    }
  }

  save(): SavedChannelNoise {
    return [...this.#rows];
  }

  load(saved: SavedChannelNoise): void {
    this.#rows.clear();
    for (const [row, noise] of saved) this.#rows.set(row, noise);
  }
}
