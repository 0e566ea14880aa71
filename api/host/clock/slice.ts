/**
 * Runs a world in slices of wall time, so that its host stays able to draw, to listen and to stop.
 * Where slices end changes nothing of the world.
 */
import type { World } from '../../../core/world/world.ts';

/** Events between two looks at the stopwatch, at the most. */
const MOST_EVENTS = 16;

/** Looks shall lie that far apart, ms: a single event may take much longer than others. */
const LOOK_MS = { least: 0.5, most: 2 } as const;

/** What a world is brought to. */
export interface Goal {
  /** At the latest, µs. */
  readonly untilUs: number;
  /** The end of an instant at which this holds; absent: `untilUs` alone. */
  readonly isThere?: () => boolean;
  /** Most events in total; absent: no limit. */
  readonly untilEvents?: number;
}

type Goer = Pick<World, 'nowUs' | 'events' | 'runUntil' | 'copyOn'>;

export class Slices {
  readonly #world: Goer;
  readonly #elapsedMs: () => number;
  /** Until the next look. */
  #events = 1;

  /** `elapsedMs` is a stopwatch. */
  constructor(world: Goer, elapsedMs: () => number) {
    this.#world = world;
    this.#elapsedMs = elapsedMs;
  }

  /**
   * True when the world is there, false when so much wall time was spent before, and that of a few
   * events.
   */
  run(goal: Goal, sliceMs: number): boolean {
    const beganMs = this.#elapsedMs();
    while (this.#world.copyOn()) if (this.#elapsedMs() - beganMs >= sliceMs) return false;
    let lookedMs = beganMs;
    while (!this.#isThere(goal)) {
      const nowMs = this.#elapsedMs();
      this.#learn(nowMs - lookedMs);
      if (nowMs - beganMs >= sliceMs) return false;
      lookedMs = nowMs;
    }
    return true;
  }

  /** A condition that holds within an instant has to hold at the end of it, too. */
  #isThere({ untilUs, isThere, untilEvents = Number.POSITIVE_INFINITY }: Goal): boolean {
    const world = this.#world;
    const events = Math.min(this.#events, untilEvents - world.events);
    if (events <= 0) return true;
    if (isThere?.() === true) {
      if (!world.runUntil(world.nowUs, events)) return false;
      if (isThere()) return true;
    }
    return world.runUntil(untilUs, events, isThere);
  }

  #learn(tookMs: number): void {
    if (tookMs > LOOK_MS.most) this.#events = 1;
    else if (tookMs < LOOK_MS.least) this.#events = Math.min(MOST_EVENTS, 2 * this.#events);
  }
}
