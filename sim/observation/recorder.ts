/**
 * Recorder of single devices: counts by device that no result sums, for a report. It changes
 * nothing. A large network is sampled, so that what is stored is bounded.
 *
 * Problem: the trace has all of this, and a row of it costs more than the event that it is of.
 * Approach: plain counts in typed arrays, by the row of a device.
 */
import { assert } from '../base/assert.ts';
import {
  FRAGMENT_LOSSES,
  type MulticastFate,
  type TransmissionFate,
  UPLINK_LOSSES,
} from '../base/counts.ts';
import type { DeviceRecord, GroupRecord, RecordedStep } from '../contract/records.ts';

export interface RecorderOptions {
  /** Devices of the plan; later ones may come. */
  readonly devices: number;
  /** Length of a slice of time, whole µs ≥ 1, and the number of slices. */
  readonly sliceUs: number;
  readonly slices: number;
  /** Devices that are recorded at most. */
  readonly most: number;
  /** Changes of data rate and power that are stored of a device. */
  readonly steps: number;
  /** Frames of multicast groups that are stored, over all devices. */
  readonly frames: number;
}

const FATES: readonly TransmissionFate[] = ['received', ...UPLINK_LOSSES];
const FRAME_FATES: readonly MulticastFate[] = ['heard', 'outOfReach', ...FRAGMENT_LOSSES];
/** RX1, RX2, and class C or ping slots. */
const WINDOWS = 3;
const WINDOW_COUNTS = 2 * WINDOWS;

/** What is stored of one device. */
class Row {
  readonly sent: Uint16Array;
  readonly lost: Uint16Array;
  readonly fates = new Uint32Array(FATES.length);
  readonly windows = new Uint32Array(WINDOW_COUNTS);
  readonly steps: RecordedStep[] = [];
  readonly frames = new Map<number, Uint8Array>();

  constructor(slices: number) {
    this.sent = new Uint16Array(slices);
    this.lost = new Uint16Array(slices);
  }
}

const U16_MAX = 0xffff;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #every: number;
  readonly #rows: (Row | undefined)[] = [];
  /** By group address: the first counter that was decided, and the number of frames from it. */
  readonly #groups = new Map<number, { first: number; frames: number }>();
  #framesLeft: number;

  constructor(options: RecorderOptions) {
    const { devices, sliceUs, slices, most, frames } = options;
    assert(sliceUs >= 1 && slices >= 1 && most >= 1, 'a recorder has slices and devices');
    this.#options = options;
    this.#every = Math.max(1, Math.ceil(devices / most));
    this.#framesLeft = frames;
  }

  /** Undefined: the device is not among those that are recorded. */
  #row(device: number): Row | undefined {
    if (device % this.#every !== 0 || device >= this.#every * this.#options.most) return undefined;
    const at = device / this.#every;
    return (this.#rows[at] ??= new Row(this.#options.slices));
  }

  /** A transmission begins. */
  uplinkBegins(device: number, atUs: number, dataRate: number, eirpCentiDbm: number): void {
    const row = this.#row(device);
    if (row === undefined || row.steps.length >= this.#options.steps) return;
    const last = row.steps.at(-1);
    if (last?.dataRate === dataRate && last.eirpCentiDbm === eirpCentiDbm) return;
    row.steps.push({ atUs, dataRate, eirpCentiDbm });
  }

  /** A transmission ended. */
  uplinkEnds(device: number, atUs: number, fate: TransmissionFate): void {
    const row = this.#row(device);
    if (row === undefined) return;
    const { sliceUs, slices } = this.#options;
    const slice = Math.min(slices - 1, Math.floor(atUs / sliceUs));
    row.fates[FATES.indexOf(fate)]!++;
    row.sent[slice] = Math.min(U16_MAX, row.sent[slice]! + 1);
    if (fate !== 'received') row.lost[slice] = Math.min(U16_MAX, row.lost[slice]! + 1);
  }

  /** A unicast downlink to it left the air; `window` is 1, 2, or 0 for the others. */
  downlinkEnds(device: number, window: number, isReceived: boolean): void {
    const row = this.#row(device);
    if (row === undefined) return;
    const at = (window === 0 ? WINDOWS - 1 : window - 1) * 2;
    row.windows[at]!++;
    if (isReceived) row.windows[at + 1]!++;
  }

  /** What became of a group's frame at a device; `fCnt` has 16 bits. */
  groupFrame(device: number, mcAddr: number, fCnt: number, fate: MulticastFate): void {
    const row = this.#row(device);
    if (row === undefined) return;
    let group = this.#groups.get(mcAddr);
    if (group === undefined) this.#groups.set(mcAddr, (group = { first: fCnt, frames: 0 }));
    const frame = (fCnt - group.first + 0x1_0000) % 0x1_0000;
    // Counters from before the first one that was decided wrap around: they are left out.
    if (frame >= 0x8000) return;
    const cells = this.#cells(row, mcAddr, frame);
    if (cells === undefined) return;
    cells[frame] = merged(cells[frame]!, FRAME_FATES.indexOf(fate) + 1);
    group.frames = Math.max(group.frames, frame + 1);
  }

  /** Room for a frame; undefined: there is none left. */
  #cells(row: Row, mcAddr: number, frame: number): Uint8Array | undefined {
    const had = row.frames.get(mcAddr);
    if (had !== undefined && frame < had.length) return had;
    const length = Math.max(64, had === undefined ? 0 : 2 * had.length, frame + 1);
    const more = length - (had?.length ?? 0);
    if (more > this.#framesLeft) return undefined;
    this.#framesLeft -= more;
    const cells = new Uint8Array(length);
    if (had !== undefined) cells.set(had);
    row.frames.set(mcAddr, cells);
    return cells;
  }

  /** Undefined: the device is not recorded. */
  recordOf(device: number): Omit<DeviceRecord, 'marginCentiDb'> | undefined {
    const row = this.#row(device);
    if (row === undefined) return undefined;
    const fates: Partial<Record<TransmissionFate, number>> = {};
    FATES.forEach((fate, at) => {
      if (row.fates[at]! > 0) fates[fate] = row.fates[at]!;
    });
    const { sent, lost, steps } = row;
    return { sent, lost, fates, downlinks: windowsOf(row), steps, groups: this.#groupsOf(row) };
  }

  #groupsOf(row: Row): ReadonlyMap<number, GroupRecord> {
    const records = new Map<number, GroupRecord>();
    for (const [mcAddr, { frames }] of this.#groups) {
      const cells = row.frames.get(mcAddr);
      const fateOf = (frame: number) => FRAME_FATES[(cells?.[frame] ?? 0) - 1];
      if (cells !== undefined) records.set(mcAddr, { frames, fateOf });
    }
    return records;
  }
}

const HEARD = FRAME_FATES.indexOf('heard') + 1;
const OUT_OF_REACH = FRAME_FATES.indexOf('outOfReach') + 1;

/** Of a frame that several gateways send one after the other: heard once is heard. */
function merged(had: number, now: number): number {
  if (had === 0 || now === HEARD) return now;
  return had === OUT_OF_REACH ? now : had;
}

const windowsOf = ({ windows }: Row): DeviceRecord['downlinks'] =>
  Array.from({ length: WINDOWS }, (_, window) => {
    return { sent: windows[2 * window]!, received: windows[2 * window + 1]! };
  });
