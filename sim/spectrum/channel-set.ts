/**
 * The channels that a device knows, by index (LoRaWAN 1.0.4 §5.6, NewChannelReq and
 * DlChannelReq), and masks over them. Sets never change and are stored once: most devices of a
 * network share one.
 */
import { assert } from '../base/assert.ts';
import type { Digest } from '../kernel/digest.ts';
import type { UplinkChannel } from '../lorawan/regional-plan.ts';

/** Words of 32 bits that a mask over 96 channels takes. */
export const MASK_WORDS = 3;
/** Channels that a mask holds. */
export const MOST_CHANNELS = 32 * MASK_WORDS;

export interface Channel extends UplinkChannel {
  /** Sub-band of the plan that it lies in. */
  readonly band: number;
  /** Frequency of RX1 after its uplinks; 0 is where the region has it. */
  readonly rx1Hz: number;
}

/** A channel that is looked at for the next uplink. */
export interface IndexedChannel {
  readonly index: number;
  readonly band: number;
  readonly frequencyHz: number;
}

/** Data rate indexes that a nibble holds. */
const DATA_RATES = 16;

/** Channels by index; a gap is undefined. */
export type ChannelSet = readonly (Channel | undefined)[];

/** A gap is null: saved as bytes, an undefined entry of a list would become null anyway. */
export type SavedChannelSets = readonly (readonly (Channel | null)[])[];

export class ChannelSets {
  readonly #sets: ChannelSet[] = [];
  /** What digests fold, by row. */
  readonly #names: string[] = [];
  readonly #rows = new Map<string, number>();
  /** Rows by the very set, which spares its name. */
  readonly #known = new Map<ChannelSet, number>();

  /** By row and data rate; made when it is first asked for. */
  readonly #carrying: (readonly IndexedChannel[] | undefined)[] = [];

  /** Row of the set with these channels. */
  row(set: ChannelSet): number {
    const known = this.#known.get(set);
    if (known !== undefined) return known;
    const name = set
      .map((one) => one && `${one.frequencyHz} ${one.minDataRate} ${one.maxDataRate} ${one.rx1Hz}`)
      .join();
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = this.#sets.push(set) - 1;
      this.#names.push(name);
      this.#rows.set(name, row);
    }
    this.#known.set(set, row);
    return row;
  }

  get(row: number): ChannelSet {
    assert(row >= 0 && row < this.#sets.length, 'a set of channels is asked for by its row');
    return this.#sets[row]!;
  }

  /** Channels of a set that carry a data rate, in the order of their index. */
  carrying(row: number, dataRate: number): readonly IndexedChannel[] {
    const at = row * DATA_RATES + dataRate;
    const known = this.#carrying[at];
    if (known !== undefined) return known;
    const found = this.get(row).flatMap((one, index) =>
      one !== undefined && dataRate >= one.minDataRate && dataRate <= one.maxDataRate
        ? [{ index, band: one.band, frequencyHz: one.frequencyHz }]
        : [],
    );
    while (this.#carrying.length < (row + 1) * DATA_RATES) this.#carrying.push(undefined);
    this.#carrying[at] = found;
    return found;
  }

  /** Row of a set that differs from another one by one channel. */
  with(row: number, index: number, channel: Channel | undefined): number {
    assert(index >= 0 && index < MOST_CHANNELS, 'a mask holds 96 channels');
    const set = Array.from(this.get(row));
    while (set.length <= index) set.push(undefined);
    set[index] = channel;
    return this.row(set);
  }

  digestSet(row: number, digest: Digest): void {
    digest.addText(this.#names[row]!);
  }

  save(): SavedChannelSets {
    return this.#sets.map((set) => Array.from(set, (channel) => channel ?? null));
  }

  load(saved: SavedChannelSets): void {
    this.#sets.length = 0;
    this.#names.length = 0;
    this.#rows.clear();
    this.#known.clear();
    this.#carrying.length = 0;
    for (const set of saved) this.row(set.map((channel) => channel ?? undefined));
  }
}

// ── masks ────────────────────────────────────────────────────────────────────────────────────────

/** Which channels are on, a bit each. */
export type ChannelMask = readonly number[];

export const maskOf = (isOn: (index: number) => boolean, count: number): ChannelMask => {
  const words = new Array<number>(MASK_WORDS).fill(0);
  for (let i = 0; i < count; i++)
    if (isOn(i)) words[i >> 5] = (words[i >> 5]! | (1 << (i & 31))) >>> 0;
  return words;
};

export const hasChannel = (mask: ChannelMask, index: number): boolean =>
  ((mask[index >> 5]! >>> (index & 31)) & 1) === 1;

/** A byte per channel index, 0 or 1. */
export const bytesOfMask = (mask: ChannelMask, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, (_, i) => (hasChannel(mask, i) ? 1 : 0));

export const maskOfBytes = (enabled: Uint8Array): ChannelMask =>
  maskOf((index) => enabled[index] === 1, enabled.length);

/** The mask that stands in row `row` of a wide column. */
export const readMask = (column: Uint32Array, row: number): ChannelMask =>
  Array.from(column.subarray(row * MASK_WORDS, (row + 1) * MASK_WORDS));

export function writeMask(column: Uint32Array, row: number, mask: ChannelMask): void {
  column.set(mask, row * MASK_WORDS);
}

/** Turns one channel of the mask in row `row` of a wide column on or off. */
export function setChannelOn(column: Uint32Array, row: number, index: number, on: boolean): void {
  assert(index >= 0 && index < MOST_CHANNELS, 'a mask holds 96 channels');
  const word = row * MASK_WORDS + (index >> 5);
  if (on) column[word] |= 1 << (index & 31);
  else column[word] &= ~(1 << (index & 31));
}

/** Whether a row of a wide column holds a mask. */
export function holdsMask(column: Uint32Array, row: number, mask: ChannelMask): boolean {
  for (let i = 0; i < MASK_WORDS; i++) {
    if (column[row * MASK_WORDS + i] !== mask[i]) return false;
  }
  return true;
}

export const sameMask = (a: ChannelMask, b: ChannelMask): boolean =>
  a.every((word, i) => word === b[i]);
