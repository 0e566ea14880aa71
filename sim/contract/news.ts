/** What the platform hears of a network, in plain words that name no type of the radio side. */

import type { GatewayFault } from '../base/gateway-fault.ts';
import type { DownlinkNews } from './downlinks.ts';
import type { FrameDown, FrameUp } from './frames.ts';

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
   * frame is its gateway's. One to a device that was removed meanwhile is nobody's, and not
   * reported.
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
  /** Frame event, present if a listener needs it for deliveries. */
  readonly frame?: FrameUp;
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
