/** Where things are delivered to, and what is delivered. */
import type { TargetKind } from '../targets/kinds.ts';

/** Where something goes. */
export interface Target {
  /** The subscriber whose it is. */
  readonly owner: string;
  /** Stable: DestinationId of a profile's entry, id of a destination. */
  readonly id: string;
  readonly kind: TargetKind;
  /** URL; of a broker or a hub its host, and what its owner adds, such as the topic. */
  readonly address: string;
  /** False: it is paused, and what is due waits. */
  readonly enabled: boolean;
}

export const MATTERS = ['uplink', 'gateway_connectivity'] as const;

/** What a delivery is about: who owns its target follows from that. */
export interface Matter {
  /** Uplinks go to targets of output profiles, connectivity to destinations. */
  readonly kind: (typeof MATTERS)[number];
  /** DevEUI or NodeId. */
  readonly about: string;
  /** Of uplinks; absent: there is none. */
  readonly fPort?: number;
}
