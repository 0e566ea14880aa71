/** Asking for the truth of devices changes nothing that a digest or a snapshot sees. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SUBSCRIBER } from '../../core/base/subscribers.ts';
import { type Run, World } from '../../core/world/world.ts';
import { worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import { got } from '../core/resources/service.ts';
import { classBCampaign } from '../support/class-b-world.ts';
import { someRuns } from '../support/long.ts';
import { SECOND_US } from '../support/small-network.ts';
import { carryOut, stopping, straight } from '../support/worlds.ts';

const steps = fc.array(fc.integer({ min: 20, max: 700 }), { minLength: 1, maxLength: 4 });

/** Everybody asks for the truth of their last device, of others perhaps never. */
function askGroundTruth(world: Run): Run {
  const { devices = [] } = world.plan.owners ?? {};
  const planned = world.plan.network.devices.map(({ devEui }) => [devEui, DEFAULT_SUBSCRIBER]);
  for (const [devEui, by] of [...planned, ...devices].toReversed().slice(0, 3)) {
    world.ask({ kind: 'device.truth', by: by!, devEui: devEui! });
    world.ask({ kind: 'fault.list', by: by! });
  }
  return world;
}

const seen = (world: Run) => ({ ...world.digest(), bytes: world.toBytes() });

describe('a world whose devices are asked for their truth', () => {
  it('is the world that nobody ever asked: digests and bytes of its snapshot', () => {
    fc.assert(
      fc.property(worlds(), steps, (world, slices) => {
        const asked = carryOut(world, stopping(slices, askGroundTruth));
        expect(seen(asked)).toEqual(seen(carryOut(world, straight)));
      }),
      { numRuns: someRuns(24) },
    );
  });

  it('is that of devices that follow beacons, too', () => {
    fc.assert(
      fc.property(listeners(), steps, (world, slices) => {
        const asked = carryOut(world, stopping(slices, askGroundTruth));
        expect(seen(asked)).toEqual(seen(carryOut(world, straight)));
      }),
      { numRuns: someRuns(24) },
    );
  });

  /** Devices that lose half of the fragments, and have to be settled to know of the others. */
  const type = { deviceClass: 'B', frameLossPpm: 480_000 } as const;
  const { network, trace } = classBCampaign({ devices: 4, type }, { frag_size: 10, redundancy: 1 });
  const fromUs = trace.of('multicastDecided')[0]!.atUs;
  const { devEui } = network.devices.at(-1)!;
  const fresh = (): Run => World.create(trace.world.plan, 'small');
  const groundTruthAt = (world: Run, atUs: number) => {
    world.runUntil(atUs);
    return got(world.ask({ kind: 'device.truth', by: DEFAULT_SUBSCRIBER, devEui }));
  };

  it('is that in mid-session, too, when one of those who listen is asked again and again', () => {
    const [never, asked] = [fresh(), fresh()];
    for (let s = 0; s < 3_600; s += 10) groundTruthAt(asked, fromUs + s * SECOND_US);
    never.runUntil(asked.nowUs);
    expect(seen(asked)).toEqual(seen(never));
  });

  it('reports what they have heard by then, settled by an event or not', () => {
    const asked = fresh();
    const missing = [10, 20, 30, 40].map((s) => {
      const settled = fresh();
      settled.runUntil(fromUs + s * SECOND_US);
      settled.digest();
      const groundTruth = groundTruthAt(asked, settled.nowUs);
      expect(groundTruth).toEqual(groundTruthAt(settled, settled.nowUs));
      return groundTruth.fragmentation_sessions[0]!.missing;
    });
    expect(missing).toEqual([...new Set(missing)].sort((a, b) => b - a));
  });
});
