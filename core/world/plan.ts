/** What a world is made of: the network, how long it runs, and the commands its timeline brings. */
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import type { TimedCommand } from '../command.ts';

export interface WorldPlan {
  readonly name: string;
  readonly description: string;
  readonly durationUs: number;
  readonly network: NetworkPlan;
  /** Sorted by time; entries of equal time keep their order. */
  readonly timeline: readonly TimedCommand[];
}
