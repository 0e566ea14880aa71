/**
 * The determinism contract holds in the middle of campaigns too: what devices heard is derived when
 * somebody asks, and when that is never shows.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../core/world/log.ts';
import { type Run, World } from '../../core/world/world.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { campaignWorlds } from '../../scenarios/testing/generators/arbitrary-campaigns.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { libraryWorld } from '../support/library.ts';
import { sampled, someRuns } from '../support/long.ts';
import {
  carryOut,
  knownOutcome,
  outcomeOf,
  stopping,
  straight,
  throughBytes,
  type Way,
} from '../support/worlds.ts';

const RUNS = { numRuns: someRuns(16) };

/** Some stops in a run, few enough that each can be looked at. */
const rareSteps = fc.array(fc.integer({ min: 200, max: 2000 }), { minLength: 1, maxLength: 4 });

const withFrames = (world: ArbitraryWorld, frames: NetworkPlan['frames']): ArbitraryWorld => ({
  ...world,
  plan: { ...world.plan, network: { ...world.plan.network, frames } },
});

/** Ways to carry a world out that must not show, each at some stops. */
const WAYS: readonly [string, (world: ArbitraryWorld) => (present: Run) => Run][] = [
  ['is run in pieces', () => (present) => present],
  [
    'goes on from snapshots that went through bytes',
    ({ plan, seed }) =>
      (present) =>
        World.restore(plan, seed, throughBytes(present.snapshot())),
  ],
  [
    'is asked how far it is',
    () => (present) => {
      present.result();
      present.digest();
      present.snapshot();
      present.progress();
      return present;
    },
  ],
  [
    'goes on as a fork, while the original does something else',
    ({ plan }) =>
      (present) => {
        const fork = present.fork();
        present.submit({
          kind: 'device.remove',
          by: 'default',
          devEui: plan.network.devices[0].devEui,
        });
        present.runUntil(present.nowUs + 60_000_000);
        return fork;
      },
  ],
];

describe('a world with campaigns produces the same', () => {
  it('when it is run twice, observed or not', () => {
    fc.assert(
      fc.property(campaignWorlds(), (world) => {
        const observed = carryOut(world, straight, { observer: { trace: () => undefined } });
        expect(outcomeOf(observed)).toEqual(knownOutcome(world));
      }),
      RUNS,
    );
  });

  it.each(WAYS)('when it %s', (_, actIn) => {
    fc.assert(
      fc.property(campaignWorlds(), rareSteps, (world, steps) => {
        expect(outcomeOf(carryOut(world, stopping(steps, actIn(world))))).toEqual(
          knownOutcome(world),
        );
      }),
      RUNS,
    );
  });

  it('when it is asked at every event of a session', () => {
    fc.assert(
      fc.property(campaignWorlds({ devices: 3, imageBytes: 300 }), (world) => {
        const sessionUs = beginOf(world);
        const way: Way = (present, untilUs) => {
          present.runUntil(Math.min(untilUs, sessionUs));
          while (!present.runUntil(untilUs, 1)) {
            if (present.nowUs < sessionUs + 120_000_000) present.result();
          }
          return present;
        };
        expect(outcomeOf(carryOut(world, way))).toEqual(knownOutcome(world));
      }),
      { numRuns: someRuns(10) },
    );
  });

  it('when its log is replayed', () => {
    fc.assert(
      fc.property(campaignWorlds(), (world) => {
        const log: LogEntry[] = [];
        const first = carryOut(world, straight, { log: (entry) => log.push(entry) });
        first.markTime();
        const again = World.replay(world.plan, world.seed, log);
        expect(outcomeOf(again)).toEqual(outcomeOf(first));
      }),
      RUNS,
    );
  });

  it('when frames are only counted', () => {
    fc.assert(
      fc.property(campaignWorlds({ devices: 12, imageBytes: 1000 }), (world) => {
        const counted = knownOutcome(withFrames(world, 'counted'));
        const real = knownOutcome(withFrames(world, 'real'));
        expect(counted.outcome).toBe(real.outcome);
        expect({ ...counted.result, frames: 'real' }).toEqual(real.result);
      }),
      RUNS,
    );
  });
});

/** When the first session of a world begins, µs. */
function beginOf({ plan }: ArbitraryWorld): number {
  const begins = plan.timeline.flatMap(({ atUs, command }) =>
    command.kind === 'campaign.create'
      ? [atUs + (command.campaign.multicast_setup_time ?? 0) * 1_000_000]
      : [],
  );
  return Math.min(...begins);
}

describe('the campaign of the quickstart', () => {
  const { plan, seed } = libraryWorld('quickstart.yaml', [
    'duration=15 h',
    'devices.meter.count=200',
    'devices.soil.count=50',
    'devices.tracker.count=20',
  ]);
  const quickstart = { plan, seed, commands: [] };
  const outcome = knownOutcome(quickstart);

  it('updates devices', () => {
    expect(outcome.result.campaigns[0].success).toBeGreaterThan(140);
    const { rebuilt, right } = outcome.result.campaigns[0].verified;
    expect(right).toBe(rebuilt);
    expect(rebuilt).toBeGreaterThan(20);
  });

  /** All of them are tried in generated worlds. */
  const TRIED = sampled(WAYS, ([way]) => way.includes('bytes'));

  it.each(TRIED)('is the same when it %s', (_, actIn) => {
    const carried = carryOut(quickstart, stopping([9001], actIn(quickstart)));
    expect(outcomeOf(carried)).toEqual(outcome);
  });

  it('is the same in the other frame mode', () => {
    const frames = plan.network.frames === 'real' ? 'counted' : 'real';
    const other = knownOutcome(withFrames(quickstart, frames));
    expect(other.outcome).toBe(outcome.outcome);
  });
});
