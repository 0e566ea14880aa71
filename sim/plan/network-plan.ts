/**
 * What a network is made of: plain data with units in the names, every default already chosen.
 * A scenario is turned into this; a library user may write it directly.
 */
import type { SettingsPlan } from '../base/device-settings.ts';
import type { RegionName } from '../lorawan/region.ts';
import type { LorawanVersion } from '../lorawan/versions.ts';
import type { RadioPlan } from '../radio/radio-plan.ts';
import type { AnswerRule } from './answer-rules.ts';
import type { FailurePlan } from './failure-plan.ts';
import type { PackagesPlan } from './packages-plan.ts';

export interface NetworkPlan {
  readonly region: RegionName;
  /** UTC instant of virtual time zero, ms since 1970; not before GPS time begins (1980-01-06). */
  readonly startUnixMs: number;
  /** Counted frames skip AES and CMAC only; every outcome stays the same. */
  readonly frames: 'real' | 'counted';
  /** Rebuild and hash every device's image, not only a sample's. */
  readonly verifyAllImages: boolean;
  readonly radio: RadioPlan;
  readonly gateways: readonly GatewayPlan[];
  readonly deviceTypes: readonly DeviceTypePlan[];
  readonly devices: readonly DevicePlan[];
  readonly server: ServerPlan;
  /** Uplink channels in use, Hz; empty means the region's default channels. */
  readonly uplinkChannelsHz: readonly number[];
  /**
   * Lowest and highest data rate of each of them; the region's usual ones when absent. Only
   * channels that the region does not have by default may have others.
   */
  readonly uplinkDataRates?: readonly (readonly [number, number] | undefined)[];
}

export interface GatewayPlan {
  readonly name: string;
  /** 16 upper-case hexadecimal digits, unique in the network. */
  readonly eui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  /** Frames it can demodulate at once, ≥ 1. */
  readonly receptionPaths: number;
  /** What its paths demodulate, the choosiest kind first, at most 4; absent: all take anything. */
  readonly paths?: readonly PathKind[];
  /** From the last look at its queue to a transmission (TX_JIT_DELAY), µs; 30 ms when absent. */
  readonly txJitUs?: number;
  /** Without GPS: its clock is wrong by 1 ms to this, either way, µs; absent with GPS. */
  readonly clockErrorUs?: number;
  /** Whether the server leaves the duty cycle to it, which then refuses what has no budget. */
  readonly refusesOverBudget?: boolean;
  /**
   * How it answers what its queue does not take: by the reason when absent, or as the UDP packet
   * forwarder, a start in the past as too early, a full queue as a collision. `station`: it has
   * 128 frames, and nobody hears of what it drops. `none`: it has no queue, as in ns-3: what is
   * due while it sends is not sent.
   */
  readonly queueWords?: 'packetForwarder' | 'station' | 'none';
  readonly antennaGainCentiDb: number;
  /** Highest radiated power (EIRP), 1/100 dBm; the sub-band's limit applies on top. */
  readonly maxEirpCentiDbm: number;
  /** Whether it keeps its sub-bands' duty cycle. */
  readonly dutyCycle: boolean;
  /** Whether it has GPS time: it sends beacons, and class B devices are sent to through it. */
  readonly gps: boolean;
  /**
   * Its radio is set to this regional plan, which is not the network's: it hears and sends nothing
   * of it. Absent: the network's.
   */
  readonly otherRegion?: RegionName;
  readonly backhaul: BackhaulPlan;
}

/** Demodulators of a gateway that take the same frames. */
export interface PathKind {
  readonly count: number;
  /** Spreading factors; 0 is FSK. */
  readonly leastSpreadingFactor: number;
  readonly mostSpreadingFactor: number;
  readonly leastBandwidthHz: number;
  readonly mostBandwidthHz: number;
}

/** What is added to the latency of each message, in place of a uniform jitter. */
export type SpreadPlan =
  | { readonly kind: 'exponential'; readonly meanUs: number }
  | { readonly kind: 'logNormal'; readonly medianUs: number; readonly sigma: number }
  /** Quantiles at equal steps from 0 to 1, ascending, two or more; straight lines between them. */
  | { readonly kind: 'quantiles'; readonly us: readonly number[] };

export interface BackhaulPlan {
  /** One way, µs. */
  readonly latencyUs: number;
  /** Added per message, uniform in 0…jitterUs. */
  readonly jitterUs: number;
  readonly spread?: SpreadPlan;
  /** Share of messages lost, each way, parts per million. */
  readonly lossPpm: number;
}

export interface DeviceTypePlan {
  readonly name: string;
  readonly deviceClass: 'A' | 'B' | 'C';
  /** Class B: 2^(7 − periodicity) ping slots in a beacon period, 0…7. */
  readonly pingSlotPeriodicity: number;
  readonly activation: 'otaa' | 'abp';
  /** Absent: as 1.0.3, with nonces that count. */
  readonly lorawan?: LorawanVersion;
  /** Asks the network for the time this often (DeviceTimeReq), µs; absent: never. */
  readonly timeSyncEveryUs?: number;
  /** Asks how well it is heard with every n-th uplink (LinkCheckReq); absent: never. */
  readonly linkCheckEvery?: number;
  /**
   * A device that joined a 1.1 network sends a RejoinRequest of type 1 this often, µs; absent:
   * never.
   */
  readonly rejoinType1EveryUs?: number;
  /** Devices start at a uniform random instant in 0…startSpreadUs. */
  readonly startSpreadUs: number;
  readonly traffic: TrafficPlan;
  readonly dataRate: DataRatePlan;
  readonly adr: boolean;
  /**
   * Channels before the network says otherwise: the default channels that the network uses
   * (`network`, also when absent), or all of the region's (`region`).
   */
  readonly channels?: 'network' | 'region';
  /**
   * Conducted power plus antenna gain at TXPower index 0, 1/100 dBm EIRP; ≤ the region's maximum.
   */
  readonly maxEirpCentiDbm: number;
  /** What its antenna adds to downlinks, 1/100 dB. */
  readonly antennaGainCentiDb: number;
  /** Share of its devices that stand indoors, parts per million. */
  readonly indoorPpm: number;
  /** Clock rate error, uniform in ±driftPpb, parts per billion. */
  readonly driftPpb: number;
  /** How the rate wanders besides; absent: it is constant. */
  readonly clock?: ClockPlan;
  /** How its receive windows are computed; absent: as LoRaMac-node does by default. */
  readonly windows?: WindowPlan;
  /** What it draws from its supply; absent: nobody counts. */
  readonly energy?: EnergyPlan;
  /** Times an unconfirmed uplink is sent, 1…15, until the server says otherwise. */
  readonly nbTrans: number;
  /** Most times a confirmed uplink is sent, 1…15 (8 up to LoRaWAN 1.0.3). */
  readonly confirmedTries: number;
  readonly dutyCycle: boolean;
  /** `frame`: after T on the air a sub-band of share s is closed until T/s after it began. */
  readonly dutyCycleBy?: 'frame';
  /**
   * What it runs at the start, as TS006 reports it: unsigned 32 bits, most significant byte first.
   */
  readonly firmwareVersion: number;
  readonly hardwareVersion: number;
  /** Share of frames lost on each link in addition to physics, parts per million. */
  readonly frameLossPpm: number;
  /**
   * Whether the server knows the root of the devices' multicast keys, as an operator does of its
   * own products; yes when absent.
   */
  readonly rootKeyKnown?: boolean;
  /** Application packages; version 1 of all on their usual ports when absent. */
  readonly packages?: PackagesPlan;
  /**
   * What its devices answer to application downlinks, the first rule that fits; an echo when
   * absent, nothing when empty.
   */
  readonly answers?: readonly AnswerRule[];
  /** How they fail in updates; not at all when absent. */
  readonly failures?: readonly FailurePlan[];
  /** How they are set over the air; absent: they are not. Their traffic is one that can be set. */
  readonly settings?: SettingsPlan;
}

/** How a crystal's rate wanders (docs/standard.md, Clocks). */
export interface ClockPlan {
  /** Parts per billion lost per °C² away from 25 °C; 34 for a tuning fork, 0 for none. */
  readonly curvaturePpb: number;
  readonly temperature: TemperaturePlan;
  /** Ageing, uniform in ± this, parts per billion a year. */
  readonly ageingPpb: number;
}

/** Temperature by the hour, 1/100 °C; the swings are from the mean to the warmest. */
export interface TemperaturePlan {
  readonly meanCentiC: number;
  readonly dailyCentiC: number;
  readonly seasonalCentiC: number;
}

/** How long receive windows are, and how early they open (docs/standard.md, Receive windows). */
export type WindowPlan =
  | {
      readonly stack: 'LoRaMac-node';
      /** Timing error that it allows for, ms either way, and time that the radio needs, ms. */
      readonly rxErrorMs: number;
      readonly wakeUpMs: number;
      /** A chip whose driver does not hold every number of symbols; absent: it holds them all. */
      readonly chip?: 'STM32WL';
    }
  | {
      readonly stack: 'LBM';
      /** The clock's error that it allows for, ppm, and time that the radio needs, ms. */
      readonly crystalPpm: number;
      readonly boardDelayMs: number;
    }
  | {
      readonly stack: 'LMIC';
      /** The clock's error that LMIC_setClockError allows for, ppm. */
      readonly clockPpm: number;
      readonly wakeUpMs: number;
    }
  | {
      readonly stack: 'RadioLib';
      /** Its scanGuard, ms. */
      readonly guardMs: number;
      readonly wakeUpMs: number;
    };

/** Supply currents of a device, and its battery. */
export interface EnergyPlan {
  /** The radio chip, as the file names it. */
  readonly chip: string;
  readonly supplyMilliVolt: number;
  /** Radio and microcontroller asleep. */
  readonly sleepNanoAmp: number;
  /** Radio in standby, receiving, and sending by conducted power, ascending, at least one point. */
  readonly standbyMicroAmp: number;
  readonly rxMicroAmp: number;
  readonly txMicroAmp: readonly { readonly centiDbm: number; readonly microAmp: number }[];
  /** Radiated less conducted power, 1/100 dB. */
  readonly antennaGainCentiDb: number;
  /** The microcontroller, awake so long for each transmission. */
  readonly mcuMicroAmp: number;
  readonly awakeUs: number;
  /** Erasing and writing 1 KiB of flash memory, µJ. */
  readonly flashMicroJoulePerKib: number;
  /** Absent: external power. */
  readonly batteryMilliAmpHours?: number;
  /** What a full battery loses by itself in a year of 365.25 days, ppm; nothing when absent. */
  readonly selfDischargePpmPerYear?: number;
  /** Whether it falls silent when its battery is empty. */
  readonly dies: boolean;
}

export interface TrafficPlan {
  /**
   * `periodic`: every mean ± jitter, random first phase; `exponential`: pauses drawn exponentially
   * after the end of each uplink; `diurnal`: a Poisson process whose rate follows the hour of the
   * day; `burst`: several messages in a row; `listed`: what a list says; `none`: silent.
   */
  readonly process: 'periodic' | 'exponential' | 'diurnal' | 'burst' | 'listed' | 'none';
  /** Of `diurnal`: over a whole day; of `burst`: from the last message of one to the next one. */
  readonly meanUs: number;
  /** Uniform ± share of the period, parts per million. */
  readonly jitterPpm: number;
  /** Of `periodic`: time from the session to the first message, µs; drawn when absent. */
  readonly firstUs?: number;
  /**
   * From an accepted multicast session request on nothing comes: until that session ends (`pause`),
   * or never again (`stop`); absent: its traffic goes on.
   */
  readonly inSessions?: 'pause' | 'stop';
  /** A confirmed message without an acknowledgement is given up when the next one comes. */
  readonly whenBusy?: 'replace';
  /** FRMPayload bytes. */
  readonly payloadBytes: number;
  /** 1…223, 225. */
  readonly fPort: number;
  /** Share of uplinks sent confirmed, parts per million. */
  readonly confirmedPpm: number;
  /** Of `diurnal`, and there alone: weights of 24 hours, the first from 0:00 to 1:00 UTC. */
  readonly hourWeights?: readonly number[];
  /** Of `burst`, and there alone. */
  readonly burst?: BurstPlan;
  /** Of `listed`, and there alone: by the device's name; who is not in it sends nothing. */
  readonly listed?: Readonly<Record<string, ListedMessages>>;
}

/** The messages of a device in their order: columns of the same length. */
export interface ListedMessages {
  /** World time, ascending; equal ones come one after the other. */
  readonly atUs: readonly number[];
  /** 1…223, 225. */
  readonly fPorts: readonly number[];
  /** FRMPayload bytes. */
  readonly lengths: readonly number[];
  /** null: drawn by the share of confirmed messages. */
  readonly confirmed: readonly (boolean | null)[];
  /** Hexadecimal, of the length said; null or absent: any bytes. */
  readonly payloads?: readonly (string | null)[];
}

/** Messages that come in a row, as of an alarm. */
export interface BurstPlan {
  /** How many, and the time from one to the next, µs. */
  readonly messages: number;
  readonly spacingUs: number;
  /** When all devices begin one, µs since the world's start, ascending; none: by random pauses. */
  readonly atUs: readonly number[];
  /** Each begins uniformly within this after such a time. */
  readonly withinUs: number;
}

export type DataRatePlan =
  /** The data rate of the successful join (OTAA), or the region's lowest (ABP). */
  | { readonly from: 'join' }
  | { readonly from: 'fixed'; readonly dataRate: number }
  /** Fastest 125 kHz data rate whose device sensitivity plus margin the strongest link exceeds. */
  | { readonly from: 'link'; readonly marginCentiDb: number };

export interface DevicePlan {
  /** Population name and ordinal (`meter-17`): the stable name that random draws are keyed by. */
  readonly name: string;
  /** 16 upper-case hexadecimal digits, unique in the network. */
  readonly devEui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  /** Row in `deviceTypes`. */
  readonly type: number;
  /** 32 hexadecimal digits; drawn from the seed when absent. */
  readonly appKey?: string;
  /**
   * Root of its chain of multicast keys, 32 hexadecimal digits (TS005-2.0.0 §4.3); that of its
   * sessions when absent.
   */
  readonly genAppKey?: string;
  /** What its owner gave it; otherwise as its type has it, with keys drawn from the seed. */
  readonly credentials?: Credentials;
}

/** How a device gets its session, and what for; keys are 32 hexadecimal digits. */
export type Credentials =
  | {
      readonly activation: 'otaa';
      /** 16 upper-case hexadecimal digits. */
      readonly joinEui: string;
      /** Of LoRaWAN 1.1 alone; drawn when absent. */
      readonly nwkKey?: string;
    }
  | {
      readonly activation: 'abp';
      /** Unsigned 32 bits, that of no other session. */
      readonly devAddr: number;
      /** A 1.1 session has it for each of its three network session keys. */
      readonly nwkSKey: string;
      readonly appSKey: string;
    };

export interface ServerPlan {
  /** Copies of one uplink are gathered for this long after the first arrival, µs. */
  readonly deduplicationUs: number;
  /** 24-bit network identifier. */
  readonly netId: number;
  /** RX1 delay given at join, whole seconds 1…15. */
  readonly rx1DelayS: number;
  readonly rx1DrOffset: number;
  readonly rx2DataRate: number;
  /** Frequency of RX2 after a RXParamSetupReq, Hz; the region's when absent. */
  readonly rx2FrequencyHz?: number;
  /** What TxParamSetupReq sets, where the region has it; no request is sent when absent. */
  readonly txParamSetup?: {
    readonly uplinkDwell: boolean;
    readonly downlinkDwell: boolean;
    /** One of the standard's sixteen values. */
    readonly maxEirpDbm: number;
  };
  /** DutyCycleReq: devices send at most 1/2^maxDutyCycle of the time, 1…15. */
  readonly maxDutyCycle?: number;
  /** Whether the server answers ADR uplinks with LinkADRReq. */
  readonly adr: boolean;
  /** Installation margin of the ADR algorithm, 1/100 dB. */
  readonly adrMarginCentiDb: number;
  /** How ADR reckons (docs/standard.md, ADR); absent: semtech. */
  readonly adrAlgorithm?: 'semtech' | 'tts';
  /** What it speaks: with a 1.0 server, 1.1 devices fall back to 1.0; absent: 1.1. */
  readonly lorawan?: '1.0' | '1.1';
  /** Asks each device for its status this often (DevStatusReq), µs; absent: never. */
  readonly devStatusEveryUs?: number;
  /**
   * The network server is outside the simulator: this one takes in no uplink and sends nothing.
   * Gateways forward what they receive, and send what they are sent (`sim/network/outside-server`).
   */
  readonly outside?: true;
}
