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
  readonly snapshots?: Pick<WarmUps, 'worldOf'>;
}

/**
 * The world at its start, or right after its last branch has left the run; undefined: it was
 * stopped on the way.
 */
export async function beginRun(
  run: Repeatable,
  options: WorldOptions,
  { stops, onSlice, snapshots }: BeginHow,
): Promise<Run | undefined> {
  const { trunk, seed, branches } = run;
  const own = withCodecs(run, options);
  const [first] = branches;
  const stored = first && snapshots?.worldOf(trunk, seed, first.atUs - 1, own);
  let world: Run = stored ?? World.create(trunk, seed, own);
  for (const { plan, atUs } of branches) {
    const left = world;
    if (!(await drive(left, stops, () => onSlice(left), { untilUs: atUs - 1 }))) return undefined;
    world = left.branch(plan, own);
  }
  return world;
}
