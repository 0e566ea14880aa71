/** Firmware campaigns under the determinism contract and the laws of the air, as properties. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { checkInvariants, runWorld } from '../../scenarios/testing/testing.ts';
import { libraryWorld } from '../support/library.ts';
import { itLong, some, someRuns } from '../support/long.ts';
import { carryOut, knownOutcome, outcomeOf, stopping, throughBytes } from '../support/worlds.ts';

/** A small campaign: some devices of either class, a small image, links that lose, two masts. */
const campaigns: fc.Arbitrary<ArbitraryWorld> = fc
  .record({
    devices: fc.integer({ min: 1, max: 12 }),
    deviceClass: fc.constantFrom('A', 'C'),
    activation: fc.constantFrom('abp', 'otaa'),
    lossPercent: fc.integer({ min: 0, max: 40 }),
    bytes: fc.integer({ min: 60, max: 4_000 }),
    redundancyPercent: fc.integer({ min: 0, max: 60 }),
    drift: fc.constantFrom('0 ppm', '20 ppm', '100 ppm'),
    masts: fc.integer({ min: 1, max: 2 }),
    frames: fc.constantFrom('counted', 'real'),
    seed: fc.constantFrom('a', 'b', 'c', 'd'),
  })
  .map((one) => {
    const settings = [
      `devices.meter.count=${one.devices}`,
      `devices.meter.class=${one.deviceClass}`,
      `devices.meter.activation=${one.activation}`,
      `devices.meter.frameLoss=${one.lossPercent} %`,
      `devices.meter.drift=${one.drift}`,
      'devices.meter.traffic.every=10 min',
      `images=[{ name: meter-1.1.0.bin, bytes: ${one.bytes} B }]`,
      `campaigns.spring.redundancy=${one.redundancyPercent} %`,
      `gateways.roof.count=${one.masts}`,
      `frames=${one.frames}`,
      'duration=8 h',
      'expectations=[]',
    ];
    const world = libraryWorld('campaigns/too-little-redundancy.yaml', settings, one.seed);
    return { ...world, commands: [] };
  });

const steps = fc.array(fc.integer({ min: 20, max: 900 }), { minLength: 1, maxLength: 4 });
const RUNS = { numRuns: someRuns(10) };

describe('a campaign', () => {
  it('produces the same through snapshots that went through bytes', () => {
    fc.assert(
      fc.property(campaigns, steps, (world, some) => {
        const { plan, seed } = world;
        const way = stopping(some, (one) =>
          World.restore(plan, seed, throughBytes(one.snapshot())),
        );
        expect(outcomeOf(carryOut(world, way))).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  itLong('produces the same in forks, whose originals are left alone', () => {
    fc.assert(
      fc.property(campaigns, steps, (world, some) => {
        const whole = knownOutcome(world);
        const forked = stopping(some, (one) => {
          const fork = one.fork();
          one.runUntil(one.nowUs + 600_000_000);
          return fork;
        });
        expect(outcomeOf(carryOut(world, forked))).toEqual(whole);
        const original = stopping(some, (one) => {
          one.fork().runUntil(one.nowUs + 600_000_000);
          return one;
        });
        expect(outcomeOf(carryOut(world, original))).toEqual(whole);
      }),
      RUNS,
    );
  });

  it('has the same outcome with frames that are only counted', () => {
    fc.assert(
      fc.property(campaigns, (world) => {
        const [counted, real] = (['counted', 'real'] as const).map((frames) => {
          const network = { ...world.plan.network, frames };
          return knownOutcome({ ...world, plan: { ...world.plan, network } });
        });
        expect(counted.outcome).toBe(real.outcome);
        expect({ ...counted.result, frames: 'real' }).toEqual(real.result);
      }),
      RUNS,
    );
  });

  it('produces the same when it is watched and asked meanwhile', () => {
    fc.assert(
      fc.property(campaigns, steps, (world, some) => {
        const way = stopping(some, (one) => {
          one.result();
          one.digest();
          return one;
        });
        const watched = carryOut(world, way, { observer: { trace: () => undefined } });
        expect(outcomeOf(watched)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it('keeps the laws of the air', () => {
    let successes = 0;
    fc.assert(
      fc.property(campaigns, (world) => {
        const { result, trace } = runWorld(world);
        expect(checkInvariants(trace)).toEqual({});
        successes += result.campaigns.reduce((sum, one) => sum + one.success, 0);
      }),
      RUNS,
    );
    expect(successes).toBeGreaterThan(some(20));
  });
});
