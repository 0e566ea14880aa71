/**
 * Steps that codecs may take for one answer. A list decodes many payloads when somebody reads it;
 * without a bound of their sum one request could hold a host for minutes. Steps are counted, not
 * timed, so the same list has the same answer on each machine (docs/decisions/0106).
 */

/** Steps of all calls of an answer; a usual codec takes 5 000 a call. */
const ANSWER_STEPS = 50_000_000;

/** Steps of a response after which a host does other work: 10 ms at most. */
const SLICE_STEPS = 200_000;

export class StepBudget {
  #left: number;
  /** Steps since the last slice. */
  #since = 0;
  #latest: object | undefined;

  constructor(steps: number = ANSWER_STEPS) {
    this.#left = steps;
  }

  /** The call that begins with a step left is carried out whole. */
  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /**
   * Counts a call of a codec. A codec that was not called just before may have to be loaded again;
   * whether it really was depends on others, so it always counts.
   */
  count(codec: object, steps: number, loadSteps: number): void {
    const all = steps + (this.#latest === codec ? 0 : loadSteps);
    this.#latest = codec;
    this.#left -= all;
    this.#since += all;
  }

  /** How many slices of work were done since this was asked last. */
  takeSlices(): number {
    const slices = Math.floor(this.#since / SLICE_STEPS);
    this.#since -= slices * SLICE_STEPS;
    return slices;
  }
}
