/** Stories of the same run twice: as it recorded them, and as a replay has them. */

import { expect } from 'vitest';
import { recorderFor } from '../../core/world/options.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import type { Repeatable } from '../../scenarios/branching/repeated-run.ts';
import { explain, type Question } from '../../scenarios/explain/explain.ts';
import { devicesOf, explainDevices } from '../../scenarios/explain/explain-device.ts';
import { fail } from '../../sim/base/result.ts';

/** A run that was recorded to its end; its result is as `result.json` has it. */
export function recordedRun(trunk: RunPlan, seed: string): Repeatable {
  const recorder = recorderFor(trunk);
  const world = World.create(trunk, seed, { recorder, records: false });
  world.runUntil(world.endUs);
  const result = world.result();
  world.facts.columns(trunk, result);
  const stories = world.facts.stories(recorder, result);
  const planWith = () => fail('set.invalid', 'nothing is tried');
  const run = { trunk, seed, branches: [], planWith };
  return stories === undefined
    ? run
    : { ...run, recorded: { result: JSON.parse(JSON.stringify(result)), stories } };
}

/** Stories of all devices of a run; `detailed`: each frame by itself. */
export function storiesOfAll(run: Repeatable, detailed = false) {
  const how = { fromUs: 0, untilUs: run.trunk.durationUs, detailed, whatIf: false };
  return explainDevices(run, devicesOf(run.trunk), how);
}

export const replayed = ({ recorded: _, ...run }: Repeatable): Repeatable => run;

/** Fails unless all devices, gateways and campaigns are explained alike, in both ways. */
export function explainedAlike(run: Repeatable): void {
  for (const detailed of [false, true]) {
    const [own, again] = [run, replayed(run)].map((one) => storiesOfAll(one, detailed));
    own!.forEach((story, i) => {
      expect(story).toEqual(again![i]);
    });
    expect(JSON.stringify(own)).toBe(JSON.stringify(again));
  }
  const names = <Of extends Question['of']>(of: Of, all: readonly { readonly name: string }[]) =>
    all.map(({ name }): Question => ({ of, name, whatIf: false }));
  const { campaigns = [] } = run.recorded?.result ?? {};
  const questions = [
    ...names('gateway', run.trunk.network.gateways),
    ...names('campaign', campaigns),
    ...names('device', [{ name: 'failed' }, { name: 'slowest' }]),
  ];
  for (const question of questions) {
    const [own, again] = [run, replayed(run)].map((one) => explain(one, question));
    expect(JSON.stringify(own)).toBe(JSON.stringify(again));
  }
}
