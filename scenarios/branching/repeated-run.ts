/** A run that is carried out again, from its start or as a branch of another one, step by step. */
import type { CodecEngine } from '../../core/codecs/engine.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { type Run, World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';

/** What a run is made of, and what its plan would be with other settings. */
export interface Repeatable {
  /** From the start on. */
  readonly trunk: RunPlan;
  readonly seed: string;
  /** Present in a branch: its plan, and the instant from which on it holds, whole µs ≥ 1. */
  readonly branch?: { readonly plan: RunPlan; readonly atUs: number };
  readonly codecs?: CodecEngine | undefined;
  /** All devices that failed in its campaigns, where that is known; absent: the run shows it. */
  readonly failed?: readonly FailedDevice[] | undefined;
  /** The plan with these settings `path=value` on top; a failure lists what is wrong with them. */
  planWith(set: readonly string[]): Result<RunPlan, 'set.invalid'>;
}

export interface FailedDevice {
  readonly devEui: string;
  readonly cause: string;
}

/** The plan in force at the end. */
export const planOf = ({ trunk, branch }: Repeatable): RunPlan => branch?.plan ?? trunk;

/** What a world is given of the run's own options. */
export const withCodecs = ({ codecs }: Repeatable, options: WorldOptions): WorldOptions =>
  codecs === undefined ? options : { ...options, codecs };

export class RepeatedRun {
  readonly #run: Repeatable;
  readonly #options: WorldOptions;
  #world: Run;

  /** The same options hold before and after the instant of a branch. */
  constructor(run: Repeatable, options: WorldOptions) {
    this.#run = run;
    this.#options = withCodecs(run, options);
    this.#world = World.create(run.trunk, run.seed, this.#options);
  }

  /** The world in force: another one from the instant of a branch on. */
  get world(): Run {
    return this.#world;
  }

  /** Advances to an instant, whole µs; a past one changes nothing. */
  runUntil(untilUs: number): void {
    const { branch } = this.#run;
    if (branch !== undefined && this.#world.plan !== branch.plan && untilUs >= branch.atUs) {
      this.#world.runUntil(branch.atUs - 1);
      this.#world = this.#world.branch(branch.plan, this.#options);
    }
    this.#world.runUntil(untilUs);
  }
}
