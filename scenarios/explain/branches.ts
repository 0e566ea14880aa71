/** Branches of a run that try other settings: the world is carried out to the instant once. */
import type { TimedCommand } from '../../core/command.ts';
import type { RunPlan } from '../../core/world/plan.ts';
import { type Run, World } from '../../core/world/world.ts';
import { branchPlan } from '../branching/branch-plan.ts';
import {
  leftAtUs,
  planOf,
  type Repeatable,
  RepeatedRun,
  stateBefore,
  withCodecs,
} from '../branching/repeated-run.ts';

/** The command that creates a campaign, or creates it after another one. */
export interface Creation {
  readonly atUs: number;
  readonly name: string;
  readonly id: string;
  /** Fields that the scenario gives. */
  readonly given: object;
}

/** Campaigns of a run by the commands of its timeline. */
export const creationsOf = (run: Repeatable): readonly Creation[] =>
  planOf(run).timeline.flatMap(({ atUs, command }: TimedCommand) => {
    if (command.kind !== 'campaign.create' && command.kind !== 'followUp.create') return [];
    const { id, campaign } = command as { readonly id?: string; readonly campaign: object };
    const { name } = campaign as { readonly name: string };
    return [{ atUs, name, id: id ?? '', given: campaign }];
  });

const CREATES = { 'campaign.create': true, 'followUp.create': true };

export class Branches {
  readonly #run: Repeatable;
  readonly #atUs: number;
  #trunk: RepeatedRun | undefined;

  /** All of them leave the run at this instant; at 0 each is a run of its own. */
  constructor(run: Repeatable, atUs: number) {
    this.#run = run;
    this.#atUs = atUs;
  }

  get atUs(): number {
    return this.#atUs;
  }

  /** Whether branches are possible: not before the instant at which the run left another one. */
  get isPossible(): boolean {
    return this.#atUs >= leftAtUs(this.#run);
  }

  /** The world at its end with these settings; undefined: they cannot change, or are not right. */
  endOf(set: readonly string[]): Run | undefined {
    if (!this.isPossible) return undefined;
    const changed = this.#run.planWith(set);
    if (changed.ok) this.#run.onBranch?.(set.join(', '));
    const world = changed.ok ? this.#beginning(changed.value) : undefined;
    world?.runUntil(world.endUs);
    return world;
  }

  /** The world at its end without one of its campaigns; undefined: the run cannot branch there. */
  endWithout({ id, name }: Creation): Run | undefined {
    if (!this.isPossible || id === '') return undefined;
    this.#run.onBranch?.(`no campaign ${name}`);
    const plan = planOf(this.#run);
    const timeline = plan.timeline.filter(
      ({ command }) => !('id' in command && command.id === id && command.kind in CREATES),
    );
    const world = this.#beginning({ ...plan, timeline });
    world?.runUntil(world.endUs);
    return world;
  }

  #beginning(changed: RunPlan): Run | undefined {
    const options = withCodecs(this.#run, { records: false });
    if (this.#atUs === 0) return World.create(changed, this.#run.seed, options);
    const before = stateBefore(this.#run, this.#atUs);
    const plan = branchPlan(before.plan, before.written, changed, this.#atUs);
    if (!plan.ok) return undefined;
    this.#trunk ??= this.#runToInstant();
    return this.#trunk.world.branch(plan.value, options);
  }

  #runToInstant(): RepeatedRun {
    const trunk = new RepeatedRun(this.#run, { records: false });
    trunk.runUntil(this.#atUs - 1);
    return trunk;
  }
}
