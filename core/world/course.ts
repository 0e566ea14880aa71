/**
 * How much there was of something at the end of each slice of a run, for plots: looked at as time
 * passes, before what happens next. For results alone; no resource sees it.
 */
import { coarserEnds, type Slicing, sliceAt } from '../../sim/base/slicing.ts';

/** Plain data. */
export interface SavedCourse {
  readonly waiting: readonly number[];
  /** Length of a slice by now, µs. */
  readonly sliceUs: number;
}

export class Course {
  readonly #slicing: Slicing;
  /** Deliveries that wait now. */
  readonly #look: () => number;
  /** At the ends of slices. */
  #waiting: number[] = [];
  #sliceUs: number;
  #nextUs: number;

  constructor(slicing: Slicing, look: () => number) {
    this.#slicing = slicing;
    this.#look = look;
    this.#sliceUs = slicing.firstUs;
    this.#nextUs = this.#sliceUs;
  }

  /** The clock stands there now, and nothing has happened in that instant yet. */
  reach(nowUs: number): void {
    if (nowUs < this.#nextUs) return;
    const waiting = this.#look();
    while (this.#nextUs <= nowUs) {
      this.#waiting.push(waiting);
      if (this.#waiting.length >= this.#slicing.most) this.#coarsen();
      this.#nextUs = (this.#waiting.length + 1) * this.#sliceUs;
    }
  }

  /** Length of a slice at an instant, µs, where those of the counts are so long. */
  sliceUs(nowUs: number, countedUs: number): number {
    return Math.max(sliceAt(this.#slicing, nowUs), countedUs, this.#sliceUs);
  }

  /** By slices until now, the last one as it is now; undefined: there was never any. */
  waiting(nowUs: number, sliceUs: number): readonly number[] | undefined {
    const whole = Math.max(1, Math.ceil(nowUs / sliceUs)) - 1;
    const seen = coarserEnds(this.#waiting, sliceUs / this.#sliceUs);
    const all = [...seen.slice(0, whole), this.#look()];
    return all.some((each) => each > 0) ? all : undefined;
  }

  save(): SavedCourse {
    return { waiting: [...this.#waiting], sliceUs: this.#sliceUs };
  }

  load({ waiting, sliceUs }: SavedCourse): void {
    this.#waiting = [...waiting];
    this.#sliceUs = sliceUs;
    this.#nextUs = (waiting.length + 1) * sliceUs;
  }

  #coarsen(): void {
    this.#waiting = coarserEnds(this.#waiting, 2);
    this.#sliceUs *= 2;
  }
}
