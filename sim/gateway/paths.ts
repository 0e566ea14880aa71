/** What a gateway's demodulators take (docs/standard.md, Reception paths). */
import type { GatewayPlan, PathKind } from '../plan/network-plan.ts';

/** Kinds of reception paths that a gateway may have. */
export const MOST_KINDS = 4;

const ANYTHING = {
  leastSpreadingFactor: 0,
  mostSpreadingFactor: 12,
  leastBandwidthHz: 0,
  mostBandwidthHz: 1_000_000,
};

/** Kinds in the order in which a frame looks for a free one: the most special first. */
export const pathKinds = ({ paths, receptionPaths }: GatewayPlan): readonly PathKind[] =>
  paths ?? [{ count: receptionPaths, ...ANYTHING }];

export const canTake = (kind: PathKind, spreadingFactor: number, bandwidthHz: number): boolean =>
  spreadingFactor >= kind.leastSpreadingFactor &&
  spreadingFactor <= kind.mostSpreadingFactor &&
  bandwidthHz >= kind.leastBandwidthHz &&
  bandwidthHz <= kind.mostBandwidthHz;
