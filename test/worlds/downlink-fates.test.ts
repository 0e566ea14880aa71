/**
 * Every downlink that the platform requests ends in exactly one way, or still waits: judged from
 * the trace of the radio, from what was requested and from what the platform was reported.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { type ArbitraryWorld, worlds } from '../../scenarios/testing/generators/arbitraries.ts';
import { campaignWorlds } from '../../scenarios/testing/generators/arbitrary-campaigns.ts';
import { listeners } from '../../scenarios/testing/generators/arbitrary-listeners.ts';
import { follow, ownersOf } from '../support/downlink-histories.ts';
import { missing, someRuns } from '../support/long.ts';

/** What the worlds must have shown for the verdict to mean something. */
const SHOWN: Readonly<Record<string, number>> = {
  unheard: 5,
  planned: 2000,
  sent: 2000,
  acknowledged: 200,
  answered: 1000,
  cleared: 100,
  deviceRemoved: 10,
  neverAcknowledged: 20,
  tooLong: 10,
  backhaulLoss: 20,
  collision: 20,
  collisionBeacon: 20,
};

/**
 * The same world with an application that has a lot to say, and now and then thinks better. A job
 * begins before anybody was heard.
 */
function talkative({ plan, seed, commands }: ArbitraryWorld): ArbitraryWorld {
  const ownerOf = ownersOf(plan);
  const more = plan.network.devices.flatMap(({ devEui }, d) => {
    const by = ownerOf(devEui);
    return Array.from({ length: 24 }, (_, i): TimedCommand => {
      const atUs = Math.floor((plan.durationUs * (i + 2)) / 27) + d;
      if (i % 7 === 6) return { atUs, command: { kind: 'downlink.clear', by, devEui } };
      const payloadHex = '5a'.repeat((7 * i + d) % 60);
      const given = { fPort: i + 1, payloadHex, confirmed: i % 3 === 0, flushQueue: i % 11 === 10 };
      return { atUs, command: { kind: 'downlink.enqueue', by, devEui, ...given } };
    });
  });
  const { devEui } = plan.network.devices[0]!;
  const job = {
    name: 'early',
    downlink_hex: '5a',
    downlink_fport: 5,
    expected_uplink_hex: '5a',
    expected_uplink_fport: 5,
    devices: [devEui],
  };
  const early: TimedCommand = {
    atUs: 0,
    command: { kind: 'reliableDownlink.create', by: ownerOf(devEui), job },
  };
  return { plan, seed, commands: [early, ...commands, ...more].sort((a, b) => a.atUs - b.atUs) };
}

const shown = new Map<string, number>();

describe('every downlink of a generated world', () => {
  it.each([
    ['worlds', worlds(), 60],
    ['worlds of listeners', listeners(), 40],
    ['worlds of campaigns', campaignWorlds(), 12],
  ] as const)('ends in exactly one way or still waits, in %s', (_, arbitrary, numRuns) => {
    fc.assert(
      fc.property(arbitrary, (world) => {
        const { plan, seed, commands } = talkative(world);
        const { lives } = follow(plan, seed, commands);
        expect(lives.complaints.slice(0, 3)).toEqual([]);
        for (const [what, count] of lives.census) shown.set(what, (shown.get(what) ?? 0) + count);
        // Every frame is some downlink's; only what has ended goes untold.
        expect(lives.census.get('planned') ?? 0).toBeLessThanOrEqual(lives.framesPlanned);
      }),
      { numRuns: someRuns(numRuns) },
    );
  });

  it('is one of many that have come to every end', () => {
    expect(missing(shown, SHOWN)).toEqual([]);
  });
});
