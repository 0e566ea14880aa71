/**
 * How much there was of something at the end of each slice of a run, for plots: looked at as time
 * passes, before what happens next. For results alone; no resource sees it.
 */
import { coarserEnds, type Slicing, sliceAt } from '../../sim/base/slicing.ts';

/** Plain data. */
export interface SavedCourse {
  readonly waiting: readonly number[];
  /** Downlinks that were not over. */
  readonly downlinks: readonly number[];
  /** Length of a slice by now, µs. */
  readonly sliceUs: number;
}

/** What there is now: deliveries that wait, and downlinks that are not over. */
interface Look {
  readonly waiting: () => number;
  readonly downlinks: () => number;
}

export class Course {
  readonly #slicing: Slicing;
  readonly #look: Look;
  /** At the ends of slices. */
  #waiting: number[] = [];
  #downlinks: number[] = [];
  #sliceUs: number;
  #nextUs: number;

  constructor(slicing: Slicing, look: Look) {
    this.#slicing = slicing;
    this.#look = look;
    this.#sliceUs = slicing.firstUs;
    this.#nextUs = this.#sliceUs;
  }

  /** The clock stands there now, and nothing has happened in that instant yet. */
  reach(nowUs: number): void {
    if (nowUs < this.#nextUs) return;
    const waiting = this.#look.waiting();
    const downlinks = this.#look.downlinks();
    while (this.#nextUs <= nowUs) {
      this.#waiting.push(waiting);
      this.#downlinks.push(downlinks);
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
    const all = this.#until(nowUs, sliceUs, this.#waiting, this.#look.waiting());
    return all.some((each) => each > 0) ? all : undefined;
  }

  /** Downlinks by slices until now, the last one as it is now. */
  downlinks(nowUs: number, sliceUs: number): readonly number[] {
    return this.#until(nowUs, sliceUs, this.#downlinks, this.#look.downlinks());
  }

  #until(nowUs: number, sliceUs: number, ends: readonly number[], now: number): number[] {
    const whole = Math.max(1, Math.ceil(nowUs / sliceUs)) - 1;
    const seen = coarserEnds(ends, sliceUs / this.#sliceUs);
    return [...seen.slice(0, whole), now];
  }

  save(): SavedCourse {
    return {
      waiting: [...this.#waiting],
      downlinks: [...this.#downlinks],
      sliceUs: this.#sliceUs,
    };
  }

  load({ waiting, downlinks, sliceUs }: SavedCourse): void {
    this.#waiting = [...waiting];
    this.#downlinks = [...downlinks];
    this.#sliceUs = sliceUs;
    this.#nextUs = (waiting.length + 1) * sliceUs;
  }

  #coarsen(): void {
    this.#waiting = coarserEnds(this.#waiting, 2);
    this.#downlinks = coarserEnds(this.#downlinks, 2);
    this.#sliceUs *= 2;
  }
}
