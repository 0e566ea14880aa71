/** The run that a manifest describes, to be carried out again: from its start, or as a branch. */
import { branchesOf, type Manifest } from '../../../core/result/manifest.ts';
import type { RunPlan } from '../../../core/world/plan.ts';
import { branchWith } from '../../../scenarios/branching/branch-plan.ts';
import {
  leftAtUs,
  type Repeatable,
  stateBefore,
} from '../../../scenarios/branching/repeated-run.ts';
import { populate } from '../../../scenarios/filling/populate.ts';
import { inWords } from '../../../scenarios/forecast/forecast.ts';
import { format } from '../../../scenarios/language/problem.ts';
import type { Scenario } from '../../../scenarios/schema/schema.ts';
import { assert } from '../../../sim/base/assert.ts';
import { fail, ok, type Result } from '../../../sim/base/result.ts';
import { SECOND_US } from '../../../sim/base/units.ts';
import { codecEngine } from '../codecs/codec-engine.ts';
import { loadManifest } from '../files/manifests.ts';
import type { Faults } from '../files/recorded-run.ts';

export interface RecordedWorld {
  readonly run: Repeatable;
  /** As it is from the instant of a branch on. */
  readonly scenario: Scenario;
}

/** Or sentences on what is wrong with the manifest, which begin with the file. */
export function recordedWorld(file: string, manifest: Manifest): RecordedWorld | Faults {
  const { seed } = manifest;
  const trunk = scenarioWith(manifest, []);
  if (!trunk.ok)
    return { faults: trunk.failure.message.split('\n').map((one) => `${file}: ${one}`) };
  const plan = populate(trunk.value, seed);
  const planWith = (set: readonly string[]): Result<RunPlan, 'set.invalid'> => {
    const changed = scenarioWith(manifest, set);
    return changed.ok ? ok(populate(changed.value, seed)) : changed;
  };
  let run: Repeatable = { trunk: plan, seed, codecs: codecEngine(), branches: [], planWith };
  for (const { set, atSeconds } of branchesOf(manifest)) {
    const begun = branched(run, set, Math.round(atSeconds * SECOND_US));
    if ('faults' in begun) return begun;
    run = begun;
  }
  const scenario = scenarioWith(manifest, settingsOf(manifest));
  return { run, scenario: scenario.ok ? scenario.value : trunk.value };
}

/** Of all branches, in their order. */
const settingsOf = (manifest: Manifest): readonly string[] =>
  branchesOf(manifest).flatMap(({ set }) => set);

function scenarioWith(manifest: Manifest, set: readonly string[]): Result<Scenario, 'set.invalid'> {
  const loaded = loadManifest({ ...manifest, set: [...manifest.set, ...set] });
  if (loaded.outcome === 'scenario') return ok(loaded.scenario);
  return fail('set.invalid', loaded.problems.map(format).join('\n'));
}

/** The branch of a run, or what cannot change then: a sentence a setting. */
function branched(run: Repeatable, set: readonly string[], atUs: number): Repeatable | Faults {
  const { planWith } = run;
  const earliest = leftAtUs(run);
  if (atUs < earliest) {
    const from = `allowed: ${inWords(earliest)} and later, since it is a branch itself`;
    return { faults: [`a branch of it cannot begin at ${inWords(atUs)}; ${from}`] };
  }
  const { earlier, ...before } = stateBefore(run, atUs);
  const plan = branchWith(before.plan, before.written, planWith, set, atUs);
  if (!plan.ok) {
    const { code, message } = plan.failure;
    const words = code === 'branch.fixed' ? '--set ' : '';
    return { faults: message.split('\n').map((line) => words + line) };
  }
  const changed = planWith(set);
  assert(changed.ok, 'settings of a branch that has a plan are right');
  return {
    ...run,
    branches: [...earlier, { plan: plan.value, atUs, written: changed.value }],
    planWith: (more) => planWith([...set, ...more]),
  };
}
