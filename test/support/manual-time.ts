/** The wall's clocks and timers in a test's hands: nothing happens but what it lets happen. */
import type { Appointment, HostTime } from '../../api/host/clock/host-time.ts';

interface Due {
  readonly act: () => void;
  readonly atMs: number;
}

export class ManualTime implements HostTime {
  /** Ms since 1970. */
  wall = Date.UTC(2026, 2, 1);
  #elapsed = 0;
  #soon: Due[] = [];
  #later: Due[] = [];
  /** Sleeps that were asked for, ms. */
  readonly sleeps: number[] = [];
  /** What each look at the stopwatch takes, ms, again and again from the first. */
  readonly #costs: readonly number[];
  #looks = 0;

  constructor(costs: readonly number[] = [4]) {
    this.#costs = costs;
  }

  wallMs(): number {
    return this.wall;
  }

  elapsedMs(): number {
    this.#elapsed += this.#costs[this.#looks++ % this.#costs.length]!;
    return this.#elapsed;
  }

  soon(act: () => void): Appointment {
    return this.#add(this.#soon, { act, atMs: 0 });
  }

  later(act: () => void, ms: number): Appointment {
    this.sleeps.push(ms);
    return this.#add(this.#later, { act, atMs: this.wall + ms });
  }

  /** What is due soon, once; false: nothing is. */
  turn(): boolean {
    const due = this.#soon;
    this.#soon = [];
    for (const { act } of due) act();
    return due.length > 0;
  }

  /** All that is due soon, and what follows of it. */
  settle(): void {
    while (this.turn());
  }

  /** Wall time goes on, with what falls due meanwhile. */
  pass(ms: number): void {
    const untilMs = this.wall + ms;
    this.settle();
    for (;;) {
      const next = this.#later.filter(({ atMs }) => atMs <= untilMs).sort(byTime)[0];
      if (next === undefined) break;
      this.#later.splice(this.#later.indexOf(next), 1);
      this.wall = Math.max(this.wall, next.atMs);
      next.act();
      this.settle();
    }
    this.wall = untilMs;
  }

  /** Appointments that are made. */
  get pending(): number {
    return this.#soon.length + this.#later.length;
  }

  #add(list: Due[], due: Due): Appointment {
    list.push(due);
    const drop = (one: Due) => one !== due;
    return {
      cancel: () => {
        this.#soon = this.#soon.filter(drop);
        this.#later = this.#later.filter(drop);
      },
    };
  }
}

const byTime = (a: Due, b: Due): number => a.atMs - b.atMs;
