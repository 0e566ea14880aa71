/**
 * Effects: deliveries that leave a world, and their states inside it. `WorldOptions.effects`
 * receives them. It only observes the world; bodies are built for it alone.
 */
import type { Json } from '../../../sim/base/json.ts';
import type { TargetKind } from '../targets/kinds.ts';
import type { Matter } from './target.ts';

/** What every piece of news of a delivery has. */
interface AboutDelivery {
  /** Id of the delivery: that of the world and an ordinal from 1, the same at every attempt. */
  readonly id: string;
  /** Virtual time, µs. */
  readonly atUs: number;
  /** Whose it is. */
  readonly owner: string;
  /** Id of its target. */
  readonly target: string;
}

/** How a delivery ends. */
export const ENDS = [
  /** A receiver has answered 2xx. */
  'delivered',
  /** A receiver has refused it for good. */
  'refused',
  /** All eight attempts failed. */
  'failed',
  /** It has waited for too long, or behind too many. */
  'givenUp',
  /** No receiver of the world has its address: the listener delivers it. */
  'left',
  /** Its target was removed. */
  'removed',
] as const;
export type End = (typeof ENDS)[number];

export type Effect =
  /** A new delivery: its first effect. */
  | ({
      readonly kind: 'emitted';
      readonly to: { readonly kind: TargetKind; readonly address: string };
      readonly what: Matter;
      readonly body: Json;
    } & AboutDelivery)
  /** A simulated receiver has answered an attempt, or has not. */
  | ({
      readonly kind: 'attempted';
      /** From 1. */
      readonly attempt: number;
      /** Name of the receiver. */
      readonly receiver: string;
      readonly answer: number | 'timeout' | 'connection refused';
      /** When the next attempt is due, µs; absent: there is none. */
      readonly nextAtUs?: number;
      /** The target takes nothing any more: it is paused. */
      readonly disables?: true;
    } & AboutDelivery)
  | ({ readonly kind: 'ended'; readonly how: End } & AboutDelivery);

/** Who listens. */
export type Effects = (effect: Effect) => void;

/** Observes only: changes nothing in the world. */
export interface EffectsPort {
  /** Who listens to deliveries. */
  readonly effects: Effects | undefined;
}
