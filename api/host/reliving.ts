/** A world as its past has left it: made anew, or from a snapshot and what came after it. */
import type { Effects } from '../../core/delivery/deliveries/effects.ts';
import type { Admitted } from '../../core/world/log.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import { codecEngine } from './codecs/codec-engine.ts';
import type { NewsHub } from './news-hub.ts';

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

/** Commands at their stamps, then on to where it stood. */
export function relive(
  origins: Origins,
  { commands, standsAtUs }: Past,
  begun: Begun = { world: freshWorld(origins), commands: 0 },
): World {
  const { world } = begun;
  for (let at = begun.commands; at < commands.length; at++) {
    const entry = commands[at]!;
    world.runUntil(entry.atUs);
    try {
      world.apply(entry);
    } catch (error) {
      throw new RelivedFault(at, error);
    }
  }
  // Where a world begins is done when it is started.
  if (standsAtUs > world.nowUs) world.runUntil(standsAtUs);
  return world;
}

/** At virtual time 0. */
export const freshWorld = ({ plan, seed, options }: Origins): World =>
  World.create(plan, seed, options);

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
