/**
 * What devices heard in their sessions is derived late, in bulk, and only when something needs to
 * know; a plain decision for each frame and device finds the same.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimedCommand } from '../../core/command.ts';
import type { ArbitraryWorld } from '../../scenarios/testing/generators/arbitraries.ts';
import { campaignWorlds } from '../../scenarios/testing/generators/arbitrary-campaigns.ts';
import { Recorder, withLatecomers } from '../../scenarios/trace.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import { decideEagerly, type EagerVerdicts, reportedBy } from '../support/eager/oracle.ts';
import { missing, someRuns } from '../support/long.ts';
import { eui, networkOf, SECOND_US } from '../support/small-network.ts';
import { carryOut } from '../support/worlds.ts';
import { runCampaign } from './notation.ts';

/** What the generated worlds must have shown for their verdict to mean something. */
const SHOWN: Readonly<Record<string, number>> = {
  heard: 5000,
  ownUplink: 300,
  frameLoss: 300,
  tooWeak: 30,
  interfered: 50,
  lockedOnOther: 5,
  noise: 50,
  complete: 200,
  unopened: 150,
};

function census({ decided, taken, unopened }: EagerVerdicts): string[] {
  const complete = taken.filter((line) => line.includes('complete')).map(() => 'complete');
  const fates = decided.map((line) => line.slice(line.lastIndexOf(' ') + 1));
  return [...fates, ...complete, ...Array.from({ length: unopened }, () => 'unopened')];
}

/** Payloads are read in clear; the eager decision knows symbols of 125 kHz only. */
const WORLDS = campaignWorlds({ frames: ['counted'], regions: ['EU868'] });

/** The same with little power, and all campaigns on one channel: frames are weak, or in the way. */
const CROWDED = WORLDS.map((world): ArbitraryWorld => {
  const { network } = world.plan;
  const gateways = network.gateways.map((one) => ({ ...one, maxEirpCentiDbm: -1500 }));
  const timeline = world.plan.timeline.map((timed): TimedCommand => {
    const { command } = timed;
    if (command.kind !== 'campaign.create') return timed;
    const campaign = { ...command.campaign, mcast_dr: 3, mcast_freq: 869.525 };
    return { ...timed, command: { ...command, campaign } };
  });
  return { ...world, plan: { ...world.plan, network: { ...network, gateways }, timeline } };
});

/** The same in ping slots, where all gateways send beacons and fragments at the same instants. */
const IN_SLOTS = WORLDS.map((world): ArbitraryWorld => {
  const { network } = world.plan;
  const gateways = network.gateways.map((one) => ({ ...one, gps: true, maxEirpCentiDbm: 0 }));
  const timeline = world.plan.timeline.map((timed): TimedCommand => {
    const { command } = timed;
    if (command.kind !== 'campaign.create') return timed;
    const campaign = { ...command.campaign, multicastSession: 'classB' } as const;
    return { ...timed, command: { ...command, campaign } };
  });
  return { ...world, plan: { ...world.plan, network: { ...network, gateways }, timeline } };
});

const expectAlike = (generated: ArbitraryWorld): EagerVerdicts => {
  const recorder = new Recorder();
  const world = carryOut(generated, undefined, { observer: recorder });
  world.result();
  const { plan, commands, seed } = generated;
  const network = withLatecomers(plan.network, [...plan.timeline, ...commands]);
  const verdicts = decideEagerly(recorder.rows, network, seed);
  expect(verdicts).toMatchObject(reportedBy(recorder.rows));
  return verdicts;
};

const expectAlikeIn = (
  worlds: fc.Arbitrary<ArbitraryWorld>,
  numRuns: number,
  must: Readonly<Record<string, number>>,
): void => {
  const shown = new Map<string, number>();
  const judge = (generated: ArbitraryWorld): void => {
    for (const what of census(expectAlike(generated))) shown.set(what, (shown.get(what) ?? 0) + 1);
  };
  fc.assert(fc.property(worlds, judge), { numRuns: someRuns(numRuns) });
  expect(missing(shown, must)).toEqual([]);
};

describe('what devices heard, derived late', () => {
  it('is what an eager decision for each frame and device finds', () => {
    expectAlikeIn(WORLDS, 100, SHOWN);
  });

  it('is that too where frames are weak, or in the way of each other', () => {
    expectAlikeIn(CROWDED, 46, { heard: 2000, tooWeak: 40, lockedOnOther: 30 });
  });

  it('is that too in ping slots, of fragments that several gateways send at once', () => {
    expectAlikeIn(IN_SLOTS, 36, { heard: 2400, noBeacon: 120, tooWeak: 30, noise: 8 });
  });

  it('is that too where answers come in RX1 on the channel of the group', () => {
    let network: NetworkPlan | undefined;
    const trace = runCampaign({
      devices: 6,
      imageBytes: 10_000,
      gatewaysAt: [400, 100],
      type: { dataRate: { from: 'fixed', dataRate: 3 } },
      traffic: { meanUs: 15 * SECOND_US, confirmedPpm: 1_000_000, jitterPpm: 100_000 },
      gateway: { dutyCycle: false },
      radio: { interference: { ...networkOf({}).radio.interference, model: 'off' } },
      group: { gateways: [eui('06', 1)] },
      campaign: { mcast_dr: 3, mcast_freq: 868.1, frag_send_delay: 1, frag_size: 100 },
      change: (plan) => {
        network = plan;
        return plan;
      },
    });
    const { unopened, ...verdicts } = decideEagerly(trace.rows, network as NetworkPlan, 'small');
    expect(reportedBy(trace.rows)).toEqual(verdicts);
    expect(unopened).toBe(0);
    // A window that an answer shut at once costs nothing, though a frame is on the air then.
    const shut = trace.of('deviceReceives').filter((row) => {
      const heard = verdicts.decided.some((line) => {
        const [name, , , endedAtUs, fate] = line.split(' ');
        const isMeanwhile = row.atUs < Number(endedAtUs) && row.atUs > Number(endedAtUs) - 300_000;
        return name === row.device && fate !== 'ownUplink' && isMeanwhile;
      });
      return heard;
    });
    expect(shut.length).toBeGreaterThan(0);
  });
});
