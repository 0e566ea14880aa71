/** From the options of an emulator to the scenario that it serves, and its session as a file. */
import { instantOf } from '../../core/base/instant.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { populateServed, seedOf } from '../../scenarios/filling/populate.ts';
import { format } from '../../scenarios/language/problem.ts';
import type { Scenario } from '../../scenarios/language/schema.ts';
import { type EmulatorOptions, WrongOptions } from './emulator-options.ts';
import { packageFile } from './package-root.ts';
import { loadFromDisk } from './scenario-files.ts';

/** What is served when no file is named. */
const FLEET = 'scenarios/library/fleet.yaml';

export interface ServedScenario {
  readonly scenario: Scenario;
  /** As it was parsed, with its overrides. */
  readonly document: unknown;
  readonly seed: string;
  readonly startUnixMs: number;
  readonly plan: WorldPlan;
}

/**
 * Throws `WrongOptions` with all that is wrong with the file. `beganMs`: when a world that is kept
 * began.
 */
export function scenarioOf(options: EmulatorOptions, beganMs: number): ServedScenario {
  const { scenario: path = packageFile(FLEET), set = [], startAt } = options;
  const loaded = loadFromDisk(path, set);
  if (loaded.outcome === 'problems') throw new WrongOptions(loaded.problems.map(format));
  const { scenario, document } = loaded;
  const seed = options.seed ?? seedOf(scenario);
  const startUnixMs = startAt === undefined ? beganMs : instantOf(startAt);
  const plan = populateServed(scenario, seed, { startUnixMs });
  return { scenario, document, seed, startUnixMs, plan };
}
