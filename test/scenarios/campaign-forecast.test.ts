/** Campaigns in closed form against simulations: the library's campaigns over five seeds. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { World } from '../../core/world/world.ts';
import { populate } from '../../scenarios/filling/populate.ts';
import { anyOf, countsOf, reaches } from '../../scenarios/forecast/shadowing.ts';
import { campaignForecasts } from '../../scenarios/planning/campaign-forecast.ts';
import { readScenario } from '../../scenarios/texts.ts';
import { normalQuantile } from '../../sim/base/math.ts';

const SEEDS = ['a', 'b', 'c', 'd', 'e'];
const LIBRARY = 'scenarios/library/campaigns/';

/** Summer of the delegated fleets has devices whose delegation ends before: no air is the cause. */
const FILES: readonly (readonly [file: string, ...campaigns: string[]])[] = [
  ['class-b', 'spring', 'summer'],
  ['delegated-fleets', 'spring'],
  ['drifted-clocks', 'spring'],
  ['failing-devices', 'spring'],
  ['too-little-redundancy', 'spring'],
  ['version-2', 'spring'],
];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe.each(FILES)('the campaigns of %s', (file, ...campaigns) => {
  const { scenario } = readScenario(readFileSync(`${LIBRARY}${file}.yaml`, 'utf8'));
  const runs = SEEDS.map((seed) => {
    const plan = populate(scenario, seed);
    const world = World.create(plan, seed, { records: false });
    world.runUntil(world.endUs);
    return { forecasts: campaignForecasts(plan), results: world.result().campaigns };
  });

  it.each(campaigns)(
    '%s: the session is as long within 10 %, and as many have the image',
    (name) => {
      const both = runs.map(({ forecasts, results }) => {
        const forecast = forecasts.find(({ campaign }) => campaign === name)!;
        const result = results.find((one) => one.name === name)!;
        const at = (stage: string) => result.stages.find((one) => one.stage === stage)!.atSeconds;
        const seconds = at('VERIFYING') - at('SENDING_FRAGMENTS');
        return { forecast, seconds, complete: result.running / result.devices };
      });
      const [{ forecast }] = both as [(typeof both)[number]];
      const ratio = forecast.sendingSeconds / mean(both.map(({ seconds }) => seconds));
      expect(ratio).toBeGreaterThan(0.9);
      expect(ratio).toBeLessThan(1.1);
      const complete = mean(both.map((one) => one.complete));
      expect(Math.abs(forecast.complete - complete)).toBeLessThan(0.03);
    },
  );
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
