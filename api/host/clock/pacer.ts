/**
 * Drives a world between requests: to where its clock is, or to a goal at full speed. It works in
 * slices, and what has come meanwhile is served after each of them.
 */
import type { World } from '../../../core/world/world.ts';
import { assert } from '../../../sim/base/assert.ts';
import { type Pace, VirtualClock } from './clock.ts';
import type { Appointment, HostTime } from './host-time.ts';
import { type Lease, noLease } from './lease.ts';
import { type Goal, Slices } from './slice.ts';

/** Wall time of a slice, ms, without its last few events. */
const SLICE_MS = 10;

/** Virtual time that a lease shall cover at a pace, ms of wall time. */
const AHEAD_MS = 500;
const US_A_MS = 1_000;

/** At full speed to a goal; the pace goes on from there. */
interface Errand {
  readonly goal: Goal;
  readonly onDone: () => void;
}

export class Pacer {
  readonly #world: World;
  readonly #time: HostTime;
  readonly #onBroken: (error: unknown) => void;
  readonly #clock: VirtualClock;
  readonly #slices: Slices;
  #lease: Lease;
  readonly #lastUs: number;
  #errand: Errand | undefined;
  #next: Appointment | undefined;
  /** The latest slice was over before the world was where it should be. */
  #lags = false;
  #runs = false;
  /** Commands wait for the disk: the world stands still until they are applied. */
  /** By how many it is held. */
  #holds = 0;
  /** It goes on when its lease is longer. */
  #isBlocked = false;

  /** `onBroken`: a broken invariant has stopped the world during a turn. */
  constructor(
    world: World,
    pace: Pace,
    lastUs: number,
    time: HostTime,
    onBroken: (error: unknown) => void,
    lease: Lease = noLease(),
  ) {
    this.#world = world;
    this.#lease = lease;
    this.#lastUs = lastUs;
    lease.onMore = () => this.#turnSoon();
    this.#time = time;
    this.#onBroken = onBroken;
    this.#slices = new Slices(world, () => time.elapsedMs());
    this.#clock = new VirtualClock(pace, time.wallMs(), world.nowUs, lastUs);
  }

  get pace(): Pace {
    return this.#clock.pace;
  }

  /** How far the world is behind its clock, virtual µs; 0 where the clock is not the wall's. */
  get behindUs(): number {
    const { isPaused, speed } = this.pace;
    if (isPaused || speed === 'max' || this.#errand !== undefined) return 0;
    return Math.max(0, this.#clock.dueUs(this.#time.wallMs()) - this.#world.nowUs);
  }

  /** The clock runs from now on. */
  start(): void {
    this.#runs = true;
    this.#goOn(this.pace);
  }

  /** Nothing goes on by itself any more. */
  stop(): void {
    this.#runs = false;
    this.#appoint(undefined);
    this.#lease.settle(this.#world.nowUs);
  }

  /** As `stop`, of a world that another one has taken the place of. */
  abandon(): void {
    this.#lease = noLease();
    this.stop();
  }

  /** The world stands still until it is released, by each that holds it. */
  hold(): void {
    this.#holds++;
    this.#appoint(undefined);
  }

  release(): void {
    assert(this.#holds > 0, 'what is released is held');
    if (--this.#holds === 0) this.#turnSoon();
  }

  /** The world is where it is; what it lags behind is not caught up. */
  setPace(pace: Pace): void {
    this.#goOn(pace);
  }

  /** There is one errand at a time. */
  runTo(goal: Goal, onDone: () => void): void {
    assert(this.#errand === undefined, 'one errand is run at a time');
    this.#errand = { goal, onDone };
    this.#turnSoon();
  }

  /** The errand ends where the world is. */
  endErrand(): void {
    this.#errand = undefined;
    this.#goOn(this.pace);
  }

  /**
   * Brings the world to where its clock is, at most one slice long. One that lags, or runs an
   * errand, goes on between requests anyway.
   */
  catchUp(): void {
    if (!this.#runs || this.#holds > 0 || this.#lags || this.pace.isPaused) return;
    if (this.#errand === undefined) this.#pursue();
  }

  // ── slices ─────────────────────────────────────────────────────────────────────────────────────

  #turn(): void {
    this.#next = undefined;
    try {
      if (this.#errand === undefined) this.#pursue();
      else this.#pursueErrand(this.#errand);
    } catch (error) {
      this.#onBroken(error);
    }
  }

  #pursueErrand(errand: Errand): void {
    const { untilUs: mostUs, isThere } = errand.goal;
    const { nowUs } = this.#world;
    const untilUs = this.#lease.reach(nowUs, { untilUs: mostUs, mostUs });
    // The lease resumes it once it is longer.
    if (untilUs <= nowUs && nowUs < mostUs) return;
    const part = { untilUs, ...(isThere && { isThere }) };
    if (!this.#slices.run(part, SLICE_MS)) return this.#turnSoon();
    if (this.#world.nowUs < mostUs && isThere?.() !== true) return this.#turnSoon();
    this.endErrand();
    errand.onDone();
  }

  /** A slice of the way to where the clock is, and when to look again. */
  #pursue(): void {
    const { pace } = this;
    const dueUs = this.#clock.dueUs(this.#time.wallMs());
    const isThere = this.#world.nowUs >= dueUs || this.#runTowards(dueUs);
    this.#lags = !isThere;
    if (!pace.isPaused && this.#world.nowUs >= pace.untilUs) return this.#goOn(pace);
    if (isThere) return this.#sleep(dueUs);
    // Who goes as fast as he can is behind nobody.
    if (pace.speed === 'max') this.#clock.goOn(pace, this.#time.wallMs(), this.#world.nowUs);
    if (!this.#isBlocked) this.#turnSoon();
  }

  /** True when the world is there; false: it took a slice, or its lease ends before. */
  #runTowards(dueUs: number): boolean {
    const { speed, untilUs } = this.pace;
    const { nowUs } = this.#world;
    const mostUs = Math.min(untilUs, this.#lastUs);
    const aheadUs = speed === 'max' ? {} : { aheadUs: AHEAD_MS * US_A_MS * speed };
    const reachUs = this.#lease.reach(nowUs, { untilUs: dueUs, mostUs, ...aheadUs });
    this.#isBlocked = reachUs <= nowUs;
    return !this.#isBlocked && this.#slices.run({ untilUs: reachUs }, SLICE_MS) && reachUs >= dueUs;
  }

  /** A clock that has come to its end pauses, and so does one that was advanced beyond it. */
  #goOn(pace: Pace): void {
    const { nowUs } = this.#world;
    this.#lease.settle(nowUs);
    const isOver = nowUs >= pace.untilUs;
    const next = isOver ? { ...pace, isPaused: true, untilUs: Number.POSITIVE_INFINITY } : pace;
    this.#clock.goOn(next, this.#time.wallMs(), nowUs);
    this.#lags = false;
    this.#turnSoon();
  }

  // ── appointments ───────────────────────────────────────────────────────────────────────────────

  #turnSoon(): void {
    if (this.#holds > 0) return;
    this.#appoint((act) => this.#time.soon(act));
  }

  /** Until the next event is due, or the clock's end; a clock that is paused has nothing to do. */
  #sleep(dueUs: number): void {
    const { isPaused, untilUs } = this.pace;
    if (isPaused) return this.#appoint(undefined);
    const nextUs = Math.min(this.#world.facts.nextUs, untilUs);
    const ms = Math.ceil(this.#clock.wallMsBetween(dueUs, nextUs));
    const pauseMs = Math.min(Math.max(1, ms), this.#lease.longestSleepMs);
    this.#appoint((act) => this.#time.later(act, pauseMs));
  }

  #appoint(make: ((act: () => void) => Appointment) | undefined): void {
    this.#next?.cancel();
    this.#next = make !== undefined && this.#runs ? make(() => this.#turn()) : undefined;
  }
}
