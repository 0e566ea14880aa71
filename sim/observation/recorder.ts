/**
 * Recorder of single devices: counts by device that no result sums, for a report. It changes
 * nothing. A large network is sampled, so that what is stored is bounded.
 *
 * Problem: the trace has all of this, and a row of it costs more than the event that it is of.
 * Approach: plain counts in typed arrays of all devices, by the row of a device.
 */
import { assert } from '../base/assert.ts';
import { type MulticastFate, type TransmissionFate, UPLINK_LOSSES } from '../base/counts.ts';
import {
  type DeviceRecord,
  type GroupRecord,
  RECORDED_FATES,
  type RecordedStep,
} from '../contract/records.ts';
import { StoryLog, type StoryLogOptions } from './stories/story-log.ts';

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
  /** What stories are stored by; absent: none are, and neither are those of a sample. */
  readonly stories?: StoryLogOptions;
}

const FATES: readonly TransmissionFate[] = ['received', ...UPLINK_LOSSES];
/** RX1, RX2, and class C or ping slots. */
const WINDOWS = 3;
const WINDOW_COUNTS = 2 * WINDOWS;

const U16_MAX = 0xffff;
const NOT_RECORDED = -1;
/** A data rate is 15 at most (RP002-1.0.4 §2), and no power is that low. */
const DATA_RATE_BITS = 4;
const NO_STEP = -0x8000_0000;

/** Frames of a group by device. */
export interface RecordedGroup {
  readonly mcAddr: number;
  /** The first counter that was decided, and the number of frames from it. */
  readonly first: number;
  frames: number;
  /** By place of the device: a fate of each frame, from 1. */
  readonly cells: (Uint8Array | undefined)[];
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #every: number;
  /** Devices for which there is room; the arrays below have each of them, one after the other. */
  #room: number;
  #sent: Uint16Array;
  #lost: Uint16Array;
  #fates: Uint32Array;
  #windows: Uint32Array;
  readonly #steps: (RecordedStep[] | undefined)[] = [];
  /** Data rate and power of the latest transmission, in one number; `NO_STEP`: none. */
  #latestStep: Int32Array;
  readonly #groups = new Map<number, RecordedGroup>();
  #latestGroup: RecordedGroup | undefined;
  #framesLeft: number;
  /** Undefined: no stories are stored. */
  readonly stories: StoryLog | undefined;

  constructor(options: RecorderOptions) {
    const { devices, sliceUs, slices, most, frames, stories } = options;
    assert(sliceUs >= 1 && slices >= 1 && most >= 1, 'a recorder has slices and devices');
    this.#options = options;
    this.#every = Math.max(1, Math.ceil(devices / most));
    this.#framesLeft = frames;
    this.stories = stories && this.#every === 1 ? new StoryLog(stories) : undefined;
    this.#room = Math.ceil(devices / this.#every);
    this.#sent = new Uint16Array(this.#room * slices);
    this.#lost = new Uint16Array(this.#room * slices);
    this.#fates = new Uint32Array(this.#room * FATES.length);
    this.#windows = new Uint32Array(this.#room * WINDOW_COUNTS);
    this.#latestStep = new Int32Array(this.#room).fill(NO_STEP);
  }

  /** Place of a device among the recorded ones; `NOT_RECORDED` where it is none of them. */
  #placeOf(device: number): number {
    const every = this.#every;
    if (every > 1 && device % every !== 0) return NOT_RECORDED;
    const place = device / every;
    if (place < this.#room) return place;
    if (place >= this.#options.most) {
      this.stories?.cut();
      return NOT_RECORDED;
    }
    this.#grow(place);
    return place;
  }

  #grow(place: number): void {
    const { slices, most } = this.#options;
    this.#room = Math.min(most, Math.max(64, 2 * this.#room, place + 1));
    this.#sent = larger(this.#sent, new Uint16Array(this.#room * slices));
    this.#lost = larger(this.#lost, new Uint16Array(this.#room * slices));
    this.#fates = larger(this.#fates, new Uint32Array(this.#room * FATES.length));
    this.#windows = larger(this.#windows, new Uint32Array(this.#room * WINDOW_COUNTS));
    this.#latestStep = larger(this.#latestStep, new Int32Array(this.#room).fill(NO_STEP));
  }

  /** A transmission begins. */
  uplinkBegins(device: number, atUs: number, dataRate: number, eirpCentiDbm: number): void {
    const place = this.#placeOf(device);
    if (place === NOT_RECORDED) return;
    const step = (eirpCentiDbm << DATA_RATE_BITS) | dataRate;
    if (this.#latestStep[place] === step) return;
    this.#latestStep[place] = step;
    const steps = (this.#steps[place] ??= []);
    if (steps.length < this.#options.steps) steps.push({ atUs, dataRate, eirpCentiDbm });
  }

  /** A transmission ended. */
  uplinkEnds(device: number, atUs: number, fate: TransmissionFate): void {
    const place = this.#placeOf(device);
    if (place === NOT_RECORDED) return;
    const { sliceUs, slices } = this.#options;
    const slice = place * slices + Math.min(slices - 1, Math.floor(atUs / sliceUs));
    this.#fates[place * FATES.length + FATES.indexOf(fate)]!++;
    if (this.#sent[slice]! < U16_MAX) this.#sent[slice]!++;
    if (fate !== 'received' && this.#lost[slice]! < U16_MAX) this.#lost[slice]!++;
  }

  /** A unicast downlink to it left the air; `window` is 1, 2, or 0 for the others. */
  downlinkEnds(device: number, window: number, isReceived: boolean): void {
    const place = this.#placeOf(device);
    if (place === NOT_RECORDED) return;
    const at = place * WINDOW_COUNTS + (window === 0 ? WINDOWS - 1 : window - 1) * 2;
    this.#windows[at]!++;
    if (isReceived) this.#windows[at + 1]!++;
  }

  /** What became of a group's frame at a device; `fCnt` has 16 bits. */
  groupFrame(device: number, mcAddr: number, fCnt: number, fate: MulticastFate): void {
    const place = this.#placeOf(device);
    if (place === NOT_RECORDED) return;
    const group = this.#groupOf(mcAddr, fCnt);
    const frame = (fCnt - group.first + 0x1_0000) % 0x1_0000;
    // Counters from before the first one that was decided wrap around: they are left out.
    if (frame >= 0x8000) return this.stories?.cut();
    const had = group.cells[place];
    const cells = had !== undefined && frame < had.length ? had : this.#longer(group, place, frame);
    if (cells === undefined) return;
    cells[frame] = merged(cells[frame]!, RECORDED_FATES.indexOf(fate) + 1);
    if (frame >= group.frames) group.frames = frame + 1;
  }

  /** The first frame of a group goes on the air: none is decided with an earlier counter. */
  groupBegins(mcAddr: number, fCnt: number): void {
    this.#groupOf(mcAddr, fCnt);
  }

  /** Frames come in bursts of one group. */
  #groupOf(mcAddr: number, fCnt: number): RecordedGroup {
    const latest = this.#latestGroup;
    if (latest?.mcAddr === mcAddr) return latest;
    let group = this.#groups.get(mcAddr);
    if (group === undefined) {
      group = { mcAddr, first: fCnt, frames: 0, cells: [] };
      this.#groups.set(mcAddr, group);
    }
    this.#latestGroup = group;
    return group;
  }

  /** Room for a frame; undefined: there is none left. */
  #longer({ cells }: RecordedGroup, place: number, frame: number): Uint8Array | undefined {
    const had = cells[place];
    const length = Math.max(64, had === undefined ? 0 : 2 * had.length, frame + 1);
    const more = length - (had?.length ?? 0);
    if (more > this.#framesLeft) {
      this.stories?.cut();
      return undefined;
    }
    this.#framesLeft -= more;
    const room = new Uint8Array(length);
    if (had !== undefined) room.set(had);
    cells[place] = room;
    return room;
  }

  /** Undefined: the device is not recorded. */
  recordOf(device: number): Omit<DeviceRecord, 'marginCentiDb'> | undefined {
    const place = this.#placeOf(device);
    if (place === NOT_RECORDED) return undefined;
    const { slices } = this.#options;
    const fates: Partial<Record<TransmissionFate, number>> = {};
    FATES.forEach((fate, at) => {
      const count = this.#fates[place * FATES.length + at]!;
      if (count > 0) fates[fate] = count;
    });
    return {
      sent: this.#sent.subarray(place * slices, (place + 1) * slices),
      lost: this.#lost.subarray(place * slices, (place + 1) * slices),
      fates,
      downlinks: this.#windowsOf(place),
      steps: this.#steps[place] ?? [],
      groups: this.#groupsOf(place),
    };
  }

  /** Frames of all groups by device. */
  get groups(): ReadonlyMap<number, RecordedGroup> {
    return this.#groups;
  }

  #windowsOf(place: number): DeviceRecord['downlinks'] {
    const at = place * WINDOW_COUNTS;
    return Array.from({ length: WINDOWS }, (_, window) => {
      const sent = this.#windows[at + 2 * window]!;
      return { sent, received: this.#windows[at + 2 * window + 1]! };
    });
  }

  #groupsOf(place: number): ReadonlyMap<number, GroupRecord> {
    const records = new Map<number, GroupRecord>();
    for (const { mcAddr, frames, cells } of this.#groups.values()) {
      const fates = cells[place];
      if (fates !== undefined) records.set(mcAddr, { frames, fates: fates.subarray(0, frames) });
    }
    return records;
  }
}

/** The larger array, with what the smaller one has. */
function larger<A extends Uint16Array | Uint32Array | Int32Array>(had: A, room: A): A {
  room.set(had);
  return room;
}

const HEARD = RECORDED_FATES.indexOf('heard') + 1;
const OUT_OF_REACH = RECORDED_FATES.indexOf('outOfReach') + 1;

/** Of a frame that several gateways send one after the other: heard once is heard. */
function merged(had: number, now: number): number {
  if (had === 0 || now === HEARD) return now;
  return had === OUT_OF_REACH ? now : had;
}
