/** How far the runs of a study are, as the progress bar shows a world. */
import type { Pace } from '../workers/task.ts';
import type { Running } from './progress.ts';

/** A run in the units of the bar. */
const WHOLE = 1_000_000;

export class RunsUnderWay implements Running {
  readonly endUs: number;
  readonly #things: 'seeds' | 'runs';
  readonly #shares: Float64Array;
  readonly #events: Float64Array;
  /** Sums over all, so that each word costs the same however many there are. */
  #share = 0;
  #allEvents = 0;
  #done = 0;

  constructor(runs: number, things: 'seeds' | 'runs') {
    this.#things = things;
    this.endUs = runs * WHOLE;
    this.#shares = new Float64Array(runs);
    this.#events = new Float64Array(runs);
  }

  get nowUs(): number {
    return this.#share * WHOLE;
  }

  get events(): number {
    return this.#allEvents;
  }

  words(): string {
    return `${this.#done} of ${this.#shares.length} ${this.#things}`;
  }

  progress() {
    return { campaigns: [] };
  }

  /** A word that comes late takes nothing back. */
  onPace(at: number, { share, events }: Pace): void {
    if (share > this.#shares[at]!) this.#move(at, share, events);
  }

  onDone(at: number): void {
    this.#move(at, 1, this.#events[at]!);
    this.#done++;
  }

  #move(at: number, share: number, events: number): void {
    this.#share += share - this.#shares[at]!;
    this.#allEvents += events - this.#events[at]!;
    this.#shares[at] = share;
    this.#events[at] = events;
  }
}
