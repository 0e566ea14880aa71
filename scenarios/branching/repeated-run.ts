/** A run that is carried out again, from its start or as a branch of another one, step by step. */
import type { CodecEngine } from '../../core/codecs/engine.ts';
import type { RunResult } from '../../core/result/result.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import type { RunStories } from '../../core/world/story-format.ts';
import { type Run, World } from '../../core/world/world.ts';
import type { Result } from '../../sim/base/result.ts';

/** What a run is made of, and what its plan would be with other settings. */
export interface Repeatable {
  /** From the start on. */
  readonly trunk: RunPlan;
  readonly seed: string;
  /** Where it was left, and that branch in turn, in the order of time; empty: nowhere. */
  readonly branches: readonly RunBranch[];
  readonly codecs?: CodecEngine | undefined;
  /** All devices that failed in its campaigns, where that is known; absent: the run shows it. */
  readonly failed?: readonly FailedDevice[] | undefined;
  /** What was recorded of it to its end; absent: it is carried out again. */
  readonly recorded?: Recorded | undefined;
  /** Called before a branch runs, with what it has otherwise. */
  readonly onBranch?: ((otherwise: string) => void) | undefined;
  /** The plan with these settings `path=value` on top; a failure lists what is wrong with them. */
  planWith(set: readonly string[]): Result<RunPlan, 'set.invalid'>;
}

export interface Recorded {
  readonly result: RunResult;
  readonly stories: RunStories;
}

export interface RunBranch {
  readonly plan: RunPlan;
  /** The instant from which on the plan holds, whole µs ≥ 1. */
  readonly atUs: number;
  /** As files and settings have it from the start on: a later branch is compared with this. */
  readonly written: RunPlan;
}

export interface FailedDevice {
  readonly devEui: string;
  readonly cause: string;
}

/** The plan in force at the end. */
export const planOf = ({ trunk, branches }: Repeatable): RunPlan => branches.at(-1)?.plan ?? trunk;

/**
 * What a branch that leaves this run at an instant goes on from. A branch at the same instant has
 * changed nothing yet: both are one.
 */
export function stateBefore({ trunk, branches }: Repeatable, atUs: number) {
  const earlier = branches.filter((branch) => branch.atUs < atUs);
  const { plan = trunk, written = trunk } = earlier.at(-1) ?? {};
  return { earlier, plan, written };
}

/** The instant before which this run cannot be left, whole µs. */
export const leftAtUs = ({ branches }: Repeatable): number => branches.at(-1)?.atUs ?? 0;

/** What a world is given of the run's own options. */
export const withCodecs = ({ codecs }: Repeatable, options: WorldOptions): WorldOptions =>
  codecs === undefined ? options : { ...options, codecs };

/** What was recorded, if that is of this instant: the end. */
export const recordedAt = (run: Repeatable, atUs: number): Recorded | undefined =>
  atUs === planOf(run).durationUs ? run.recorded : undefined;

export class RepeatedRun {
  readonly #options: WorldOptions;
  #world: Run;
  /** Branches that were not yet reached. */
  readonly #ahead: RunBranch[];

  /** The same options hold before and after the instant of a branch. */
  constructor(run: Repeatable, options: WorldOptions) {
    this.#options = withCodecs(run, options);
    this.#ahead = [...run.branches];
    this.#world = World.create(run.trunk, run.seed, this.#options);
  }

  /** The world in force: another one from the instant of a branch on. */
  get world(): Run {
    return this.#world;
  }

  /** Advances to an instant, whole µs; a past one changes nothing. */
  runUntil(untilUs: number): void {
    for (let next = this.#ahead[0]; next !== undefined && next.atUs <= untilUs; ) {
      this.#world.runUntil(next.atUs - 1);
      this.#world = this.#world.branch(next.plan, this.#options);
      this.#ahead.shift();
      next = this.#ahead[0];
    }
    this.#world.runUntil(untilUs);
  }
}
