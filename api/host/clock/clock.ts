/**
 * The served clock: where virtual time should be at an instant of wall time. It knows no timers and
 * reads no clock; wall time, in ms, comes in as an argument.
 */

/** What a clock's speed may be: virtual seconds a second. */
export const SPEEDS = { least: 0.001, most: 1_000_000 } as const;

export interface Pace {
  readonly isPaused: boolean;
  /** `max`: as fast as the world can. */
  readonly speed: number | 'max';
  /** The instant, µs, at which the clock pauses by itself; Infinity: it does not. */
  readonly untilUs: number;
}

/** Virtual µs in a ms of wall time at ×1. */
const US_A_MS = 1_000;

export class VirtualClock {
  #pace: Pace;
  /** Where it went on with this pace, µs, and when that was, ms of wall time that ran forward. */
  #fromUs: number;
  #sinceMs: number;
  #latestMs: number;
  /** By how much the wall's clock has run backwards so far, ms. */
  #backMs = 0;
  readonly #lastUs: number;

  /** `lastUs`: the instant beyond which it does not go, whatever its pace. */
  constructor(pace: Pace, wallMs: number, fromUs: number, lastUs: number) {
    this.#pace = pace;
    this.#fromUs = fromUs;
    this.#sinceMs = wallMs;
    this.#latestMs = wallMs;
    this.#lastUs = lastUs;
  }

  get pace(): Pace {
    return this.#pace;
  }

  /** From now on the pace is this, and virtual time goes on from where it is. */
  goOn(pace: Pace, wallMs: number, nowUs: number): void {
    this.#sinceMs = this.#forwardMs(wallMs);
    this.#pace = pace;
    this.#fromUs = nowUs;
  }

  /**
   * Where virtual time should be, whole µs. Without end, `max` counts as the greatest speed: a
   * world in which nothing happens would be at the end of time at once.
   */
  dueUs(wallMs: number): number {
    const elapsedMs = this.#forwardMs(wallMs) - this.#sinceMs;
    const { isPaused, speed, untilUs } = this.#pace;
    if (isPaused) return this.#fromUs;
    const endUs = Math.min(untilUs, this.#lastUs);
    if (speed === 'max' && untilUs !== Number.POSITIVE_INFINITY) return endUs;
    const times = speed === 'max' ? SPEEDS.most : speed;
    const dueUs = this.#fromUs + Math.floor(elapsedMs * times * US_A_MS);
    return Math.max(this.#fromUs, Math.min(endUs, dueUs));
  }

  /** Wall time, ms, that passes from one virtual instant to another at this pace. */
  wallMsBetween(fromUs: number, toUs: number): number {
    const { speed } = this.#pace;
    return (toUs - fromUs) / ((speed === 'max' ? SPEEDS.most : speed) * US_A_MS);
  }

  /** Wall time as if its clock had never run backwards: while it does, it stands still. */
  #forwardMs(wallMs: number): number {
    if (wallMs < this.#latestMs) this.#backMs += this.#latestMs - wallMs;
    this.#latestMs = wallMs;
    return wallMs + this.#backMs;
  }
}
