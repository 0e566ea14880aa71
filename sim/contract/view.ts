/**
 * View of a network for the layers above, as its server knows it. The words are plain: no type of
 * the radio side is among them.
 */
import type { DeviceSettings, SettingsDownlinks, SettingsPlan } from '../base/device-settings.ts';
import type { RegionName } from '../lorawan/region.ts';
import type { Sender } from './downlinks.ts';
import type { AnswerRule, GatewayHardware, Place } from './things.ts';
import type { DeviceGroundTruth } from './truth.ts';

/**
 * What is nobody's: facts of the clock, the region and the air. They take and give numbers and no
 * text, so that none can name a device or a gateway: what is of one of those stands on its handle.
 */
export interface NetworkFacts {
  /** GPS time, whole seconds modulo 2^32, of a world instant. */
  gpsSeconds(atUs: number): number;
  /** World instant at which GPS time reaches these seconds, µs. */
  worldUs(gpsSeconds: number): number;
  /** UTC of a world instant, whole ms since 1970. */
  unixMs(atUs: number): number;
  /** World instant of a UTC time in ms since 1970, µs; negative before the world's start. */
  worldUsOfUnixMs(unixMs: number): number;
  /** Its regional plan, as RP002-1.0.4 calls it. */
  readonly region: RegionName;
  /** How many device types the world has. */
  readonly deviceTypes: number;
  /** Whether some device has this DevAddr, unsigned 32 bits, in a session. */
  isAddressTaken(devAddr: number): boolean;
  /** LoRa data rates of the region by index; undefined where there is none. */
  dataRate(index: number): DataRateView | undefined;
  /** Time on air of a downlink PHYPayload, µs. */
  downlinkAirtimeUs(dataRate: number, phyBytes: number): number;
  /** Share of an hour that the region lets a gateway send on this frequency, 0…1. */
  dutyCycle(frequencyHz: number): number;
  /** Whether the channel of a data rate around this frequency lies in one sub-band. */
  mayCarry(frequencyHz: number, dataRate: number): boolean;
  /** Indexes of the region's data rates for downlinks. */
  readonly downlinkDataRates: readonly number[];
  /** Frequencies that the channels of a data rate may have; the beacon's and ping slots' aside. */
  downlinkRangesHz(dataRate: number): readonly (readonly [from: number, to: number])[];
  /**
   * What people call a frequency: the row of the region's sub-bands, from 0 on, and the network's
   * channel, from 1 on. Channels for downlinks alone count from 1 again, and 127 is RX2's. Null: it
   * is in none.
   */
  channelAt(frequencyHz: number): {
    readonly subBand: number | null;
    readonly channel: number | null;
  };
  /** Where its gateways listen: the channels of uplinks that the network uses. */
  readonly uplinkChannelsHz: readonly number[];
  /** RX2's frequency and data rate, the usual multicast channel. */
  readonly rx2: { readonly frequencyHz: number; readonly dataRate: number };
}

/**
 * A read-only view of the network as its server knows it. Asking changes nothing. Only `device` and
 * `gateway` take an EUI; whatever is of one device or one gateway hangs on the handle they give.
 */
export interface NetworkView extends NetworkFacts {
  /** Undefined: there is none in the network. */
  device(devEui: string): DeviceView | undefined;
  /** Undefined: there is none in service. */
  gateway(eui: string): GatewayView | undefined;
  /** Those that people call so, in no particular order. */
  devicesNamed(name: string): readonly DeviceView[];
  /** The device type in a row of the world's list; undefined: there is none. */
  deviceType(row: number): DeviceTypeView | undefined;
  /** All in the network. */
  devices(): readonly DeviceView[];
  /**
   * The same devices as columns, in the same order, or those of the named ones that there are, in
   * the order of the names: for who looks at very many.
   */
  deviceColumns(devEuis?: readonly string[]): DeviceColumns;
  /** What devices really are, of those of the named ones that there are, in the named order. */
  deviceGroundTruths(devEuis: readonly string[]): readonly DeviceGroundTruth[];
  /** All in service. */
  gateways(): readonly GatewayView[];
}

/** What a device type says of its devices. */
export interface DeviceTypeView {
  readonly name: string;
  readonly deviceClass: 'A' | 'B' | 'C';
  readonly lorawan: '1.0' | '1.1';
  /** Whether the server knows the roots of their multicast keys: the operator's own products. */
  readonly rootKeyKnown: boolean;
  /** The rules that they answer by. */
  readonly answers: readonly AnswerRule[];
  /** How they are set over the air; absent: they are not. */
  readonly settings?: SettingsPlan;
}

/** What devices are as columns, a place for each: copies, which are stored as long as one likes. */
export interface DeviceColumns {
  readonly devEui: readonly string[];
  readonly name: readonly string[];
  /** Row of the world's device types, and what it is called. */
  readonly type: readonly number[];
  readonly typeName: readonly string[];
  /** How it gets its session. */
  readonly activation: readonly ('otaa' | 'abp')[];
  /** When it came into the network, µs. */
  readonly createdAtUs: readonly number[];
  /** End of its latest uplink, µs; −1 before the first. */
  readonly lastUplinkAtUs: readonly number[];
}

/** Version and port of each application package on a device. */
export interface PackagesView {
  readonly clockSync: PackageView<1 | 2>;
  readonly multicastSetup: PackageView<1 | 2>;
  readonly fragmentation: PackageView<1 | 2>;
  readonly firmwareManagement: PackageView<1>;
}

export interface PackageView<Version> {
  readonly version: Version;
  /** 1…223. */
  readonly fPort: number;
}

/** A data block and what its MIC covers besides (TS004-2.0.0 §4). */
export interface BlockToSign {
  /** 16 bits. */
  readonly sessionCnt: number;
  /** 0…3. */
  readonly fragIndex: number;
  /** Most significant byte first, as it is sent. */
  readonly descriptor: number;
  /** Without padding. */
  readonly block: Uint8Array;
}

/**
 * A handle of one device, for the instant in which it was asked for: it is not stored. Every member
 * is found when it is looked at, and costs nothing before.
 */
export interface DeviceView extends Place {
  readonly devEui: string;
  readonly name: string;
  /** The type that it is of. */
  readonly profile: {
    /** Row of the world's device types. */
    readonly type: number;
    readonly name: string;
    readonly deviceClass: 'A' | 'B' | 'C';
    readonly lorawan: '1.0' | '1.1';
    /** How the device itself gets its session. */
    readonly activation: 'otaa' | 'abp';
  };
  /** When it came into the network, µs. */
  readonly createdAtUs: number;
  readonly deviceClass: 'A' | 'C';
  /**
   * It is of class B by its profile, but its latest uplink had no ClassB bit: it has heard no
   * beacon for 120 minutes (LoRaWAN 1.0.4 §10.1).
   */
  readonly lacksBeacon: boolean;
  /** Faults that are on. */
  readonly faults: readonly FaultView[];
  /** Whether the server knows the root of its multicast keys: the operator's own products. */
  readonly rootKeyKnown: boolean;
  /** Has a session. */
  readonly active: boolean;
  /** End of its latest uplink, µs; −1 before the first. */
  readonly lastUplinkAtUs: number;
  /** The longest pause between two of its messages, as its profile declares it, µs; 0: none. */
  readonly declaredPauseUs: number;
  readonly dataRate: number;
  /** Gateways that heard its latest uplinks, best first; sorted at each look, so look once. */
  readonly heardBy: readonly Reception[];
  /** Its application packages, as its profile has them. */
  readonly packages: PackagesView;
  /**
   * Application downlinks that wait for it, of all senders: a confirmed one that was tried, then
   * those that are due as they came, then the others by the instant when they fall due.
   */
  readonly waitingDownlinks: readonly WaitingDownlink[];
  /** The rules that it answers by, and whether they are those of its type. */
  readonly answers: readonly AnswerRule[];
  readonly answersOfType: boolean;
  /** What it is set to over the air, as it really is; undefined: it cannot be set. */
  readonly settings: DeviceSettings | undefined;
  /** What it has made of downlinks on their port. */
  readonly settingsDownlinks: SettingsDownlinks | undefined;
  /**
   * McKey as McGroupSetupReq carries it to this device: 16 bytes; by this root key, or by the one
   * that the server knows.
   */
  wrapMcKey(mcKey: Uint8Array, rootKey?: Uint8Array): Uint8Array;
  /** MIC of a data block for this device, unsigned 32 bits; by the same keys. */
  blockMic(signed: BlockToSign, rootKey?: Uint8Array): number;
}

/** A fault that is on: something has failed, weakens all links, or drowns what is received. */
export interface FaultView {
  readonly fault: 'backhaul' | 'delay' | 'radio' | 'attenuation' | 'noise' | 'power' | 'loss';
  /** Virtual time, µs. */
  readonly sinceUs: number;
  /** How strong it is, 1/100 dB; 0 of what has no strength. */
  readonly centiDb: number;
  /** Of noise on one channel alone: its frequency. */
  readonly frequencyHz?: number;
  /** Of a delay of the backhaul: what it adds, µs. */
  readonly delayUs?: number;
  /** Of a loss of frames: their share, parts per million. */
  readonly lossPpm?: number;
}

/** A downlink that no frame carries yet, or a confirmed one that may be tried again. */
export interface WaitingDownlink {
  readonly id: number;
  readonly sender: Sender['kind'];
  readonly fPort: number;
  readonly payload: Uint8Array;
  readonly confirmed: boolean;
}

/** That a gateway has heard a device. */
export interface Reception {
  readonly gatewayEui: string;
  /**
   * Estimated level at the device of that gateway's frames on the multicast channel, 1/100 dBm.
   */
  readonly downlinkCentiDbm: number;
}

/** A handle of one gateway in service, for the instant in which it was asked for. */
export interface GatewayView extends Place {
  readonly eui: string;
  readonly name: string;
  /** What it was put up with. */
  readonly hardware: GatewayHardware;
  /** It has GPS time: frames in ping slots can go through it. */
  readonly gps: boolean;
  /** No fault of the backhaul is on, and since when it is as it is, µs. */
  readonly backhaulUp: boolean;
  readonly backhaulSinceUs: number;
  /** No fault of the radio is on, and since when it is as it is, µs. */
  readonly radioUp: boolean;
  readonly radioSinceUs: number;
  /** Faults that are on, these two and what weakens its links. */
  readonly faults: readonly FaultView[];
  /**
   * The latest status that had got through by this instant, µs; null before the first. A gateway
   * sends one every 30 s; each may be lost on the backhaul. An instant after now is answered as if
   * no fault began or ended.
   */
  lastStatusAtUs(nowUs: number): number | null;
  /** The first one after an instant that gets through by `untilUs`; null when none does. */
  nextStatusAtUs(afterUs: number, untilUs: number): number | null;
  /** When it was put up, or moved last, µs. */
  readonly putUpAtUs: number;
  /**
   * The first and the latest status after one instant and up to another that the backhaul did not
   * lose by chance, whatever faults there were; null when there is none. Between the two instants
   * it has not moved.
   */
  firstSentUs(afterUs: number, untilUs: number): number | null;
  latestSentUs(afterUs: number, untilUs: number): number | null;
  /** Share of an hour that it may send on this frequency, 0…1; 1 where it keeps no duty cycle. */
  dutyCycle(frequencyHz: number): number;
  /**
   * Share of its air time on this frequency that it has used or promised in the hour until now,
   * 0…1; 0 where it keeps no duty cycle.
   */
  budgetUsed(frequencyHz: number, nowUs: number): number;
}

export interface DataRateView {
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  /** Most FRMPayload bytes without FOpts. */
  readonly maxFrmPayload: number;
  /** Weakest level that a device demodulates, 1/100 dBm. */
  readonly deviceSensitivityCentiDbm: number;
}
