/** Carries a run out again in slices, to where it leaves another one if it is a branch. */
import type { WorldOptions } from '../../../core/world/options.ts';
import { type Run, World } from '../../../core/world/world.ts';
import { type Repeatable, withCodecs } from '../../../scenarios/branching/repeated-run.ts';
import { drive } from '../clock/run-in-slices.ts';
import type { WarmUps } from '../studies/warm-ups.ts';

export interface BeginHow {
  readonly stops: () => boolean;
  readonly onSlice: (world: Run) => void;
  /** Stored worlds that may stand for the way to a branch. */
  readonly snapshots?: WarmUps;
}

/**
 * The world at its start, or right after it has left the run that it is a branch of; undefined: it
 * was stopped on the way.
 */
export async function beginRun(
  run: Repeatable,
  options: WorldOptions,
  { stops, onSlice, snapshots }: BeginHow,
): Promise<Run | undefined> {
  const { trunk, seed, branch } = run;
  const own = withCodecs(run, options);
  if (branch === undefined) return World.create(trunk, seed, own);
  const untilUs = branch.atUs - 1;
  const stored = snapshots?.worldOf(trunk, seed, untilUs, own);
  const world = stored ?? World.create(trunk, seed, own);
  if (!(await drive(world, stops, () => onSlice(world), { untilUs }))) return undefined;
  return world.branch(branch.plan, own);
}
