/** Long-running jobs of the host, which clients read and cancel. The latest are retained. */

/** Most jobs retained: finished ones are dropped first, the oldest before all. */
export const MOST_JOBS = 100;

export const JOB_STATES = ['running', 'finished', 'cancelled', 'failed'] as const;
type JobState = (typeof JOB_STATES)[number];

export interface Job<Asked> {
  /** Counted from 1; after a restart with another beginning. */
  readonly id: string;
  readonly asked: Asked;
  /** Virtual instant, µs, and events so far when it began. */
  readonly startedAtUs: number;
  readonly startedEvents: number;
  /** It ends at this instant at the latest, µs. */
  readonly endsByUs: number;
  readonly state: JobState;
  /** Where it ended; null: it is running. */
  readonly end: JobEnd | null;
}

export interface JobEnd {
  readonly atUs: number;
  readonly events: number;
  /** Whether what was asked for is there. */
  readonly isReached: boolean;
}

export class Jobs<Asked> {
  /** By id, the oldest first. */
  readonly #jobs = new Map<string, Job<Asked>>();
  /** What ids begin with, so that no later start of a world gives an id again; '' at the first. */
  readonly #prefix: string;
  #count = 0;

  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  add(job: Omit<Job<Asked>, 'id' | 'state' | 'end'>): Job<Asked> {
    const added: Job<Asked> = {
      ...job,
      id: `${this.#prefix}${++this.#count}`,
      state: 'running',
      end: null,
    };
    this.#jobs.set(added.id, added);
    if (this.#jobs.size > MOST_JOBS) this.#dropOldest();
    return added;
  }

  end(id: string, state: Exclude<JobState, 'running'>, end: JobEnd): Job<Asked> {
    const ended: Job<Asked> = { ...this.#jobs.get(id)!, state, end };
    this.#jobs.set(id, ended);
    return ended;
  }

  get(id: string): Job<Asked> | undefined {
    return this.#jobs.get(id);
  }

  /** The oldest first. */
  list(): readonly Job<Asked>[] {
    return [...this.#jobs.values()];
  }

  #dropOldest(): void {
    for (const { id, state } of this.#jobs.values()) {
      if (state === 'running') continue;
      this.#jobs.delete(id);
      return;
    }
  }
}
