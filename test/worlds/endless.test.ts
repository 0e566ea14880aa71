/** A world that is served has no end: nothing of it grows with time. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { RunPlan, WorldPlan } from '../../core/world/plan.ts';
import { World } from '../../core/world/world.ts';
import type { ReportInput } from '../../reports/stories/run/report-input.ts';
import type { judge } from '../../scenarios/expectations/expectations.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { scenarioOf } from '../scenarios/scenario.ts';
import { beside, throughBytes } from '../support/worlds.ts';

const SEED = 'served';
const DAY_US = 86_400_000_000;

/** Devices of all classes, two gateways and two campaigns, over in three days. */
const SCENARIO = scenarioOf(`
scenario: served
duration: 3 d
area: { radius: 2 km }
gateways: [{ name: roof, count: 2, gps: true }]
records: { logEntries: 5000 }
devices:
  - { name: meter, count: 6, traffic: { every: 30 min, confirmed: 20 % }, energy: {} }
  - { name: valve, count: 3, class: C, activation: abp, traffic: { every: 1 h }, dataRate: DR5 }
  - { name: sign, count: 3, class: B, traffic: { every: 2 h } }
images: [{ name: meter-1.1.0.bin, bytes: 2 kB }]
groups: [{ name: meters, devices: [meter] }, { name: valves, devices: [valve] }]
campaigns:
  - { name: spring, image: meter-1.1.0.bin, group: meters, at: 2 h }
  - { name: summer, image: meter-1.1.0.bin, group: valves, at: 2 d }
`);

const RUN = populate(SCENARIO);
const SERVED = withoutEnd(RUN);

function withoutEnd({ durationUs: _, ...plan }: RunPlan): WorldPlan {
  return plan;
}

/** A day, then a message to every device and one question, and half an hour for the answers. */
function aDay(world: World): void {
  const untilUs = world.nowUs + DAY_US;
  world.runUntil(untilUs - DAY_US / 48);
  for (const { devEui } of SERVED.network.devices) {
    const message = { fPort: 9, payloadHex: '0102', confirmed: false };
    world.submit({ kind: 'downlink.enqueue', by: 'default', devEui, ...message });
  }
  world.ask({ kind: 'campaign.list', by: 'default' });
  world.runUntil(untilUs);
}

describe('a world without end', () => {
  const sizes = new Map<number, number>();
  const world = World.create(SERVED, SEED);
  for (let day = 1; day <= 40; day++) {
    aDay(world);
    sizes.set(day, world.toBytes().length);
  }

  it('has a snapshot after forty days that is no larger than after thirty-one', () => {
    // Five thousand entries of logs are stored, and go a chunk at a time.
    const [first = 0, ...later] = [31, 34, 37, 40].map((day) => sizes.get(day));
    // Counts and instants that grow take some bytes more each, and what is on its way differs.
    for (const size of later) expect(Math.abs(Number(size) - first)).toBeLessThan(first / 4);
    expect(world.events).toBeGreaterThan(100_000);
    expect(world.result().campaigns).toMatchObject([{ success: 6 }, { success: 3 }]);
  });

  it('answers with a result at any time: never complete, short series, rates so far', () => {
    const result = world.result();
    expect(result.complete).toBe(false);
    const { sliceSeconds, uplinks } = result.series;
    expect(uplinks).toHaveLength(Math.ceil((40 * 86_400) / sliceSeconds));
    expect(uplinks.length).toBeLessThanOrEqual(192);
    expect(uplinks.reduce((sum, each) => sum + each)).toBe(result.radio.uplinks);
    expect(result.virtualSeconds).toBe(40 * 86_400);
    for (const { airtimeSeconds, dutyCycle } of result.gateways) {
      const shares = Object.values(dutyCycle).reduce((sum, share) => sum + share, 0);
      expect(shares).toBeCloseTo(airtimeSeconds / (40 * 86_400), 12);
    }
  });

  it('answers at its very beginning, too', () => {
    const { gateways, ...result } = World.create(SERVED, SEED).result();
    expect(result).toMatchObject({ complete: false, virtualSeconds: 0, events: 0 });
    expect(gateways.map(({ dutyCycle }) => dutyCycle)).toEqual([{}, {}]);
  });

  it('runs to instants only, since it never ends', () => {
    expect(world.endUs).toBe(Number.POSITIVE_INFINITY);
    expect(() => world.runUntil(world.endUs)).toThrow('runs to an instant');
  });

  it('goes on from its bytes, which a run does not take', () => {
    const early = World.create(SERVED, SEED);
    early.runUntil(DAY_US / 4);
    const answer = World.fromBytes(SERVED, SEED, early.toBytes(), beside(early.contents()));
    if (!answer.ok) throw new Error(answer.failure.message);
    expect(answer.value.result()).toEqual(early.result());
    expect(World.fromBytes(RUN, SEED, early.toBytes())).toMatchObject({
      failure: { code: 'snapshot.plan' },
    });
    const fork = World.restore(SERVED, SEED, throughBytes(early.snapshot()));
    expect(fork.digest()).toEqual(early.digest());
  });

  it('does what a run of the same network does, whose series and end are its own', () => {
    const run = World.create(RUN, SEED);
    const served = World.create(SERVED, SEED);
    for (const one of [run, served]) one.runUntil(run.endUs);
    expect(served.digest()).toEqual(run.digest());
    const { series, budgets, ...result } = run.result();
    expect(series.uplinks).toHaveLength(96);
    expect(budgets?.downlinkQueue).toHaveLength(96);
    const { series: _, budgets: __, ...same } = served.result();
    expect({ ...same, complete: true }).toEqual(result);
  });

  it('may be reported as a run is', () => {
    expectTypeOf(World.create(RUN, SEED).result).returns.toExtend<Parameters<typeof judge>[1]>();
    expectTypeOf(world.result).returns.toExtend<ReportInput['result']>();
  });
});
