/**
 * The shape of every command: an HTTP call, a timeline entry and a replayed log line are the same
 * thing.
 */
import type { DevicePlan, GatewayPlan } from '../sim/network-plan.ts';

export type Command =
  | { readonly kind: 'device.create'; readonly device: DevicePlan }
  | { readonly kind: 'device.remove'; readonly devEui: string }
  | { readonly kind: 'gateway.create'; readonly gateway: GatewayPlan }
  | { readonly kind: 'gateway.remove'; readonly eui: string }
  /** One application downlink in the device's queue; `payloadHex` is the FRMPayload in clear. */
  | {
      readonly kind: 'downlink.enqueue';
      readonly devEui: string;
      /** 1…223. */
      readonly fPort: number;
      readonly payloadHex: string;
      readonly confirmed: boolean;
    };

/** A command with its stamp: it applies when no event ≤ atUs is pending. */
export interface TimedCommand {
  readonly atUs: number;
  readonly command: Command;
}
