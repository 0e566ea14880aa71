/** A world as its past has left it: made anew, or from a snapshot and what came after it. */
import { finish, type Steps } from '../../../core/base/in-steps.ts';
import type { Effects } from '../../../core/delivery/deliveries/effects.ts';
import type { Admitted } from '../../../core/world/log.ts';
import type { WorldOptions } from '../../../core/world/options.ts';
import type { WorldPlan } from '../../../core/world/plan.ts';
import { World } from '../../../core/world/world.ts';
import type { Result } from '../../../sim/base/result.ts';
import { Slices } from '../clock/slice.ts';
import { runInSlices } from '../clock/steps-in-slices.ts';
import { codecEngine } from '../codecs/codec-engine.ts';
import type { NewsHub } from '../watching/event-hub.ts';

/** With a past it is a world. */
export interface Origins {
  readonly plan: WorldPlan;
  readonly seed: string;
  readonly options: WorldOptions;
}

/** What has led to a world. */
export interface Past {
  readonly commands: readonly Admitted[];
  /** Where it stands behind the last of them, µs. */
  readonly standsAtUs: number;
}

/** Receives the outcome of each command, by its index. */
export type ResultListener = (at: number, result: Result<unknown>) => void;

/** A world that is there already, and how many commands have led to it. */
export interface Begun {
  readonly world: World;
  readonly commands: number;
}

/** A command of the past breaks an invariant, as it did when it was given. */
export class RelivedFault extends Error {
  /** Its place among the commands. */
  readonly at: number;

  constructor(at: number, cause: unknown) {
    super('a command of the past breaks an invariant', { cause });
    this.at = at;
  }
}

/** Wall time of a slice, ms. */
const SLICE_MS = 10;

/** Commands at their stamps, then on to where it stood. */
export const replayPast = (origins: Origins, past: Past, begun?: Begun): World =>
  finish(replaySteps(origins, past, begun));

/** The same between other work of the host: a past may take minutes. */
export const replayInSlices = (
  origins: Origins,
  past: Past,
  begun?: Begun,
  onResult?: ResultListener,
): Promise<World> => runInSlices(replaySteps(origins, past, begun, onResult));

/** In slices of wall time. */
function* replaySteps(
  origins: Origins,
  { commands, standsAtUs }: Past,
  begun: Begun | undefined,
  onResult: ResultListener = () => undefined,
): Steps<World> {
  const { plan, seed, options } = origins;
  const world = begun?.world ?? (yield* World.creating(plan, seed, options));
  const slices = new Slices(world, () => performance.now());
  for (let at = begun?.commands ?? 0; at < commands.length; at++) {
    const entry = commands[at]!;
    while (!slices.run({ untilUs: entry.atUs }, SLICE_MS)) yield;
    try {
      onResult(at, world.apply(entry) as Result<unknown>);
    } catch (error) {
      throw new RelivedFault(at, error);
    }
  }
  // Where a world begins is done when it is started.
  if (standsAtUs <= world.nowUs) return world;
  while (!slices.run({ untilUs: standsAtUs }, SLICE_MS)) yield;
  return world;
}

/** What a host gives to a world, and hears of it. */
export const worldOptions = (
  worldId: string,
  { hear: news }: NewsHub,
  effects?: Effects,
): WorldOptions => ({
  codecs: codecEngine(),
  worldId,
  news,
  ...(effects && { effects }),
});
