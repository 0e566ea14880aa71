/**
 * The trace: rows on all that happens on the air, complete enough to judge every law of the air
 * without the simulator. Times are µs since the world's start, levels 1/100 dBm. `frame` counts a
 * transmitter's transmissions from 0. Devices and gateways are named.
 */
import type {
  BeaconFate,
  DeviceFailure,
  DownlinkFate,
  EnergyCause,
  GatewayRefusal,
  MulticastFate,
  UplinkFate,
} from '../base/counts.ts';
import type { DeviceSettings } from '../base/device-settings.ts';
import type { GatewayFault } from '../base/gateway-fault.ts';
import type { UplinkVerdict } from '../contract/frames.ts';
import type { AnswerRule } from '../plan/answer-rules.ts';

/** Receives every row as it happens; an observer changes nothing. Without one, no row is made. */
export interface Observer {
  trace(row: TraceRow): void;
  /**
   * Whether the frequent rows of this device are wanted, by its name; absent: those of all devices
   * are. Other rows come anyway.
   */
  watches?(device: string): boolean;
}

export type TraceRow =
  | DeviceStarts
  | UplinkBegins
  | UplinkEnds
  | ReceiveWindows
  | UplinkCollected
  | DownlinkPlanned
  | DownlinkRefused
  | DownlinkBegins
  | DownlinkEnds
  | DeviceReceives
  | DeviceRemoved
  | DeviceDies
  | DeviceSwitchesClass
  | DeviceBehaves
  | SettingsTaken
  | SettingsIgnored
  | GatewayStarts
  | GatewayRemoved
  | GatewayFails
  | DeviceFails
  | DeviceReboots
  | DevicePower
  | DeviceLoses
  | DeviceClockSteps
  | MulticastSessionOpens
  | MulticastSessionCloses
  | FragmentationSessionBegins
  | FragmentationSessionEnds
  | MulticastDecided
  | FragmentTaken
  | UpdateFailure
  | ImageActivated
  | BeaconDecided
  | DeviceListens
  | EnergyDrawn;

export interface DeviceStarts {
  readonly kind: 'deviceStarts';
  readonly atUs: number;
  readonly device: string;
  readonly devEui: string;
  /** When it is switched on; it comes into the network before. */
  readonly powerOnAtUs: number;
  /** Parts per billion by which its clock runs fast. */
  readonly driftPpb: number;
  /** Parts per billion a year by which that changes; absent where it does not. */
  readonly ageingPpb?: number;
  readonly activation: 'otaa' | 'abp';
  /** 32 hexadecimal digits. */
  readonly appKey: string;
  /** Root key of joins of LoRaWAN 1.1, 32 hexadecimal digits; absent in 1.0. */
  readonly nwkKey?: string;
}

export interface RadioSignal {
  readonly frequencyHz: number;
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
  /** Radiated power, EIRP. */
  readonly eirpCentiDbm: number;
  readonly airtimeUs: number;
  /** PHYPayload bytes. */
  readonly phyBytes: number;
}

export interface UplinkBegins extends RadioSignal {
  readonly kind: 'uplinkBegins';
  readonly atUs: number;
  readonly device: string;
  readonly frame: number;
  readonly purpose: 'join' | 'data' | 'rejoin';
  /** DevNonce of a join request, RJcount of a rejoin request, FCntUp of a data frame. */
  readonly counter: number;
  /** 1 for the first transmission of a message, then 2, 3 … */
  readonly attempt: number;
  readonly confirmed: boolean;
  /** Lower-case hexadecimal PHYPayload as it stands on air in this frame mode. */
  readonly phyPayload: string;
  /** Index of the channel, which the MIC of LoRaWAN 1.1 covers; absent in 1.0 sessions. */
  readonly channel?: number;
  /** Session keys in force; absent before the join. */
  readonly keys?: SessionKeysRow;
}

/** Hexadecimal, in either frame mode. */
export interface SessionKeysRow {
  readonly nwkSKey: string;
  readonly appSKey: string;
  /** In a session of LoRaWAN 1.1, where nwkSKey is FNwkSIntKey. */
  readonly sNwkSIntKey?: string;
  readonly nwkSEncKey?: string;
}

export interface UplinkEnds {
  readonly kind: 'uplinkEnds';
  readonly atUs: number;
  readonly device: string;
  readonly frame: number;
  /** One entry for every gateway in the device's link list. */
  readonly gateways: readonly {
    readonly gateway: string;
    readonly rssiCentiDbm: number;
    readonly fate: UplinkFate;
  }[];
}

/**
 * The two windows after an uplink, as true times; a window may be stretched by a frame it caught.
 */
export interface ReceiveWindows {
  readonly kind: 'receiveWindows';
  readonly atUs: number;
  readonly device: string;
  readonly frame: number;
  readonly purpose: 'join' | 'data';
  readonly rx1: WindowRow;
  readonly rx2: WindowRow;
}

export interface WindowRow {
  readonly opensAtUs: number;
  readonly closesAtUs: number;
  readonly frequencyHz: number;
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
}

export interface UplinkCollected {
  readonly kind: 'uplinkCollected';
  readonly atUs: number;
  readonly device: string;
  readonly frame: number;
  readonly copies: number;
  readonly verdict: UplinkVerdict;
}

export interface DownlinkPlanned extends RadioSignal {
  readonly kind: 'downlinkPlanned';
  readonly atUs: number;
  readonly gateway: string;
  /** Number of the downlink at its gateway, from 0. */
  readonly downlink: number;
  /** Of the device it is meant for; empty for multicast and beacons. */
  readonly devEui: string;
  /** 0 for class B, class C, multicast and beacons. */
  readonly window: 0 | 1 | 2;
  /** It goes out in a ping slot of the device. */
  readonly pingSlot?: boolean;
  readonly purpose: 'join' | 'data' | 'multicast' | 'beacon';
  readonly startsAtUs: number;
  /** FCntDown of a data frame, JoinNonce of a join accept, a group's or a beacon's number. */
  readonly counter: number;
  readonly phyPayload: string;
  /** Keys of the device's session or of the group; absent with a join accept. */
  readonly keys?: SessionKeysRow;
}

export interface DownlinkRefused {
  readonly kind: 'downlinkRefused';
  readonly atUs: number;
  readonly gateway: string;
  readonly downlink: number;
  readonly reason: GatewayRefusal;
}

export interface DownlinkBegins extends RadioSignal {
  readonly kind: 'downlinkBegins';
  readonly atUs: number;
  readonly gateway: string;
  readonly downlink: number;
}

export interface DownlinkEnds {
  readonly kind: 'downlinkEnds';
  readonly atUs: number;
  readonly gateway: string;
  readonly downlink: number;
  /** Devices whose open window locked on it. */
  readonly devices: readonly {
    readonly device: string;
    readonly rssiCentiDbm: number;
    readonly fate: DownlinkFate;
  }[];
}

/** A device accepted a frame: address, MIC and counter are good. */
export interface DeviceReceives {
  readonly kind: 'deviceReceives';
  readonly atUs: number;
  readonly device: string;
  readonly purpose: 'join' | 'data';
  /** The counter is AFCntDown (LoRaWAN 1.1). */
  readonly ofApplication?: true;
  /** JoinNonce of a join accept, FCntDown of a data frame. */
  readonly counter: number;
  readonly acknowledges: boolean;
}

export interface DeviceRemoved {
  readonly kind: 'deviceRemoved';
  readonly atUs: number;
  readonly device: string;
}

/** A device found its battery empty: it neither sends nor listens any more. */
export interface DeviceDies {
  readonly kind: 'deviceDies';
  readonly atUs: number;
  readonly device: string;
}

/** A device is of another class from now on, after all other events of this instant. */
export interface DeviceSwitchesClass {
  readonly kind: 'deviceSwitchesClass';
  readonly atUs: number;
  readonly device: string;
  readonly to: 'A' | 'C';
}

/** A device has other answer rules from now on, or with null those of its type again. */
export interface DeviceBehaves {
  readonly kind: 'deviceBehaves';
  readonly atUs: number;
  readonly device: string;
  readonly answers: readonly AnswerRule[] | null;
}

/** A device is set so from now on, by a downlink that it took. */
export interface SettingsTaken {
  readonly kind: 'settingsTaken';
  readonly atUs: number;
  readonly device: string;
  readonly settings: DeviceSettings;
}

/** A device ignored a downlink on the port of its settings: it changes nothing. */
export interface SettingsIgnored {
  readonly kind: 'settingsIgnored';
  readonly atUs: number;
  readonly device: string;
}

/** A gateway goes into service; frames that are on the air already do not reach it. */
export interface GatewayStarts {
  readonly kind: 'gatewayStarts';
  readonly atUs: number;
  readonly gateway: string;
  readonly eui: string;
}

/**
 * A gateway goes out of service: it receives nothing from now on, and what it is sending is its
 * last frame. Its name may come back, and then counts its downlinks anew.
 */
export interface GatewayRemoved {
  readonly kind: 'gatewayRemoved';
  readonly atUs: number;
  readonly gateway: string;
}

/** A fault of a gateway begins or ends, after all other events of this instant. */
export interface GatewayFails {
  readonly kind: 'gatewayFault';
  readonly atUs: number;
  readonly gateway: string;
  readonly fault: GatewayFault | 'delay' | 'attenuation' | 'noise';
  /** Whether it begins; one that has a strength may begin anew, with another. */
  readonly on: boolean;
  /** How strong an attenuation or noise is that begins, 1/100 dB. */
  readonly centiDb?: number;
  /** Of noise on one channel alone: its frequency. */
  readonly frequencyHz?: number;
  /** What a delay adds that begins, µs. */
  readonly delayUs?: number;
}

/** The same of a device: its radio fails, or something weakens its links. */
export interface DeviceFails {
  readonly kind: 'deviceFault';
  readonly atUs: number;
  readonly device: string;
  readonly fault: 'radio' | 'attenuation';
  readonly on: boolean;
  readonly centiDb?: number;
}

/** The power of a device is off from now on, or on again, after all else of this instant. */
export interface DevicePower {
  readonly kind: 'devicePower';
  readonly atUs: number;
  readonly device: string;
  readonly on: boolean;
}

/** Sets the share of a device's frames lost in addition to the losses of its type. */
export interface DeviceLoses {
  readonly kind: 'deviceLoses';
  readonly atUs: number;
  readonly device: string;
  readonly lossPpm: number;
}

/** The calendar of a device jumps, after all other events of this instant. */
export interface DeviceClockSteps {
  readonly kind: 'deviceClockSteps';
  readonly atUs: number;
  readonly device: string;
  readonly byUs: number;
}

/** A device is to reboot by command, once no message is in hand. */
export interface DeviceReboots {
  readonly kind: 'deviceReboots';
  readonly atUs: number;
  readonly device: string;
}

/** A device listens to its group from now on, by its own clock and the session's length. */
export interface MulticastSessionOpens {
  readonly kind: 'multicastSessionOpens';
  readonly atUs: number;
  readonly device: string;
  /** Unsigned 32 bits. */
  readonly mcAddr: number;
  /**
   * 0…3, and from 8 on those of standing groups; of open sessions on different channels the lowest
   * has the radio.
   */
  readonly mcGroupId: number;
  readonly opensAtUs: number;
  /** It listens until then, unless something ends the session before. */
  readonly closesAtUs: number;
  /** A class B session: it listens in ping slots of the group only, from … until true time. */
  readonly slots?: {
    readonly periodicity: number;
    readonly fromUs: number;
    readonly untilUs: number;
  };
  readonly frequencyHz: number;
  readonly spreadingFactor: number;
  readonly bandwidthHz: number;
}

export interface MulticastSessionCloses {
  readonly kind: 'multicastSessionCloses';
  readonly atUs: number;
  readonly device: string;
  readonly mcAddr: number;
}

/** A device receives a block from now on; what it had at this index is forgotten. */
export interface FragmentationSessionBegins {
  readonly kind: 'fragmentationSessionBegins';
  readonly atUs: number;
  readonly device: string;
  readonly fragIndex: number;
  readonly mcGroupBitMask: number;
  readonly nbFrag: number;
  readonly fragSize: number;
}

export interface FragmentationSessionEnds {
  readonly kind: 'fragmentationSessionEnds';
  readonly atUs: number;
  readonly device: string;
  readonly fragIndex: number;
}

/**
 * What became of a group's frame at a device whose session was open; found out later than it
 * happened. Copies that overlap in time are one row.
 */
export interface MulticastDecided {
  readonly kind: 'multicastDecided';
  readonly atUs: number;
  readonly device: string;
  readonly mcAddr: number;
  /** Lower 16 bits of the group's counter. */
  readonly fCnt: number;
  /** End of the frame, of the last copy. */
  readonly endedAtUs: number;
  /** `heard`, or why not. */
  readonly fate: MulticastFate;
}

/** A fragment that a device did not have before. */
export interface FragmentTaken {
  readonly kind: 'fragmentTaken';
  readonly atUs: number;
  readonly device: string;
  readonly fragIndex: number;
  readonly fragmentNumber: number;
  /** When the frame that brought it ended. */
  readonly receivedAtUs: number;
  /** With it the block can be rebuilt. */
  readonly completes: boolean;
}

/** A device fails in an update, as a model of its type has it; found out later than it happened. */
export interface UpdateFailure {
  readonly kind: 'updateFailure';
  readonly atUs: number;
  readonly device: string;
  readonly failure: DeviceFailure;
  readonly failedAtUs: number;
}

/** A device has rebooted into a new image. */
export interface ImageActivated {
  readonly kind: 'imageActivated';
  readonly atUs: number;
  readonly device: string;
  readonly fwVersion: number;
}

/**
 * What became of a beacon at a device that looked for it; found out later than it happened.
 */
export interface BeaconDecided {
  readonly kind: 'beaconDecided';
  readonly atUs: number;
  readonly device: string;
  /** GPS time / 128 s. */
  readonly beacon: number;
  readonly beganAtUs: number;
  /** `heard`, or why not. */
  readonly fate: BeaconFate;
}

/**
 * What the radio of a device whose energy is counted does from an instant on, while it neither
 * sends nor has a receive window open; found out later than it happened.
 */
export interface DeviceListens {
  readonly kind: 'deviceListens';
  readonly atUs: number;
  readonly device: string;
  /** What the row before said held until then. */
  readonly fromUs: number;
  /** It listens without a break for class C, a multicast session or its first beacon, or sleeps. */
  readonly to: 'sleep' | 'classC' | 'multicast' | 'beacon';
  /** It sleeps until then. */
  readonly sinceUs: number;
  /** Share of its sleep for which it opens windows in ping slots, parts per billion. */
  readonly slotPpb: number;
  /** That of them of sessions for updates. */
  readonly sessionPpb: number;
  /** It looks for beacons that begin from then on, each for this long; absent when for none. */
  readonly beacons?: { readonly fromUs: number; readonly airtimeUs: number };
}

/** What a device whose energy is counted has drawn from its supply since it was switched on. */
export interface EnergyDrawn {
  readonly kind: 'energyDrawn';
  readonly atUs: number;
  readonly device: string;
  /** J by cause. */
  readonly joules: Readonly<Record<EnergyCause, number>>;
}
