/** Slices are bounded by wall time, however heavy an event is: the stopwatch is a counter here. */
import { describe, expect, it } from 'vitest';
import { drive } from '../../../api/host/clock/run-in-slices.ts';
import { Slices } from '../../../api/host/clock/slice.ts';
import { replayInSlices, replayPast, worldOptions } from '../../../api/host/replay/replay.ts';
import { NewsHub } from '../../../api/host/watching/event-hub.ts';
import { World } from '../../../core/world/world.ts';
import { SERVED_DAY } from '../../support/served-day.ts';

const SLICE_MS = 20;
const END_US = 1_000_000;

/** A world of events that cost that many ms, each a µs apart. */
class Costly {
  nowUs = 0;
  events = 0;
  ms = 0;
  /** Of each call. */
  readonly asked: number[] = [];
  readonly #costMs: (event: number) => number;

  constructor(costMs: (event: number) => number) {
    this.#costMs = costMs;
  }

  copyOn(): boolean {
    return false;
  }

  runUntil(untilUs: number, maxEvents: number): boolean {
    this.asked.push(maxEvents);
    for (let i = 0; i < maxEvents && this.nowUs < untilUs; i++) {
      this.nowUs++;
      this.ms += this.#costMs(this.events++);
    }
    return this.nowUs === untilUs;
  }

  /** How long each of its first slices took, ms. */
  slices(count: number): number[] {
    const slices = new Slices(this as never, () => this.ms);
    return Array.from({ length: count }, () => {
      const beganMs = this.ms;
      slices.run({ untilUs: END_US }, SLICE_MS);
      return this.ms - beganMs;
    });
  }
}

describe('a slice', () => {
  it.each([
    ['light', 0.001, 20.016],
    ['of a millisecond', 1, 24],
    ['of five milliseconds', 5, 25],
    ['of thirty', 30, 30],
  ])('of events that are %s ends after 20 ms and at most some of them', (_, costMs, mostMs) => {
    const took = new Costly(() => costMs).slices(20);
    expect(Math.max(...took)).toBeLessThanOrEqual(mostMs + 1e-9);
    expect(Math.min(...took)).toBeGreaterThanOrEqual(20);
  });

  it('of light events that become heavy is longer once, by sixteen of them', () => {
    const world = new Costly((event) => (event < 40_000 ? 0.001 : 40));
    const took = world.slices(8);
    const long = took.filter((ms) => ms > 50);
    expect(long).toHaveLength(1);
    expect(long[0]).toBeLessThanOrEqual(SLICE_MS + 16 * 40);
  });

  it('looks at the stopwatch after one event, and after ever more while they are light', () => {
    const world = new Costly(() => 0.001);
    world.slices(1);
    expect(world.asked.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 16, 16]);
  });

  it('ends where its goal says, in time or in events', () => {
    const world = new Costly(() => 0.001);
    const slices = new Slices(world as never, () => world.ms);
    expect(slices.run({ untilUs: END_US, untilEvents: 37 }, SLICE_MS)).toBe(true);
    expect(world.events).toBe(37);
    expect(slices.run({ untilUs: 50 }, SLICE_MS)).toBe(true);
    expect([world.events, world.nowUs]).toEqual([50, 50]);
  });
});

describe('a run of a world', () => {
  const options = worldOptions('', new NewsHub());
  const origins = { plan: SERVED_DAY, seed: 'slices', options };

  it('by that many events ends behind the last of them, and reports of each slice', async () => {
    const world = World.create({ ...SERVED_DAY, durationUs: 86_400_000_000 }, 'slices');
    let count = 0;
    const ended = await drive(
      world,
      () => false,
      () => count++,
      { untilEvents: 1_000 },
    );
    expect([ended, world.events]).toEqual([true, 1_000]);
    expect(count).toBeGreaterThan(0);
  });

  it('that is lived again beside other work is the same as at once', async () => {
    const past = { commands: [], standsAtUs: 7_200_000_000 };
    const beside = await replayInSlices(origins, past);
    expect(beside.nowUs).toBe(past.standsAtUs);
    expect(beside.digest()).toEqual(replayPast(origins, past).digest());
  });
});
