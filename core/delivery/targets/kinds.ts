/** The kinds of targets, a row each; what profiles, destinations and files have of them derives. */
import { assert } from '../../../sim/base/assert.ts';
import { CLOUD_A } from './cloud-a.ts';
import { CLOUD_B } from './cloud-b.ts';
import { MQTT } from './mqtt.ts';
import { WEBHOOK } from './webhook.ts';

/** In the order in which targets of a profile are delivered to. */
export const KINDS = { webhook: WEBHOOK, mqtt: MQTT, cloudA: CLOUD_A, cloudB: CLOUD_B } as const;

export type Kinds = typeof KINDS;
export type TargetKind = keyof Kinds;

/** How a target of any kind is reached. */
export type Route = ReturnType<Kinds[TargetKind]['entry']['route']>;
export type ArrayName = Kinds[TargetKind]['entry']['array'];
export type DestinationType = Kinds[TargetKind]['destination']['type'];

/** A way to a target, and whether it takes something. */
export interface Way {
  readonly route: Route;
  readonly enabled: boolean;
}

export const TARGET_KINDS = Object.keys(KINDS) as readonly TargetKind[];
export const ARRAY_NAMES: readonly ArrayName[] = TARGET_KINDS.map(
  (kind) => KINDS[kind].entry.array,
);
export const DESTINATION_TYPES: readonly DestinationType[] = TARGET_KINDS.map(
  (kind) => KINDS[kind].destination.type,
);

/** What each kind has, by the name of its array. */
export function byArray<T>(each: (kind: Kinds[TargetKind]['entry']) => T) {
  const all = TARGET_KINDS.map((kind) => [KINDS[kind].entry.array, each(KINDS[kind].entry)]);
  return Object.fromEntries(all) as Readonly<Record<ArrayName, T>>;
}

/** The same by the type of its destinations. */
export function byType<T>(each: (kind: Kinds[TargetKind]['destination']) => T) {
  const all = TARGET_KINDS.map((kind) => {
    const { destination } = KINDS[kind];
    return [destination.type, each(destination)];
  });
  return Object.fromEntries(all) as Readonly<Record<DestinationType, T>>;
}

/** The kind of the targets in an array, or of a type of destinations. */
export function kindOf(name: ArrayName | DestinationType): TargetKind {
  const kind = TARGET_KINDS.find(
    (one) => KINDS[one].entry.array === name || KINDS[one].destination.type === name,
  );
  assert(kind !== undefined, 'an array, and a type of destinations, is of one kind');
  return kind;
}
