/**
 * What may be requested of a network, a member each. Anyone who requests has decided before: the
 * network refuses nothing, and carries it out after all events of the instant
 * (`sim/network/requests.ts`, which has a row for each kind or does not compile).
 */

import type { GatewayFault } from '../base/gateway-fault.ts';
import type { StandingGroup } from '../base/standing-group.ts';
import type { Sender } from './downlinks.ts';
import type { AnswerRule, GatewayHardware, NewDevice, NewGateway, Place } from './things.ts';

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
  /** The server knows the root of its multicast keys from now on, or no longer. */
  | { readonly kind: 'device.rootKey'; readonly devEui: string; readonly known: boolean }
  | { readonly kind: 'device.remove'; readonly devEui: string }
  /** Its radio fails, or works again; the device does not know. */
  | { readonly kind: 'device.mute'; readonly devEui: string; readonly on: boolean }
  /** Something weakens all its links, both ways, by so much, 1/100 dB; 0: no longer. */
  | { readonly kind: 'device.weaken'; readonly devEui: string; readonly centiDb: number }
  /** It reboots once no message is in hand; one without a session does nothing. */
  | { readonly kind: 'device.reboot'; readonly devEui: string }
  /** Its power is cut, or returns. */
  | { readonly kind: 'device.power'; readonly devEui: string; readonly on: boolean }
  /** Share of its frames lost each way, parts per million; 0: only the losses of its type. */
  | { readonly kind: 'device.lose'; readonly devEui: string; readonly lossPpm: number }
  /** Its calendar jumps, whole µs. */
  | { readonly kind: 'device.stepClock'; readonly devEui: string; readonly byUs: number }
  /** A gateway goes into service. */
  | { readonly kind: 'gateway.create'; readonly gateway: NewGateway }
  /** As `device.change`; or other hardware takes the place of what it has. */
  | ({
      readonly kind: 'gateway.change';
      readonly eui: string;
      readonly hardware?: GatewayHardware;
    } & ThingChange)
  | { readonly kind: 'gateway.remove'; readonly eui: string }
  /** Its backhaul or its radio fails, or comes back; it was the other way before. */
  | {
      readonly kind: 'gateway.fault';
      readonly eui: string;
      readonly fault: GatewayFault;
      /** Whether it begins. */
      readonly on: boolean;
    }
  /** As `device.weaken`. */
  | { readonly kind: 'gateway.weaken'; readonly eui: string; readonly centiDb: number }
  /**
   * The noise at its receiver rises by so much, 1/100 dB, on one channel or on all of them; 0: it
   * is as it always was.
   */
  | {
      readonly kind: 'gateway.drown';
      readonly eui: string;
      readonly centiDb: number;
      readonly frequencyHz?: number;
    }
  /** Messages over its backhaul take so much longer, whole µs; 0: as long as ever. */
  | { readonly kind: 'gateway.slow'; readonly eui: string; readonly delayUs: number }
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
  /** A standing group exists on the server from now on: devices get its keys with their own. */
  | { readonly kind: 'group.open'; readonly group: StandingGroup }
  /** Server and members have another channel for it from now on. */
  | {
      readonly kind: 'group.retune';
      readonly mcAddr: number;
      readonly frequencyHz: number;
      readonly dataRate: number;
    }
  /** It is gone, and its members forget it. */
  | { readonly kind: 'group.close'; readonly mcAddr: number }
  /** A device gets its address and keys, and takes counters from `fCnt` on. */
  | {
      readonly kind: 'group.join';
      readonly mcAddr: number;
      readonly devEui: string;
      readonly fCnt: number;
    }
  | { readonly kind: 'group.leave'; readonly mcAddr: number; readonly devEui: string };

/** An application downlink as the network gets it (core/base/downlinks.ts). */
export interface DownlinkRequest extends NewDownlink {
  /** From 1, unique in the world, growing. */
  readonly id: number;
  readonly sender: Sender;
}

/** Fields of a downlink, given by its sender. */
export interface NewDownlink {
  readonly devEui: string;
  /** 1…223, 225. */
  readonly fPort: number;
  /** FRMPayload in clear. */
  readonly payload: Uint8Array;
  /** Whether the device is to acknowledge it; no when absent. */
  readonly confirmed?: boolean;
  /** Frames that are made of one that is confirmed, at most; 8 when absent. */
  readonly tries?: number;
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
