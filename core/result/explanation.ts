/**
 * Why something went as it did in a run, as plain data: the story of a device, what a gateway did,
 * and what holds a campaign back. Times are virtual seconds since the start of the run.
 */
import type {
  BeaconLoss,
  Counts,
  DownlinkLoss,
  DownlinkRefusal,
  EnergyCause,
  FragmentLoss,
  UplinkFate,
  UplinkLoss,
} from '../../sim/base/counts.ts';
import type { CampaignDevice } from './outcome.ts';
import type { GatewayResult, OutageResult } from './result.ts';

export type Explanation = DeviceExplanation | GatewayExplanation | CampaignExplanation;

/** Which run is explained, and which part of it. */
export interface Explained {
  readonly scenario: string;
  readonly seed: string;
  readonly fromSeconds: number;
  readonly untilSeconds: number;
  /** End of the run. */
  readonly endSeconds: number;
}

// ── devices ──────────────────────────────────────────────────────────────────────────────────────

export interface DeviceExplanation extends Explained {
  readonly kind: 'device';
  readonly device: {
    readonly name: string;
    readonly devEui: string;
    readonly population: string;
  };
  /** In the order of time. */
  readonly events: readonly StoryEvent[];
  /** At `untilSeconds`; null: the device is not in the network then. */
  readonly state: DeviceState | null;
  /** What the service believes of it in each campaign, and what is true. */
  readonly campaigns: readonly CampaignDevice[];
  readonly saving: Saving;
}

/** What is true of a device at an instant. */
export interface DeviceState {
  readonly deviceClass: 'A' | 'B' | 'C';
  readonly activation: 'none' | 'joining' | 'active';
  readonly dataRate: number | null;
  readonly txPowerIndex: number | null;
  /** Seconds by which its calendar is ahead; null: it was never set. */
  readonly clockErrorSeconds: number | null;
  readonly driftPpm: number;
  /** 16 hexadecimal digits of firmware and hardware. */
  readonly version: string;
  readonly fragments: { readonly held: number; readonly needed: number } | null;
  /** Gateways in reach, the strongest first. */
  readonly links: readonly LinkState[];
  /** Drawn since power-on, J; null: not counted. */
  readonly joules: Counts<EnergyCause> | null;
}

export interface LinkState {
  readonly gateway: string;
  /** dB over the gateway's sensitivity at the present data rate and power. */
  readonly upMarginDb: number;
  /** dB over the device's sensitivity in RX2. */
  readonly downMarginDb: number;
}

interface At {
  readonly atSeconds: number;
}

/** A try of a command that a service sent to the device. */
export interface CommandTry extends At {
  readonly gateway: string | null;
  /** RX1, RX2, class C or a ping slot. */
  readonly window: string | null;
  readonly outcome: 'received' | DownlinkLoss | DownlinkRefusal;
}

export type StoryEvent =
  | (At & { readonly kind: 'powerOn'; readonly driftPpm: number; readonly activation: string })
  /** A join was accepted, by the request of this number since the last session. */
  | (At & { readonly kind: 'joined'; readonly requests: number })
  | Traffic
  | (At & {
      readonly kind: 'command';
      /** Name of the standard, or `application downlink`. */
      readonly command: string;
      readonly tries: readonly CommandTry[];
    })
  /** An answer of the device to a command. */
  | (At & {
      readonly kind: 'answer';
      readonly command: string;
      readonly fate: 'received' | UplinkLoss;
    })
  | (At & { readonly kind: 'stage'; readonly campaign: string; readonly stage: string })
  | (At & { readonly kind: 'step'; readonly campaign: string; readonly step: string })
  | (At & {
      readonly kind: 'sessionOpens';
      readonly untilSeconds: number;
      readonly sessionClass: 'B' | 'C';
      readonly spreadingFactor: number;
    })
  | (At & {
      readonly kind: 'fragments';
      readonly untilSeconds: number;
      readonly heard: number;
      readonly missed: Counts<FragmentLoss | 'outOfReach'>;
      /** Seconds after the first fragment at which the device heard its first one; null: none. */
      readonly firstHeardAfter: number | null;
    })
  | (At & { readonly kind: 'complete'; readonly fragments: number })
  | (At & {
      readonly kind: 'beacons';
      readonly untilSeconds: number;
      readonly heard: number;
      readonly missed: Counts<BeaconLoss>;
    })
  | (At & { readonly kind: 'failure'; readonly failure: string })
  | (At & { readonly kind: 'activated'; readonly fwVersion: number })
  | (At & {
      readonly kind: 'end';
      readonly campaign: string;
      readonly fate: 'success' | 'failed';
      readonly reason?: string;
      readonly diagnosis?: string;
    })
  /** Something happened to the device or to a gateway, in words. */
  | (At & { readonly kind: 'happening'; readonly what: string });

/** Uplinks of its own between two other events. */
export interface Traffic extends At {
  readonly kind: 'traffic';
  readonly untilSeconds: number;
  readonly purpose: 'join' | 'data';
  readonly frames: number;
  readonly received: number;
  readonly lost: Counts<UplinkLoss>;
  /** The data rates of the frames by their spreading factor, the slowest last. */
  readonly spreadingFactors: readonly number[];
  /** EIRP of the frames, dBm. */
  readonly eirpDbm: readonly number[];
  /** Fates at each gateway in reach. */
  readonly gateways: Readonly<Record<string, Counts<UplinkFate>>>;
}

// ── what would have helped ───────────────────────────────────────────────────────────────────────

/** A branch of the same world with other settings, and what came of it. */
export interface Branch {
  /** `path=value`, as `fleetwave branch --set` takes it. */
  readonly set: readonly string[];
  /** Where it leaves the run. */
  readonly atSeconds: number;
  readonly helps: boolean;
  /** Of a campaign: devices that run the new image, and seconds until the last confirmation. */
  readonly running?: number;
  readonly seconds?: number | null;
}

/** What would have saved a device, computed by branches. */
export interface Saving {
  /** `needless`: it has not failed. `hopeless`: no setting that is tried can help. */
  readonly verdict: 'needless' | 'saved' | 'not saved' | 'hopeless' | 'not computed';
  /** In the order in which they were run. */
  readonly branches: readonly Branch[];
  /** Of `hopeless`: why. */
  readonly why?: string;
}

// ── gateways ─────────────────────────────────────────────────────────────────────────────────────

export interface GatewayExplanation extends Explained {
  readonly kind: 'gateway';
  readonly gateway: GatewayResult;
  readonly outages: readonly OutageResult[];
  /** Where it came nearest to its limit in each sub-band, if it is among the busiest gateways. */
  readonly peaks: readonly {
    readonly band: string;
    readonly limit: number;
    readonly used: number;
    readonly atSeconds: number;
  }[];
  /** Frames that it received during each outage of its backhaul, and could not forward. */
  readonly notForwarded: readonly { readonly fromSeconds: number; readonly frames: number }[];
  /** Downlinks that the server sent by it, by purpose. */
  readonly sent: Counts<string>;
  readonly refused: Counts<DownlinkRefusal>;
  /** The run without it, against the run as it was. */
  readonly without: {
    readonly delivered: readonly [withIt: number, without: number];
    readonly joined: readonly [withIt: number, without: number];
    readonly running: readonly [withIt: number, without: number] | null;
  } | null;
}

// ── campaigns ────────────────────────────────────────────────────────────────────────────────────

export interface CampaignExplanation extends Explained {
  readonly kind: 'campaign';
  readonly campaign: string;
  readonly devices: number;
  readonly running: number;
  readonly success: number;
  readonly dataRate: number;
  /** Where it stands, and since when. */
  readonly stage: string;
  readonly stageSeconds: number;
  /** Seconds of set-up, of sending and of verification; null where a stage was not reached. */
  readonly phases: readonly { readonly phase: string; readonly seconds: number }[];
  /** Of one update: what a device drew more than in a branch without it; null: unknown. */
  readonly energy: {
    readonly joules: number;
    /** In how many days a device draws as much without it. */
    readonly days: number;
  } | null;
  readonly failures: Counts<string>;
  readonly fragmentLosses: Counts<FragmentLoss>;
  /** Devices whose links do not carry the next faster data rate. */
  readonly slowest: readonly {
    readonly name: string;
    readonly population: string;
    /** The fastest data rate that its best gateway reaches it with. */
    readonly dataRate: number;
    readonly marginDb: number;
  }[];
  readonly slowestCount: number;
  /** The same campaign without those devices. */
  readonly withoutSlowest: (Branch & { readonly dataRate: number }) | null;
  /** The same campaign with other redundancy, and with what its most frequent failure calls for. */
  readonly tried: readonly Branch[];
}
