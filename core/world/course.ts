/**
 * How much there was of something at the end of each slice of a run, for plots: looked at as time
 * passes, before what happens next. For results alone; no resource sees it.
 */

/** Plain data. */
export interface SavedCourse {
  readonly waiting: readonly number[];
}

export class Course {
  readonly #sliceUs: number;
  /** Deliveries that wait now. */
  readonly #look: () => number;
  #waiting: number[] = [];
  #nextUs: number;

  /** Undefined: the world has no end, and no slices. */
  constructor(sliceUs: number | undefined, look: () => number) {
    this.#sliceUs = sliceUs ?? Number.POSITIVE_INFINITY;
    this.#look = look;
    this.#nextUs = this.#sliceUs;
  }

  /** The clock stands there now, and nothing has happened in that instant yet. */
  reach(nowUs: number): void {
    if (nowUs < this.#nextUs) return;
    const waiting = this.#look();
    for (; this.#nextUs <= nowUs; this.#nextUs += this.#sliceUs) this.#waiting.push(waiting);
  }

  /** By slices until now, the last one as it is now; undefined: there was never any. */
  waiting(nowUs: number): readonly number[] | undefined {
    const whole = Math.max(1, Math.ceil(nowUs / this.#sliceUs)) - 1;
    const all = [...this.#waiting.slice(0, whole), this.#look()];
    return all.some((each) => each > 0) ? all : undefined;
  }

  save(): SavedCourse {
    return { waiting: [...this.#waiting] };
  }

  load({ waiting }: SavedCourse): void {
    this.#waiting = [...waiting];
    this.#nextUs = (waiting.length + 1) * this.#sliceUs;
  }
}
