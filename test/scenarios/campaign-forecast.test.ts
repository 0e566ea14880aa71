/** Campaigns in closed form against simulations: the library's campaigns over five seeds. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { drawnSenders } from '../../scenarios/forecast/senders.ts';
import { anyOf, countsOf, reaches } from '../../scenarios/forecast/shadowing.ts';
import { campaignForecasts } from '../../scenarios/planning/campaign-forecast.ts';
import { RebuildingShares, rebuildingShare } from '../../scenarios/planning/redundancy.ts';
import { readScenario } from '../../scenarios/texts.ts';
import { normalQuantile } from '../../sim/base/math.ts';
import type { DevicePlan, GatewayPlan } from '../../sim/plan/network-plan.ts';
import { itThorough } from '../support/long.ts';

const SEEDS = ['a', 'b', 'c', 'd', 'e'];
const LIBRARY = 'scenarios/library/';

type Row = readonly [file: string, ...campaigns: string[]];

/** Summer of the delegated fleets has devices whose delegation ends before: no air is the cause. */
const FILES: readonly Row[] = [
  ['campaigns/class-b', 'spring', 'summer'],
  ['campaigns/delegated-fleets', 'spring'],
  ['campaigns/drifted-clocks', 'spring'],
  ['campaigns/failing-devices', 'spring'],
  ['campaigns/too-little-redundancy', 'spring'],
  ['campaigns/version-2', 'spring'],
  ['questions/rc-clocks', 'spring'],
];

/** Large ones, and one whose mains fail meanwhile. */
const MORE_FILES: readonly Row[] = [
  ['quickstart', 'spring'],
  ['questions/canary-then-fleet', 'canary', 'fleet'],
  ['questions/redundancy', 'spring'],
  ['questions/smart-meters', 'weekend'],
  ['questions/street-lights', 'lamps'],
  ['questions/us915-campus', 'campus'],
];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function runsOf(file: string, seeds = SEEDS) {
  const { scenario } = readScenario(readFileSync(`${LIBRARY}${file}.yaml`, 'utf8'));
  return seeds.map((seed) => {
    const plan = populate(scenario, seed);
    const world = World.create(plan, seed, { records: false });
    world.runUntil(world.endUs);
    return { forecasts: campaignForecasts(plan), results: world.result().campaigns };
  });
}

/** As long within 10 %, where the service chose the data rate that was expected. */
function expectForecast(runs: ReturnType<typeof runsOf>, name: string): void {
  const both = runs.map(({ forecasts, results }) => {
    const forecast = forecasts.find(({ campaign }) => campaign === name)!;
    const result = results.find((one) => one.name === name)!;
    const at = (stage: string) => result.stages.find((one) => one.stage === stage)!.atSeconds;
    const seconds = at('VERIFYING') - at('SENDING_FRAGMENTS');
    const isExpected = result.dataRate === forecast.dataRate;
    return { forecast, seconds, isExpected, complete: result.running / result.devices };
  });
  const [{ forecast }] = both as [(typeof both)[number]];
  const expected = both.filter(({ isExpected }) => isExpected);
  // Which of two neighbours a seed leads to may be the toss of a coin.
  expect(expected.length).toBeGreaterThanOrEqual(2);
  const ratio = forecast.sendingSeconds / mean(expected.map(({ seconds }) => seconds));
  expect(ratio).toBeGreaterThan(0.9);
  expect(ratio).toBeLessThan(1.1);
  const complete = mean(both.map((one) => one.complete));
  expect(Math.abs(forecast.complete - complete)).toBeLessThan(0.03);
}

const SENTENCE = '%s: the session is as long within 10 %, and as many have the image';

describe.each(FILES)('the campaigns of %s', (file, ...campaigns) => {
  const runs = runsOf(file);
  it.each(campaigns)(SENTENCE, (name) => expectForecast(runs, name));
});

describe('a campaign with hardly enough redundancy', () => {
  // As random codes go, 9 coded fragments for 42 would do for 85 % of the devices.
  it('is expected to rebuild the image as the code as it is does, within 4 points', () => {
    const set = ['campaigns.spring.redundancy=20 %'];
    const text = readFileSync(`${LIBRARY}questions/redundancy.yaml`, 'utf8');
    const { scenario } = readScenario(text, { set });
    const runs = ['a', 'b'].map((seed) => {
      const plan = populate(scenario, seed);
      const world = World.create(plan, seed, { records: false });
      world.runUntil(world.endUs);
      const [{ running, devices }] = world.result().campaigns as [
        ReturnType<typeof world.result>['campaigns'][number],
      ];
      return { complete: running / devices, forecast: campaignForecasts(plan)[0]!.complete };
    });
    expect(Math.abs(runs[0]!.forecast - mean(runs.map((one) => one.complete)))).toBeLessThan(0.04);
    expect(rebuildingShare(42, 9, 0.1)).toBeGreaterThan(runs[0]!.forecast + 0.1);
  });

  it('has the closed form where nearly all do, and where a block is too large to draw', () => {
    const small = new RebuildingShares(42, 30);
    expect(small.of(30, 0.1)).toBe(rebuildingShare(42, 30, 0.1));
    expect(small.of(0, 0.1)).toBe(small.of(0, 0.1));
    // No more fragments are drawn than a session can have.
    const repaired = new RebuildingShares(42, 16_383 + 9);
    expect(repaired.of(9, 0.1)).toBeLessThan(rebuildingShare(42, 9, 0.1));
    const large = new RebuildingShares(4_000, 480);
    expect(large.of(450, 0.1)).toBe(rebuildingShare(4_000, 450, 0.1));
    expect(() => small.of(31, 0.1)).toThrow('announced');
  });
});

describe('larger campaigns', () => {
  for (const [file, ...campaigns] of MORE_FILES) {
    itThorough(`of ${file} last as long within 10 %, and as many have the image`, () => {
      const runs = runsOf(file, SEEDS.slice(0, 3));
      for (const name of campaigns) expectForecast(runs, name);
    });
  }
});

describe('a campaign in a shadowed city', () => {
  const CITY = `
    scenario: city
    duration: 14 h
    area: { radius: 6 km }
    radio: { shadowing: 8 dB }
    gateways: [{ name: roof }]
    devices:
      - name: meter
        count: 200
        class: C
        activation: abp
        dataRate: { link: 3 dB }
        traffic: { every: 1 h }
    images: [{ name: meter-1.1.0.bin, bytes: 4 kB }]
    groups: [{ name: all, devices: all, class: C }]
    campaigns:
      - { name: spring, image: meter-1.1.0.bin, group: all, at: 2 h, multicast_setup_time: 8 h }
  `;
  const bothOf = (set: readonly string[]) => {
    const { scenario } = readScenario(CITY, { set });
    return SEEDS.map((seed) => {
      const plan = populate(scenario, seed);
      const world = World.create(plan, seed, { records: false });
      world.runUntil(world.endUs);
      const [result] = world.result().campaigns;
      return { forecast: campaignForecasts(plan)[0]!, result: result! };
    });
  };

  // By distance alone all of them hear it: the forecast would be 100 %.
  it.each(['DR5', 'DR3'])('reaches as many devices at %s, within 3 points', (dataRate) => {
    const both = bothOf([`campaigns.spring.multicastDataRate=${dataRate}`]);
    const simulated = mean(both.map(({ result }) => result.running / result.devices));
    const complete = mean(both.map(({ forecast }) => forecast.complete));
    expect(simulated).toBeLessThan(0.93);
    expect(Math.abs(complete - simulated)).toBeLessThan(0.03);
  });

  it('chooses the data rate of the median seed or a neighbour, not that of the distances', () => {
    const both = bothOf(['area.radius=3 km']);
    const rates = both.map(({ result }) => result.dataRate).sort((a, b) => a - b);
    const { dataRate } = both[0]!.forecast;
    expect(Math.max(rates[2]!, dataRate)).toBeLessThan(4);
    expect(Math.abs(dataRate - rates[2]!)).toBeLessThan(2);
  });
});

describe('a campaign in AS923', () => {
  // With its 29 dBm a gateway would reach all devices at DR5.
  it('is expected at the data rates that 16 dBm of the sub-band allow', () => {
    const text = readFileSync(`${LIBRARY}regions/as923-dwell.yaml`, 'utf8');
    const [forecast] = campaignForecasts(populate(readScenario(text).scenario));
    expect(forecast!.dataRate).toBeLessThan(3);
  });
});

describe('the gateways that are expected to send', () => {
  const link = (levels: readonly (readonly number[])[]) => ({
    downlinkCentiDbm: (device: { name: string }, gateway: { name: string }) =>
      levels[Number(device.name)]![Number(gateway.name)]!,
    uplinkCentiDbm: (device: { name: string }, gateway: { name: string }) =>
      levels[Number(device.name)]![Number(gateway.name)]!,
    sensitivityCentiDbm: () => -12_000,
  });
  const named = (name: number) => ({ name: `${name}`, devEui: `D${name}`, eui: `G${name}` });
  const sendersOf = (levels: readonly (readonly number[])[], level = -11_500) => {
    const devices = levels.map((_, at) => named(at) as unknown as DevicePlan);
    const gateways = levels[0]!.map((_, at) => named(at) as unknown as GatewayPlan);
    const asked = { levelCentiDbm: level, sigmaDb: 0 };
    return [...drawnSenders(devices, gateways, link(levels), asked)].sort();
  };

  it('are as few as reach all, not the nearest ones', () => {
    const both = [
      [-9_000, -10_000],
      [-10_000, -9_000],
    ];
    expect(sendersOf(both)).toHaveLength(1);
    expect(sendersOf(both, -9_500)).toEqual(['G0', 'G1']);
  });

  it('are of the four that hear a device best', () => {
    const five = [[-9_000, -9_100, -9_200, -9_300, -8_000 - 1_400]];
    const rest = Array.from({ length: 3 }, () => [-13_000, -13_000, -13_000, -13_000, -9_000]);
    // The fifth hears the others alone: it serves them, and one of the first four the first.
    expect(sendersOf([...five, ...rest])).toEqual(['G0', 'G4']);
  });

  it('are none that cannot hear a device', () => {
    expect(sendersOf([[-11_900, -12_100]], -13_000)).toEqual(['G0']);
  });

  it('are two for hundreds of devices: a few links have had nothing yet', () => {
    const many = Array.from({ length: 500 }, () => [-9_000, -9_000]);
    expect(sendersOf(many)).toEqual(['G0', 'G1']);
  });
});

describe('probabilities of shadowed links', () => {
  it('are those of the normal distribution', () => {
    for (const p of [1e-6, 0.01, 0.3, 0.5, 0.9, 0.999]) {
      expect(reaches(800 * normalQuantile(p), 0, 8)).toBeCloseTo(p, 6);
    }
    expect([reaches(-9_000, -9_000, 0), reaches(-9_001, -9_000, 0)]).toEqual([1, 0]);
  });

  it('count how many links of several reach a device', () => {
    expect(anyOf([])).toBe(0);
    expect(anyOf([0.5, 0.5])).toBe(0.75);
    expect(countsOf([0.5, 0, 0.25])).toEqual([0.375, 0.5, 0.125]);
    expect(countsOf([1, 1])).toEqual([0, 0, 1]);
    expect(countsOf([])).toEqual([1]);
  });
});

describe('a campaign of a mixed group', () => {
  const TOWN = `
    scenario: mixed
    duration: 12 h
    area: { radius: 500 m }
    radio: { pathLoss: { model: constant, loss: 100 dB }, shadowing: 0 dB }
    gateways: [{ name: roof }]
    devices:
      - { name: meter, count: 30, dataRate: DR5, frameLoss: 20 %, traffic: { every: 15 min } }
      - { name: lamp, count: 30, class: C, dataRate: DR5, frameLoss: 5 %, traffic: { every: 1 h } }
    images: [{ name: town-2.0.0.bin, bytes: 8 kB }]
    groups: [{ name: all, devices: all, class: A }]
    campaigns:
      - name: spring
        image: town-2.0.0.bin
        group: all
        at: 1 h
        min_downlink_delay: 1 s
        redundancy: 20 %
  `;
  const { scenario } = readScenario(TOWN);

  it('is estimated population by population', () => {
    const [forecast] = campaignForecasts(populate(scenario));
    const world = World.create(populate(scenario), 'mixed');
    world.runUntil(world.endUs);
    const [{ populations }] = world.result().campaigns as [
      ReturnType<typeof world.result>['campaigns'][number],
    ];
    for (const { name, devices, complete } of forecast!.populations) {
      const own = populations.find((one) => one.name === name)!;
      expect(devices).toBe(own.devices);
      expect(Math.abs(complete - own.running / own.devices)).toBeLessThan(0.12);
    }
    const [meter, lamp] = ['meter', 'lamp'].map(
      (name) => forecast!.populations.find((one) => one.name === name)!.complete,
    );
    expect(meter!).toBeLessThan(lamp!);
  });
});
