/** What broke a law, as an answer: the stories of the devices that its complaints name. */
import type { DeviceExplanation } from '../../core/result/explanation.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { fail } from '../../sim/base/result.ts';
import type { WatchedDevice } from '../explain/device-rows.ts';
import { devicesOf, explainDevices } from '../explain/explain-device.ts';
import { populate, seedOf } from '../filling/populate.ts';
import { readOrThrow, type TextOptions } from '../texts.ts';
import type { ArbitraryWorld } from './generators/arbitraries.ts';
import type { LawName } from './laws/laws.ts';

/** What the scenario was run with. */
interface BrokenRun extends TextOptions {
  /** The scenario's own when absent. */
  readonly seed?: string;
}

/** Devices whose stories are written: those of the first complaints. */
const DEVICES_MOST = 3;

/**
 * Explains the devices that complaints of `checkInvariants` name, at most three, in their order.
 * The world is a scenario's text with what it was run with, or a generated one. Empty where no
 * complaint names a device. Throws as `runScenario` does.
 */
export function explainBroken(
  world: string | ArbitraryWorld,
  broken: Partial<Record<LawName, readonly string[]>>,
  run: BrokenRun = {},
): readonly DeviceExplanation[] {
  const { plan, seed } = typeof world === 'string' ? planned(world, run) : merged(world);
  const named = devicesNamed(plan, Object.values(broken).flat());
  if (named.length === 0) return [];
  const repeatable = {
    trunk: plan,
    seed,
    codecs: run.codecs,
    branches: [],
    planWith: () => fail('set.invalid', 'A broken law has no setting that mends it.'),
  };
  const whole = { fromUs: 0, untilUs: plan.durationUs, detailed: false, whatIf: false };
  return explainDevices(repeatable, named, whole);
}

function planned(text: string, run: BrokenRun) {
  const { scenario } = readOrThrow(text, run);
  const seed = run.seed ?? seedOf(scenario);
  return { plan: populate(scenario, seed), seed };
}

/** Commands of a generated world as entries of its timeline. */
function merged({ plan, seed, commands }: ArbitraryWorld) {
  const timeline = [...plan.timeline, ...commands].sort((a, b) => a.atUs - b.atUs);
  return { plan: { ...plan, timeline }, seed };
}

/** Devices in the order in which sentences name them, each once. */
function devicesNamed(plan: RunPlan, sentences: readonly (string | undefined)[]): WatchedDevice[] {
  const byName = new Map<string, WatchedDevice>();
  for (const device of devicesOf(plan)) {
    byName.set(device.name, device);
    byName.set(device.devEui, device);
  }
  const found = new Set<WatchedDevice>();
  for (const sentence of sentences) {
    for (const word of sentence?.match(/[\w-]+/g) ?? []) {
      const device = byName.get(word);
      if (device !== undefined) found.add(device);
    }
  }
  return [...found].slice(0, DEVICES_MOST);
}
