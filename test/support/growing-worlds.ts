/** What the world of a scenario costs from its making to its end, for tests of how that grows. */
import { World } from '../../core/world/world.ts';
import { populate, seedOf } from '../../scenarios/filling/populate.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { costMs } from './cost.ts';

export const worldCostMs = (text: string): number => {
  const scenario = scenarioOf(text);
  return costMs(() => {
    const seed = seedOf(scenario);
    const world = World.create(populate(scenario, seed), seed, { records: false });
    world.runUntil(world.endUs);
  });
};
