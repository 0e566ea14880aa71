/**
 * Application downlinks in words that network and platform share: whose one is, and what there is
 * to tell of it.
 */
import { GATEWAY_REFUSALS, PLAN_REFUSALS } from '../base/counts.ts';
import type { DownlinkWindow } from './frames.ts';

/** Kinds of those who ask for a downlink. */
export const SENDER_KINDS = ['application', 'campaign', 'job', 'rollout'] as const;

/** Whose a downlink is: the network reports it back, and clears by it. */
export interface Sender {
  readonly kind: (typeof SENDER_KINDS)[number];
  /** Of the campaign, job or rollout; '' of the application. */
  readonly id: string;
}

export const isSameSender = (a: Sender, b: Sender): boolean => a.kind === b.kind && a.id === b.id;

/** Why a downlink is not sent, or not sent again. */
const DOWNLINK_DROPS = [
  /** Its sender has cleared it. */
  'cleared',
  'deviceRemoved',
  /** A confirmed one that was sent as often as it may be. */
  'neverAcknowledged',
  /** As they are counted. An unconfirmed one that no gateway can send waits instead. */
  ...PLAN_REFUSALS,
  ...GATEWAY_REFUSALS,
] as const;
export type DownlinkDrop = (typeof DOWNLINK_DROPS)[number];

/** What became of a downlink. After its end nothing is reported but an answer to what was sent. */
export type DownlinkFateNews =
  /** It waits; no gateway in service has ever taken in an uplink of the device. */
  | { readonly kind: 'unheard' }
  /** It goes to a gateway: once a try, and again when a refusal leaves RX2. */
  | {
      readonly kind: 'planned';
      /** Of any subscriber's gateway, here and below: who reports a subscriber leaves it out. */
      readonly gatewayEui: string;
      /** Not `multicast`. */
      readonly window: DownlinkWindow;
      /** Beginning of the frame, µs. */
      readonly startsAtUs: number;
    }
  /** It is on the air from now on: once a try. The end of one that is not confirmed. */
  | { readonly kind: 'sent'; readonly gatewayEui: string }
  /** The end of a confirmed one. */
  | { readonly kind: 'acknowledged' }
  /**
   * The first accepted uplink of the device that ended after the first try began; fPort is −1
   * when it had none. Reported of the device's latest 64 that were sent.
   */
  | { readonly kind: 'answered'; readonly fCnt: number; readonly fPort: number }
  /** The end of one that is not sent, or not sent again. */
  | { readonly kind: 'dropped'; readonly reason: DownlinkDrop };

/** News of an application downlink. */
export interface DownlinkNews {
  /** From 1, unique in the world. */
  readonly id: number;
  readonly sender: Sender;
  readonly devEui: string;
  readonly what: DownlinkFateNews;
}

/**
 * Whether an application may use a port: LoRaWAN leaves 1…223 to it, 224 is for tests. 225 is one
 * of those reserved by the LoRa Alliance, and the management interface offers it.
 */
export const isApplicationFPort = (fPort: number): boolean =>
  Number.isInteger(fPort) && ((fPort >= 1 && fPort <= 223) || fPort === 225);
