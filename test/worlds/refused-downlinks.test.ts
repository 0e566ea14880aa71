/** Frames that a gateway refuses in ping slots: their payloads wait again. */
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import { World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { classBNetwork, pingsOf } from '../support/class-b-world.ts';
import { eui, MINUTE_US, SECOND_US, watch } from '../support/small-network.ts';

/** A frame for a ping slot is made so long before it. */
const AHEAD_US = 2 * SECOND_US;

/** Identifies a downlink among those of all gateways. */
const nameOf = (row: { readonly gateway: string; readonly downlink: number }): string =>
  `${row.gateway} ${row.downlink}`;

describe('a frame that a gateway refuses in a ping slot', () => {
  const devices = 12;
  // One slot in 128 s, which frames of others and of class A take from each other.
  const network = classBNetwork({
    devices,
    type: { pingSlotPeriodicity: 7, activation: 'abp' },
    traffic: { meanUs: 30 * SECOND_US, jitterPpm: 500_000, confirmedPpm: 500_000 },
    server: { rx2DataRate: 3 },
  });
  const durationUs = 45 * MINUTE_US;
  const timeline = Array.from({ length: 40 * devices }, (_, i): TimedCommand => {
    const devEui = eui('02', (i % devices) + 1);
    const payloadHex = (i % 256).toString(16).padStart(2, '0').repeat(100);
    const confirmed = i % 3 === 0;
    return {
      atUs: 20 * MINUTE_US + Math.floor(i / devices) * 20 * SECOND_US,
      command: { kind: 'downlink.enqueue', by: 'default', devEui, fPort: 9, payloadHex, confirmed },
    };
  });
  const trace = watch(network, durationUs, timeline);
  const { downlinks } = trace.world.result();

  it('is made anew before a later one, so that answers in the meantime are sent', () => {
    expect(downlinks.retried.collision).toBeGreaterThan(5);
    const aheadUs = pingsOf(trace).map(({ atUs, startsAtUs }) => startsAtUs - atUs);
    expect(Math.max(...aheadUs)).toBeLessThanOrEqual(AHEAD_US);
    expect(downlinks.refused.tooLateForWindows ?? 0).toBeLessThanOrEqual(1);
    expect(judge(trace.rows, network)).toEqual({});
  });

  it('counts as asked for once: it was sent, was refused or waits at a gateway', () => {
    const { requested, sent, refused } = downlinks;
    const all = Object.values(refused).reduce((sum, frames) => sum + frames, sent);
    const decided = new Set(
      [...trace.of('downlinkBegins'), ...trace.of('downlinkRefused')].map(nameOf),
    );
    const waiting = trace
      .of('downlinkPlanned')
      .filter((row) => row.purpose === 'data' && !decided.has(nameOf(row)));
    expect(requested - all).toBe(waiting.length);
  });

  it('waits in snapshots too', () => {
    const plan = { name: 'small', description: '', durationUs, network, timeline };
    let world = World.create(plan, 'small');
    // The server does not know of the refusal yet.
    const pings = new Set(pingsOf(trace).map(({ downlink }) => downlink));
    const refusals = trace.of('downlinkRefused').filter(({ downlink }) => pings.has(downlink));
    for (const { atUs } of refusals.slice(0, 20)) {
      world.runUntil(atUs);
      const restored = World.fromBytes(plan, 'small', world.toBytes());
      if (!restored.ok) throw new Error(restored.failure.message);
      world = restored.value;
    }
    world.runUntil(durationUs);
    expect(world.digest()).toEqual(trace.world.digest());
  });
});
