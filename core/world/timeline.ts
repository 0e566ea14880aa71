/** The timeline of a plan: how far it has been applied, and which entries were refused. */
import { assert } from '../../sim/base/assert.ts';
import type { Result } from '../../sim/base/result.ts';
import { SECOND_US } from '../../sim/base/units.ts';
import type { TimedCommand } from '../command.ts';

export interface SavedTimeline {
  /** Entries applied so far. */
  readonly done: number;
  readonly refusals: readonly string[];
}

export class Timeline {
  readonly #entries: readonly TimedCommand[];
  #done = 0;
  #refusals: string[] = [];

  constructor(entries: readonly TimedCommand[]) {
    this.#entries = entries;
  }

  /** Sentences on entries that were refused: warnings of the result. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  /** The next entry, if it is due until this instant. */
  due(untilUs: number): TimedCommand | undefined {
    const next = this.#entries[this.#done];
    return next !== undefined && next.atUs <= untilUs ? next : undefined;
  }

  /** When the next entry is due, µs; Infinity: none is left. */
  get nextUs(): number {
    return this.#entries[this.#done]?.atUs ?? Number.POSITIVE_INFINITY;
  }

  /** The entry that was due is applied now. */
  apply({ atUs, command }: TimedCommand, nowUs: number, decide: () => Result<unknown>): void {
    assert(nowUs === atUs, 'the timeline is in the order of time');
    this.#done++;
    const answer = decide();
    if (answer.ok) return;
    const at = Math.round(nowUs / SECOND_US);
    this.#refusals.push(`${command.kind} at ${at} s was refused: ${answer.failure.message}`);
  }

  save(): SavedTimeline {
    return { done: this.#done, refusals: [...this.#refusals] };
  }

  load({ done, refusals }: SavedTimeline): void {
    assert(done <= this.#entries.length, 'what was applied stands in the timeline');
    this.#done = done;
    this.#refusals = [...refusals];
  }
}
