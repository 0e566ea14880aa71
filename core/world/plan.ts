/** What a world is made of: the network, and the commands its timeline brings. */
import type { Slicing } from '../../sim/base/slicing.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import type { Coordinates } from '../base/geography.ts';
import type { PlannedOwners, PlannedSubscriber } from '../base/subscribers.ts';
import type { TimedCommand } from '../command.ts';
import type { RunResult, WorldResult } from '../result/result.ts';

export interface WorldPlan {
  readonly name: string;
  readonly description: string;
  readonly network: NetworkPlan;
  /** Where on Earth its middle is; 48° north, 11° east when absent. */
  readonly origin?: Coordinates;
  /** Whose the network's devices and gateways are; those that are not named, the default's. */
  readonly owners?: PlannedOwners;
  /** Subscribers, at least one; absent: the default subscriber, and all owners of things. */
  readonly subscribers?: readonly PlannedSubscriber[];
  /** Sorted by time; entries of equal time keep their order. */
  readonly timeline: readonly TimedCommand[];
  /** Entries of a log that are stored of each subscriber; absent: the usual number. */
  readonly logEntries?: number;
  /** Of a run. A world that is served has none: it goes on as long as it is asked to. */
  readonly durationUs?: number;
}

/** A world that is run to its end, and then judged. */
export interface RunPlan extends WorldPlan {
  /** Whole µs, at least 1. */
  readonly durationUs: number;
}

/** Expected results of a world of this plan. */
export type ResultOf<Plan extends WorldPlan> = Plan extends RunPlan ? RunResult : WorldResult;

/** Slices of a run's series; those of a world without end are at most twice as many. */
const SLICES = 96;
const FIRST_SLICE_US = 60_000_000;

/** How series are sliced: a run by its length, a world without end as it comes. */
export const slicingOf = ({ durationUs }: WorldPlan): Slicing =>
  durationUs === undefined
    ? { firstUs: FIRST_SLICE_US, most: 2 * SLICES }
    : { firstUs: Math.max(1, Math.ceil(durationUs / SLICES)), most: Number.POSITIVE_INFINITY };
