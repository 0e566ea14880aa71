/**
 * Copies of very much, which are made in steps (docs/decisions/0055). A copy is of the instant at
 * which it was begun: before anything changes, the world makes what is left of it. Copies are no
 * state of a world; whether there are any changes nothing.
 */
import { finish, type Steps } from './in-steps.ts';

/** Copies that are underway at the most; the oldest is finished before another begins. */
const MOST_UNDERWAY = 16;

/** One of them. */
export class Copy {
  readonly #work: Steps<void>;
  #isDone = false;

  constructor(work: Steps<void>) {
    this.#work = work;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Does one step of the copy. */
  step(): void {
    if (!this.#isDone) this.#isDone = this.#work.next().done === true;
  }

  /** Does all steps of the copy that are left. */
  finish(): void {
    if (this.#isDone) return;
    finish(this.#work);
    this.#isDone = true;
  }

  /** Makes all that is left, in steps. */
  *ready(): Steps<void> {
    while (!this.#isDone) {
      this.step();
      yield;
    }
  }
}

export class Copies {
  readonly #underway = new Set<Copy>();

  /** What is small is there at once. */
  begin(work: Steps<void>): Copy {
    const copy = new Copy(work);
    copy.step();
    if (copy.isDone) return copy;
    this.#forgetDone();
    const [oldest] = this.#underway;
    if (oldest !== undefined && this.#underway.size === MOST_UNDERWAY) {
      oldest.finish();
      this.#underway.delete(oldest);
    }
    this.#underway.add(copy);
    return copy;
  }

  /** Does one step of the oldest copy that is underway; false when none is. */
  step(): boolean {
    this.#forgetDone();
    const [oldest] = this.#underway;
    oldest?.step();
    return oldest !== undefined;
  }

  /** Finishes all copies that are underway: something is about to change. */
  finish(): void {
    if (this.#underway.size === 0) return;
    for (const copy of this.#underway) copy.finish();
    this.#underway.clear();
  }

  #forgetDone(): void {
    for (const copy of this.#underway) if (copy.isDone) this.#underway.delete(copy);
  }
}
