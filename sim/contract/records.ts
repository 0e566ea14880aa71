/** What a recorder has counted of one device, for reports alone; times are virtual, µs. */
import { FRAGMENT_LOSSES, type MulticastFate, type TransmissionFate } from '../base/counts.ts';

export interface DeviceRecord {
  /** Transmissions that ended in each slice, and those of them that were lost. */
  readonly sent: Uint16Array;
  readonly lost: Uint16Array;
  readonly fates: Readonly<Partial<Record<TransmissionFate, number>>>;
  /** Unicast downlinks to it: by window (`RECORDED_WINDOWS`), sent and received. */
  readonly downlinks: readonly { readonly sent: number; readonly received: number }[];
  /** Data rate and radiated power, 1/100 dBm, from an instant on. */
  readonly steps: readonly RecordedStep[];
  /** Multicast frames of each group by what became of them; `fates` counts from the first. */
  readonly groups: ReadonlyMap<number, GroupRecord>;
  /** Of its strongest link at its present data rate and power, 1/100 dB; null: there is none. */
  readonly marginCentiDb: number | null;
}

export interface RecordedStep {
  readonly atUs: number;
  readonly dataRate: number;
  readonly eirpCentiDbm: number;
}

/** Fates of multicast frames, by the numbers that a record has for them, from 1. */
export const RECORDED_FATES: readonly MulticastFate[] = ['heard', 'outOfReach', ...FRAGMENT_LOSSES];

/** Frames of a group in the order of their counters, from the first that anybody decided. */
export interface GroupRecord {
  /** Number of each frame's fate at this device; 0, or none at all: nothing was decided of it. */
  readonly fates: Uint8Array;
  /** Frames of the group that any recorded device decided. */
  readonly frames: number;
}
