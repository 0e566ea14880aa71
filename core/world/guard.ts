/**
 * What throws is a broken invariant: it leaves a world between two states, so the world is stopped
 * and not used again. Nothing is caught.
 */
import { assert } from '../../sim/base/assert.ts';
import { fail, type Result } from '../../sim/base/result.ts';
import type { WorldFailure } from '../operations.ts';

export type Refused = Extract<Result<never, WorldFailure>, { readonly ok: false }>;

export const refuse = (code: WorldFailure, message: string): Refused => fail(code, message);

export class Guard {
  #stopped = false;
  #busy = false;

  get stopped(): boolean {
    return this.#stopped;
  }

  /** What a world that has stopped answers; undefined: it goes on. */
  get refusal(): Refused | undefined {
    if (!this.#stopped) return undefined;
    return refuse('world.stopped', 'A broken invariant has stopped this world.');
  }

  /** Does something with a world that is whole; after a throw it is no more. */
  run<Value>(act: () => Value): Value {
    assert(!this.#stopped, 'a world that has stopped is not used again');
    assert(!this.#busy, 'what a world calls, an observer or a log, does not use it meanwhile');
    let whole = false;
    this.#busy = true;
    try {
      const value = act();
      whole = true;
      return value;
    } finally {
      this.#busy = false;
      if (!whole) this.#stopped = true;
    }
  }

  /** The same where there is an answer: a world that has stopped says so. */
  answer<Answer>(act: () => Answer): Answer | Refused {
    return this.refusal ?? this.run(act);
  }
}
