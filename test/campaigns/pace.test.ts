/** When fragments leave their gateways: the grid of frag_send_delay, and duty cycles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { campaignWorlds } from '../../scenarios/testing/generators/arbitrary-campaigns.ts';
import { subBandBudgets } from '../../scenarios/testing/laws/budgets.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { Recorder, withLatecomers } from '../../scenarios/trace.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { someRuns } from '../support/long.ts';
import type { Trace } from '../support/small-network.ts';
import { carryOut } from '../support/worlds.ts';
import { runCampaign } from './notation.ts';

/** When each gateway began its multicast frames, µs. */
function departures(trace: Trace, gateway: string): number[] {
  const multicast = new Set(
    trace
      .of('downlinkPlanned')
      .filter((row) => row.purpose === 'multicast' && row.gateway === gateway)
      .map(({ downlink }) => downlink),
  );
  return trace
    .of('downlinkBegins')
    .filter((row) => row.gateway === gateway && multicast.has(row.downlink))
    .map(({ atUs }) => atUs);
}

const pauses = (times: readonly number[]): number[] =>
  times.slice(1).map((time, i) => time - times[i]);

const free = (network: NetworkPlan): NetworkPlan => ({
  ...network,
  gateways: network.gateways.map((gateway) => ({ ...gateway, dutyCycle: false })),
});

describe('the fragments of a gateway', () => {
  it.each([0.2, 0.25, 0.5, 0.7, 1, 2, 5])('leave every %s s when it is asked for', (delay) => {
    const trace = runCampaign({ campaign: { frag_send_delay: delay }, change: free });
    const times = departures(trace, 'gateway-1');
    expect(times).toHaveLength(20);
    expect(new Set(pauses(times))).toEqual(new Set([delay * 1e6]));
  });
});

describe('a campaign without a pace of its own', () => {
  const pace = (change?: (network: NetworkPlan) => NetworkPlan) => {
    const trace = runCampaign({ isPaced: false, ...(change && { change }) });
    const { airtimeUs } = trace
      .of('downlinkPlanned')
      .find(({ purpose }) => purpose === 'multicast')!;
    const all = pauses(departures(trace, 'gateway-1'));
    expect(new Set(all).size).toBe(1);
    return { airtimeUs, pauseUs: all[0]! };
  };

  it('takes the whole hour where its gateways keep no duty cycle', () => {
    const { airtimeUs, pauseUs } = pace(free);
    expect(pauseUs).toBeGreaterThan(airtimeUs);
    expect(pauseUs).toBeLessThan(airtimeUs + 102_000);
  });

  it('leaves nine tenths of it where they do', () => {
    const { airtimeUs, pauseUs } = pace();
    expect(pauseUs).toBeGreaterThanOrEqual(10 * airtimeUs);
  });
});

describe('gateways that keep duty cycles', () => {
  it('stay within a tenth of every hour in a campaign that asks for more', () => {
    const trace = runCampaign({
      type: { deviceClass: 'C' },
      traffic: { meanUs: 400_000_000 },
      imageBytes: 20_000,
      campaign: {
        frag_send_delay: 1,
        frag_size: 40,
        mcast_dr: 2,
        redundancy: 0.2,
        mcast_session_timeout: 8192,
      },
      minutes: 150,
    });
    const times = departures(trace, 'gateway-1');
    expect(times.length).toBeGreaterThan(400);
    const waits = pauses(times).filter((pause) => pause > 60_000_000);
    expect(waits.length).toBeGreaterThan(0);
    expect(subBandBudgets(trace.rows, trace.world.plan.network)).toEqual([]);
  });

  it('keep this and every other law in generated campaigns', () => {
    fc.assert(
      fc.property(campaignWorlds({ frames: ['counted'] }), (world) => {
        const recorder = new Recorder();
        carryOut(world, undefined, { observer: recorder });
        const commands = [...world.plan.timeline, ...world.commands];
        expect(judge(recorder.rows, withLatecomers(world.plan.network, commands))).toEqual({});
      }),
      { numRuns: someRuns(25) },
    );
  });
});
