/**
 * A fork that continues with other settings than its world (docs/decisions/0117): from the next
 * microsecond on its plan is that of a branch.
 */
import type { ManifestBranch } from '../../../core/result/manifest.ts';
import type { WorldOptions } from '../../../core/world/options.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import type { World } from '../../../core/world/world.ts';
import { branchPlan, type PlanWith, refusal } from '../../../scenarios/branching/branch-plan.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { runInSlices } from '../clock/steps-in-slices.ts';

export interface BranchedFork {
  readonly world: World;
  readonly branch: ManifestBranch;
}

/**
 * `world` with these settings `path=value`; nobody else has it. They are read all at once: each
 * reading builds the plan of the whole world. Commands that come next are later than the branch.
 */
export async function branchedFork(
  world: World,
  planWith: PlanWith<WorldPlan>,
  set: readonly string[],
  options: WorldOptions,
): Promise<Result<BranchedFork, 'fork.malformed'>> {
  const atUs = world.nowUs + 1;
  const changed = planWith(set);
  if (!changed.ok) return fail('fork.malformed', changed.failure.message, '/set');
  const plan = branchPlan(world.plan, world.plan, changed.value, atUs);
  if (!plan.ok) {
    const why = refusal(set.join(', '), plan.failure.message, atUs);
    return fail('fork.malformed', why, '/set');
  }
  const branched = await runInSlices(world.forkInSteps(options, plan.value));
  branched.runUntil(atUs);
  return ok({ world: branched, branch: { atSeconds: atUs / SECOND_US, set } });
}
