/** From the options of an emulator to the scenario that it serves, and its session as a file. */

import { instantOf } from '../../../core/base/instant.ts';
import type { ManifestFile } from '../../../core/result/manifest.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import type { PlanWith } from '../../../scenarios/branching/branch-plan.ts';
import { populateServed, seedOf } from '../../../scenarios/filling/populate.ts';
import { START_YEARS } from '../../../scenarios/language/instant.ts';
import { format } from '../../../scenarios/language/problem.ts';
import type { Scenario } from '../../../scenarios/schema/schema.ts';
import { fail, ok } from '../../../sim/base/result.ts';
import { isWithin } from '../../../sim/base/rows/range.ts';
import { loadManifest, manifestOf } from '../files/manifests.ts';
import { packageFile } from '../files/package-root.ts';
import { loadFromDisk } from '../files/scenario-files.ts';
import { type EmulatorOptions, WrongOptions } from '../settings/emulator-options.ts';

/** What is served when no file is named. */
const FLEET = 'scenarios/library/fleet.yaml';

export interface ServedScenario {
  readonly scenario: Scenario;
  /** As it was parsed, with its overrides. */
  readonly document: unknown;
  readonly seed: string;
  readonly startUnixMs: number;
  readonly plan: WorldPlan;
  /** Those that it names, as results hold them. */
  readonly files: readonly ManifestFile[];
  readonly planWith: PlanWith<WorldPlan>;
}

/** What is served, by the instant at which it began, ms since 1970. */
export type ScenarioAt = (beganMs: number) => ServedScenario;

/**
 * The file is read once. Throws `WrongOptions` with all that is wrong with it. Where the options
 * say when the world begins, it begins then.
 */
export function scenarioAt(options: EmulatorOptions): ScenarioAt {
  const { scenario: path = packageFile(FLEET), variant, set = [], startAt } = options;
  const loaded = loadFromDisk(path, set, { variant });
  if (loaded.outcome === 'problems') throw new WrongOptions(loaded.problems.map(format));
  const { scenario, document } = loaded;
  const manifest = manifestOf(path, loaded.bundle, set, '', variant);
  const { files } = manifest;
  const seed = options.seed ?? seedOf(scenario);
  let latest: ServedScenario | undefined;
  return (beganMs) => {
    const startUnixMs = startAt === undefined ? beganMs : instantOf(startAt);
    if (latest?.startUnixMs === startUnixMs) return latest;
    checkStart(startUnixMs);
    const plan = populateServed(scenario, seed, { startUnixMs });
    const planWith: PlanWith<WorldPlan> = (more) => {
      const changed = loadManifest({ ...manifest, set: [...set, ...more] });
      if (changed.outcome === 'scenario') {
        return ok(populateServed(changed.scenario, seed, { startUnixMs }));
      }
      return fail('set.invalid', changed.problems.map(format).join('\n'));
    };
    latest = { scenario, document, seed, startUnixMs, plan, files, planWith };
    return latest;
  };
}

/** The clock of a machine without a battery may say 1970. */
function checkStart(startUnixMs: number): void {
  const { least, most } = START_YEARS;
  const year = new Date(startUnixMs).getUTCFullYear();
  if (isWithin(year, START_YEARS)) return;
  const now = new Date(startUnixMs).toISOString();
  throw new WrongOptions([
    `the clock of this machine says ${now}, and a world begins in the years ${least} to ${most}: ` +
      'set the clock, or give the beginning with --start-at',
  ]);
}

/** The same, of one instant. */
export const scenarioOf = (options: EmulatorOptions, beganMs: number): ServedScenario =>
  scenarioAt(options)(beganMs);
