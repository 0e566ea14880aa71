/** The scenario files of the library, found on disk, and their worlds. */
import { readdirSync, readFileSync } from 'node:fs';
import { loadFromDisk } from '../../api/host/files/scenario-files.ts';
import type { RunPlan, WorldPlan } from '../../core/world/plan.ts';
import { populate, seedOf } from '../../scenarios/filling/populate.ts';
import { format } from '../../scenarios/language/problem.ts';
import type { Scenario } from '../../scenarios/schema/schema.ts';
import type { DeviceTypePlan } from '../../sim/plan/network-plan.ts';

const LIBRARY = 'scenarios/library';

/** Paths below the library of all scenario files, in the order of the alphabet. */
export const LIBRARY_FILES: readonly string[] = readdirSync(LIBRARY, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.yaml'))
  .sort();

/** The text of a file of the library. */
export const libraryText = (file: string): string => readFileSync(`${LIBRARY}/${file}`, 'utf8');

/** A scenario of the library with overrides such as `duration=2 h`. */
export function libraryScenario(file: string, settings: readonly string[] = []): Scenario {
  const loaded = loadFromDisk(`${LIBRARY}/${file}`, settings);
  if (loaded.outcome === 'problems') throw new Error(loaded.problems.map(format).join('\n'));
  return loaded.scenario;
}

/** Its world's plan and the seed, the scenario's own unless another is given. */
export function libraryWorld(
  file: string,
  settings: readonly string[] = [],
  seed?: string,
): { readonly plan: RunPlan; readonly seed: string } {
  const scenario = libraryScenario(file, settings);
  const used = seed ?? seedOf(scenario);
  return { plan: populate(scenario, used), seed: used };
}

/** The device types of a plan that are those of populations, and not everybody's. */
export const populationTypes = ({ network, owners }: WorldPlan): readonly DeviceTypePlan[] =>
  network.deviceTypes.filter((_, row) => owners?.deviceTypes?.[row] !== undefined);
