/**
 * A world whose commands are held against a reference model: refused if the model has a reason, for
 * one of its reasons, and carried out otherwise.
 */
import { expect } from 'vitest';
import { formatInstant } from '../../core/base/instant.ts';
import type { Command } from '../../core/command.ts';
import { classOf, type FailureClass } from '../../core/kit/failures.ts';
import {
  type Answered,
  type Answers,
  type AnyFailure,
  FAILURES,
  type PlatformCommand,
  type PlatformQuery,
} from '../../core/operations.ts';
import type { Query } from '../../core/query.ts';
import type { LogEntry } from '../../core/world/log.ts';
import type { WorldOptions } from '../../core/world/options.ts';
import type { WorldPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import { asReported } from './answers.ts';

export const SEED = 'shared';

export class Driving {
  readonly plan: WorldPlan;
  readonly log: LogEntry[] = [];
  world: World;

  constructor(plan: WorldPlan) {
    this.plan = plan;
    this.world = World.create(plan, SEED, this.options);
  }

  get options(): WorldOptions {
    return { log: (entry: LogEntry) => void this.log.push(entry) };
  }

  get nowMs(): number {
    return this.world.facts.unixMsOf(this.world.nowUs);
  }

  in(us: number): string {
    return formatInstant(this.nowMs + Math.floor(us / 1000));
  }

  try<Given extends PlatformCommand>(by: string, command: Given): Answered<Given['kind']> {
    const answer = this.world.submit({ ...command, by } as Command & Given);
    return asReported(command.kind, answer) as Answered<Given['kind']>;
  }

  /** What is answered, if the model has no reason against it; it may be that it `mayFail`. */
  give<Given extends PlatformCommand>(
    by: string,
    command: Given,
    reasons: readonly FailureClass[],
    mayFail: readonly FailureClass[] = [],
  ): Answers[Given['kind']] | undefined {
    const answer = this.try(by, command) as Answered<'campaign.create'>;
    const text = answer.ok ? 'ok' : this.#classOf(answer.failure);
    const words = answer.ok ? '' : ` (${answer.failure.code})`;
    const allowed = reasons.length === 0 ? ['ok', ...mayFail] : [...reasons, ...mayFail];
    expect(allowed, `${by}: ${command.kind}${words} is ${text}`).toContain(text);
    return answer.ok ? (answer.value as Answers[Given['kind']]) : undefined;
  }

  ask<Asked extends PlatformQuery>(by: string, query: Asked): Answered<Asked['kind']> {
    const answer = this.world.ask({ ...query, by } as Query & Asked);
    return asReported(query.kind, answer) as Answered<Asked['kind']>;
  }

  got<Asked extends PlatformQuery>(by: string, query: Asked): Answers[Asked['kind']] {
    const answer = this.ask(by, query) as { ok: boolean; value: Answers[Asked['kind']] };
    expect(answer, `${by}: ${query.kind}`).toMatchObject({ ok: true });
    return answer.value;
  }

  /** The class of a refusal; '' if it is none. */
  refusal(by: string, query: PlatformQuery): string {
    const answer = this.ask(by, query) as Answered<'campaign.get'>;
    return answer.ok ? '' : this.#classOf(answer.failure);
  }

  #classOf(failure: { readonly code: string; readonly path?: string }): FailureClass {
    return classOf(failure as Parameters<typeof classOf>[0] & { code: AnyFailure }, FAILURES);
  }
}
