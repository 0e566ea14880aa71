/**
 * What a result holds of device configurations: what devices really are set to, and what the
 * platform believes.
 */
import type { Counts } from '../../sim/base/counts.ts';
import type { Percentiles } from './percentiles.ts';

/** What the platform believes of a rollout. */
export const ROLLOUT_STATUSES = [
  'pending',
  'in_progress',
  'applied',
  'failed',
  'cancelled',
] as const;
export type RolloutStatus = (typeof ROLLOUT_STATUSES)[number];

/** Why a rollout of a configuration fails. */
export const CONFIGURATION_FAILURES = [
  /** None of the tries of a fragment went on the air. */
  'not sent',
  /** The device took in none, or its acknowledgement did not come. */
  'not acknowledged',
  /** It was acknowledged, and the device did not repeat the configuration. */
  'not echoed',
  /** It was sent as often as it may be, and the device has not reported it. */
  'not reported',
  /** The device has another decoder type by now, or one that configures nothing. */
  'codec changed',
  /** The codec does not encode what a policy asks for. */
  'not encodable',
] as const;
export type ConfigurationFailure = (typeof CONFIGURATION_FAILURES)[number];

/** What ends a rollout that is neither applied nor failed. */
export const CONFIGURATION_CANCELLATIONS = [
  /** Somebody cancelled it. */
  'cancelled',
  /** Another one took its place. */
  'replaced',
  /** The device has reported already what was desired in its place. */
  'reflected',
  /** A person took control from the policy. */
  'manual control',
  'device removed',
] as const;
export type ConfigurationCancellation = (typeof CONFIGURATION_CANCELLATIONS)[number];

/** What became of desired configurations: what devices really are set to, and what is believed. */
export interface ConfigurationResult {
  /** Every population with a desired configuration, in the order of the scenario. */
  readonly populations: readonly ConfigurationPopulation[];
  /** Rollouts of all devices, of those that are gone too: made = the sum over the others. */
  readonly rollouts: {
    readonly made: number;
    readonly active: number;
    readonly applied: number;
    readonly failed: Counts<ConfigurationFailure>;
    readonly cancelled: Counts<ConfigurationCancellation>;
  };
  /** Tries of all their fragments. */
  readonly tries: number;
  /** Times that a fragment was suspended since no connected gateway reached the device. */
  readonly suspensions: number;
  /** Seconds since the run's start of each rollout that was applied, ascending. */
  readonly appliedAtSeconds: readonly number[];
  /**
   * Seconds since the run's start at which the devices that are set as is desired took in the
   * downlink that made it so, ascending; those that were so before are not among them.
   */
  readonly setAtSeconds: readonly number[];
}

/** Devices of a population with a desired configuration, by their latest one. */
export interface ConfigurationPopulation {
  readonly name: string;
  readonly devices: number;
  /**
   * Devices that are set as is desired, whatever the platform knows; null: devices of this kind
   * have no settings, so nobody can say.
   */
  readonly set: number | null;
  /** What the platform believes: devices = the sum over these. */
  readonly status: Counts<RolloutStatus>;
  /** The failed ones by reason. */
  readonly failures: Counts<ConfigurationFailure>;
  /** Those in progress whose fragment is suspended. */
  readonly suspended: number;
  readonly fragments: number;
  readonly fragmentsConfirmed: number;
  /** Seconds from a rollout's creation until it was applied; null when none was. */
  readonly appliedSeconds: Percentiles | null;
}
