/**
 * Where core meets a network: what it requests, what it hears, what it may look at, and the figures
 * of a result. Plain words that name no type of the radio side.
 */
import type { Brand } from '../sim/base/brand.ts';
import type {
  BeaconFate,
  Counts,
  EnergyCause,
  NetworkCounts,
  UplinkFate,
} from '../sim/base/counts.ts';
import type { DownlinkNews, Sender } from '../sim/base/downlink-news.ts';
import type { FrameDown, FrameUp } from '../sim/base/frames.ts';
import type { GatewayFault } from '../sim/base/gateway-fault.ts';
import type { Hardware, NewDevice, NewGateway, Place } from './management/fields.ts';

export interface NetworkSummary {
  readonly counted: NetworkCounts;
  readonly gateways: readonly GatewaySummary[];
  readonly devices: readonly DeviceSummary[];
}

export interface GatewaySummary {
  readonly name: string;
  readonly eui: string;
  readonly xMeters: number;
  readonly yMeters: number;
  readonly fates: Counts<UplinkFate>;
  readonly downlinksSent: number;
  readonly airtimeUs: number;
  /** Time on air per sub-band name, µs. */
  readonly airtimeByBandUs: Readonly<Record<string, number>>;
}

export interface DeviceSummary {
  readonly name: string;
  readonly devEui: string;
  readonly type: string;
  readonly otaa: boolean;
  readonly active: boolean;
  readonly xMeters: number;
  readonly yMeters: number;
  /** From power-on to its first session, µs; null when it has not joined. */
  readonly joinUs: number | null;
  readonly joinRequests: number;
  readonly sent: number;
  readonly delivered: number;
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

// ── what the platform requests of the network ────────────────────────────────────────────────────

/** Whoever requests has decided before: the network cannot refuse. */
export type NetworkRequest =
  /** A device comes, registered and powered; it starts within its type's spread. */
  | { readonly kind: 'device.create'; readonly device: NewDevice }
  /** People call it by another name, or it stands at another place, or both. */
  | ({ readonly kind: 'device.change'; readonly devEui: string } & ThingChange)
  /** It becomes class A or C; one of class B does not. */
  | { readonly kind: 'device.class'; readonly devEui: string; readonly deviceClass: 'A' | 'C' }
  /** It answers application downlinks by these rules from now on; null: by those of its type. */
  | {
      readonly kind: 'device.behaviour';
      readonly devEui: string;
      readonly answers: readonly AnswerRule[] | null;
    }
  | { readonly kind: 'device.remove'; readonly devEui: string }
  /** A gateway goes into service. */
  | { readonly kind: 'gateway.create'; readonly gateway: NewGateway }
  /** As `device.change`. */
  | ({ readonly kind: 'gateway.change'; readonly eui: string } & ThingChange)
  | { readonly kind: 'gateway.remove'; readonly eui: string }
  /** Its backhaul or its radio fails, or comes back; it was the other way before. */
  | {
      readonly kind: 'gateway.fault';
      readonly eui: string;
      readonly fault: GatewayFault;
      /** Whether it begins. */
      readonly on: boolean;
    }
  /** Asks a device by whole MAC commands, with each downlink until they are answered. */
  | { readonly kind: 'mac.request'; readonly devEui: string; readonly commands: Uint8Array }
  /** Every uplink of a device is news from now on, or no longer. */
  | { readonly kind: 'watch'; readonly devEui: string; readonly on: boolean }
  /** One application downlink: class A at the next window, class C at once; first in, first out. */
  | ({ readonly kind: 'downlink' } & DownlinkRequest)
  /** Drops the sender's downlinks that wait for this device; what is on its way goes on. */
  | { readonly kind: 'clearDownlinks'; readonly devEui: string; readonly sender: Sender }
  /** A multicast group exists on the server from now on; its class C channel is fixed. */
  | {
      readonly kind: 'multicast.open';
      readonly group: MulticastGroup;
    }
  | { readonly kind: 'multicast.close'; readonly mcAddr: number }
  /** One copy of a multicast frame by one gateway; copies of a frame share the counter. */
  | {
      readonly kind: 'multicast.send';
      readonly mcAddr: number;
      readonly gatewayEui: string;
      /** 32-bit group counter. */
      readonly fCnt: number;
      readonly fPort: number;
      readonly payload: Uint8Array;
      /** Start of the frame, µs; at least `LEAD_US` from now. */
      readonly startsAtUs: number;
    }
  /** The platform's timer is due at this time, in place of an earlier appointment of it. */
  | { readonly kind: 'wakeAt'; readonly timer: number; readonly atUs: number }
  | { readonly kind: 'wakeNever'; readonly timer: number };

/** What a device answers to an application downlink, where each word that is absent fits any. */
export interface AnswerRule {
  /** FPort, and whole payload in upper-case hexadecimal, of what it answers. */
  readonly onFPort?: number;
  readonly onHex?: string;
  /** FPort and payload of the answer; those of the downlink when absent. */
  readonly sendFPort?: number;
  readonly sendHex?: string;
  /** By itself so long after the downlink, µs; absent: with the next message of its own. */
  readonly delayUs?: number;
}

/** An application downlink as the network gets it (core/base/downlinks.ts). */
export interface DownlinkRequest extends NewDownlink {
  /** From 1, unique in the world, growing. */
  readonly id: number;
  readonly sender: Sender;
}

/** What whoever sends a downlink says of it. */
export interface NewDownlink {
  readonly devEui: string;
  /** 1…223, 225. */
  readonly fPort: number;
  /** FRMPayload in clear. */
  readonly payload: Uint8Array;
  /** Whether the device is to acknowledge it; no when absent. */
  readonly confirmed?: boolean;
  /** It does not go out before this instant, µs, but lets others pass; at once when absent. */
  readonly notBeforeUs?: number;
}

/** What changes of a device or gateway. */
export interface ThingChange {
  readonly name?: string;
  readonly place?: Place;
}

/** A requested multicast frame must start at least this long after the request, µs. */
export const MULTICAST_LEAD_US = 1_000_000;

export interface MulticastGroup {
  /** Unsigned 32 bits. */
  readonly mcAddr: number;
  /** 16 bytes. */
  readonly mcKey: Uint8Array;
  readonly frequencyHz: number;
  readonly dataRate: number;
}

/** What there is to tell once a request is granted. */
export function newsOf(request: NetworkRequest): News | undefined {
  switch (request.kind) {
    case 'device.create':
      return { kind: 'deviceCreated', devEui: request.device.devEui };
    case 'device.change':
    case 'device.class':
      return { kind: 'deviceChanged', devEui: request.devEui };
    case 'device.remove':
      return { kind: 'deviceRemoved', devEui: request.devEui };
    case 'gateway.create':
      return { kind: 'gatewayCreated', eui: request.gateway.eui };
    case 'gateway.change':
      return { kind: 'gatewayChanged', eui: request.eui };
    case 'gateway.remove':
      return { kind: 'gatewayRemoved', eui: request.eui };
    case 'gateway.fault': {
      const { eui, fault, on } = request;
      return { kind: 'gatewayState', eui, fault, on };
    }
    default:
      return undefined;
  }
}

// ── what the platform hears of the network ───────────────────────────────────────────────────────

/** What happened in the network, or to something of it. */
export type News =
  | { readonly kind: 'uplink'; readonly uplink: ReceivedUplink }
  | { readonly kind: 'multicast'; readonly status: MulticastTxStatus }
  /** What became of a downlink that a resource has sent: who is not its sender leaves it alone. */
  | ({ readonly kind: 'downlink' } & DownlinkNews)
  /** A join or rejoin was accepted: the device is answered with a session, heard or not. */
  | { readonly kind: 'joined'; readonly devEui: string }
  /**
   * A device's uplink was taken in, whatever the verdict; it comes after `joined`, `deviceStatus`
   * and `uplink` of the same frame. Every frame of the network is one piece of these news.
   */
  | { readonly kind: 'frameUp'; readonly frame: FrameUp }
  /**
   * A downlink of the network has begun, or is not sent. It is its device's; a copy of a multicast
   * frame is its gateway's. One to a device that was removed meanwhile is nobody's, and not told.
   */
  | { readonly kind: 'frameDown'; readonly frame: FrameDown }
  /**
   * A device has answered DevStatusReq: `battery` 0 is external power, 1…254 its level, 255 not
   * known; `marginDb` is the SNR of that request above what it needs, −32…31 dB (LoRaWAN 1.0.4
   * §5.5).
   */
  | {
      readonly kind: 'deviceStatus';
      readonly devEui: string;
      readonly battery: number;
      readonly marginDb: number;
    }
  /** The view knows it from now on. */
  | { readonly kind: 'deviceCreated'; readonly devEui: string }
  | { readonly kind: 'deviceChanged'; readonly devEui: string }
  /** The view does not know it any more. */
  | { readonly kind: 'deviceRemoved'; readonly devEui: string }
  | { readonly kind: 'gatewayCreated'; readonly eui: string }
  | { readonly kind: 'gatewayChanged'; readonly eui: string }
  | { readonly kind: 'gatewayRemoved'; readonly eui: string }
  /** A fault of a gateway began or ended. What statuses tell follows later, and is no news. */
  | {
      readonly kind: 'gatewayState';
      readonly eui: string;
      readonly fault: GatewayFault;
      /** Whether it began. */
      readonly on: boolean;
    };

/** The device or gateway that news are about; undefined: neither. */
export function thingOf(news: News): readonly ['device' | 'gateway', string] | undefined {
  switch (news.kind) {
    case 'multicast':
      return undefined;
    case 'uplink':
      return ['device', news.uplink.devEui];
    case 'frameUp':
      return ['device', news.frame.devEui];
    case 'frameDown': {
      const { devEui, sending } = news.frame;
      if (devEui !== null) return ['device', devEui];
      return sending === null ? undefined : ['gateway', sending.gatewayEui];
    }
    default:
      return 'devEui' in news ? ['device', news.devEui] : ['gateway', news.eui];
  }
}

/**
 * Packages whose uplinks the platform may hear of every device: versions (TS006), and reports of a
 * block that is whole (TS004-2.0.0, FragDataBlockReceivedReq), of devices that speak that version.
 */
export type HeardPackage = 'firmwareManagement' | 'fragmentation';

/** An accepted uplink of a watched device, or on a port that a resource hears of every device. */
export interface ReceivedUplink {
  readonly devEui: string;
  /** When the server had gathered it, µs: now. */
  readonly atUs: number;
  /** When its transmission ended, µs. */
  readonly endedAtUs: number;
  readonly fCnt: number;
  /** −1 when it carried no FPort. */
  readonly fPort: number;
  /** FRMPayload in clear. */
  readonly payload: Uint8Array;
  readonly dataRate: number;
}

/** What became of a requested multicast frame at a gateway; reported once per request. */
export interface MulticastTxStatus {
  readonly mcAddr: number;
  readonly gatewayEui: string;
  readonly fCnt: number;
  readonly outcome: /** It is on the air from now on. */
    | { readonly kind: 'sent' }
    /** The sub-band has no air time left before this instant. */
    | { readonly kind: 'noBudget'; readonly notBeforeUs: number }
    /**
     * The gateway or the backhaul did not take it (collision, tooLate, backhaulLoss, gatewayGone),
     * or the sub-band's whole budget is too small for it (neverBudget).
     */
    | { readonly kind: 'refused'; readonly reason: string };
}

// ── what the platform may ask ────────────────────────────────────────────────────────────────────

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
  /** How many device types the world has. */
  readonly deviceTypes: number;
  /** LoRa data rates of the region by index; undefined where there is none. */
  dataRate(index: number): DataRateView | undefined;
  /** Time on air of a downlink PHYPayload, µs. */
  downlinkAirtimeUs(dataRate: number, phyBytes: number): number;
  /** Share of an hour that the region lets a gateway send on this frequency, 0…1. */
  dutyCycle(frequencyHz: number): number;
  /** Whether the channel of a data rate around this frequency lies in one sub-band. */
  mayCarry(frequencyHz: number, dataRate: number): boolean;
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
  /** All in the network. */
  devices(): readonly DeviceView[];
  /** All in service. */
  gateways(): readonly GatewayView[];
}

/** The view of one subscriber: what resources get. Only `ownView` makes it. */
export type OwnView = Brand<NetworkView, 'OwnView'>;

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
 * A handle of one device, for the instant in which it was asked for: it is not kept. Every member
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
    readonly activation: 'otaa' | 'abp';
  };
  readonly deviceClass: 'A' | 'C';
  /**
   * It is of class B by its profile, but its latest uplink had no ClassB bit: it has heard no
   * beacon for 120 minutes (LoRaWAN 1.0.4 §10.1).
   */
  readonly lacksBeacon: boolean;
  /** Whether the server knows the root of its multicast keys: the operator's own products. */
  readonly rootKeyKnown: boolean;
  /** Has a session. */
  readonly active: boolean;
  /** End of its latest uplink, µs; −1 before the first. */
  readonly lastUplinkAtUs: number;
  readonly dataRate: number;
  /** Gateways that heard its latest uplinks, best first; sorted at each look, so look once. */
  readonly heardBy: readonly Reception[];
  /** Its application packages, as its profile has them. */
  readonly packages: PackagesView;
  /**
   * Application downlinks that wait for it, whoever sent them: a confirmed one that was tried, then
   * those that are due as they came, then the others by the instant when they fall due.
   */
  readonly waitingDownlinks: readonly WaitingDownlink[];
  /** The rules that it answers by, and whether they are those of its type. */
  readonly answers: readonly AnswerRule[];
  readonly answersOfType: boolean;
  /**
   * McKey as McGroupSetupReq carries it to this device: 16 bytes; by this root key, or by the one
   * that the server knows.
   */
  wrapMcKey(mcKey: Uint8Array, rootKey?: Uint8Array): Uint8Array;
  /** MIC of a data block for this device, unsigned 32 bits; by the same keys. */
  blockMic(signed: BlockToSign, rootKey?: Uint8Array): number;
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
  readonly hardware: Hardware;
  /** It has GPS time: frames in ping slots can go through it. */
  readonly gps: boolean;
  /** No fault of the backhaul is on, and since when it is as it is, µs. */
  readonly backhaulUp: boolean;
  readonly backhaulSinceUs: number;
  /** No fault of the radio is on, and since when it is as it is, µs. */
  readonly radioUp: boolean;
  readonly radioSinceUs: number;
  /**
   * The latest status that had got through by this instant, µs; null before the first. A gateway
   * sends one every 30 s; each may be lost on the backhaul. An instant after now is answered as if
   * no fault began or ended.
   */
  lastStatusAtUs(nowUs: number): number | null;
  /** The first one after an instant that gets through by `untilUs`; null when none does. */
  nextStatusAtUs(afterUs: number, untilUs: number): number | null;
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
