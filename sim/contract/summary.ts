/** Figures of a network, from which a result is built. */
import type {
  BeaconFate,
  Counts,
  EnergyCause,
  ListedCounts,
  NetworkCounts,
  ReceptionFate,
  TransmissionFate,
} from '../base/counts.ts';
import type { DeviceRecord } from './records.ts';
import type { FailureGroundTruth } from './truth.ts';

export interface NetworkSummary {
  readonly counted: NetworkCounts;
  readonly gateways: readonly GatewaySummary[];
  readonly devices: DeviceSummaries;
}

/** Each is made whenever it is looked at: those of a million devices are never there together. */
export interface DeviceSummaries extends Iterable<DeviceSummary> {
  readonly length: number;
}

export interface GatewaySummary {
  readonly name: string;
  readonly eui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  readonly fates: Counts<ReceptionFate>;
  readonly downlinksSent: number;
  readonly airtimeUs: number;
  /** Time on air per sub-band name, µs. */
  readonly airtimeByBandUs: Readonly<Record<string, number>>;
}

export interface DeviceSummary {
  readonly name: string;
  readonly devEui: string;
  /** Name of its population, which several types may share, and the row of its own. */
  readonly type: string;
  readonly typeRow: number;
  readonly otaa: boolean;
  readonly active: boolean;
  readonly xMeters: number;
  readonly yMeters: number;
  /** From power-on to its first session, µs; null when it has not joined. */
  readonly joinUs: number | null;
  readonly joinRequests: number;
  readonly sent: number;
  /** What became of its latest message so far; absent: none has ended. */
  readonly latestMessage?: TransmissionFate;
  readonly delivered: number;
  /** Messages and answers that it never sent. */
  readonly dropped: number;
  /** What became of its list of messages; absent: it has none. */
  readonly listed?: ListedCounts;
  /** Its latest DevStatusAns (battery 0…255 as LoRaWAN encodes it); null when it gave none. */
  readonly status: { readonly battery: number; readonly marginDb: number } | null;
  /** DeviceTimeAns and LinkCheckAns that it heard. */
  readonly timeSyncs: number;
  readonly linkChecks: number;
  readonly retransmissions: number;
  readonly confirmedSent: number;
  readonly confirmedAcknowledged: number;
  readonly confirmedFailed: number;
  readonly dutyCycleWaits: number;
  readonly dataRate: number;
  /** Firmware that it runs, and its hardware, unsigned 32 bits each, whatever it has reported. */
  readonly fwVersion: number;
  readonly hwVersion: number;
  /** How it has failed in updates, in the order of time; absent: it has not. */
  readonly failures?: readonly FailureGroundTruth[];
  /** What it has drawn from its supply since power-on; absent where nobody counts. */
  readonly energy?: {
    readonly aliveUs: number;
    /** Its battery was found empty. */
    readonly died: boolean;
    /** J by cause. */
    readonly joules: Readonly<Record<EnergyCause, number>>;
  };
  /** Absent for a device that looks for no beacon. */
  readonly beacons?: {
    /** It has a beacon, and ping slots that the server knows. */
    readonly inClassB: boolean;
    /** Fates of beacons that went out and that no count has yet. */
    readonly ahead: Counts<BeaconFate>;
  };
  /** Whether some gateway could hear it at full power and the slowest data rate. */
  readonly inReach: boolean;
}

/** A device with what a recorder has counted of it. */
export interface RecordedDevice extends DeviceSummary {
  readonly recorded: DeviceRecord;
}
