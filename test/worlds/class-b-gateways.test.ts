/**
 * Class B under several gateways: all send each beacon, and each frame in a group's ping slot, at
 * the same instant (docs/decisions/0030).
 */
import { describe, expect, it } from 'vitest';
import type { CampaignResult, RunResult } from '../../core/result/result.ts';
import { World } from '../../core/world/world.ts';
import { judge } from '../../scenarios/testing/laws/laws.ts';
import { runScenario } from '../../scenarios/testing/testing.ts';
import type { NetworkPlan } from '../../sim/plan/network-plan.ts';
import type { InterferencePlan } from '../../sim/radio/radio-plan.ts';
import { classBCampaign, classBNetwork } from '../support/class-b-world.ts';
import { libraryWorld } from '../support/library.ts';
import { HOUR_US, type Trace, type Wanted, watch } from '../support/small-network.ts';

type Copies = NonNullable<InterferencePlan['simultaneousCopies']>;

function network(simultaneousCopies: Copies, wanted: Wanted): NetworkPlan {
  const { radio, ...rest } = classBNetwork(wanted);
  const interference = { ...radio.interference, simultaneousCopies };
  return { ...rest, radio: { ...radio, interference } };
}

const fatesOf = (trace: Trace): Record<string, number> => {
  const fates: Record<string, number> = {};
  for (const { fate } of trace.of('beaconDecided')) fates[fate] = (fates[fate] ?? 0) + 1;
  return fates;
};

describe('a class B device in the middle of two gateways', () => {
  const middle = { gatewaysAt: [-1000, 1000] };

  it('hears nearly every beacon where copies are echoes, and is in class B', () => {
    const plan = network('multipath', middle);
    const trace = watch(plan, 24 * HOUR_US);
    const { heard = 0, tooWeak = 0 } = fatesOf(trace);
    expect(heard + tooWeak).toBeGreaterThan(500);
    // 32.6 dB above the sensitivity: of the sums of two equal waves 0.7 % lie below it.
    expect(heard / (heard + tooWeak)).toBeGreaterThan(0.98);
    expect(trace.world.result().beacons).toMatchObject({ inClassB: 1 });
    expect(judge(trace.rows, plan)).toEqual({});
  });

  it('never hears one where the strongest must be captured, and stays class A', () => {
    const plan = network('capture', middle);
    const trace = watch(plan, 24 * HOUR_US);
    expect(Object.keys(fatesOf(trace))).toEqual(['interfered']);
    expect(trace.world.result().beacons).toMatchObject({ heard: 0, inClassB: 0 });
    expect(judge(trace.rows, plan)).toEqual({});
  });

  it('hears what it hears of one gateway when the other is out of reach', () => {
    const decided = (...gatewaysAt: readonly number[]) =>
      watch(network('multipath', { gatewaysAt }), 3 * HOUR_US).of('beaconDecided');
    expect(decided(1000, 500_000)).toEqual(decided(1000));
    // The order of the gateways is that of the plan, wherever the one in reach stands in it.
    expect(decided(500_000, 1000, 600_000, 700_000)).toEqual(decided(1000));
  });

  it('hears none of two that are equally loud, with any others out of reach', () => {
    const decided = (...gatewaysAt: readonly number[]) =>
      watch(network('capture', { gatewaysAt }), 3 * HOUR_US).of('beaconDecided');
    const two = decided(-1000, 1000);
    expect(new Set(two.map(({ fate }) => fate))).toEqual(new Set(['interfered']));
    expect(decided(500_000, -1000, 600_000, 1000, 700_000, 800_000)).toEqual(two);
  });
});

describe('the figures of beacons', () => {
  it('count what went out by now, whenever the device looks at it', () => {
    const plan = network('multipath', { gatewaysAt: [-1000, 1000], devices: 3 });
    const { beacons } = watch(plan, 3 * HOUR_US).world.result();
    const over = watch(plan, 7 * HOUR_US)
      .of('beaconDecided')
      .filter(({ beganAtUs }) => beganAtUs + 152_576 < 3 * HOUR_US);
    const heard = over.filter(({ fate }) => fate === 'heard').length;
    const { lookedFor, missed } = beacons!;
    expect(beacons).toMatchObject({ sent: 2 * 84, lookedFor: over.length, heard });
    expect(lookedFor).toBe(3 * 84);
    expect(heard + Object.values(missed).reduce((sum, times) => sum + times, 0)).toBe(lookedFor);
    expect(beacons!.populations).toEqual([
      { name: 'meter', lookedFor, heard, missed, inClassB: beacons!.inClassB },
    ]);
  });

  it('are the same when somebody has asked before', () => {
    const plan = network('multipath', { gatewaysAt: [-1000, 1000] });
    const { world } = watch(plan, 3 * HOUR_US);
    const first = world.result().beacons;
    expect(world.result().beacons).toEqual(first);
  });

  it('count every beacon that a device missed, as no gateway sends any more', () => {
    const text = `
scenario: beacons-end
duration: 3 h
gateways: [{ name: mast, gps: true }]
devices: [{ name: valve, class: B, placement: { at: [100 m, 0] }, joinWithin: 1 s }]
timeline: [{ at: 2 h, removeGateway: mast }]
`;
    const { sent, lookedFor, heard, missed } = runScenario(text).result.beacons!;
    expect(sent).toBeGreaterThan(50);
    expect(lookedFor).toBe(84);
    expect(missed.outOfReach).toBe(84 - sent);
    expect(heard).toBeGreaterThan(sent - 5);
  });

  it('are absent where nobody sends or looks for a beacon', () => {
    const plan = network('multipath', { gateway: { gps: false }, type: { deviceClass: 'A' } });
    expect(watch(plan, HOUR_US).world.result()).not.toHaveProperty('beacons');
  });
});

describe('a device that hears no beacon', () => {
  /** In the middle of two gateways; neither is captured. */
  const deaf = (deviceClass: 'A' | 'B') => {
    const input = { is_troubleshooting: true };
    const change = ({ radio, ...rest }: NetworkPlan): NetworkPlan => {
      const interference = { ...radio.interference, simultaneousCopies: 'capture' } as const;
      return { ...rest, radio: { ...radio, interference } };
    };
    const wanted = { gatewaysAt: [-1000, 1000], type: { deviceClass } };
    const { trace } = classBCampaign(wanted, input, () => [], 'EU868', change);
    const list = trace.world.ask({ kind: 'campaign.list', by: 'default' });
    const { campaign_id } = list.ok ? list.value[0]! : { campaign_id: '' };
    const shown = JSON.stringify(
      trace.world.ask({ kind: 'campaign.get', by: 'default', campaign_id }),
    );
    const [{ failures, fragmentLosses }] = trace.world.result().campaigns as [CampaignResult];
    return { shown, failures, fragmentLosses };
  };

  it('misses every fragment for want of a beacon, and fails so when the network knows it', () => {
    const { shown, failures, fragmentLosses } = deaf('B');
    expect(fragmentLosses).toEqual({ noBeacon: 20 });
    expect(failures).toEqual({ 'no beacon': 1 });
    expect(shown).toContain('latest uplink had no ClassB bit: it has heard no beacon');
  });

  it('is suspected of it where its uplinks do not show it: it is of class A', () => {
    const { shown, failures, fragmentLosses } = deaf('A');
    expect(fragmentLosses).toEqual({ noBeacon: 20 });
    expect(failures).toEqual({ 'session missed': 1 });
    expect(shown).toContain('it may have heard no beacon');
  });
});

describe('a campaign in ping slots through more gateways', () => {
  const run = (gateways: number, ...more: readonly string[]): RunResult => {
    const settings = [`gateways.mast.count=${gateways}`, 'radio.shadowing=0 dB', ...more];
    const { plan, seed } = libraryWorld('campaigns/class-b.yaml', settings, 'more');
    const world = World.create(plan, seed);
    world.runUntil(world.endUs);
    return world.result();
  };
  const results = [1, 2, 3, 5].map((gateways) => run(gateways));
  const [alone, ...several] = results;
  const updated = ({ campaigns }: RunResult): number =>
    campaigns.reduce((sum, { success }) => sum + success, 0);
  const heard = ({ beacons }: RunResult): number => beacons!.heard / beacons!.lookedFor;

  it('updates as many devices, within chance', () => {
    expect(updated(alone!)).toBeGreaterThanOrEqual(78);
    // Three standard deviations for 80 devices; one in forty fails.
    for (const each of several) expect(updated(each)).toBeGreaterThanOrEqual(updated(alone!) - 4);
  });

  it('has as many beacons heard, but for the rare fade', () => {
    for (const each of several) expect(heard(each)).toBeGreaterThan(heard(alone!) - 0.03);
  });

  it('updates far fewer where the strongest must be captured', () => {
    const captured = run(5, 'radio.interference.simultaneousCopies=capture');
    expect(updated(captured)).toBeLessThan(updated(alone!) - 10);
  });

  it('keeps every device of class B in class B', () => {
    for (const { beacons } of results) expect(beacons!.inClassB).toBe(20);
  });
});

describe('a campaign in ping slots where no gateway has GPS time', () => {
  it('is refused for that', () => {
    const text = `
scenario: no-gps
duration: 3 h
gateways: [{ name: mast }]
devices: [{ name: valve, count: 2, class: B, placement: { ring: 100 m }, joinWithin: 1 s }]
images: [{ name: valve-1.1.0.bin, bytes: 1 kB }]
groups: [{ name: valves, devices: all }]
campaigns: [{ name: c, image: valve-1.1.0.bin, group: valves, at: 2 h, multicastSession: classB }]
`;
    const { warnings } = runScenario(text).result;
    expect(warnings).toContain(
      'campaign.create of c at 7200 s was refused: There is no gateway with GPS time.',
    );
  });
});
