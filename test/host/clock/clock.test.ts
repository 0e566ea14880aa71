/** Where virtual time should be, whatever wall time does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pace, VirtualClock } from '../../../api/host/clock/clock.ts';

const LAST_US = 1e15;
const FOREVER = Number.POSITIVE_INFINITY;

const paceOf = (pace: Partial<Pace> = {}): Pace => ({
  isPaused: false,
  speed: 1,
  untilUs: FOREVER,
  ...pace,
});

/** What may happen to a clock: somebody looks, or changes its pace, some ms later or earlier. */
const steps = fc.array(
  fc.record({
    /** Wall time until then, whole ms; now and then backwards. */
    ms: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: -100_000, max: 100_000 })),
    pace: fc.option(
      fc.record({
        isPaused: fc.boolean(),
        // Thousandths, so that a ms is a whole number of µs.
        speed: fc.integer({ min: 1, max: 2_000_000 }).map((thousandths) => thousandths / 1000),
      }),
    ),
  }),
  { maxLength: 40 },
);

describe('the clock', () => {
  it('continues with wall time at its speed, and never falls, whatever is done to it', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 1e12 }), (all, startMs) => {
        const clock = new VirtualClock(paceOf(), startMs, 0, LAST_US);
        let [wallMs, latestUs] = [startMs, 0];
        // The oracle: each stretch of wall time that runs forward counts at the speed of then.
        let [expectedUs, thousandths, changes] = [0n, 1_000n, 0];
        for (const { ms, pace } of all) {
          wallMs += ms;
          if (ms > 0) expectedUs += BigInt(ms) * thousandths;
          const dueUs = clock.dueUs(wallMs);
          expect(dueUs).toBeGreaterThanOrEqual(latestUs);
          // Each pace begins with a whole µs, and its fraction may be one bit short.
          expect(Math.abs(dueUs - Number(expectedUs))).toBeLessThanOrEqual(changes + 1);
          latestUs = dueUs;
          if (pace === null) continue;
          clock.goOn(paceOf(pace), wallMs, dueUs);
          expect(clock.dueUs(wallMs)).toBe(dueUs);
          thousandths = pace.isPaused ? 0n : BigInt(Math.round(pace.speed * 1000));
          changes++;
        }
      }),
    );
  });

  it('goes on from where the world is when its pace changes, which may be behind it', () => {
    const clock = new VirtualClock(paceOf({ speed: 1000 }), 0, 0, LAST_US);
    expect(clock.dueUs(10_000)).toBe(10_000_000_000);
    clock.goOn(paceOf(), 10_000, 400);
    expect(clock.dueUs(10_000)).toBe(400);
    expect(clock.dueUs(10_001)).toBe(1_400);
  });

  it('stands still while it is paused', () => {
    const clock = new VirtualClock(paceOf({ isPaused: true, speed: 'max' }), 0, 70, LAST_US);
    expect([1, 1e9, 5].map((ms) => clock.dueUs(ms))).toEqual([70, 70, 70]);
  });

  it('goes no further than to its end, and than the world may', () => {
    const ending = new VirtualClock(paceOf({ untilUs: 2_500 }), 0, 0, LAST_US);
    expect([1, 2, 3, 9e9].map((ms) => ending.dueUs(ms))).toEqual([1_000, 2_000, 2_500, 2_500]);
    const endless = new VirtualClock(paceOf({ speed: 1_000_000 }), 0, 0, LAST_US);
    expect(endless.dueUs(1e9)).toBe(LAST_US);
  });

  it('that goes as fast as can be should be at its end at once, without one at ×1 000 000', () => {
    const ending = new VirtualClock(paceOf({ speed: 'max', untilUs: 9e9 }), 0, 0, LAST_US);
    expect(ending.dueUs(0)).toBe(9e9);
    const endless = new VirtualClock(paceOf({ speed: 'max' }), 0, 0, LAST_US);
    expect(endless.dueUs(3)).toBe(3e9);
  });

  it('knows how much wall time lies between two instants', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (ms, speed) => {
        const clock = new VirtualClock(paceOf({ speed }), 0, 0, FOREVER);
        expect(clock.wallMsBetween(0, clock.dueUs(ms))).toBeCloseTo(ms, 6);
      }),
    );
  });
});
