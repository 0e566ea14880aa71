/**
 * The result of a world, and of a run, as `result.json` holds it: plain data, whole numbers where
 * the world decides. Of `core/` reports read this and the files of result/ only.
 */
import type {
  BeaconLoss,
  CountedSum,
  Counts,
  DownlinkLoss,
  DownlinkRefusal,
  EnergyCause,
  FragmentLoss,
  GatewayRefusal,
  ListedCounts,
  ReceptionFate,
  TransmissionFate,
  UplinkLoss,
} from '../../sim/base/counts.ts';
import type { ConfigurationResult } from './configuration.ts';
import type { AlertsResult, DeliveriesResult } from './delivery.ts';
import type { DeviceOutcome, DiagnosisCount, OutcomeCounts, PopulationOutcome } from './outcome.ts';
import type { OutsideServerResult } from './outside-server.ts';
import type { Percentiles } from './percentiles.ts';

/** A world so far. Rates are over the time so far. */
export interface WorldResult {
  readonly scenario: { readonly name: string; readonly description: string };
  readonly seed: string;
  /**
   * Fold over all that happened; equal on every machine (determinism contract, point 7). 16 hex
   * digits.
   */
  readonly digest: string;
  /** Whether a run has come to its end; a world that is served has none. */
  readonly complete: boolean;
  readonly virtualSeconds: number;
  /** Dispatched events. */
  readonly events: number;
  readonly region: string;
  readonly frames: 'real' | 'counted';
  readonly radio: RadioResult;
  readonly downlinks: DownlinkResult;
  readonly gateways: readonly GatewayResult[];
  readonly devices: DevicesResult;
  /** Absent where no beacon was sent and none looked for. */
  readonly beacons?: BeaconResult;
  /** Absent when no population counts what it draws. */
  readonly energy?: EnergyResult;
  readonly campaigns: readonly CampaignResult[];
  /** Absent when there is none. */
  readonly reliableDownlinks?: readonly JobResult[];
  /** Absent where there were none. */
  readonly managedCampaigns?: readonly ManagedCampaignResult[];
  /** Campaigns that were to begin after another one; absent where there were none. */
  readonly followUps?: readonly FollowUpResult[];
  /** Multicast groups of management; absent where there are none. */
  readonly multicastGroups?: readonly MulticastGroupResult[];
  /** Absent where no configuration was ever desired of a device. */
  readonly configurations?: ConfigurationResult;
  /** Absent where nothing was to be delivered, and no receiver is there. */
  readonly deliveries?: DeliveriesResult;
  /** Absent where no gateway was ever monitored, and no alert is there. */
  readonly alerts?: AlertsResult;
  /** Outages of gateways, in the order of their begins; absent: there were none. */
  readonly outages?: readonly OutageResult[];
  /** Of a world without end by slices that grow longer, so that they stay few. */
  readonly series: SeriesResult;
  /** Absent in old results. */
  readonly budgets?: BudgetResult;
  /** Further sums by name (`sim/base/counts.ts`); absent in old results. */
  readonly counted?: Counts<CountedSum>;
  /** Absent where the network server was the simulator's own. */
  readonly outsideServer?: OutsideServerResult;
  readonly warnings: readonly string[];
}

/** What expectations and reports judge. `complete` is false when the run was interrupted. */
export type RunResult = WorldResult;

/**
 * Network-level fate of every transmission that ended: received by at least one gateway, or lost.
 */
export interface RadioResult {
  readonly uplinks: number;
  readonly received: number;
  /**
   * uplinks = received + the sum over these. `offChannelAfterBackOff` is known of the transmission
   * alone; at gateways it is `offChannel`.
   */
  readonly lost: Counts<UplinkLoss>;
  /** Receptions over all gateways, by fate; one fate per transmission and gateway in reach. */
  readonly receptions: Counts<ReceptionFate>;
}

export interface DownlinkResult {
  /** Unicast only; copies of multicast frames are counted by themselves. */
  readonly requested: number;
  readonly sent: number;
  readonly received: number;
  /** Not sent: the server planned no transmission, or a gateway or the way to it refused it. */
  readonly refused: Counts<DownlinkRefusal>;
  /**
   * Refusals of gateways after which the same frame was planned once more, in RX2 or in a later
   * ping slot. A frame that is refused then too is also in `refused`.
   */
  readonly retried: Counts<GatewayRefusal>;
  /** Sent but not received by the device they were meant for. */
  readonly lost: Counts<DownlinkLoss>;
  /** Copies of multicast frames that went on air. */
  readonly multicastSent: number;
}

export interface GatewayResult {
  readonly name: string;
  readonly eui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  readonly uplinksReceived: number;
  /** `received`: what it forwarded; `backhaulLoss`: what it received and could not forward. */
  readonly fates: Counts<ReceptionFate>;
  readonly downlinksSent: number;
  readonly airtimeSeconds: number;
  /** Time on air as a share of the run, per sub-band that was used (`869.4-869.65`). */
  readonly dutyCycle: Readonly<Record<string, number>>;
  /** Share that the region allows in those of them that are limited; absent in old results. */
  readonly dutyCycleLimits?: Readonly<Record<string, number>>;
  /**
   * The highest share of an hour that was used or planned at once, per sub-band; absent in old
   * results, and where the server keeps no budget for the gateway.
   */
  readonly dutyCyclePeaks?: Readonly<Record<string, number>>;
}

/** A gateway whose backhaul or radio did not work for a while. */
export interface OutageResult {
  /** Its name, or its EUI where it is gone. */
  readonly gateway: string;
  readonly part: 'backhaul' | 'radio';
  /** Seconds since the start. */
  readonly fromSeconds: number;
  /** null: it lasted to the end. */
  readonly untilSeconds: number | null;
}

export interface DevicesResult {
  readonly total: number;
  readonly joined: number;
  /** Seconds from power-on to session, over joined OTAA devices; null when there are none. */
  readonly joinSeconds: Percentiles | null;
  readonly joinRequests: number;
  /** New application uplinks (a repetition is not a new one). */
  readonly messages: number;
  /** … that the server received at least once. */
  readonly messagesDelivered: number;
  /**
   * Messages, and answers of packages, that were never sent: too long for the data rate, more than
   * may wait, or gone in a reboot or a power cut.
   */
  readonly messagesDropped: number;
  /** What became of the messages of lists; absent where no population has one. */
  readonly listed?: ListedCounts;
  readonly confirmed: {
    readonly sent: number;
    readonly acknowledged: number;
    /** Given up after the last try. */
    readonly failed: number;
  };
  readonly retransmissions: number;
  /** Transmissions that had to wait for the sub-band's duty cycle. */
  readonly dutyCycleWaits: number;
  /** Share of messages delivered, percentiles over devices that sent; null when none did. */
  readonly deliveryRatio: Percentiles | null;
  /** Devices by their data rate at the end, keyed `DR5`. */
  readonly byDataRate: Counts<string>;
  readonly populations: readonly PopulationResult[];
  /** What devices reported and received by MAC commands; absent when there was none of it. */
  readonly mac?: MacResult;
  /** A sample of at most 5 000 devices for the map: columns of equal length. */
  readonly map: {
    readonly xMeters: readonly number[];
    readonly yMeters: readonly number[];
    /** 0…1000 ‰ of the messages delivered, or `NEVER_SENT`. */
    readonly deliveredPermille: readonly number[];
    readonly dataRate: readonly number[];
    /**
     * Fate in the campaigns: 0 in none, 1 confirmed, 2 in progress, 3 failed; `UNHEARD`: one of the
     * last two, and it runs the new image all the same.
     */
    readonly updated: readonly number[];
    /** Names that a file gives; absent where all are numbers of their population. */
    readonly names?: readonly string[];
  };
}

/** In the map's column `deliveredPermille`: the device never sent a message. */
export const NEVER_SENT = -1;

/** In the map's column `updated`: the device runs the new image, and has not confirmed it. */
export const UNHEARD = 4;

export interface MacResult {
  /** Devices that answered DevStatusReq. */
  readonly statusKnown: number;
  /** Of those: on external power, and not able to measure. */
  readonly externalPower: number;
  readonly batteryUnknown: number;
  /** Shares of a full battery, 0…1, of the others. */
  readonly battery: Percentiles | null;
  /** Margins of the latest answers, dB. */
  readonly marginDb: Percentiles | null;
  /** DeviceTimeAns and LinkCheckAns that devices heard. */
  readonly timeSyncs: number;
  readonly linkChecks: number;
}

export interface PopulationResult {
  readonly name: string;
  readonly devices: number;
  readonly joined: number;
  readonly messages: number;
  readonly messagesDelivered: number;
  readonly messagesDropped: number;
  /** Absent where it has no list of messages. */
  readonly listed?: ListedCounts;
  /** Of its devices that sent, as for all devices; null when none did. */
  readonly deliveryRatio: Percentiles | null;
  /** Its uplinks that were lost, by cause; absent in old results. */
  readonly uplinksLost?: Counts<UplinkLoss>;
  /**
   * Its messages by what became of them: received and forwarded by a gateway, or why the last of
   * its transmissions was not; those of devices that are gone, too. Absent in old results.
   */
  readonly messageFates?: Counts<TransmissionFate>;
}

/** Beacons at devices that look for them: of class B, or in a class B multicast session. */
export interface BeaconResult extends BeaconFigures {
  /** Beacons that went on air, over all gateways. */
  readonly sent: number;
  /** Of every population that looked for one, in the order of the scenario. */
  readonly populations: readonly BeaconPopulation[];
}

export interface BeaconPopulation extends BeaconFigures {
  readonly name: string;
}

export interface BeaconFigures {
  /** Beacons that devices looked for, one per device and beacon. */
  readonly lookedFor: number;
  /** … received at least in the part with the time. */
  readonly heard: number;
  /** lookedFor = heard + the sum over these. */
  readonly missed: Counts<BeaconLoss>;
  /** Devices in class B at the end: they have a beacon, and ping slots that the server knows. */
  readonly inClassB: number;
}

/** What devices have drawn from their supply since power-on. */
export interface EnergyResult {
  /** Mean over all devices, J. */
  readonly meanJoules: number;
  /** Mean over all devices by cause, J; causes that cost nothing anywhere are left out. */
  readonly byCause: Counts<EnergyCause>;
  /**
   * Capacity over mean power without updates, seconds, over devices with a battery; null when there
   * are none.
   */
  readonly batteryLifeSeconds: Percentiles | null;
  /** The same in years of 365.25 days. */
  readonly batteryLifeYears: Percentiles | null;
  /** What an update of the run costs; absent: no device took part in one. */
  readonly updates?: UpdateEnergy;
  readonly populations: readonly EnergyPopulation[];
}

/** Listening to multicast sessions and writing flash memory, of devices that took part. */
export interface UpdateEnergy {
  /** Devices that have written fragments. */
  readonly devices: number;
  /** J of one update: the mean over campaigns and the devices that took part in each. */
  readonly meanJoules: number;
  /** In how many days they draw as much as for one, without updates. */
  readonly steadyDays: number;
}

export interface EnergyPopulation {
  readonly name: string;
  readonly devices: number;
  readonly chip: string;
  readonly supplyVolts: number;
  /** null: external power. */
  readonly batteryMilliAmpHours: number | null;
  /** Share of its capacity that a full one loses by itself in a year; absent: none. */
  readonly selfDischargePerYear?: number;
  readonly meanJoules: number;
  readonly byCause: Counts<EnergyCause>;
  /** Of single devices, J; null when there are none. */
  readonly joules: Percentiles | null;
  readonly batteryLifeSeconds: Percentiles | null;
  readonly batteryLifeYears: Percentiles | null;
  readonly updates?: UpdateEnergy;
  /** Devices that fell silent because their battery was empty. */
  readonly died: number;
}

/** How far a campaign is. */
export type CampaignProgress = Pick<CampaignResult, 'name' | 'devices' | 'success' | 'failed'>;

/** What a campaign came to. */
export interface CampaignResult extends OutcomeCounts {
  readonly name: string;
  /** Whose it is; absent: the default subscriber's. */
  readonly subscriber?: string;
  readonly image: { readonly name: string; readonly bytes: number; readonly sha256: string };
  readonly stage: string;
  /** Rounds begun: the start, each restart and each automatic retry is one. */
  readonly rounds: number;
  /** Devices that are of other subscribers, who delegated them. */
  readonly delegated: number;
  /** Each count of devices is the sum over these; in the order of their first devices. */
  readonly populations: readonly PopulationOutcome[];
  /** The first `FAILED_NAMED` of those that failed, in the order of the group. */
  readonly failedDevices: readonly DeviceOutcome[];
  /** The most frequent first; absent: the service was not asked to look for what is wrong. */
  readonly diagnoses?: readonly DiagnosisCount[];
  /**
   * Seconds from the campaign's start until 50, 90 and 99 % of all its devices succeeded; null:
   * never.
   */
  readonly t50: number | null;
  readonly t90: number | null;
  readonly t99: number | null;
  /** Multicast fragment frames sent, over all gateways. */
  readonly sent: number;
  readonly nbFrag: number;
  readonly fragSize: number;
  /** Redundancy fragments that the plan had, and those that were sent by unicast repair. */
  readonly redundancy: number;
  readonly repairs: number;
  readonly dataRate: number;
  readonly frequencyHz: number;
  readonly gateways: readonly string[];
  /** Virtual seconds since the run's start of each stage that was reached, in order. */
  readonly stages: readonly { readonly stage: string; readonly atSeconds: number }[];
  /** Devices that passed each named step of the flow, in order: the funnel. */
  readonly funnel: readonly { readonly step: string; readonly devices: number }[];
  /** Fragment copies missed by the group's devices during the session, by cause. */
  readonly fragmentLosses: Counts<FragmentLoss>;
  /** Seconds since the campaign's start of every success, ascending. */
  readonly completionSeconds: readonly number[];
  /** Images that were rebuilt byte by byte and hashed, and how many of them were right. */
  readonly verified: { readonly rebuilt: number; readonly right: number };
}

/** Why a device fails in a reliable downlink job. */
export const JOB_FAILURES = [
  /** It was sent as often as it may be, and the expected uplink did not come. */
  'no answer',
  /** None of its tries went on the air. */
  'not sent',
  /** The job was stopped before. */
  'stopped',
  'device removed',
  /** Nothing was heard of it for too long, and no try could leave. */
  'no uplink',
] as const;
export type JobFailure = (typeof JOB_FAILURES)[number];

/** What a reliable downlink job came to. */
export interface JobResult {
  readonly name: string;
  /** Whose it is; absent: the default subscriber's. */
  readonly subscriber?: string;
  readonly status: string;
  readonly devices: number;
  /** Devices that received the downlink, once or more. */
  readonly received: number;
  /** What the service believes: devices = pending + success + the sum over `failures`. */
  readonly pending: number;
  readonly success: number;
  readonly failures: Counts<JobFailure>;
  /** Tries of all devices, those before a restart too. */
  readonly tries: number;
  /** Tries of those that succeeded, by the last of them; null when none did. */
  readonly triesToSuccess: Percentiles | null;
  /** Seconds from the job's creation until devices succeeded; null when none did. */
  readonly successSeconds: Percentiles | null;
}

/** What the members of a multicast group of management heard. */
export interface MulticastGroupResult {
  readonly name: string;
  /** What messages are sent to. */
  readonly eui: string;
  /** Frames on the air; copies of gateways that overlap are one. */
  readonly frames: number;
  /** Frames times members, as many as there were of those when a frame ended. */
  readonly toHear: number;
  readonly heard: number;
  /** Why members missed frames. With `heard` and `outOfReach` these are `toHear`. */
  readonly missed: Counts<FragmentLoss>;
  /** No gateway that sent was in reach, or not the nearest. */
  readonly outOfReach: number;
}

/** A campaign that was to begin when an earlier one is over, and what became of that. */
export interface FollowUpResult {
  readonly name: string;
  /** Whose it is; absent: the default subscriber's. */
  readonly subscriber?: string;
  /** What the earlier campaign is called. */
  readonly after: string;
  /** How many of that one's devices had to be updated, and which share of them. */
  readonly leastUpdated: number;
  readonly leastUpdatedShare: number;
  /**
   * The earlier one is not over, or did not begin; it was over, and too few were updated; no such
   * campaign can be created; it was halted or deleted before it began; it is a campaign.
   */
  readonly stage: 'waiting' | 'held back' | 'refused' | 'called off' | 'started';
  /** Why it was refused; empty otherwise. */
  readonly refusal: string;
  /** When it was called off, virtual seconds; absent: it was not. */
  readonly calledOffAtSeconds?: number;
  /** Where the earlier one stands while this one waits; absent otherwise. */
  readonly earlier?: EarlierCampaign;
  /** Of the earlier campaign, when that was over last: members, and those that had confirmed. */
  readonly devices: number;
  readonly updated: number;
}

/** Where a campaign stands that another one waits for. */
export type EarlierCampaign =
  /** It has begun, and is not over. */
  | { readonly is: 'running' }
  /** It is created; its start is to come, or it waits for devices of other campaigns. */
  | { readonly is: 'to start'; readonly atSeconds: number }
  | { readonly is: 'held up'; readonly status: string }
  /** It has not begun itself: it stands among those that follow others. */
  | { readonly is: 'following' }
  /** The file has it, and its creation was refused. */
  | { readonly is: 'refused'; readonly refusal: string };

/** What a managed campaign came to. */
export interface ManagedCampaignResult {
  readonly name: string;
  /** Whose it is; absent: the default subscriber's. */
  readonly subscriber?: string;
  /** By name. */
  readonly image: string;
  /** Pattern of 16 characters: firmware, then hardware. */
  readonly expectedVersion: string;
  /** The one that is watched. */
  readonly gateway: string;
  readonly stage: string;
  /** Why it could not be set up; empty otherwise. */
  readonly status: string;
  /** Virtual seconds since the run's start of each stage that was reached, in order. */
  readonly stages: readonly { readonly stage: string; readonly atSeconds: number }[];
  /** Those that found devices, in order. */
  readonly sessions: readonly ManagedSessionResult[];
  /** Devices that the next session would update. */
  readonly scheduled: number;
  /** Devices that reported the new version to one of its campaigns. */
  readonly updated: number;
  /** Devices that are left out since they failed twice. */
  readonly problematic: number;
}

/** A session of a managed campaign, with what became of its campaigns since. */
export interface ManagedSessionResult {
  /** Of the UTC day: `2026-01-31`. */
  readonly date: string;
  /** Virtual seconds since the run's start. */
  readonly atSeconds: number;
  readonly scheduled: number;
  /** Devices that it left out since they had failed twice. */
  readonly problematic: number;
  readonly children: readonly {
    readonly name: string;
    readonly stage: string;
    readonly devices: number;
    /** Devices that confirmed the new version. */
    readonly success: number;
    readonly failed: number;
  }[];
  /** Campaigns that could not be created, in words. */
  readonly refused: readonly string[];
  /**
   * Devices of its campaigns that run the new version now, whatever they could report; null once a
   * campaign is deleted.
   */
  readonly running: number | null;
}

/** Sums per equal slice of a run's time, for plots. */
export interface SeriesResult {
  readonly sliceSeconds: number;
  readonly uplinks: readonly number[];
  readonly received: readonly number[];
  readonly interfered: readonly number[];
  readonly downlinks: readonly number[];
  /** Devices joined by the end of each slice. */
  readonly joined: readonly number[];
  /** Deliveries that waited or were paused at the end of each slice; absent where none was due. */
  readonly waiting?: readonly number[];
}

/** Budgets and what was missed over virtual time, by slices as those of the series. Bounded. */
export interface BudgetResult {
  readonly sliceSeconds: number;
  /** Application downlinks that were not over at the end of each slice. */
  readonly downlinkQueue: readonly number[];
  /**
   * Data uplinks by data rate, of all devices (null) and of each population where there are few.
   */
  readonly dataRates: readonly {
    readonly population: string | null;
    readonly uplinks: Readonly<Record<string, readonly number[]>>;
  }[];
  /** Uplinks lost by cause, those too that a gateway received and could not forward. */
  readonly lost: SlicesBy<UplinkLoss>;
  /** The same of each population, where there are few; absent in old results. */
  readonly lostBy?: Readonly<Record<string, SlicesBy<UplinkLoss>>>;
  /** Seconds of air time of all gateways, by what they sent for. */
  readonly airSeconds: Readonly<Record<string, readonly number[]>>;
  /** Duty cycle of the busiest gateways, in sub-bands that are limited. */
  readonly dutyCycle: readonly DutyCycleSeries[];
}

type SlicesBy<Name extends string> = Readonly<Partial<Record<Name, readonly number[]>>>;

export interface DutyCycleSeries {
  readonly gateway: string;
  readonly band: string;
  /** Share of an hour that the region allows. */
  readonly limit: number;
  /** The highest share of an hour that was used or planned in each slice. */
  readonly used: readonly number[];
}

/** One expectation of the scenario, judged. */
export interface ExpectationResult {
  readonly expectation: string;
  readonly actual: number;
  readonly holds: boolean;
}

export interface HostResult {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly maxRssBytes: number;
  readonly node: string;
}
