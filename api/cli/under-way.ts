/** How far the seeds of a study are, as the progress bar shows a world. */
import type { Pace } from '../workers/task.ts';
import type { Running } from './progress.ts';

/** A seed in the units of the bar. */
const WHOLE = 1_000_000;

export class SeedsUnderWay implements Running {
  readonly endUs: number;
  readonly #paces: Pace[];
  #done = 0;

  constructor(seeds: number) {
    this.endUs = seeds * WHOLE;
    this.#paces = Array.from({ length: seeds }, () => ({ share: 0, events: 0 }));
  }

  get nowUs(): number {
    return this.#paces.reduce((sum, { share }) => sum + share * WHOLE, 0);
  }

  get events(): number {
    return this.#paces.reduce((sum, { events }) => sum + events, 0);
  }

  words(): string {
    return `${this.#done} of ${this.#paces.length} seeds`;
  }

  progress() {
    return { campaigns: [] };
  }

  /** A word that comes late takes nothing back. */
  onPace(at: number, pace: Pace): void {
    if (pace.share > this.#paces[at]!.share) this.#paces[at] = pace;
  }

  onDone(at: number): void {
    this.#paces[at] = { ...this.#paces[at]!, share: 1 };
    this.#done++;
  }
}
