/**
 * Recorded columns of a run: what a report shows of single devices beside the result. Plain data,
 * bounded however large the network is. Each list of a device column is in the order of devices.
 */
import type { EnergyCause, TransmissionFate } from '../../sim/base/counts.ts';
import type { DeviceFate } from './outcome.ts';

/** Changes with the meaning of a column; a report refuses columns of another one. */
export const COLUMNS_FORMAT = 1;

export interface RunColumns {
  readonly format: typeof COLUMNS_FORMAT;
  /** Digest of the run: columns and result belong together. */
  readonly digest: string;
  /** Devices of the network; the columns have all or a sample of them. */
  readonly total: number;
  readonly devices: DeviceColumns;
  readonly campaigns: readonly CampaignColumns[];
  /** Commands of the timeline, in the order of time. */
  readonly marks: readonly TimelineMark[];
}

export interface TimelineMark {
  readonly atSeconds: number;
  /** Name of the operation, such as `campaign.create`. */
  readonly operation: string;
  readonly what: string;
  /** Devices or gateways that it is for. */
  readonly times: number;
}

type Numbers = readonly number[];
/** null: there is none, or nobody counts it. */
type Gaps = readonly (number | null)[];

export interface DeviceColumns {
  readonly names: readonly string[];
  readonly devEuis: readonly string[];
  /** Names of populations, and the place of each device's own among them. */
  readonly populations: readonly string[];
  readonly population: Numbers;
  readonly xMeters: Numbers;
  readonly yMeters: Numbers;
  /** Degrees, of a world whose scenario says where on Earth it is; absent otherwise. */
  readonly latitude?: Numbers;
  readonly longitude?: Numbers;
  /** From power-on to the first session; null: it never joined, or had a session from the start. */
  readonly joinSeconds: Gaps;
  readonly joinRequests: Numbers;
  /** Messages, those that arrived, and those that were never sent. */
  readonly sent: Numbers;
  readonly delivered: Numbers;
  readonly dropped: Numbers;
  readonly dutyCycleWaits: Numbers;
  /** Transmissions by fate. */
  readonly uplinks: Readonly<Partial<Record<TransmissionFate, Numbers>>>;
  /** Unicast downlinks that were sent to it, and those that it received, by receive window. */
  readonly downlinks: Readonly<Record<DownlinkWindow, WindowCounts>>;
  readonly dataRate: Numbers;
  /** dB of its strongest link over the gateway's sensitivity; null: no gateway is in reach. */
  readonly marginDb: Gaps;
  /** J since power-on by cause; absent where no device counts it. */
  readonly joules?: Readonly<Partial<Record<EnergyCause, Gaps>>>;
  /** Years of 365.25 days by the mean power of the run; null: external power, or unknown. */
  readonly batteryYears?: Gaps;
  readonly traffic: TrafficColumns;
  /** Data rate and radiated power when they changed; at most `STEPS_MOST` of each device. */
  readonly steps: readonly (readonly DeviceStep[])[];
}

export const DOWNLINK_WINDOWS = ['rx1', 'rx2', 'other'] as const;
/** `other`: class C and ping slots. */
export type DownlinkWindow = (typeof DOWNLINK_WINDOWS)[number];

export interface WindowCounts {
  readonly sent: Numbers;
  readonly received: Numbers;
}

/** Transmissions by slices of time. */
export interface TrafficColumns {
  readonly sliceSeconds: number;
  readonly slices: number;
  /** A text of a device has two characters a slice: `countCharacter` of sent and of lost frames. */
  readonly frames: readonly string[];
}

export type DeviceStep = readonly [atSeconds: number, dataRate: number, eirpDbm: number];
export const STEPS_MOST = 40;

/** What became of the recorded devices in a campaign. */
export interface CampaignColumns {
  readonly name: string;
  /** Place of each member among the recorded devices. */
  readonly members: Numbers;
  readonly fates: readonly DeviceFate[];
  readonly causes: readonly (string | null)[];
  readonly diagnoses: readonly (string | null)[];
  readonly steps: readonly (string | null)[];
  readonly runs: readonly (boolean | null)[];
  readonly fragmentsHeld: Gaps;
  readonly fragmentsNeeded: Gaps;
  readonly fragmentsMissing: Gaps;
  /** Null: no member was in a session that was recorded. */
  readonly fragments: FragmentColumns | null;
}

/** What became of each multicast frame of a campaign at each member, the first round and others. */
export interface FragmentColumns {
  /** Frames that have a column. */
  readonly frames: number;
  /** A text for each member, a character of `FRAME_FATES` a frame, without dots at its end. */
  readonly fates: readonly string[];
}

/** Characters of the fates of multicast frames; `.`: before its session, or after its end. */
export const FRAME_FATES = {
  '.': 'none',
  h: 'heard',
  r: 'outOfReach',
  l: 'notListening',
  b: 'noBeacon',
  u: 'ownUplink',
  o: 'lockedOnOther',
  w: 'tooWeak',
  f: 'frameLoss',
  n: 'noise',
  i: 'interfered',
} as const;

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A count as one character; the last one stands for all that are larger. */
export const countCharacter = (count: number): string =>
  DIGITS[Math.min(count, DIGITS.length - 1)]!;

/** The count of a character; one that is none counts 0. */
export const countOf = (character: string): number => Math.max(0, DIGITS.indexOf(character));

/** Sum of the counts by name at a device; used for transmissions and energy. */
export const sumAt = (columns: Readonly<Record<string, Gaps>>, device: number): number =>
  Object.values(columns).reduce((sum, column) => sum + (column[device] ?? 0), 0);
