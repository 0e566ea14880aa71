/** When devices send of their own accord: by the hour of the day, and in bursts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { entityKey, expandSeed } from '../../sim/base/random.ts';
import { beginOfBurst, diurnalPauseUs, nextOfBurstsUs } from '../../sim/device/traffic.ts';
import type { BurstPlan, TrafficPlan } from '../../sim/plan/network-plan.ts';
import { Bench } from '../support/bench.ts';
import {
  GPS_EPOCH_MS,
  HOUR_US,
  MINUTE_US,
  networkOf,
  SECOND_US,
  type Wanted,
  watch,
} from '../support/small-network.ts';
import { throughBytes } from '../support/worlds.ts';

const DAY_US = 24 * HOUR_US;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Sum of (observed − expected)² / expected; what is not expected must not be there. */
function chiSquare(observed: readonly number[], expected: readonly number[]): number {
  return sumOf(
    observed.map((count, i) => {
      if (expected[i] === 0) expect(count).toBe(0);
      return expected[i] === 0 ? 0 : (count - expected[i]!) ** 2 / expected[i]!;
    }),
  );
}

/** 99.9 % of the sums of 23 degrees of freedom are below. */
const MOST_OF_23 = 49.73;

const traffic = (meanUs: number, hourWeights: readonly number[]): TrafficPlan => ({
  process: 'diurnal',
  meanUs,
  jitterPpm: 0,
  payloadBytes: 10,
  fPort: 7,
  confirmedPpm: 0,
  hourWeights,
});

/** Instants of the messages of a device's first days, µs since a midnight. */
function instantsOf(plan: TrafficPlan, name: string, days: number): number[] {
  const { key0, key1 } = entityKey(expandSeed('traffic'), name);
  const instants: number[] = [];
  let atUs = 0;
  for (let message = 0; ; message++) {
    atUs += diurnalPauseUs(plan, key0, key1, message, atUs % DAY_US);
    if (atUs >= days * DAY_US) return instants;
    instants.push(atUs);
  }
}

const byHour = (instants: readonly number[]): number[] => {
  const counts = HOURS.map(() => 0);
  for (const atUs of instants) counts[Math.floor((atUs % DAY_US) / HOUR_US)]!++;
  return counts;
};

const OFFICE = HOURS.map((hour) => (hour < 6 || hour > 19 ? 0 : 1 + (hour % 5)));
const HOME = HOURS.map((hour) => (hour === 7 || hour === 19 ? 8 : 1 + (hour % 3)));

describe('diurnal traffic', () => {
  it.each([
    ['a day with silent hours', OFFICE],
    ['a day with two peaks', HOME],
    ['an even day', HOURS.map(() => 3)],
  ])('has the profile of %s, by the chi-square of 40 devices in 50 days', (_, weights) => {
    const meanUs = 40 * MINUTE_US;
    const counts = HOURS.map(() => 0);
    for (let device = 0; device < 40; device++) {
      byHour(instantsOf(traffic(meanUs, weights), `d${device}`, 50)).forEach((count, hour) => {
        counts[hour]! += count;
      });
    }
    const all = (40 * 50 * DAY_US) / meanUs;
    const expected = weights.map((weight) => (all * weight) / sumOf(weights));
    expect(chiSquare(counts, expected)).toBeLessThan(MOST_OF_23);
    // Its mean pause over a day is the one that it was given, within four standard deviations.
    expect(Math.abs(sumOf(counts) - all)).toBeLessThan(4 * Math.sqrt(all));
  });

  it('is no other profile: the chi-square of a day that is turned by an hour is far off', () => {
    const counts = HOURS.map(() => 0);
    for (let device = 0; device < 40; device++) {
      byHour(instantsOf(traffic(HOUR_US, HOME), `d${device}`, 20)).forEach((count, hour) => {
        counts[hour]! += count;
      });
    }
    const turned = HOURS.map((hour) => HOME[(hour + 1) % 24]!);
    const all = sumOf(counts);
    const expected = turned.map((weight) => (all * weight) / sumOf(turned));
    expect(chiSquare(counts, expected)).toBeGreaterThan(20 * MOST_OF_23);
  });

  it('is a Poisson process: counts of an hour vary as much as their mean', () => {
    const days = 3_000;
    const counts = Array.from({ length: days }, () => 0);
    for (const atUs of instantsOf(traffic(HOUR_US, HOME), 'one', days)) {
      if (Math.floor((atUs % DAY_US) / HOUR_US) === 7) counts[Math.floor(atUs / DAY_US)]!++;
    }
    const mean = sumOf(counts) / days;
    const variance = sumOf(counts.map((count) => (count - mean) ** 2)) / (days - 1);
    expect(mean).toBeCloseTo((8 * 24) / sumOf(HOME), 0);
    expect(variance / mean).toBeGreaterThan(0.85);
    expect(variance / mean).toBeLessThan(1.15);
  });

  it('never sends in an hour without weight, whatever the profile, the mean and the time', () => {
    const profiles = fc
      .array(fc.constantFrom(0, 0, 1, 5, 0.25), { minLength: 24, maxLength: 24 })
      .filter((weights) => weights.some((weight) => weight > 0));
    fc.assert(
      fc.property(
        profiles,
        fc.integer({ min: SECOND_US, max: 40 * DAY_US }),
        fc.integer({ min: 0, max: DAY_US - 1 }),
        fc.nat(1_000),
        (weights, meanUs, dayUs, message) => {
          const { key0, key1 } = entityKey(expandSeed('a'), 'one');
          const pause = diurnalPauseUs(traffic(meanUs, weights), key0, key1, message, dayUs);
          expect(Number.isSafeInteger(pause) && pause > 0).toBe(true);
          const hour = Math.floor(((dayUs + pause) % DAY_US) / HOUR_US);
          expect(weights[hour]).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('goes by UTC, whenever the world begins', () => {
    const from = 9 * HOUR_US;
    const weights = HOURS.map((hour) => (hour === 12 ? 1 : 0));
    const network = networkOf({ devices: 5, traffic: traffic(HOUR_US, weights) });
    const sent = watch({ ...network, startUnixMs: GPS_EPOCH_MS + from / 1000 }, 30 * HOUR_US).of(
      'uplinkBegins',
    );
    expect(sent.length).toBeGreaterThan(100);
    // Messages come in that hour, and each goes out once the one before has had its windows.
    const hours = sent.map(({ atUs }) => ((atUs + from) % DAY_US) / HOUR_US);
    expect(Math.min(...hours)).toBeGreaterThanOrEqual(12);
    expect(Math.max(...hours)).toBeLessThan(13.01);
  });

  it('is called for from outside: the device’s clock has no part in it', () => {
    const at = (driftPpb: number) =>
      watch(networkOf({ traffic: traffic(HOUR_US, HOME), type: { driftPpb } }), DAY_US)
        .of('uplinkBegins')
        .map(({ atUs }) => atUs);
    expect(at(0).length).toBeGreaterThan(5);
    expect(at(90_000)).toEqual(at(0));
  });
});

// ── bursts ───────────────────────────────────────────────────────────────────────────────────────

const burstOf = (burst: Partial<BurstPlan>): Partial<TrafficPlan> => ({
  process: 'burst',
  meanUs: 2 * HOUR_US,
  burst: { messages: 4, spacingUs: 20 * SECOND_US, atUs: [], withinUs: 0, ...burst },
});

const sentBy = (wanted: Wanted, durationUs: number, device = 'meter-1'): number[] =>
  watch(networkOf(wanted), durationUs)
    .of('uplinkBegins')
    .filter((row) => row.device === device)
    .map(({ atUs }) => atUs);

describe('traffic in bursts', () => {
  it('has that many messages at the spacing, and pauses of the mean between them', () => {
    const sent = sentBy({ traffic: burstOf({}) }, 120 * DAY_US);
    const pauses = sent.slice(1).map((atUs, i) => atUs - sent[i]!);
    const quiet = pauses.filter((_, i) => i % 4 === 3);
    for (const [i, pause] of pauses.entries()) if (i % 4 !== 3) expect(pause).toBe(20 * SECOND_US);
    expect(quiet.length).toBeGreaterThan(1_000);
    expect(Math.abs(sumOf(quiet) / quiet.length / (2 * HOUR_US) - 1)).toBeLessThan(0.08);
    // Exponential: 1 − 1/e of them are shorter than the mean.
    const short = quiet.filter((pause) => pause < 2 * HOUR_US).length / quiet.length;
    expect(Math.abs(short - (1 - Math.exp(-1)))).toBeLessThan(0.04);
  });

  it('comes from all devices at one instant where an alarm is given one', () => {
    const wanted = { devices: 3, traffic: burstOf({ atUs: [HOUR_US, 5 * HOUR_US] }) };
    const steps = [0, 1, 2, 3].map((i) => i * 20 * SECOND_US);
    const expected = [HOUR_US, 5 * HOUR_US].flatMap((atUs) => steps.map((step) => atUs + step));
    for (const device of ['meter-1', 'meter-2', 'meter-3']) {
      expect(sentBy(wanted, DAY_US, device)).toEqual(expected);
    }
  });

  it('spreads an alarm over the time that it may take, each device by a draw of its own', () => {
    const traffic = burstOf({ atUs: [HOUR_US], withinUs: 100 * SECOND_US, messages: 1 });
    const sent = watch(networkOf({ devices: 40, traffic }), DAY_US).of('uplinkBegins');
    const after = sent.map(({ atUs }) => (atUs - HOUR_US) / SECOND_US).sort((a, b) => a - b);
    expect(after).toHaveLength(40);
    expect(after[0]).toBeGreaterThanOrEqual(0);
    expect(after[39]).toBeLessThan(100);
    // Kolmogorov and Smirnov: uniform, with 99.9 %.
    const off = after.map((at, i) => Math.abs(at / 100 - (i + 0.5) / 40));
    expect(Math.max(...off)).toBeLessThan(1.95 / Math.sqrt(40));
  });

  it('keeps four that wait, and drops what comes faster than the air takes it', () => {
    const traffic = burstOf({ atUs: [HOUR_US], messages: 100, spacingUs: 100 });
    const bench = new Bench(networkOf({ traffic }));
    bench.runUntil(2 * HOUR_US);
    const { messages, sent, messagesDropped } = bench.network.sides.device.column;
    expect([messages[0], sent[0], messagesDropped[0]]).toEqual([100, 5, 95]);
  });

  it('is over once the last alarm is over', () => {
    const burst = { messages: 3, spacingUs: 10, atUs: [100, 115], withinUs: 0 };
    const due: (number | undefined)[] = [];
    let at: number | undefined = 0;
    while (at !== undefined) {
      at = nextOfBurstsUs(burst, 1, 2, at);
      due.push(at);
    }
    expect(due).toEqual([100, 110, 115, 120, 125, 135, undefined]);
  });

  it('begins anew with a session: a burst that one cut is not gone on with', () => {
    const { burst } = burstOf({ messages: 5 }) as { burst: BurstPlan };
    expect([0, 1, 4, 5, 6].map((message) => beginOfBurst(burst, message))).toEqual([
      0, 5, 5, 5, 10,
    ]);
  });
});

describe('a world with such traffic', () => {
  it('is the same after a snapshot in the middle of a burst, and in a fork', () => {
    const network = networkOf({
      devices: 6,
      traffic: burstOf({ atUs: [HOUR_US], withinUs: 30 * SECOND_US, messages: 9 }),
    });
    const [type] = network.deviceTypes;
    const day = { ...type!, name: 'day', traffic: traffic(20 * MINUTE_US, HOME) };
    const alone = { ...type!, name: 'alone', traffic: { ...type!.traffic, ...burstOf({}) } };
    const types = [type!, day, alone];
    const devices = network.devices.map((device, i) => ({ ...device, type: i % 3 }));
    const plan = {
      name: 'small',
      description: '',
      durationUs: DAY_US,
      network: { ...network, deviceTypes: types, devices },
      timeline: [],
    };
    const whole = World.create(plan, 'a');
    whole.runUntil(DAY_US);
    const early = World.create(plan, 'a');
    early.runUntil(HOUR_US + 65 * SECOND_US);
    const later = World.restore(plan, 'a', throughBytes(early.snapshot())).fork();
    later.runUntil(DAY_US);
    expect(later.digest()).toEqual(whole.digest());
    expect(later.result()).toEqual(whole.result());
  });

  it('has what its process needs, and nothing else', () => {
    const wrong = (given: Partial<TrafficPlan>) => () =>
      watch(networkOf({ traffic: given }), MINUTE_US);
    const refused = /traffic has what its process needs/;
    expect(wrong({ process: 'diurnal' })).toThrow(refused);
    expect(wrong({ process: 'burst' })).toThrow(refused);
    expect(wrong({ hourWeights: HOME })).toThrow(refused);
    expect(wrong(traffic(HOUR_US, HOME.slice(1)))).toThrow(refused);
    expect(
      wrong(
        traffic(
          HOUR_US,
          HOURS.map(() => 0),
        ),
      ),
    ).toThrow(refused);
    expect(wrong(burstOf({ messages: 0 }))).toThrow(refused);
    expect(wrong(burstOf({ spacingUs: 0 }))).toThrow(refused);
    expect(wrong(burstOf({ atUs: [2, 1] }))).toThrow(refused);
  });
});
