/**
 * What a result holds of data delivery: deliveries by target, what the receivers of the world
 * really got, and alerts on gateways.
 */
import type { Counts } from '../../sim/base/counts.ts';

/** What becomes of a delivery: it has ended, or it is on its way. */
export const DELIVERY_FATES = [
  /** A receiver has answered 2xx. */
  'delivered',
  /** It is on its way, in line, or waits for another attempt. */
  'waiting',
  /** Its target is paused. */
  'paused',
  /** A receiver has refused it for good. */
  'refused',
  /** All eight attempts failed. */
  'failed',
  /** It has waited for too long, or behind too many. */
  'givenUp',
  /** No receiver of the world has its address. */
  'left',
  /** Its target was removed before. */
  'removed',
] as const;
export type DeliveryFate = (typeof DELIVERY_FATES)[number];

/** What the service knows of its deliveries. */
export interface DeliveryCounts {
  readonly emitted: number;
  /** emitted = the sum over these. */
  readonly fates: Counts<DeliveryFate>;
  /** Attempts at receivers of the world. */
  readonly attempts: number;
}

export interface DeliveriesResult extends DeliveryCounts {
  /** Targets that something was emitted for, in the order in which they were first. */
  readonly targets: readonly TargetResult[];
  /** Of all targets that were removed; with the targets these make up the sums. */
  readonly removedTargets: DeliveryCounts;
  readonly receivers: readonly ReceiverResult[];
}

export interface TargetResult extends DeliveryCounts {
  /** Whose it is; absent: the default subscriber's. */
  readonly subscriber?: string;
  /** What is delivered to it. */
  readonly matter: 'uplink' | 'gateway_connectivity';
  /** webhook, mqtt …: a name of core/delivery/targets/kinds.ts. */
  readonly kind: string;
  readonly address: string;
}

/** The truth about a simulated receiver, whatever the service believes. */
export interface ReceiverResult {
  readonly name: string;
  /** Whose targets it answers; absent: the default subscriber's. */
  readonly subscriber?: string;
  /** Addresses that it answers at. */
  readonly at: string;
  /** Requests that reached it. */
  readonly requests: number;
  /** Deliveries that it has, as often as it has them: received = distinct + duplicates. */
  readonly received: number;
  readonly distinct: number;
  readonly duplicates: number;
}

/** Alerts, and how often the gateways that they monitor went online or offline. */
export interface AlertsResult extends ChangeCounts {
  readonly alerts: readonly AlertResult[];
  /** Those too that no alert monitors any more: their changes make up the sums. */
  readonly gateways: readonly MonitoredGateway[];
}

/** As it is now. */
export interface AlertResult {
  readonly name: string;
  /** Whose it is; absent: the default subscriber's. */
  readonly subscriber?: string;
  readonly gateways: number;
  readonly destinations: number;
}

export interface MonitoredGateway extends ChangeCounts {
  readonly name: string;
  readonly eui: string;
}

interface ChangeCounts {
  /** Times that it went online or offline, as management has it. */
  readonly changes: number;
  /** What became of them: changes = the sum over these. */
  readonly fates: Counts<ChangeFate>;
}

/** What becomes of a change of a gateway's connectivity. */
export const CHANGE_FATES = [
  /** It lasted for 15 minutes: an event went to each destination. */
  'told',
  /** It was over before, or it ended one that was. */
  'notTold',
  /** It has not lasted for 15 minutes yet. */
  'waiting',
] as const;
export type ChangeFate = (typeof CHANGE_FATES)[number];
