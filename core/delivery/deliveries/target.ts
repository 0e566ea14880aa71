/** Where things are delivered to, and what is delivered. */
import { assert } from '../../../sim/base/assert.ts';

/**
 * Kinds of targets: the array of an output profile that has them, and the type of an output
 * destination that is one. The compiler asks for all parts of a new kind: its rows in both places,
 * its route, its sender.
 */
const TARGETS = {
  webhook: { array: 'RestParams', destination: 'webhook' },
  mqtt: { array: 'MqttParams', destination: 'mqtt' },
  cloudA: { array: 'CloudAParams', destination: 'cloud_a_iot_core' },
  cloudB: { array: 'CloudBParams', destination: 'cloud_b_iot_hub' },
} as const;

export type TargetKind = keyof typeof TARGETS;
export type ArrayName = (typeof TARGETS)[TargetKind]['array'];
export type DestinationType = (typeof TARGETS)[TargetKind]['destination'];

export const TARGET_KINDS = Object.keys(TARGETS) as TargetKind[];
/** Names of the arrays, in the order in which their targets are delivered to. */
export const ARRAY_NAMES: readonly ArrayName[] = TARGET_KINDS.map((kind) => TARGETS[kind].array);
export const DESTINATION_TYPES: readonly DestinationType[] = TARGET_KINDS.map(
  (kind) => TARGETS[kind].destination,
);

/** The kind of the targets in an array, or of a type of destinations. */
export function kindOf(name: ArrayName | DestinationType): TargetKind {
  const kind = TARGET_KINDS.find(
    (one) => TARGETS[one].array === name || TARGETS[one].destination === name,
  );
  assert(kind !== undefined, 'an array, and a type of destinations, is of one kind');
  return kind;
}

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
