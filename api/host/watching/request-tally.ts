/** How many requests were answered, with what and how fast: counts alone, for operators. */

/** Of a request; its path with `{name}` in place of what stands there. */
export interface Tallied {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/** Upper ends of the buckets of durations, s. */
export const BUCKETS_S = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10] as const;

export interface Tally extends Tallied {
  count: number;
  seconds: number;
  /** How many took no longer than each of `BUCKETS_S`. */
  readonly within: number[];
}

export class RequestTally {
  readonly #tallies = new Map<string, Tally>();

  note(of: Tallied, seconds: number): void {
    const tally = this.#of(of);
    tally.count++;
    tally.seconds += seconds;
    BUCKETS_S.forEach((most, i) => {
      if (seconds <= most) tally.within[i]!++;
    });
  }

  get all(): Iterable<Tally> {
    return this.#tallies.values();
  }

  /** Routes are rows, methods and statuses few: there is no end of requests, but one of these. */
  #of({ method, route, status }: Tallied): Tally {
    const key = `${method} ${route} ${status}`;
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      tally = { method, route, status, count: 0, seconds: 0, within: BUCKETS_S.map(() => 0) };
      this.#tallies.set(key, tally);
    }
    return tally;
  }
}
